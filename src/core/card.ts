import { z } from 'zod';
import {
  brightnessSchema,
  doseResponseSchema,
  envelopeSchema,
  estimateSchema,
  evaluatorEstimatesSchema,
  factorEstimatesSchema,
  probeEstimatesSchema,
  repeatabilitySchema,
  reversalSchema,
  slotEffectsSchema,
  zeroSensitivitySchema,
} from './estimates.ts';
import { judgingSchema } from './judging-estimates.ts';
import { manifestEvaluatorSchema, probeAppliesSchema, scaleSchema } from './manifest.ts';
import { ledgerSchema } from './outcome.ts';
import { EVALUATOR_ROLES } from './protocol.ts';

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const configuration = z.record(z.string(), z.string());

/** A card ID as it is printed: `ecc-` and the first 12 hex digits of the contract's digest. */
export const cardIdSchema = z.string().regex(/^ecc-[0-9a-f]{12}$/);

/**
 * The contract: everything that fixes which number an evaluator gives a scene, and nothing about the machine or the data
 * it was audited on. Its canonical JSON is what the card ID names, so lists that are sets are sorted and local names
 * (the evaluator's id in the audit file, the grammar's file name) are left out.
 */
export const contractSchema = z.strictObject({
  schema: z.literal('parallax/contract@1'),
  evaluator: z.strictObject({
    kind: z.string(),
    role: z.enum(EVALUATOR_ROLES),
    scale: scaleSchema,
    reads: z.strictObject({ image: z.boolean(), caption: z.boolean(), scene: z.boolean() }),
    /** Weights hashes, dtype, preprocessing, judge prompt: as the evaluator states them. */
    fingerprint: z.json(),
  }),
  /** Renderer, version, framing, walls, colour and the hashes of the environment maps; null when no image is read. */
  renderer: z.json(),
  /** Camera, lighting and background of the default configuration; null when no image is read. */
  view: configuration.nullable(),
  /** How several views become one score: `single-view`, or the aggregate an ensemble declares. */
  aggregation: z.string(),
  /** Caption wording; null when no caption is read. */
  caption: z
    .strictObject({
      /** SHA-256 of the grammar file; null without one. */
      grammar: digest.nullable(),
      /** The default template, with `{prompt}` where the prompt goes; null when the grammar does not name it. */
      template: z.string().nullable(),
      /** Caption factors at c0, as level ids. */
      default: configuration,
    })
    .nullable(),
  /** Evaluator factors at c0. */
  parameters: configuration,
  /** The declared configuration set the evidence was searched over. */
  configurations: z.strictObject({
    design: z.string(),
    factors: z.array(
      z.strictObject({
        factor: z.string(),
        kind: z.enum(['render', 'caption', 'evaluator']),
        /** Level ids, sorted; null where levels belong to each prompt (paraphrases). */
        levels: z.array(z.string()).nullable(),
        default: z.string(),
        at: configuration.nullable(),
      }),
    ),
  }),
});
export type Contract = z.infer<typeof contractSchema>;

/** A section of the evidence: measured, or why it is not there. Absence is never silent. */
function section<Shape extends z.ZodType>(value: Shape) {
  return z.discriminatedUnion('status', [
    z.strictObject({ status: z.literal('measured'), value }),
    z.strictObject({ status: z.literal('not-run'), reason: z.string() }),
    z.strictObject({ status: z.literal('withheld'), reason: z.string() }),
  ]);
}

/** One evidence section as a type. */
export type Section<Value> =
  | { status: 'measured'; value: Value }
  | { status: 'not-run'; reason: string }
  | { status: 'withheld'; reason: string };

const evaluatorShape = evaluatorEstimatesSchema.shape;

