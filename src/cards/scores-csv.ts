import type { Card } from '../core/card.ts';
import { citedRows } from './cite-card.ts';
import { csvLines } from './csv-lines.ts';

const COLUMNS = [
  'generator',
  'score',
  'lower',
  'upper',
  'level',
  'cardId',
  'evaluator',
  'scale',
  'prompts',
  'because',
] as const;

/** The (generator, score, card ID) rows of a card with their intervals, as CSV. */
export function scoresCsv(card: Card): string {
  return csvLines(
    COLUMNS,
    citedRows(card).map((row) => COLUMNS.map((column) => row[column])),
  );
}
