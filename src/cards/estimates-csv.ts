import type { Estimates } from '../core/estimates.ts';
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
 * Every estimate as CSV (RFC 4180, UTF-8), one a line, with its JSON pointer into estimates.json. Text that a spreadsheet
 * would run as a formula is escaped with an apostrophe: this file is for people, the raw tables are never changed.
 */
export function estimatesCsv(estimates: Estimates): string {
  const lines = listEstimates(estimates).map((row) => COLUMNS.map((column) => cell(row[column])).join(','));
  return `${COLUMNS.join(',')}\n${lines.join('\n')}\n`;
}

function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
