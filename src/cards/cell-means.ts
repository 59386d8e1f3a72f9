import type { SeenScore } from '../protocol/settled.ts';
import type { ScoreTable } from '../statistics/score-table.ts';

/** Scores of one evaluator by cell: the mean over scored repeats. */
export interface CellMeans {
  /** Null when no repeat is scored. */
  get(factor: string, level: string, generator: string, prompt: string): number | null;
  /** Every cell with a score, in the order of the table. */
  all(): Iterable<SeenScore>;
}

/** Looks up the cells of one evaluator in a score table. */
export function cellMeans(table: ScoreTable, evaluator: string): CellMeans {
  const own = table.values.evaluator.indexOf(evaluator);
  const cells = new Map<string, SeenScore & { sum: number; count: number }>();
  for (let row = 0; row < table.rows; row += 1) {
    const value = table.score[row] as number;
    if (table.ids.evaluator[row] !== own || Number.isNaN(value)) continue;
    const text = (column: 'generator' | 'prompt' | 'factor' | 'level') =>
      table.values[column][table.ids[column][row] as number] as string;
    const [factor, level, generator, prompt] = [text('factor'), text('level'), text('generator'), text('prompt')];
    const key = keyOf(factor, level, generator, prompt);
    const { sum = 0, count = 0 } = cells.get(key) ?? {};
    const [total, repeats] = [sum + value, count + 1];
    cells.set(key, { factor, level, generator, prompt, score: total / repeats, sum: total, count: repeats });
  }
  return {
    get: (factor, level, generator, prompt) => cells.get(keyOf(factor, level, generator, prompt))?.score ?? null,
    all: () => cells.values(),
  };
}

function keyOf(...parts: string[]): string {
  return parts.join('\u0000');
}
