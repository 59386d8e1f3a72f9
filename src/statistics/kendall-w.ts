import { averageRanks } from './average-ranks.ts';

/** A coefficient, or why there is none. */
export type Defined = { readonly value: number } | { readonly undefinedBecause: string };

/**
 * Kendall's coefficient of concordance with tie correction: `rows` are the raters (levels), columns the items (generators).
 *
 * W = 12 S / (m^2 (n^3 - n) - m sum T_j), S the squared deviations of the item rank sums, T_j = sum(t^3 - t) over the
 * tie groups of rater j. Siegel & Castellan 1988, 9.7.
 */
export function kendallW(rows: readonly ArrayLike<number>[], tolerance = 0): Defined {
  const raters = rows.length;
  const items = rows[0]?.length ?? 0;
  if (raters < 2) return { undefinedBecause: 'fewer than two levels to compare' };
  if (items < 2) return { undefinedBecause: 'fewer than two generators to rank' };
  const sums = new Float64Array(items);
  let ties = 0;
  for (const row of rows) {
    if (row.length !== items) throw new RangeError('kendallW requires rows of equal length');
    const ranks = averageRanks(row, tolerance);
    const groups = new Map<number, number>();
    for (const [item, rank] of ranks.entries()) {
      sums[item]! += rank;
      groups.set(rank, (groups.get(rank) ?? 0) + 1);
    }
    for (const size of groups.values()) ties += size ** 3 - size;
  }
  const mean = (raters * (items + 1)) / 2;
  let deviations = 0;
  for (const sum of sums) deviations += (sum - mean) ** 2;
  const denominator = raters ** 2 * (items ** 3 - items) - raters * ties;
  if (denominator <= 0) return { undefinedBecause: 'all generators are tied at every level' };
  return { value: (12 * deviations) / denominator };
}
