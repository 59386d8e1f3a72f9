import { formatNumber } from '../cards/format-number.ts';
import type { FactorEstimates } from '../core/estimates.ts';
import type { RankPoint } from './charts/rank-paths.ts';
import type { RankShare } from './charts/rank-shares.ts';

/**
 * Rank of each generator at each level of a factor from the level's means, 1 for the highest, ties at their mean rank.
 * Removed levels and generators without a mean have no rank.
 */
export function factorRanks(factor: FactorEstimates, generators: readonly string[]): RankPoint[] {
  return factor.perLevel
    .filter((level) => !level.removed)
    .flatMap((level) => {
      const present = level.means.flatMap((mean, index) =>
        mean === null ? [] : [{ mean, generator: generators[index] as string }],
      );
      return present.map(({ mean, generator }) => {
        const above = present.filter((other) => other.mean > mean).length;
        const equal = present.filter((other) => other.mean === mean).length;
        const rank = above + (equal + 1) / 2;
        return {
          generator,
          level: level.level,
          rank,
          described: `${generator} at ${level.level}: rank ${rank} of ${present.length}, mean score ${formatNumber(mean)}`,
          href: '',
        };
      });
    });
}

/** How many levels give each generator each rank; shared ranks count at the rank rounded up. */
export function rankCounts(points: readonly RankPoint[], generators: readonly string[], levels: number): RankShare[] {
  const most = Math.max(1, ...points.map((point) => Math.ceil(point.rank)));
  return generators.flatMap((generator) =>
    Array.from({ length: most }, (_, index) => {
      const rank = index + 1;
      const count = points.filter((point) => point.generator === generator && Math.ceil(point.rank) === rank).length;
      return {
        generator,
        rank,
        levels: count,
        share: levels === 0 ? 0 : count / levels,
        described: `${generator}: rank ${rank} at ${count} of ${levels} levels`,
        href: '',
      };
    }),
  );
}
