import { join } from 'node:path';
import type { Manifest } from '../core/manifest.ts';
import { OUTCOME_STATUSES } from '../core/outcome.ts';
import { readScoreTable } from '../statistics/score-table.ts';

/** Looks up what an evaluator said about one cell: the mean over scored repeats, or the state it ended in. */
export type CellScores = (
  evaluator: string,
  generator: string,
  prompt: string,
  factor: string,
  level: string,
) => number | string | null;

/** Outcomes of the cells of a few prompts, read from the raw files of a results folder; null for what is not there. */
export async function readCellScores(
  folder: string,
  manifest: Manifest,
  prompts: ReadonlySet<string>,
): Promise<CellScores> {
  const found = new Map<string, { sum: number; count: number; state: string }>();
  const keyOf = (...parts: string[]) => parts.join('\u0000');
  if (manifest.evaluators.length > 0) {
    const table = await readScoreTable(manifest.evaluators.map((entry) => join(folder, entry.raw)));
    const { values, ids } = table;
    const wanted = values.prompt.map((prompt) => prompts.has(prompt));
    for (let row = 0; row < table.rows; row += 1) {
      if (!wanted[ids.prompt[row] as number]) continue;
      const text = (column: 'evaluator' | 'generator' | 'prompt' | 'factor' | 'level') =>
        values[column][ids[column][row] as number] as string;
      const key = keyOf(text('evaluator'), text('generator'), text('prompt'), text('factor'), text('level'));
      const cell = found.get(key) ?? { sum: 0, count: 0, state: '' };
      const score = table.score[row] as number;
      if (Number.isNaN(score)) cell.state = OUTCOME_STATUSES[table.status[row] as number] ?? 'failed';
      else {
        cell.sum += score;
        cell.count += 1;
      }
      found.set(key, cell);
    }
  }
  return (evaluator, generator, prompt, factor, level) => {
    const cell = found.get(keyOf(evaluator, generator, prompt, factor, level));
    if (cell === undefined) return null;
    return cell.count > 0 ? cell.sum / cell.count : cell.state;
  };
}
