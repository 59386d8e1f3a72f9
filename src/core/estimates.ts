import { z } from 'zod';
import { estimateSchema, estimateWith } from './estimate.ts';
import { count, id, openSpan, pair, place, share, span } from './estimate-fields.ts';
import { factorEstimatesSchema } from './factor-estimates.ts';
import { judgingSchema } from './judging-estimates.ts';
import { ledgerSchema } from './outcome.ts';
import { doseResponseSchema, probeEstimatesSchema } from './probe-estimates.ts';
import { EVALUATOR_ROLES } from './protocol.ts';
import { repeatabilitySchema, zeroSensitivitySchema } from './sensitivity-estimates.ts';

export {
  type Estimate,
  estimateSchema,
  isMeasured,
  type MeasuredEstimate,
  type UndefinedEstimate,
} from './estimate.ts';
export { type FactorEstimates, factorEstimatesSchema, levelSummarySchema } from './factor-estimates.ts';
export { doseResponseSchema, type ProbeEstimates, probeEstimatesSchema } from './probe-estimates.ts';
export { type Repeatability, repeatabilitySchema, zeroSensitivitySchema } from './sensitivity-estimates.ts';

/**
 * `estimates.json` (design section 12): every number of an audit, as card and report read it.
 *
 * Numbers are finite JSON numbers. What cannot be estimated says why in `undefinedBecause`; what was withheld by a
 * missing-data gate says so there too, in words that start with "withheld:".
 */

/** Range of one pair's margin over every declared configuration. */
export const envelopeSchema = z.strictObject({
  pair,
  /** Margin at c0 with its pointwise interval. */
  baseline: estimateWith({ adjustedP: z.number().min(0).max(1).nullable() }),
  min: z.number().nullable(),
  max: z.number().nullable(),
  /** True when the margin keeps one sign and never touches zero; null when a level was removed or nothing is known. */
  strict: z.boolean().nullable(),
  minAt: place.nullable(),
  maxAt: place.nullable(),
  /** Worst and best case over the missing outcomes, with the declared limits of the scale; null without limits. */
  bounds: z.strictObject({ min: z.number(), max: z.number(), strict: z.boolean() }).nullable(),
});
export type Envelope = z.infer<typeof envelopeSchema>;

/** One pair of generators in opposite order at two levels of one factor. */
export const reversalSchema = z.strictObject({
  pair,
  factor: z.string(),
  levels: pair,
  margins: span,
  intervals: z.tuple([span, span]),
  /** Simultaneous only: adjusted p of the two contrasts. */
  adjustedP: span.nullable(),
  /** A limit lies within two Monte Carlo errors of zero: another seed could lose this finding. */
  seedSensitive: z.boolean(),
});
export type Reversal = z.infer<typeof reversalSchema>;

/** What the choices of one slot of the caption grammar do to the mean score. */
export const slotEffectsSchema = z.strictObject({
  slot: z.string(),
  /** Which captions the slot is measured on, in words. */
  over: z.string(),
  choices: z.array(
    z.strictObject({
      choice: z.string(),
      captions: count,
      mean: z.number(),
      /** Percent of the unweighted mean of the choice means. */
      shiftPercent: z.number().nullable(),
    }),
  ),
  /** Range of the choice means over the slot mean. */
  dispersion: z.number().nullable(),
});
export type SlotEffects = z.infer<typeof slotEffectsSchema>;

/** Correlation of score shift and luminance over the lighting levels. */
export const brightnessSchema = estimateWith({
  /** Pearson's r is the value. Exact permutation p of both, over the levels. */
  pearsonP: share.nullable(),
  spearman: z.number().nullable(),
  spearmanP: share.nullable(),
  permutations: z.enum(['exact', 'sampled']).nullable(),
  levels: z.array(
    z.strictObject({ level: id, log2Luminance: z.number().nullable(), shiftPercent: z.number().nullable() }),
  ),
});
export type Brightness = z.infer<typeof brightnessSchema>;

const familySchema = z.strictObject({
  /** The searched family, before exclusions. */
  contrasts: count,
  degenerate: count,
  /** Fewer than 10 prompts off the modal difference. */
  excluded: count,
  band: z.enum(['studentised', 'published']),
  criticalValue: z.number().nullable(),
  evaluators: count,
  pairs: count,
  configurations: count,
  /** Contrasts left after aliases of c0 are merged. */
  distinctContrasts: count,
  /** Both bands' critical values; null when undefined or infinite (the reason is in `warnings`). */
  criticalValues: z.strictObject({ studentised: z.number().nullable(), published: z.number().nullable() }),
  /** Contrasts that are not estimated because an outcome gate or a removed level withholds them. */
  withheld: count,
  /** True when at least 20 prompts stand behind every contrast, so that a reversal may be called confirmed. */
  confirmable: z.boolean(),
  /** Contrasts left out, named (at most 200). */
  excludedContrasts: z.array(
    z.strictObject({ evaluator: id, pair, factor: z.string(), level: z.string(), because: z.string() }),
  ),
  warnings: z.array(z.string()),
});
export type FamilyEstimates = z.infer<typeof familySchema>;

const missingSchema = z.strictObject({
  cells: z.strictObject({ planned: count, missing: count, share }),
  scenes: z.strictObject({ planned: count, lost: count, share }),
  maxMissing: share,
  /** Which gate was tripped. */
  gate: z.enum(['passed', 'cells', 'scenes', 'both']),
  removedLevels: z.array(z.strictObject({ factor: z.string(), level: z.string(), share })),
});

