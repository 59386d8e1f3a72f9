import type { Estimates } from '../core/estimates.ts';
import { csvLines } from './csv-lines.ts';
import { listEstimates } from './list-estimates.ts';

const COLUMNS = [
  'evaluator',
  'quantity',
  'of',
  'value',
  'lower',
  'upper',
  'unbounded',
  'level',
  'method',
  'n',
  'excluded',
  'undefinedBecause',
  'pointer',
] as const;

/**
 * Every estimate as CSV, one a line, with its JSON pointer into estimates.json.
 */
export function estimatesCsv(estimates: Estimates): string {
  return csvLines(
    COLUMNS,
    listEstimates(estimates).map((row) => COLUMNS.map((column) => row[column])),
  );
}
