import type { Defined } from './kendall-w.ts';

/** Fleiss' kappa of the whole table and of every item against the same chance agreement. */
export interface FleissKappa {
  readonly kappa: Defined;
  /** Mean observed agreement. */
  readonly observed: number;
  /** Chance agreement, from the marginals. */
  readonly chance: number;
  /** (P_i - P_e) / (1 - P_e) of every item; null where chance agreement is complete. */
  readonly items: readonly (number | null)[];
}

/**
 * Fleiss' kappa (1971): `counts[item][category]` raters chose the category. Items may have different numbers of raters, at least
 * two each; an item's agreement is P_i = sum n_ij (n_ij - 1) / (n_i (n_i - 1)), the marginals are over all ratings.
 *
 * @throws RangeError without items, or for an item with fewer than two ratings.
 */
export function fleissKappa(counts: readonly (readonly number[])[]): FleissKappa {
  if (counts.length === 0) throw new RangeError('fleissKappa requires at least one item');
  const categories = Math.max(...counts.map((item) => item.length));
  const marginals = new Float64Array(categories);
  let ratings = 0;
  const agreements = counts.map((item) => {
    const raters = item.reduce((sum, count) => sum + count, 0);
    if (raters < 2) throw new RangeError('fleissKappa requires at least two ratings an item');
    let agreeing = 0;
    for (const [category, count] of item.entries()) {
      marginals[category]! += count;
      agreeing += count * (count - 1);
    }
    ratings += raters;
    return agreeing / (raters * (raters - 1));
  });
  const observed = agreements.reduce((sum, agreement) => sum + agreement, 0) / agreements.length;
  const chance = marginals.reduce((sum, count) => sum + (count / ratings) ** 2, 0);
  const complete = 1 - chance <= 1e-12;
  return {
    kappa: complete
      ? { undefinedBecause: 'every rating is the same category' }
      : { value: (observed - chance) / (1 - chance) },
    observed,
    chance,
    items: agreements.map((agreement) => (complete ? null : (agreement - chance) / (1 - chance))),
  };
}
