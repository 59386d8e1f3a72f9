import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildComparison } from '../../src/reports/build-comparison.ts';
import { compareAudits, comparisonText, readCompared } from '../../src/reports/compare-audits.ts';
import { type ResultsFixture, resultsFixture } from '../cards/fixture.ts';

let first: ResultsFixture;
let second: ResultsFixture;
beforeAll(async () => {
  first = await resultsFixture({ generators: ['one', 'two'] });
  second = await resultsFixture({ generators: ['one', 'two'], seed: 8, lighting: ['city', 'night'], draft: true });
});
afterAll(() => {
  first.remove();
  second.remove();
});

test('rows are those of the estimates, versions of one evaluator under each other', () => {
  const comparison = compareAudits(readCompared([first.folder, second.folder]));
  expect(comparison.rows.map(({ audit, evaluator }) => `${evaluator} ${audit}`)).toEqual([
    'pocket synthetic (1)',
    'pocket synthetic (2)',
    'steady synthetic (1)',
    'steady synthetic (2)',
    'sharpness synthetic (1)',
    'sharpness synthetic (2)',
  ]);
  expect(comparison.rows[1]).toMatchObject({
    cardId: second.card.evaluators[0]!.cardId,
    strictPairs: second.estimates.evaluators[0]!.strictPairs,
    minKendallW: { value: second.estimates.evaluators[0]!.minKendallW.value },
  });
});

test('what keeps the rows from being compared is said', () => {
  expect(compareAudits(readCompared([first.folder, first.folder])).caveats).toEqual([]);
  const { caveats, diffs } = compareAudits(readCompared([first.folder, second.folder]));
  expect(caveats).toEqual([
    'the audits sweep different levels: dispersion, rho, winners and envelopes grow with the levels declared',
    'synthetic (2) is a draft: no number of it is final',
  ]);
  expect(diffs[0]?.diff.evaluators.map(({ comparability }) => comparability)).toEqual(
    Array.from({ length: 3 }, () => 'comparable with caveats'),
  );
});

test('the text holds a line a row and the caveats', () => {
  const lines = comparisonText(compareAudits(readCompared([first.folder, second.folder])));
  expect(lines).toHaveLength(6 + 2);
  expect(lines[0]).toMatch(/^synthetic \(1\) \/ pocket \(ecc-[0-9a-f]{12}\): peak rho /);
});

test('the page shows both audits and stamps a draft', async () => {
  const html = await buildComparison(readCompared([first.folder, second.folder]));
  expect(html).toContain('DRAFT: made from a partial run');
  expect(html).toContain('pocket, synthetic (2) (draft)');
  expect(html.replace(/<script[\s\S]*?<\/script>/g, '')).not.toMatch(/undefined|NaN/);
});

test('one folder is not a comparison', () => {
  expect(() => readCompared([first.folder])).toThrow('compare: 1 results folders; expected at least two');
});
