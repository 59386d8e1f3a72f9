import type { Estimates } from '../../src/core/estimates.ts';
import { type AnalysisOptions, optionsFromTable, type TableSettings } from '../../src/statistics/analysis-options.ts';
import { analyze } from '../../src/statistics/analyze.ts';
import { type ScoreRow, scoreTableOf } from '../../src/statistics/score-table.ts';

/** A factor of a made-up table: its levels; the first is the default unless `free`. */
export interface MadeFactor {
  readonly factor: string;
  readonly levels: readonly string[];
}

export interface MadeTable {
  readonly evaluators?: readonly string[];
  readonly generators: number;
  readonly prompts: number;
  readonly factors: readonly MadeFactor[];
  /** Score of a cell; null is a failure. Factor and level are empty at c0. */
  readonly score: (cell: {
    evaluator: string;
    g: number;
    p: number;
    factor: string;
    level: string;
    index: number;
  }) => number | null;
}

export const generatorId = (g: number): string => `g${g}`;
export const promptId = (p: number): string => `p${String(p).padStart(3, '0')}`;

/** Rows of c0 (empty factor) and of every level that is not the first of its factor. */
export function madeRows(made: MadeTable): ScoreRow[] {
  const rows: ScoreRow[] = [];
  for (const evaluator of made.evaluators ?? ['ev'])
    for (let g = 0; g < made.generators; g += 1)
      for (let p = 0; p < made.prompts; p += 1) {
        const add = (factor: string, level: string, index: number) => {
          const score = made.score({ evaluator, g, p, factor, level, index });
          rows.push({
            evaluator,
            generator: generatorId(g),
            prompt: promptId(p),
            factor,
            level,
            score,
            ...(score === null ? { status: 'failed' as const, reason: 'made to fail' } : {}),
          });
        };
        add('', '', 0);
        for (const { factor, levels } of made.factors)
          for (const [index, level] of levels.entries()) if (index > 0) add(factor, level, index);
      }
  return rows;
}

/** Options for made rows: the first level of every factor is c0. */
export function madeOptions(
  rows: readonly ScoreRow[],
  made: Pick<MadeTable, 'factors'>,
  settings: Partial<TableSettings> = {},
): AnalysisOptions {
  const c0 = Object.fromEntries(made.factors.map(({ factor, levels }) => [factor, levels[0]!]));
  return optionsFromTable(scoreTableOf(rows), { seed: 1, resamples: 200, c0, ...settings });
}

/** Analysis of a made table. */
export async function analyzeMade(
  made: MadeTable,
  settings: Partial<TableSettings> = {},
  change: (options: AnalysisOptions) => AnalysisOptions = (options) => options,
): Promise<Estimates> {
  const rows = madeRows(made);
  return await analyze(scoreTableOf(rows), change(madeOptions(rows, made, settings)));
}
