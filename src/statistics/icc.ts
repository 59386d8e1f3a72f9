import type { Defined } from './kendall-w.ts';

/** Mean squares of a complete table of targets (rows) by repeats or raters (columns). */
export interface MeanSquares {
  readonly targets: number;
  readonly raters: number;
  readonly between: number;
  /** Within targets, raters included (one-way). */
  readonly within: number;
  /** Between raters, and the residual (two-way). */
  readonly rater: number;
  readonly residual: number;
}

/**
 * Mean squares of the one-way and two-way analysis of variance.
 *
 * @throws RangeError for fewer than two targets or raters, or rows of unequal length.
 */
export function meanSquares(rows: readonly ArrayLike<number>[]): MeanSquares {
  const targets = rows.length;
  const raters = rows[0]?.length ?? 0;
  if (targets < 2 || raters < 2) throw new RangeError('meanSquares requires at least two targets and two raters');
  const columns = new Float64Array(raters);
  let grand = 0;
  for (const row of rows) {
    if (row.length !== raters) throw new RangeError('meanSquares requires rows of equal length');
    for (let rater = 0; rater < raters; rater += 1) {
      columns[rater]! += row[rater]! / targets;
      grand += row[rater]! / (targets * raters);
    }
  }
  let between = 0;
  let within = 0;
  for (const row of rows) {
    let mean = 0;
    for (let rater = 0; rater < raters; rater += 1) mean += row[rater]! / raters;
    between += raters * (mean - grand) ** 2;
    for (let rater = 0; rater < raters; rater += 1) within += (row[rater]! - mean) ** 2;
  }
  const rater = columns.reduce((sum, mean) => sum + targets * (mean - grand) ** 2, 0);
  return {
    targets,
    raters,
    between: between / (targets - 1),
    within: within / (targets * (raters - 1)),
    rater: rater / (raters - 1),
    residual: Math.max(0, within - rater) / ((targets - 1) * (raters - 1)),
  };
}

/** ICC(1,1): one-way, reliability of a single repeat. Shrout & Fleiss 1979. */
export function iccSingle({ raters, between, within }: MeanSquares): Defined {
  return ratio(between - within, between + (raters - 1) * within);
}

/** ICC(1,R): one-way, reliability of the mean of the R repeats. */
export function iccMean({ between, within }: MeanSquares): Defined {
  return ratio(between - within, between);
}

/** ICC(2,1): two-way random raters, absolute agreement of a single rater. */
export function iccAgreement({ targets, raters, between, rater, residual }: MeanSquares): Defined {
  return ratio(between - residual, between + (raters - 1) * residual + (raters * (rater - residual)) / targets);
}

function ratio(above: number, below: number): Defined {
  return below > 0 ? { value: above / below } : { undefinedBecause: 'no variance between targets or repeats' };
}
