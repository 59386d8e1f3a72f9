import { join } from 'node:path';
import type { Card } from '../core/card.ts';
import { prettyJson } from '../core/json.ts';
import { writeWhole } from '../core/write-file.ts';
import { bibtexEntry } from './bibtex-entry.ts';
import { renderCardLatex } from './render-card-latex.ts';
import { renderCardMarkdown } from './render-card-markdown.ts';
import { renderCardPage } from './render-card-page.ts';

/** Every form of a card, by file name. */
export function cardFiles(card: Card): Record<string, string> {
  return {
    'card.json': prettyJson(card),
    'card.md': renderCardMarkdown(card),
    'card.html': renderCardPage(card),
    'card.tex': renderCardLatex(card),
    'card.bib': bibtexEntry(card),
  };
}

/** Writes `card.json`, `card.md`, `card.html`, `card.tex` and `card.bib` into a results folder; returns their names. */
export function writeCardFiles(folder: string, card: Card): string[] {
  const files = cardFiles(card);
  for (const [name, content] of Object.entries(files)) writeWhole(join(folder, name), content);
  return Object.keys(files);
}
