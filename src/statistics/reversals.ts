import type { Reversal } from '../core/estimates.ts';
import type { ContrastMatrix } from './contrast-matrix.ts';
import { SMALL_N } from './interval.ts';
import type { Margins } from './margins.ts';
import type { PointwiseIntervals } from './pointwise.ts';
import { adjustedP, type Band } from './simultaneous-band.ts';

/** Longest list of reversals of one pair and factor; the counts go on. */
const LISTED = 25;

export interface ReversalSearch {
  readonly matrix: ContrastMatrix;
  readonly evaluator: number;
  readonly family: Margins;
  readonly generators: readonly string[];
}

interface Side {
  readonly level: string;
  readonly id: number;
  readonly interval: [number, number];
  readonly seedSensitive: boolean;
}

export interface Reversals {
  readonly found: Reversal[];
  /** Level pairs found, listed or not. */
  readonly count: number;
}

/** Reversals by pointwise intervals: one pair, one factor, two levels, intervals that exclude zero on opposite sides. */
export function pointwiseReversals(search: ReversalSearch, intervals: PointwiseIntervals): Reversals {
  return searchPairs(search, (id, sign) => {
    if (intervals.side(id) !== sign) return null;
    const interval = intervals.of(id);
    const limit = sign > 0 ? interval.lower! : interval.upper!;
    const error = interval.monteCarloError[sign > 0 ? 0 : 1];
    return {
      interval: [interval.lower!, interval.upper!],
      seedSensitive: error !== null && Math.abs(limit) <= 2 * error,
    };
  });
}

/** Reversals by the simultaneous band, only where at least 20 prompts (and resampled units) stand behind both contrasts. */
export function simultaneousReversals(search: ReversalSearch, band: Band, units: number): Reversals {
  const { matrix } = search;
  const critical = band.criticalValue;
  if (critical === null || units < SMALL_N) return { found: [], count: 0 };
  const result = searchPairs(
    search,
    (id, sign) => {
      if (matrix.inBand[id] === 0 || matrix.sets[matrix.set[id]!]!.length < SMALL_N) return null;
      const half = critical * matrix.error[id]!;
      const interval: [number, number] = [matrix.estimate[id]! - half, matrix.estimate[id]! + half];
      const limit = sign > 0 ? interval[0] : interval[1];
      if (!(sign * limit > 0)) return null;
      const error = (band.monteCarloError ?? Number.POSITIVE_INFINITY) * matrix.error[id]!;
      return { interval, seedSensitive: Math.abs(limit) <= 2 * error };
    },
    band,
  );
  return result;
}

function searchPairs(
  { matrix, evaluator, family, generators }: ReversalSearch,
  test: (id: number, sign: 1 | -1) => Pick<Side, 'interval' | 'seedSensitive'> | null,
  band: Band | null = null,
): Reversals {
  const found: Reversal[] = [];
  let count = 0;
  /** |t|; infinite for a constant difference. */
  const strength = (side: Side) =>
    matrix.error[side.id] === 0
      ? Number.POSITIVE_INFINITY
      : Math.abs(matrix.estimate[side.id]!) / matrix.error[side.id]!;
  const factors = [...new Set(family.configurations.map(({ factor }) => factor))].filter((factor) => factor !== '');
  for (const [pair, [m, n]] of family.pairs.entries())
    for (const factor of factors) {
      const members: { level: string; id: number }[] = [];
      for (const [configuration, member] of family.configurations.entries()) {
        if (member.factor !== factor) continue;
        const id = matrix.index[evaluator]![configuration * family.pairs.length + pair]!;
        if (id >= 0) members.push({ level: member.level, id });
      }
      const positive = members.filter(({ id }) => matrix.estimate[id]! > 0);
      const negative = members.filter(({ id }) => matrix.estimate[id]! < 0);
      const pass = (list: typeof members, sign: 1 | -1): Side[] =>
        list.flatMap(({ level, id }) => {
          const side = test(id, sign);
          return side === null ? [] : [{ level, id, ...side }];
        });
      // The smaller side first: when nothing on it excludes zero there is no reversal.
      const positiveFirst = positive.length <= negative.length;
      const first = pass(positiveFirst ? positive : negative, positiveFirst ? 1 : -1);
      if (first.length === 0) continue;
      const second = pass(positiveFirst ? negative : positive, positiveFirst ? -1 : 1);
      if (second.length === 0) continue;
      count += first.length * second.length;
      const up = (positiveFirst ? first : second).sort((a, b) => order(strength(a), strength(b)) || a.id - b.id);
      const down = (positiveFirst ? second : first).sort((a, b) => order(strength(a), strength(b)) || a.id - b.id);
      const pairs = up
        .slice(0, LISTED)
        .flatMap((a) => down.slice(0, LISTED).map((b) => ({ a, b, weakest: Math.min(strength(a), strength(b)) })));
      pairs.sort((one, two) => order(one.weakest, two.weakest) || one.a.id - two.a.id || one.b.id - two.b.id);
      for (const { a, b } of pairs.slice(0, LISTED))
        found.push({
          pair: [generators[m]!, generators[n]!],
          factor,
          levels: [a.level, b.level],
          margins: [matrix.estimate[a.id]!, matrix.estimate[b.id]!],
          intervals: [a.interval, b.interval],
          adjustedP: band === null ? null : [adjustedP(band, strength(a)), adjustedP(band, strength(b))],
          seedSensitive: a.seedSensitive || b.seedSensitive,
        });
    }
  return { found, count };
}

/** Descending; two infinities are equal. */
function order(a: number, b: number): number {
  return a === b ? 0 : b - a;
}
