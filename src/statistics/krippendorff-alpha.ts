import type { Defined } from './kendall-w.ts';

export type AlphaMetric = 'nominal' | 'ordinal' | 'interval';

/**
 * Krippendorff's alpha = 1 - D_o / D_e (Krippendorff 2011, "Computing Krippendorff's alpha-reliability"). `units[unit]` holds the
 * values given to it, any number of raters, missing ones left out; units with fewer than two values are not pairable.
 *
 * Squared difference: nominal 0 or 1; interval (a - b)^2; ordinal the squared number of pairable values between the two
 * categories, each end counted half.
 */
export function krippendorffAlpha(units: readonly (readonly number[])[], metric: AlphaMetric): Defined {
  const pairable = units.filter((values) => values.length > 1);
  const categories = [...new Set(pairable.flat())].sort((a, b) => a - b);
  const total = pairable.reduce((sum, values) => sum + values.length, 0);
  if (total === 0) return { undefinedBecause: 'no unit has two ratings' };
  if (categories.length < 2) return { undefinedBecause: 'every rating is the same value' };
  const place = new Map(categories.map((category, index) => [category, index]));
  const frequency = new Float64Array(categories.length);
  for (const value of pairable.flat()) frequency[place.get(value)!]! += 1;
  const squared = differences(categories, frequency, metric);
  let observed = 0;
  for (const values of pairable) {
    let sum = 0;
    for (const a of values) for (const b of values) sum += squared(place.get(a)!, place.get(b)!);
    observed += sum / (values.length - 1);
  }
  let expected = 0;
  for (let a = 0; a < categories.length; a += 1)
    for (let b = 0; b < categories.length; b += 1) expected += frequency[a]! * frequency[b]! * squared(a, b);
  return { value: 1 - ((total - 1) * observed) / expected };
}

function differences(
  categories: readonly number[],
  frequency: Float64Array,
  metric: AlphaMetric,
): (a: number, b: number) => number {
  if (metric === 'nominal') return (a, b) => (a === b ? 0 : 1);
  if (metric === 'interval') return (a, b) => (categories[a]! - categories[b]!) ** 2;
  const below = new Float64Array(categories.length);
  let sum = 0;
  for (let index = 0; index < categories.length; index += 1) {
    below[index] = sum + frequency[index]! / 2;
    sum += frequency[index]!;
  }
  return (a, b) => (below[a]! - below[b]!) ** 2;
}
