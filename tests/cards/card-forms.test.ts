import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bibtexEntry } from '../../src/cards/bibtex-entry.ts';
import { cardIdOf } from '../../src/cards/build-contract.ts';
import { methodsText } from '../../src/cards/methods-text.ts';
import { readCard } from '../../src/cards/read-results.ts';
import { renderCardHtml } from '../../src/cards/render-card-html.ts';
import { renderCardLatex } from '../../src/cards/render-card-latex.ts';
import { renderCardMarkdown } from '../../src/cards/render-card-markdown.ts';
import { renderCardPage } from '../../src/cards/render-card-page.ts';

const { card } = readCard(join(import.meta.dirname, '../fixtures/cards/card.json'));
const golden = (name: string) => `../golden/cards/${name}`;

test('Markdown, HTML, LaTeX, BibTeX and methods paragraph of a card (vitest -u writes them)', async () => {
  await expect(renderCardMarkdown(card)).toMatchFileSnapshot(golden('card.md'));
  await expect(renderCardPage(card)).toMatchFileSnapshot(golden('card.html'));
  await expect(renderCardLatex(card)).toMatchFileSnapshot(golden('card.tex'));
  await expect(bibtexEntry(card)).toMatchFileSnapshot(golden('card.bib'));
  await expect(methodsText(card)).toMatchFileSnapshot(golden('methods.md'));
});

test('the golden contracts hash to their IDs on every machine', () => {
  expect(card.evaluators.map((entry) => cardIdOf(entry.contract))).toEqual(
    card.evaluators.map(({ cardId, digest }) => ({ cardId, digest })),
  );
});

test('the folded form says the same as the open one', () => {
  const words = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(words(renderCardHtml(card, true))).toBe(words(renderCardHtml(card)));
});

test('a card file is read with its place named when it is wrong', () => {
  const file = join(import.meta.dirname, '../fixtures/cards/card.json');
  expect(readFileSync(file, 'utf8')).toContain('parallax/card@1');
  expect(() => readCard(join(import.meta.dirname, 'nowhere.json'))).toThrow(
    'cards/nowhere.json: missing or unreadable file',
  );
});
