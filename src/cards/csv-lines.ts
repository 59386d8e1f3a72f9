/** A cell of a table for people. */
export type CsvCell = string | number | boolean | null;

/**
 * CSV (RFC 4180, UTF-8, "\n") for people and spreadsheets: text that would run as a formula gets an apostrophe in front.
 * The raw tables of an audit are never written this way, because reading them back must change nothing.
 */
export function csvLines(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('');
}

function cell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