export const evaluatorEstimatesSchema = z.strictObject({
  evaluator: id,
  role: z.enum(EVALUATOR_ROLES),
  scale: z.strictObject({ name: z.string(), min: z.number().nullable(), max: z.number().nullable() }).nullable(),
  ledger: ledgerSchema,
  missing: missingSchema,
  /** Median score over all cells. */
  median: z.number().nullable(),
  generators: z.array(z.strictObject({ generator: id, score: estimateSchema })),
  /** The same within each stratum of prompts (`--strata source`); empty without strata. */
  strata: z.array(
    z.strictObject({
      stratum: z.string(),
      prompts: count,
      generators: z.array(z.strictObject({ generator: id, score: estimateSchema })),
      winner: id.nullable(),
      peakRho: estimateWith({ factor: z.string().nullable() }),
    }),
  ),
  factors: z.array(factorEstimatesSchema),
  templateRho: estimateSchema,
  peakRho: estimateWith({
    factor: z.string().nullable(),
    leaveOneGenerator: openSpan.nullable(),
    /** The factor that peaks when each generator is dropped. */
    leaveOneFactors: z.array(z.strictObject({ generator: id, factor: z.string().nullable() })),
    /** Interval with the factor held at the observed peak. */
    fixedFactor: z.strictObject({ lower: z.number().nullable(), upper: z.number().nullable() }).nullable(),
    /** How often each factor was the peak over the resamples. */
    selected: z.array(z.strictObject({ factor: z.string(), share })),
    /** Largest corrected and interaction forms over the factors. */
    corrected: z.strictObject({ value: z.number().nullable(), factor: z.string().nullable() }),
    interaction: z.strictObject({ value: z.number().nullable(), factor: z.string().nullable() }),
  }),
  minKendallW: estimateWith({ factor: z.string().nullable() }),
  maxWinners: count,
  winnersAll: z.array(id),
  /** Pairs whose pointwise interval at c0 excludes zero. */
  separablePairs: count,
  /** Pairs whose envelope is strict. */
  strictPairs: count,
  bestView: estimateWith({
    /** Poses that stand in the maximum. */
    poses: count,
    notPositive: count,
  }),
  bestTemplate: z
    .strictObject({
      template: id,
      /** Its mean score over that of the default. */
      ratio: z.number().nullable(),
      /** Rank of the default among all templates, 1 for the best. */
      defaultRank: z.number(),
      templates: count,
    })
    .nullable(),
  /** Gap of the two best at c0, the pair fixed at the c0 estimate. */
  topGap: estimateWith({ pair: pair.nullable(), selected: z.literal(true) }),
  /** Generators that multiple comparisons with the best cannot rule out at c0. */
  bestSet: z.array(id),
  contentAccuracy: estimateSchema,
  envelopes: z.array(envelopeSchema),
  reversals: z.strictObject({
    pointwise: z.array(reversalSchema),
    simultaneous: z.array(reversalSchema),
    /** Level pairs found, listed or not (each list is cut to the strongest). */
    counts: z.strictObject({
      pointwise: count,
      simultaneous: count,
      simultaneousStudentised: count,
      simultaneousPublished: count,
    }),
    /** Why nothing can be called confirmed; null when it can. */
    unconfirmedBecause: z.string().nullable(),
  }),
  /** Its own family when `family` is `evaluator`, its share of the audit's otherwise. */
  family: familySchema,
  slots: z.array(slotEffectsSchema),
  brightness: brightnessSchema,
  probes: z.array(probeEstimatesSchema),
  doses: z.array(doseResponseSchema),
  zeroSensitivity: zeroSensitivitySchema.nullable(),
  repeatability: repeatabilitySchema.nullable(),
  /** Hosted judges and sampled templates: ledger by configuration, what is settled, sample and pairs. */
  judging: judgingSchema.optional(),
});
export type EvaluatorEstimates = z.infer<typeof evaluatorEstimatesSchema>;

/** A headline count or median, with the rows it was taken over. */
export const summaryItemSchema = z.strictObject({
  name: z.string(),
  value: z.number().nullable(),
  /** Of how many, for counts. */
  of: count.nullable(),
  rows: z.enum(['alignment', 'all']),
  /** Evaluators that count, or in which the median was taken. */
  evaluators: z.array(id),
});
export type SummaryItem = z.infer<typeof summaryItemSchema>;

export const estimatesSchema = z.strictObject({
  schema: z.literal('parallax/estimates@1'),
  seed: z.number().int(),
  resamples: count,
  level: z.number().gt(0).lt(1),
  interval: z.enum(['percentile', 'bca']),
  /** What is resampled: `prompt`, or the column whose values are the clusters. */
  resampledUnit: z.string(),
  /** Column whose values are the strata of `evaluators[].strata`; null without strata. */
  strataColumn: z.string().nullable(),
  familyScope: z.enum(['audit', 'evaluator']),
  maxMissing: share,
  c0: z.record(z.string(), z.string()),
  generators: z.array(id),
  prompts: z.array(id),
  family: familySchema,
  evaluators: z.array(evaluatorEstimatesSchema),
  /** Slot shifts and brightness averaged over alignment evaluators. */
  averages: z.strictObject({
    evaluators: z.array(id),
    slots: z.array(slotEffectsSchema.omit({ dispersion: true })),
    brightness: brightnessSchema,
  }),
  summary: z.array(summaryItemSchema),
  warnings: z.array(z.string()),
});
export type Estimates = z.infer<typeof estimatesSchema>;
