import { z } from 'zod';
import { ledgerSchema } from './outcome.ts';
import { EVALUATOR_ROLES } from './protocol.ts';

/**
 * `estimates.json` (design section 12): every number of an audit, as card and report read it.
 *
 * Numbers are finite JSON numbers. What cannot be estimated says why in `undefinedBecause`; what was withheld by a
 * missing-data gate says so there too, in words that start with "withheld:".
 */

const measured = {
  value: z.number(),
  /** Limits of the interval; null when none applies, or, with `unbounded`, when the limit is infinite. */
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  /** Confidence level of the interval, 0..1; null when there is none. */
  level: z.number().nullable(),
  /** How value and interval were made: `descriptive`, `percentile`, `bca`, `cluster-percentile`, `studentised-band`, ... */
  method: z.string(),
  /** Units behind the value (prompts, scenes, pairs, generators: the statistic says which). */
  n: z.number().int().nonnegative(),
  /** Units planned but left out. */
  excluded: z.number().int().nonnegative(),
  /** The upper limit is +infinity (a denominator reached 0 in that many resamples). */
  unbounded: z.literal(true).optional(),
  /** Monte Carlo standard errors of the two limits. */
  monteCarloError: z.tuple([z.number().nullable(), z.number().nullable()]).optional(),
  /** Plain sentences a reader of this number must know (small N, zero variance, few clusters, ...). */
  warnings: z.array(z.string()).optional(),
};
const undefinedShape = {
  value: z.null(),
  undefinedBecause: z.string(),
  n: z.number().int().nonnegative().optional(),
  excluded: z.number().int().nonnegative().optional(),
};

/** E of design section 12: a value with its interval, or the reason why there is none. */
export const estimateSchema = z.union([z.strictObject(measured), z.strictObject(undefinedShape)]);
export type Estimate = z.infer<typeof estimateSchema>;
export type MeasuredEstimate = Extract<Estimate, { value: number }>;
export type UndefinedEstimate = Extract<Estimate, { value: null }>;

/** E & {...}: an estimate with further fields. */
function estimateWith<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.union([z.strictObject({ ...measured, ...shape }), z.strictObject({ ...undefinedShape, ...shape })]);
}

/** True when an estimate has a value. */
export function isMeasured<E extends Estimate>(estimate: E): estimate is Extract<E, { value: number }> {
  return estimate.value !== null;
}

const id = z.string();
const count = z.number().int().nonnegative();
const share = z.number().min(0).max(1);
const span = z.tuple([z.number(), z.number()]);
/** [smallest, largest]; null in place of a limit that is undefined or infinite. */
const openSpan = z.tuple([z.number().nullable(), z.number().nullable()]);
const pair = z.tuple([id, id]);
const place = z.strictObject({ factor: z.string(), level: z.string() });

/** One level of a factor: generator means over the prompts common to the factor. */
export const levelSummarySchema = z.strictObject({
  level: id,
  /** One mean a generator, in the order of `generators`; null when it has no scored prompt. */
  means: z.array(z.number().nullable()),
  /** The unique top generator; null when tied or undefined. */
  winner: id.nullable(),
  /** Planned cells without a score, as a share. */
  missing: share,
  /** Removed from W, winners and contrasts because too much of it is missing. */
  removed: z.boolean(),
});