/** What the audit measured about one evaluator under its contract. */
export const evidenceSchema = z.strictObject({
  ledger: section(ledgerSchema),
  missing: section(evaluatorShape.missing),
  /** The rows people cite: (generator, score, card ID), at c0. */
  scores: section(
    z.strictObject({
      generators: z.array(z.strictObject({ generator: z.string(), score: estimateSchema })),
      prompts: z.number().int().nonnegative(),
    }),
  ),
  /** How far scores move when one factor moves. */
  stability: section(
    z.strictObject({
      factors: z.array(factorEstimatesSchema.omit({ perLevel: true, leaveOneGenerator: true })),
      templateRho: evaluatorShape.templateRho,
      peakRho: evaluatorShape.peakRho,
      minKendallW: evaluatorShape.minKendallW,
      maxWinners: evaluatorShape.maxWinners,
      winnersAll: evaluatorShape.winnersAll,
    }),
  ),
  envelopes: section(
    z.strictObject({
      pairs: z.number().int().nonnegative(),
      strict: z.number().int().nonnegative(),
      list: z.array(envelopeSchema),
    }),
  ),
  separability: section(
    z.strictObject({
      pairs: z.number().int().nonnegative(),
      separable: z.number().int().nonnegative(),
      topGap: evaluatorShape.topGap,
      bestSet: evaluatorShape.bestSet,
    }),
  ),
  reversals: section(
    z.strictObject({
      counts: evaluatorShape.reversals.shape.counts,
      unconfirmedBecause: z.string().nullable(),
      /** Reversals that the simultaneous band confirms, strongest first. */
      confirmed: z.array(reversalSchema),
      /** The strongest reversals by pointwise intervals: descriptive, searched for, not corrected for the search. */
      pointwise: z.array(reversalSchema),
    }),
  ),
  inflation: section(z.strictObject({ bestView: evaluatorShape.bestView, bestTemplate: evaluatorShape.bestTemplate })),
  probes: section(
    z.strictObject({
      contentAccuracy: evaluatorShape.contentAccuracy,
      probes: z.array(probeEstimatesSchema),
      doses: z.array(doseResponseSchema),
      /** How each probe was set and which prompts it applied to; null where the manifest does not say. */
      declared: z.array(
        z.strictObject({
          probe: z.string(),
          choices: z.record(z.string(), z.string()),
          applies: probeAppliesSchema.nullable(),
        }),
      ),
    }),
  ),
  slotEffects: section(z.array(slotEffectsSchema)),
  brightness: section(brightnessSchema),
  tokenCoverage: section(manifestEvaluatorSchema.shape.coverage.unwrap()),
  noiseFloor: section(
    z.strictObject({
      scenes: z.number().int(),
      maxPixel: z.number(),
      meanPixel: z.number(),
      maxScoreDifference: z.number().nullable(),
    }),
  ),
  repeatability: section(repeatabilitySchema),
  /** Hosted judges and sampled templates only. */
  judging: section(judgingSchema).optional(),
  zeroSensitivity: section(zeroSensitivitySchema),
});
export type Evidence = z.infer<typeof evidenceSchema>;

export const cardEvaluatorSchema = z.strictObject({
  /** Its name in the audit; not part of the contract. */
  evaluator: z.string(),
  cardId: cardIdSchema,
  /** SHA-256 of the contract's canonical JSON. */
  digest,
  contract: contractSchema,
  evidence: evidenceSchema,
});
export type CardEvaluator = z.infer<typeof cardEvaluatorSchema>;

/** `card.json`: the Evaluator Configuration Card of one audit, one contract and one body of evidence an evaluator. */
export const cardSchema = z.strictObject({
  schema: z.literal('parallax/card@1'),
  audit: z.strictObject({ name: z.string(), sha256: digest }),
  /** A partial run: nothing here is final. */
  draft: z.boolean(),
  evaluators: z.array(cardEvaluatorSchema),
  /** How intervals and bands were made. */
  statistics: z.strictObject({
    seed: z.number().int(),
    resamples: z.number().int(),
    level: z.number(),
    interval: z.string(),
    resampledUnit: z.string(),
    band: z.enum(['studentised', 'published']),
    familyScope: z.enum(['audit', 'evaluator']),
    criticalValue: z.number().nullable(),
    contrasts: z.number().int(),
    maxMissing: z.number(),
  }),
  data: z.strictObject({
    generators: z.array(z.string()),
    prompts: z.number().int(),
    /** Prompts by source benchmark. */
    sources: z.record(z.string(), z.number().int()),
    scenes: z.number().int(),
    objects: z.number().int(),
    proxies: z.number().int(),
    renderFailures: z.number().int(),
  }),
  /** SHA-256 over every file the estimates rest on, the contracts and the evidence; the same on every machine. */
  evidenceHash: digest,
  /** Where it was measured: never part of a card ID or of the evidence hash. */
  environment: z.strictObject({
    renderer: z.json(),
    evaluators: z.record(z.string(), z.json()),
    source: z.strictObject({ revision: z.string(), dirty: z.boolean() }).nullable(),
    packages: z.record(z.string(), z.string()),
  }),
});
export type Card = z.infer<typeof cardSchema>;
