import type { Card } from '../core/card.ts';
import { escapeLatex } from './escape-text.ts';

/**
 * A BibTeX entry for the card as a data set: `@misc`, keyed by audit and evidence hash. No author, year or address is
 * made up: fields a card cannot know are left to the person who cites it.
 */
export function bibtexEntry(card: Card): string {
  const key = `${card.audit.name.replace(/[^A-Za-z0-9]+/g, '-').toLowerCase()}-${card.evidenceHash.slice(0, 12)}`;
  const ids = card.evaluators.map((entry) => entry.cardId).join(', ');
  const fields: (readonly [string, string])[] = [
    ['title', `{Evaluator Configuration Card: ${escapeLatex(card.audit.name)}}`],
    ['howpublished', '{Parallax audit card}'],
    ['version', `{${escapeLatex(card.environment.packages['parallax-audit'] ?? 'unknown')}}`],
    ['note', `{${card.draft ? 'DRAFT. ' : ''}Card ${ids}; evidence SHA-256 ${card.evidenceHash}}`],
  ];
  return `@misc{${key},\n${fields.map(([name, value]) => `  ${name} = ${value}`).join(',\n')}\n}\n`;
}
