import type { AnalysisOptions } from './analysis-options.ts';
import { meanOf } from './quantile.ts';
import type { ScoreTable } from './score-table.ts';

const LIGHTING = 'lighting';

/**
 * log2 of the mean foreground luminance of every lighting level, over the distinct pictures of that level (c0's pictures for its
 * default level). Levels without a known luminance are left out.
 */
export function lightingLuminance(table: ScoreTable, options: AnalysisOptions): ReadonlyMap<string, number> {
  const result = new Map<string, number>();
  const factor = options.factors.find((one) => one.factor === LIGHTING);
  if (options.luminance === null || factor === undefined) return result;
  const images = new Map(factor.levels.map((level) => [level, new Set<number>()]));
  for (let row = 0; row < table.rows; row += 1) {
    const name = table.values.factor[table.ids.factor[row]!]!;
    if (name !== '' && name !== LIGHTING) continue;
    const level = name === '' ? factor.defaultLevel : table.values.level[table.ids.level[row]!]!;
    if (level !== null) images.get(level)?.add(table.ids.image[row]!);
  }
  for (const [level, ids] of images) {
    const known = [...ids]
      .sort((a, b) => a - b)
      .flatMap((id) => {
        const value = options.luminance?.get(table.values.image[id]!);
        return value === undefined ? [] : [value];
      });
    const mean = meanOf(known);
    if (mean !== null && mean > 0) result.set(level, Math.log2(mean));
  }
  return result;
}
