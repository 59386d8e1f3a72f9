import { z } from 'zod';

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
  /** The value can only be a lower bound (a range over a sample of the levels). */
  bound: z.literal('lower').optional(),
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
export function estimateWith<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.union([z.strictObject({ ...measured, ...shape }), z.strictObject({ ...undefinedShape, ...shape })]);
}

/** True when an estimate has a value. */
export function isMeasured<E extends Estimate>(estimate: E): estimate is Extract<E, { value: number }> {
  return estimate.value !== null;
}
