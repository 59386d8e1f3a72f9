/**
 * Type 7 quantile (linear interpolation between order statistics, R's and numpy's default) of ascending values, which may
 * end in +Infinity: an interpolation that touches an infinite value is infinite.
 *
 * @throws RangeError for no values or a probability outside [0, 1].
 */
export function quantileSorted(sorted: ArrayLike<number>, probability: number): number {
  if (sorted.length === 0) throw new RangeError('quantileSorted requires at least one value');
  if (!(probability >= 0 && probability <= 1))
    throw new RangeError(`quantileSorted: invalid probability "${probability}"; expected 0 to 1`);
  const position = (sorted.length - 1) * probability;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const share = position - below;
  if (share === 0) return low;
  const high = sorted[below + 1]!;
  return high === low ? low : low + share * (high - low);
}

/** Median of values in any order (mean of the two middle ones); null for none. */
export function median(values: ArrayLike<number>): number | null {
  if (values.length === 0) return null;
  return quantileSorted(Float64Array.from(values).sort(), 0.5);
}

/** Mean of values in any order; null for none. */
export function meanOf(values: ArrayLike<number>): number | null {
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += values[index]!;
  return values.length === 0 ? null : sum / values.length;
}

/** Population variance, two passes; NaN for none. */
export function populationVariance(values: ArrayLike<number>): number {
  const mean = meanOf(values);
  if (mean === null) return Number.NaN;
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) sum += (values[index]! - mean) ** 2;
  return sum / values.length;
}
