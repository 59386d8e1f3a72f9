import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runNotebook } from '../../scripts/notebooks.mjs';
import { resultsFixture } from '../cards/fixture.ts';

const folder = join(import.meta.dirname, '../../notebooks');
interface Cell {
  readonly cell_type: string;
  readonly outputs?: readonly { readonly text?: readonly string[] }[];
}
const stored = (name: string): string[] =>
  (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { cells: Cell[] }).cells
    .filter((cell) => cell.cell_type === 'code')
    .map((cell) => (cell.outputs ?? []).flatMap((output) => output.text ?? []).join(''));

test('the notebooks are the two that are tested here', () => {
  expect(
    readdirSync(folder)
      .filter((name) => name.endsWith('.ipynb'))
      .sort(),
  ).toEqual(['explore-audit.ipynb', 'score-table.ipynb']);
});

test('score-table: every cell runs and prints what is stored with it', () => {
  expect(runNotebook(join(folder, 'score-table.ipynb'))).toEqual(stored('score-table.ipynb'));
});

test('explore-audit: every cell runs on a results folder, and finds it sound', async () => {
  const fixture = await resultsFixture();
  try {
    const outputs = runNotebook(join(folder, 'explore-audit.ipynb'), { PARALLAX_RESULTS: fixture.folder });
    expect(outputs[0]).toBe('synthetic: 4 generators, 4 prompts, 3 evaluators\n');
    expect(outputs[1]).toContain(', 0 differences\n');
    expect(outputs[1]).toContain(fixture.card.evaluators[0]!.cardId);
    expect(outputs[3]).toMatch(/pocket at pitch 90: \d+(\.\d+)? over 16 scenes/);
    expect(outputs[3]).toContain('3 raw tables');
    expect(outputs[4]).toContain('scores.parquet, estimates.parquet\n');
    expect(outputs[4]).toContain('Parquet and CSV hold the same scores\n');
    // What is stored with it was printed by every cell, over the demonstration.
    expect(stored('explore-audit.ipynb').map((text) => text !== '')).toEqual(outputs.map(() => true));
  } finally {
    fixture.remove();
  }
});

test('a cell that fails is reported with its message', async () => {
  expect(() => runNotebook(join(folder, 'explore-audit.ipynb'), { PARALLAX_RESULTS: '/nowhere' })).toThrow(
    /a cell failed[\s\S]*missing or unreadable file/,
  );
});
