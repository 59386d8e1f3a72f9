import { z } from 'zod';
import { EVALUATOR_ROLES } from './protocol.ts';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const configuration = z.record(z.string(), z.string());

export const scaleSchema = z.strictObject({ name: z.string(), min: z.number().nullable(), max: z.number().nullable() });

/** One declared factor as it was swept. */
export const manifestFactorSchema = z.strictObject({
  factor: z.string(),
  kind: z.enum(['render', 'caption', 'evaluator']),
  /** Level ids in declared order. */
  levels: z.array(z.string()),
  default: z.string(),
  /** Base configuration of this factor where it differs from c0 (yaw at pitch 45); null when c0. */
  at: configuration.nullable(),
  /** False for prompt-specific levels (paraphrase): never in W, winners, envelopes or the simultaneous family. */
  shared: z.boolean(),
  /** Evaluators it applies to; null for all. */
  evaluators: z.array(z.string()).nullable(),
  /** Levels drawn from all templates of the grammar, each with its chance of being drawn (its weight is 1 over that). */
  sample: z
    .strictObject({
      asked: z.number().int(),
      of: z.number().int(),
      drawn: z.array(z.strictObject({ template: z.string(), probability: z.number().gt(0).max(1) })),
    })
    .optional(),
});

export const manifestTemplateSchema = z.strictObject({
  id: z.string(),
  /** With `{prompt}` where the prompt goes. */
  text: z.string(),
  /** Slot choices of the grammar path; null for the raw prompt. */
  slots: z.record(z.string(), z.string()).nullable(),
});

export const manifestEvaluatorSchema = z.strictObject({
  id: z.string(),
  kind: z.string(),
  role: z.enum(EVALUATOR_ROLES),
  scale: scaleSchema,
  reads: z.strictObject({ image: z.boolean(), caption: z.boolean(), scene: z.boolean() }),
  fingerprint: z.json(),
  environment: z.json(),
  /** Path of its raw file, relative to the results folder. */
  raw: z.string(),
  /** Pairwise judges: path of the table of pairs behind their scores. */
  pairs: z.string().optional(),
  /** Token coverage over the captions scored; null when it has no text tower we can look into. */
  coverage: z
    .strictObject({
      captions: z.number().int(),
      truncated: z.number().int(),
      /** Mean share of a caption's tokens that are read. */
      meanShare: z.number(),
      minShare: z.number(),
      context: z.number().int(),
      templates: z.array(z.strictObject({ template: z.string(), meanShare: z.number(), truncated: z.number().int() })),
      /** Groups of captions that differ only beyond the cut, and how many of those groups got one score. */
      sameSeen: z.strictObject({ groups: z.number().int(), captions: z.number().int(), equalScores: z.number().int() }),
    })
    .refine(({ captions, truncated }) => truncated >= 0 && truncated <= captions, {
      message: 'at most as many truncated captions as captions',
      path: ['truncated'],
    })
    .refine(({ sameSeen }) => sameSeen.equalScores <= sameSeen.groups, {
      message: 'at most as many equal scores as groups',
      path: ['sameSeen', 'equalScores'],
    })
    .nullable(),
});

export const fileRecordSchema = z.strictObject({
  path: z.string(),
  sha256: digest,
  bytes: z.number().int().nonnegative(),
});

/** Prompts a probe applies to: with annotations those that specify one of `about`, otherwise every prompt. */
export const probeAppliesSchema = z.strictObject({
  about: z.array(z.string()).nullable(),
  annotated: z.boolean(),
  prompts: z.number().int(),
  of: z.number().int(),
});

/** `manifest.json` of a results folder: all that statistics, card and report read besides the CSV tables. */
export const manifestSchema = z.strictObject({
  schema: z.literal('parallax/manifest@1'),
  audit: z.strictObject({ name: z.string(), file: z.string(), sha256: digest }),
  /** Set when the run was partial: card and report are stamped DRAFT. */
  draft: z.boolean(),
  seed: z.number().int(),
  protocol: z.strictObject({
    design: z.string(),
    renderer: z.strictObject({ fingerprint: z.json(), environment: z.json() }).nullable(),
    c0: configuration,
    factors: z.array(manifestFactorSchema),
    grammar: z
      .strictObject({ name: z.string(), sha256: digest, templates: z.array(manifestTemplateSchema) })
      .nullable(),
    probes: z.array(
      z.strictObject({
        name: z.string(),
        expectation: z.string(),
        control: z.boolean(),
        repeats: z.number().int(),
        /** Its parameters, defaults included. */
        choices: z.record(z.string(), z.string()).optional(),
        /** Prompts it applies to: with annotations those that specify one of `about`, otherwise every prompt. */
        applies: probeAppliesSchema.optional(),
      }),
    ),
  }),
  statistics: z.strictObject({
    resamples: z.number().int(),
    level: z.number(),
    band: z.enum(['studentised', 'published']),
    family: z.enum(['audit', 'evaluator']),
    maxMissing: z.number(),
  }),
  evaluators: z.array(manifestEvaluatorSchema),
  generators: z.array(z.string()),
  prompts: z.array(z.strictObject({ id: z.string(), source: z.string(), sha256: digest, words: z.number().int() })),
  counts: z.strictObject({
    scenes: z.number().int(),
    objects: z.number().int(),
    proxies: z.number().int(),
    renders: z.number().int(),
    renderFailures: z.number().int(),
    images: z.number().int(),
    captions: z.number().int(),
  }),
  /** c0 rendered twice: pixel and score difference; null when nothing was rendered here. */
  noiseFloor: z
    .strictObject({
      scenes: z.number().int(),
      maxPixel: z.number(),
      meanPixel: z.number(),
      scores: z.array(z.strictObject({ evaluator: z.string(), maxDifference: z.number() })),
    })
    .nullable(),
  /** Files inside the results folder that the estimates rest on. */
  files: z.array(fileRecordSchema),
  /** Files outside it (scenes, prompts, grammar, model files), paths relative to the results folder with "/" separators. */
  inputs: z.array(
    fileRecordSchema.extend({
      role: z.enum(['audit', 'prompts', 'grammar', 'scene', 'model', 'scores', 'map', 'rubric']),
    }),
  ),
  source: z.strictObject({ revision: z.string(), dirty: z.boolean() }).nullable(),
  packages: z.record(z.string(), z.string()),
});

export type ProbeApplies = z.infer<typeof probeAppliesSchema>;
export type Manifest = z.infer<typeof manifestSchema>;
export type ManifestEvaluator = z.infer<typeof manifestEvaluatorSchema>;
export type ManifestFactor = z.infer<typeof manifestFactorSchema>;
export type FileRecord = z.infer<typeof fileRecordSchema>;
