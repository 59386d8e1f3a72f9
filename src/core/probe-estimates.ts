import { z } from 'zod';
import { estimateSchema } from './estimate.ts';
import { count, span } from './estimate-fields.ts';

/** What one probe did to the scores of one evaluator. */
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
