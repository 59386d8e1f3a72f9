import { z } from 'zod';
import { estimateSchema } from './estimate.ts';
import { count, pair } from './estimate-fields.ts';

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

/** How far repeats of the same measurement at c0 differ. */
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
  /** Repeats whose top generator at c0 differs from that of the means; null when no prompt has every repeat of all. */
  winnerChanges: count.nullable(),
});
export type Repeatability = z.infer<typeof repeatabilitySchema>;
