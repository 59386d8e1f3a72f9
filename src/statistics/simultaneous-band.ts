import { quantileError } from './interval.ts';

/** A simultaneous band: one critical value for the whole family. */
export interface Band {
  readonly criticalValue: number | null;
  readonly monteCarloError: number | null;
  /** The maxima, ascending. */
  readonly maxima: Float64Array;
  readonly undefinedBecause: string | null;
}

/**
 * Critical value c: the ceil(level (B + 1))-th smallest of the B maxima. The band is estimate +- c SE.
 */
export function simultaneousBand(maxima: Float64Array, level: number): Band {
  const sorted = Float64Array.from(maxima).sort();
  const count = sorted.length;
  const none = (reason: string): Band => ({
    criticalValue: null,
    monteCarloError: null,
    maxima: sorted,
    undefinedBecause: reason,
  });
  if (count === 0) return none('the family is empty');
  // The subtraction keeps 0.95 x 20 = 19.000000000000004 from becoming 20.
  const place = Math.ceil(level * (count + 1) - 1e-9);
  if (place > count) return none(`${count} resamples are too few for a level of ${level}`);
  const value = sorted[place - 1]!;
  if (!Number.isFinite(value)) return none('in more than the allowed share of resamples a standard error is 0');
  return {
    criticalValue: value,
    monteCarloError: quantileError(sorted, level),
    maxima: sorted,
    undefinedBecause: null,
  };
}

/**
 * Adjusted p of an observed |t|: (1 + number of maxima at least t) / (B + 1). It is at most 1 - level exactly when t is
 * outside the band, so p and band cannot disagree.
 */
export function adjustedP(band: Band, t: number): number {
  const { maxima } = band;
  let low = 0;
  let high = maxima.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (maxima[middle]! >= t) high = middle;
    else low = middle + 1;
  }
  return (1 + maxima.length - low) / (maxima.length + 1);
}
