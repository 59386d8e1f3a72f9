import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import { AuditError, quoted } from '../core/errors.ts';
import { evaluatorSpecSchema } from '../core/evaluator-spec.ts';
import { sha256 } from '../core/hash.ts';
import { prettyJson } from '../core/json.ts';
import { idSchema } from '../core/scene.ts';
import { readYamlFile } from '../core/yaml-file.ts';

const levelValue = z.union([z.string().min(1).max(200), z.number(), z.boolean()]);
const factorName = z.string().regex(/^[a-z][a-zA-Z0-9-]*$/, 'expected a factor name of letters, digits and "-"');

export const factorDeclarationSchema = z.strictObject({
  /** `all`: every template of the grammar, every paraphrase; `sample`: templates chosen by slot (see docs). */
  levels: z
    .union([
      z.array(levelValue).min(1).max(10_000),
      z.literal('all'),
      z.strictObject({ sample: z.number().int().min(2) }),
    ])
    .describe('list of levels, or all'),
  /** Base configuration while this factor is swept, where it differs from c0. */
  at: z.record(factorName, levelValue).optional(),
  /** False for levels that belong to one prompt only. */
  shared: z.boolean().default(true),
  /** Default level of an evaluator parameter. */
  default: levelValue.optional(),
  /** Evaluators the factor applies to; all when left out. */
  evaluators: z.array(idSchema).min(1).optional(),
});

export const rendererSectionSchema = z.strictObject({
  name: z.enum(['chromium', 'blender', 'files']).default('chromium'),
  margin: z.number().min(0).max(0.45).default(0.05),
  wallsBlockLight: z.boolean().default(true),
  light: z.enum(['own', 'normalised']).default('own'),
  exposure: z.number().min(-10).max(10).default(0),
  hideWallsAbove: z.number().min(-1).max(1).default(0.15),
  maps: z.enum(['package', 'blender']).default('package'),
  /** How finely light is solved: `quick` for previews, demonstrations and small models. */
  detail: z.enum(['full', 'quick']).default('full'),
  /** blender: samples a pixel. */
  samples: z.number().int().min(1).max(65_536).default(64),
  /** files: CSV of generator,prompt,factor,level,path (or scene for generator and prompt). */
  table: z.string().optional(),
  /** files: folder of images named by `pattern`. */
  folder: z.string().optional(),
  pattern: z.string().optional(),
});

export const statisticsSectionSchema = z.strictObject({
  resamples: z.number().int().min(100).max(1_000_000).default(10_000),
  level: z.number().gt(0.5).lt(1).default(0.95),
  band: z.enum(['studentised', 'published']).default('studentised'),
  family: z.enum(['audit', 'evaluator']).default('audit'),
  maxMissing: z.number().min(0).max(1).default(0.05),
});

export const probeDeclarationSchema = z.union([
  z.string().min(1),
  z.strictObject({
    name: z.string().min(1),
    repeats: z.number().int().min(1).max(100).default(1),
    /** scrambled, moved-only: carried objects `move` with their supporter, or `fall` to the floor and move by themselves. */
    supported: z.enum(['move', 'fall']).optional(),
    /** keep-*, biggest-only: what stood on a removed object falls (`fall`), or stays in the air (`float`). */
    orphans: z.enum(['fall', 'float']).optional(),
  }),
]);

/** Schema `parallax/audit@1`; unknown keys are errors with line and column. */
export const auditFileSchema = z.strictObject({
  schema: z.literal('parallax/audit@1'),
  name: idSchema,
  seed: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  scenes: z.string().optional().describe('folder of frozen scenes, relative to this file'),
  prompts: z.string().optional().describe('CSV: id,text[,source]'),
  paraphrases: z.string().optional().describe('CSV: prompt,level,text; default: paraphrases.csv beside the prompts'),
  annotations: z
    .string()
    .optional()
    .describe('CSV: prompt,objects,counts,relations,colours; default: annotations.csv beside the prompts'),
  generators: z.array(idSchema).min(1).optional().describe('all generators found when left out'),
  declared: z
    .strictObject({ prompts: z.number().int().min(1).optional(), generators: z.number().int().min(1).optional() })
    .optional()
    .describe('lets `plan` count before there are scenes'),
  assets: z.record(z.string(), z.string()).default({}),
  renderer: rendererSectionSchema.prefault({}),
  grammar: z.string().optional(),
  evaluators: z.array(evaluatorSpecSchema).min(1),
  design: z.literal('one-at-a-time').default('one-at-a-time'),
  default: z.record(factorName, levelValue).default({}),
  factors: z.record(factorName, z.union([z.array(levelValue).min(1), factorDeclarationSchema])).default({}),
  probes: z.array(probeDeclarationSchema).default([]),
  /** Seconds a picture may take before it is recorded as failed. */
  renderTimeout: z.number().positive().default(120),
  statistics: statisticsSectionSchema.prefault({}),
  results: z.string().optional(),
});

export type AuditFile = z.infer<typeof auditFileSchema>;
export type RendererSection = z.infer<typeof rendererSectionSchema>;
export type StatisticsSection = z.infer<typeof statisticsSectionSchema>;
export type FactorDeclaration = z.infer<typeof factorDeclarationSchema>;

/** An audit file with its paths made absolute. */
export interface Audit {
  readonly file: string;
  /** As the user wrote it, for messages. */
  readonly shown: string;
  readonly folder: string;
  readonly sha256: string;
  readonly content: AuditFile;
  readonly scenes: string | null;
  readonly prompts: string | null;
  readonly paraphrases: string | null;
  readonly annotations: string | null;
  readonly grammar: string | null;
  readonly results: string;
}

/**
 * Reads and validates an audit file.
 * @throws AuditError `file:line:column: …`
 */
export function readAudit(file: string): Audit {
  const absolute = resolve(file);
  const content = readYamlFile(absolute, auditFileSchema, file);
  const folder = dirname(absolute);
  const at = (path: string) => (isAbsolute(path) ? path : join(folder, path));
  const ids = content.evaluators.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined)
    throw new AuditError(`${file}: evaluators: duplicate id ${quoted(twice)}; expected distinct ids`);
  for (const spec of content.evaluators) {
    if (spec.kind === 'ensemble' && !ids.includes(spec.of))
      throw new AuditError(
        `${file}: evaluators.${spec.id}: unknown evaluator ${quoted(spec.of)}; expected one of ${ids.join(', ')}`,
      );
  }
  const prompts = content.prompts === undefined ? null : at(content.prompts);
  const besidePrompts = (given: string | undefined, name: string): string | null => {
    if (given !== undefined) return at(given);
    const beside = prompts === null ? null : join(dirname(prompts), name);
    return beside !== null && existsSync(beside) ? beside : null;
  };
  return {
    file: absolute,
    shown: file,
    folder,
    sha256: sha256(prettyJson(content)),
    content,
    scenes: content.scenes === undefined ? null : at(content.scenes),
    prompts,
    paraphrases: besidePrompts(content.paraphrases, 'paraphrases.csv'),
    annotations: besidePrompts(content.annotations, 'annotations.csv'),
    grammar: content.grammar === undefined ? null : at(content.grammar),
    results: at(content.results ?? join('..', 'results', content.name)),
  };
}

/** The JSON Schema of audit files, generated from the same definition (for editors). */
export function auditJsonSchema(): unknown {
  return { ...z.toJSONSchema(auditFileSchema, { io: 'input', target: 'draft-7' }), title: 'Parallax audit file' };
}
