import type { Random } from '../core/random.ts';
import { averageRanks } from './average-ranks.ts';

/** Pearson's r; null for fewer than two values or no spread. */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  const n = x.length;
  if (n !== y.length) throw new RangeError('pearson requires samples of equal length');
  if (n < 2) return null;
  let meanX = 0;
  let meanY = 0;
  for (let index = 0; index < n; index += 1) {
    meanX += x[index]! / n;
    meanY += y[index]! / n;
  }
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let index = 0; index < n; index += 1) {
    xx += (x[index]! - meanX) ** 2;
    yy += (y[index]! - meanY) ** 2;
    xy += (x[index]! - meanX) * (y[index]! - meanY);
  }
  const scale = Math.sqrt(xx) * Math.sqrt(yy);
  return scale > 0 ? Math.max(-1, Math.min(1, xy / scale)) : null;
}

/** Spearman's rho: Pearson's r of average ranks. */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  return pearson(averageRanks(x), averageRanks(y));
}

/**
 * Kendall's tau-b with ties in either variable: (C - D) / sqrt((n0 - ties in x)(n0 - ties in y)); null when a variable is
 * constant.
 */
export function kendallTauB(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  const n = x.length;
  if (n !== y.length) throw new RangeError('kendallTauB requires samples of equal length');
  let difference = 0;
  let untiedX = 0;
  let untiedY = 0;
  for (let a = 0; a < n; a += 1)
    for (let b = a + 1; b < n; b += 1) {
      const signX = Math.sign(x[a]! - x[b]!);
      const signY = Math.sign(y[a]! - y[b]!);
      difference += signX * signY;
      untiedX += signX * signX;
      untiedY += signY * signY;
    }
  return untiedX === 0 || untiedY === 0 ? null : difference / Math.sqrt(untiedX * untiedY);
}

const EXACT_LIMIT = 9;
const SAMPLES = 100_000;

/**
 * Two-sided permutation p of a correlation: share of the orders of `y` with |r| at least the observed. All orders up to nine
 * values, otherwise (1 + hits) / (1 + 100,000) over random orders.
 */
export function permutationP(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  statistic: (x: ArrayLike<number>, y: ArrayLike<number>) => number | null,
  random: Random,
): { p: number; kind: 'exact' | 'sampled' } | null {
  const observed = statistic(x, y);
  if (observed === null) return null;
  const limit = Math.abs(observed) - 1e-12;
  let hits = 0;
  if (y.length > EXACT_LIMIT) {
    for (let draw = 0; draw < SAMPLES; draw += 1)
      if (Math.abs(statistic(x, random.shuffle(Array.from(y))) ?? 0) >= limit) hits += 1;
    return { p: (1 + hits) / (1 + SAMPLES), kind: 'sampled' };
  }
  let orders = 0;
  for (const order of permutations(Float64Array.from(y))) {
    orders += 1;
    if (Math.abs(statistic(x, order) ?? 0) >= limit) hits += 1;
  }
  return { p: hits / orders, kind: 'exact' };
}

/** All orders of the values, in place (Heap's algorithm). */
function* permutations(values: Float64Array): Generator<Float64Array> {
  const counters = new Uint8Array(values.length);
  yield values;
  for (let index = 0; index < values.length; ) {
    if (counters[index]! < index) {
      const other = index % 2 === 0 ? 0 : counters[index]!;
      const held = values[index]!;
      values[index] = values[other]!;
      values[other] = held;
      yield values;
      counters[index]! += 1;
      index = 0;
    } else {
      counters[index] = 0;
      index += 1;
    }
  }
}