export const factorEstimatesSchema = z.strictObject({
  factor: z.string(),
  /** Number of levels of the factor (of the largest prompt, for prompt-specific factors). */
  levels: count,
  /** False for prompt-specific factors: dispersion and rho only. */
  shared: z.boolean(),
  defaultLevel: id.nullable(),
  /** Mean over scenes of (max - min) / mean. */
  dispersion: estimateWith({
    /** Median over scenes of the same ratio. */
    median: z.number().nullable(),
    /** Expected ratio over random subsets of `levels` levels, the smallest factor's number. */
    matched: z.strictObject({ levels: count, value: z.number().nullable() }),
    /** Over scenes of which every planned level is scored. */
    complete: z.number().nullable(),
    completeScenes: count,
    /** Over the named subset of common caption forms; null for other factors. */
    commonForms: z.strictObject({ templates: z.array(id), value: z.number().nullable() }).nullable(),
    /** Scenes left out because their mean is not positive, and scenes whose mean is under 10% of the median. */
    notPositive: count,
    lowMean: count,
  }),
  /** Mean within-scene variance over the between-generator variance at c0. */
  rho: estimateWith({ complete: z.number().nullable() }),
  /** The same with the prompt noise taken out of the denominator. */
  rhoCorrected: estimateSchema,
  /** Generator-by-level part alone over the same denominator: what can change a decision. */
  rhoInteraction: estimateSchema,
  /** rho with one generator dropped: smallest and largest; null when undefined, a null limit is infinite. */
  rhoLeaveOneGenerator: openSpan.nullable(),
  /** Each drop: the generator left out and rho without it (null when undefined). */
  leaveOneGenerator: z.array(z.strictObject({ generator: id, rho: z.number().nullable() })),
  kendallW: estimateSchema,
  /** Distinct unique top generators over the levels. */
  winners: z.array(id),
  /** Levels at which the top is tied. */
  tiedLevels: count,
  /** Prompts common to all levels, c0 and all generators. */
  prompts: count,
  /** Missing outcomes of this factor, and what its gates withhold (null: nothing). */
  missing: z.strictObject({
    cells: z.strictObject({ planned: count, missing: count, share }),
    scenes: z.strictObject({ planned: count, lost: count, share }),
    /** Prompts outside the common set of the comparisons. */
    prompts: z.strictObject({ planned: count, lost: count, share }),
    spreadWithheld: z.string().nullable(),
    contrastsWithheld: z.string().nullable(),
    removedLevels: z.array(id),
  }),
  /** Share of the within-scene variance that repeats alone would make; null without repeats. */
  noiseShare: estimateSchema.nullable(),
  perLevel: z.array(levelSummarySchema),
});
export type FactorEstimates = z.infer<typeof factorEstimatesSchema>;

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

export const probeEstimatesSchema = z.strictObject({
  probe: z.string(),
  expectation: z.string().nullable(),
  /** A control is expected to change nothing of worth: it shows what chance alone scores. */
  control: z.boolean(),
  /** Share of pairs where the degraded scene scores lower, ties a half. */
  discrimination: estimateSchema,
  strictDrop: estimateSchema,
  /** Discrimination if every pair without an outcome earned 0, and then 1. */
  bounds: span.nullable(),
  pairs: count,
  failed: count,
  drops: count,
  ties: count,
  rises: count,
  /** Mean drop in c0 standard deviations (over scenes). */
  effectSize: estimateSchema,
  /** Mean drop in score units. */
  meanDrop: estimateSchema,
  /** Imported zeros read as failures: pairs that hold one and the resulting bounds; null when there are none. */
  zero: z.strictObject({ pairs: count, bounds: span }).nullable(),
});
export type ProbeEstimates = z.infer<typeof probeEstimatesSchema>;

/** Dose response of a probe family (`keep-75`, `keep-50`, `keep-25`). */
export const doseResponseSchema = z.strictObject({
  family: z.string(),
  doses: z.array(
    z.strictObject({ probe: z.string(), dose: z.number(), discrimination: z.number(), meanDrop: z.number() }),
  ),
  /** The mean drop never shrinks as less is kept. */
  monotone: z.boolean(),
});

/** Zeros of an imported table read as failures. */
export const zeroSensitivitySchema = z.strictObject({
  zeros: count,
  /** Zeros at c0 and, of those, scenes hit. */
  atDefault: count,
  /** Exact margin limits at c0 when each zero may be anything within the scale; null without declared limits. */
  margins: z.array(
    z.strictObject({
      pair,
      lower: z.number().nullable(),
      upper: z.number().nullable(),
      /** Margin with the zeros taken as missing. */
      withoutZeros: z.number().nullable(),
    }),
  ),
  /** Recomputed with the zeros missing. */
  recomputed: z.array(
    z.strictObject({
      factor: z.string(),
      dispersion: z.number().nullable(),
      rho: z.number().nullable(),
      kendallW: z.number().nullable(),
    }),
  ),
});

export const repeatabilitySchema = z.strictObject({
  repeats: count,
  units: count,
  /** Mean variance between repeats of one cell; null, like the two below, when no cell has every repeat. */
  repeatVariance: z.number().nullable(),
  meanSd: z.number().nullable(),
  meanRange: z.number().nullable(),
  varianceShare: z.number().nullable(),
  iccSingle: estimateSchema,
  iccMean: estimateSchema,
  spearman: z.number().nullable(),
  kendallTauB: z.number().nullable(),
  /** Repeats whose top generator at c0 differs from that of the means. */
  winnerChanges: count,
});
export type Repeatability = z.infer<typeof repeatabilitySchema>;

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
