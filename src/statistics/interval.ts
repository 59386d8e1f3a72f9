import type { Estimate, MeasuredEstimate } from '../core/estimates.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import { FEW_CLUSTERS, type Resamples } from './prompt-bootstrap.ts';
import { quantileSorted } from './quantile.ts';

export interface Interval {
  readonly lower: number | null;
  readonly upper: number | null;
  readonly unbounded?: true;
  readonly monteCarloError: [number | null, number | null];
  readonly warnings: readonly string[];
}

/** Fewer units than this and a bootstrap interval is known to be short (docs/calibration.md). */
export const SMALL_N = 20;

/** Monte Carlo standard error of a type 7 quantile of `sorted`: half the span of the order statistics one binomial standard deviation to either side. */
export function quantileError(sorted: ArrayLike<number>, probability: number): number | null {
  const count = sorted.length;
  const spread = Math.sqrt(count * probability * (1 - probability));
  const low = sorted[Math.max(0, Math.floor(count * probability - spread))]!;
  const high = sorted[Math.min(count - 1, Math.ceil(count * probability + spread))]!;
  const error = (high - low) / 2;
  return Number.isFinite(error) ? error : null;
}

export interface IntervalOptions {
  readonly level: number;
  readonly method: 'percentile' | 'bca';
}

/**
 * Bootstrap interval of one statistic from its value in every resample (+Infinity where a denominator was 0: such
 * resamples are kept). Percentile: type 7 quantiles. BCa (Efron 1987): bias from the share of resamples below the
 * estimate (half of the ties), acceleration from the leave-one-out values.
 */
export function bootstrapInterval(
  estimate: number,
  replicates: Float64Array,
  jackknife: () => Float64Array,
  options: IntervalOptions,
): Interval {
  const warnings: string[] = [];
  const undefinedResamples = replicates.reduce((total, value) => total + (Number.isNaN(value) ? 1 : 0), 0);
  if (undefinedResamples > 0)
    return {
      lower: null,
      upper: null,
      monteCarloError: [null, null],
      warnings: [`no interval: ${undefinedResamples} of ${replicates.length} resamples hold no scored prompt`],
    };
  const sorted = Float64Array.from(replicates).sort();
  const tail = (1 - options.level) / 2;
  let probabilities: readonly [number, number] = [tail, 1 - tail];
  if (options.method === 'bca') {
    const adjusted = bcaProbabilities(estimate, sorted, jackknife(), probabilities);
    if (adjusted === null) warnings.push('BCa is undefined here (no spread); percentile limits are given');
    else probabilities = adjusted;
  }
  const lower = quantileSorted(sorted, probabilities[0]);
  const upper = quantileSorted(sorted, probabilities[1]);
  if (lower === upper) warnings.push('zero variance: every resample gives the same value; the interval has no width');
  const infinite = sorted.length - firstInfinite(sorted);
  if (infinite > 0)
    warnings.push(`the denominator reached 0 in ${infinite} of ${sorted.length} resamples; they count as +infinity`);
  return {
    lower: Number.isFinite(lower) ? lower : null,
    upper: Number.isFinite(upper) ? upper : null,
    ...(Number.isFinite(upper) ? {} : { unbounded: true as const }),
    monteCarloError: [quantileError(sorted, probabilities[0]), quantileError(sorted, probabilities[1])],
    warnings,
  };
}

function firstInfinite(sorted: Float64Array): number {
  let index = sorted.length;
  while (index > 0 && sorted[index - 1] === Number.POSITIVE_INFINITY) index -= 1;
  return index;
}

function bcaProbabilities(
  estimate: number,
  sorted: Float64Array,
  jackknife: Float64Array,
  nominal: readonly [number, number],
): [number, number] | null {
  let below = 0;
  for (const value of sorted) below += value < estimate ? 1 : value === estimate ? 0.5 : 0;
  const bias = normalQuantile(below / sorted.length);
  let mean = 0;
  for (const value of jackknife) mean += value / jackknife.length;
  let squares = 0;
  let cubes = 0;
  for (const value of jackknife) {
    squares += (mean - value) ** 2;
    cubes += (mean - value) ** 3;
  }
  const acceleration = cubes / (6 * squares ** 1.5);
  if (!Number.isFinite(bias) || !Number.isFinite(acceleration)) return null;
  const adjust = (probability: number) => {
    const z = bias + normalQuantile(probability);
    return normalCdf(bias + z / (1 - acceleration * z));
  };
  const result: [number, number] = [adjust(nominal[0]), adjust(nominal[1])];
  return result[0] < result[1] ? result : null;
}

/** In place of an interval where one unit is all there is: every resample is the data again, and a width of 0 would claim certainty. */
export function singleUnit(resamples: Resamples): Interval | null {
  if (resamples.units > 1) return null;
  const warnings = [
    `only 1 ${resamples.unit === 'prompt' ? 'prompt' : 'cluster'}: nothing to resample, so there is no interval`,
  ];
  return { lower: null, upper: null, monteCarloError: [null, null], warnings };
}

/** Puts value, interval and the warnings of small samples into an estimate. */
export function estimateOf(
  value: number,
  counts: { readonly n: number; readonly excluded?: number },
  made: Interval,
  resamples: Resamples,
  options: IntervalOptions,
): MeasuredEstimate {
  const single = singleUnit(resamples);
  const interval = single ?? made;
  const warnings = [...interval.warnings];
  const clustered = resamples.unit !== 'prompt';
  const has = interval.lower !== null || interval.upper !== null;
  if (single === null && clustered && resamples.units < FEW_CLUSTERS)
    warnings.push(`only ${resamples.units} clusters: under ${FEW_CLUSTERS} a cluster bootstrap is unreliable`);
  else if (single === null && resamples.units < SMALL_N)
    warnings.push(
      `only ${resamples.units} ${clustered ? 'clusters' : 'prompts'}: under ${SMALL_N} the interval is too short`,
    );
  return {
    value,
    lower: interval.lower,
    upper: interval.upper,
    level: has ? options.level : null,
    method: clustered ? `cluster-${options.method}` : options.method,
    n: counts.n,
    excluded: counts.excluded ?? 0,
    ...(interval.unbounded ? { unbounded: true as const } : {}),
    monteCarloError: interval.monteCarloError,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** An estimate without an interval. */
export function descriptive(value: number, n: number, excluded = 0, method = 'descriptive'): MeasuredEstimate {
  return { value, lower: null, upper: null, level: null, method, n, excluded };
}

/** The reason in place of a value. */
export function undefinedEstimate(reason: string, n?: number, excluded?: number): Estimate & { value: null } {
  return {
    value: null,
    undefinedBecause: reason,
    ...(n === undefined ? {} : { n }),
    ...(excluded === undefined ? {} : { excluded }),
  };
}
