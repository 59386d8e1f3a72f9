import { afterAll, beforeAll, expect, test } from 'vitest';
import { bibtexEntry } from '../../src/cards/bibtex-entry.ts';
import { cite, citedRows } from '../../src/cards/cite-card.ts';
import { renderCardLatex } from '../../src/cards/render-card-latex.ts';
import { renderCardMarkdown } from '../../src/cards/render-card-markdown.ts';
import type { Card } from '../../src/core/card.ts';
import { type ResultsFixture, resultsFixture } from './fixture.ts';

let fixture: ResultsFixture;
beforeAll(async () => {
  fixture = await resultsFixture({ generators: ['func_a', 'two'] });
});
afterAll(() => fixture.remove());

test('one line an evaluator: generator, score, interval, basis, card ID', () => {
  const ids = fixture.card.evaluators.map((entry) => entry.cardId);
  expect(cite(fixture.card, 'func_a')).toEqual([
    expect.stringMatching(
      new RegExp(
        `^func_a: \\d+\\.\\d\\d \\[\\d+\\.\\d\\d, \\d+\\.\\d\\d\\] \\(pocket, cosine100, 95% interval over 4 prompts\\), ${ids[0]}$`,
      ),
    ),
    expect.stringMatching(new RegExp(`^func_a: .* \\(steady, .*\\), ${ids[1]}$`)),
    expect.stringMatching(new RegExp(`^func_a: .* \\(sharpness, share100, .*\\), ${ids[2]}$`)),
  ]);
  expect(cite(fixture.card, 'two', 'steady')).toHaveLength(1);
});

test('the cited numbers are the card’s own', () => {
  const scores = fixture.card.evaluators[0]!.evidence.scores;
  const first = scores.status === 'measured' ? scores.value.generators[0]!.score.value : Number.NaN;
  expect(citedRows(fixture.card)[0]).toMatchObject({
    evaluator: 'pocket',
    generator: 'func_a',
    score: first,
    because: null,
  });
});

test('unknown names list what there is', () => {
  expect(() => cite(fixture.card, 'nobody')).toThrow(
    'card synthetic: unknown generator "nobody"; expected one of func_a, two',
  );
  expect(() => cite(fixture.card, 'two', 'nobody')).toThrow(
    'card synthetic: unknown evaluator "nobody"; expected one of pocket, steady, sharpness',
  );
});

test('a withheld score is cited as none, with the reason, and a draft says so', () => {
  const card: Card = structuredClone(fixture.card);
  card.draft = true;
  card.evaluators[0]!.evidence.scores = { status: 'withheld', reason: '9% missing' };
  expect(cite(card, 'two', 'pocket')).toEqual([
    `two: no score (withheld: 9% missing) (pocket), ${card.evaluators[0]!.cardId} (DRAFT: partial run)`,
  ]);
  expect(renderCardMarkdown(card)).toContain('**DRAFT');
  expect(renderCardLatex(card)).toContain('\\caption{DRAFT. ');
  expect(bibtexEntry(card)).toContain('DRAFT');
});

test('LaTeX: braces and environments balance and names are escaped', () => {
  const latex = renderCardLatex(fixture.card);
  const bare = latex.replaceAll('\\{', '').replaceAll('\\}', '');
  expect([...bare].filter((mark) => mark === '{').length).toBe([...bare].filter((mark) => mark === '}').length);
  expect(latex.match(/\\begin\{\w+\}/g)).toHaveLength(latex.match(/\\end\{\w+\}/g)?.length ?? -1);
  expect(latex).toContain('func\\_a');
  expect(latex).not.toMatch(/[^\\]_/);
  for (const entry of fixture.card.evaluators) expect(latex).toContain(`\\texttt{${entry.cardId}}`);
});

test('BibTeX: one entry whose note holds every card ID and the evidence hash', () => {
  const entry = bibtexEntry(fixture.card);
  expect(entry).toMatch(/^@misc\{synthetic-[0-9a-f]{12},\n( {2}\w+ = \{.*\},?\n)+\}\n$/);
  for (const { cardId } of fixture.card.evaluators) expect(entry).toContain(cardId);
  expect(entry).toContain(fixture.card.evidenceHash);
});
