import { z } from 'zod';
import { estimateSchema, estimateWith } from './estimate.ts';
import { count, id, openSpan, share } from './estimate-fields.ts';

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

/** Everything estimated of one factor for one evaluator. */
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
    /** Scenes with a positive mean and a score under 0 at some level: their ratio is above 1 by construction. */
    negative: count,
    /** The same mean without the low-mean and the negative scenes, whose ratios a mean near zero inflates. */
    withoutNearZero: z.strictObject({ value: z.number().nullable(), scenes: count }),
    /** Those scenes move D by more than a tenth, so that D says little by itself. */
    inflated: z.boolean(),
    /** In score units, over all scenes: mean of (max - min), and root of the mean variance over the levels. */
    points: z.strictObject({ range: z.number().nullable(), sd: z.number().nullable() }),
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
