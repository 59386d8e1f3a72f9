import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import Papa from 'papaparse';
import { AuditError, quoted } from '../core/errors.ts';
import { compareText } from '../core/json.ts';
import { SCORE_COLUMNS } from '../core/score-columns.ts';
import type { ScoreRow } from './score-table.ts';

const CHUNK = 5000;

/**
 * Writes a score table: all 13 columns, rows sorted by (evaluator, generator, prompt, factor, level, repeat), "\n" line ends,
 * so equal rows give equal bytes. The file appears whole or not at all (a temporary file beside it is renamed).
 *
 * @throws AuditError for a score that is not finite, for a score beside a failed status, and for an id that starts
 * with = + - or @.
 */
export async function writeScoreTable(path: string, rows: Iterable<ScoreRow>): Promise<void> {
  const sorted = [...rows].sort(compareRows);
  const temporary = `${path}.${process.pid}.part`;
  const stream = createWriteStream(temporary);
  try {
    stream.write(`${SCORE_COLUMNS.join(',')}\n`);
    for (let start = 0; start < sorted.length; start += CHUNK) {
      const chunk = sorted.slice(start, start + CHUNK).map(fieldsOf);
      const text = `${Papa.unparse(chunk, { header: false, newline: '\n' })}\n`;
      if (!stream.write(text)) await once(stream, 'drain');
    }
    stream.end();
    await once(stream, 'close');
    await rename(temporary, path);
  } catch (error) {
    stream.destroy();
    await rm(temporary, { force: true });
    throw error;
  }
}

function fieldsOf(row: ScoreRow): string[] {
  const status = row.status ?? (row.score === null ? 'failed' : 'scored');
  const shown = `${row.evaluator},${row.generator},${row.prompt},${row.factor},${row.level}`;
  if (row.score !== null && !Number.isFinite(row.score))
    throw new AuditError(`score table: ${shown}: invalid score "${row.score}"; expected a finite number`);
  if ((status === 'scored') !== (row.score !== null))
    throw new AuditError(
      `score table: ${shown}: score "${row.score}" with status "${status}"; expected a score only when scored`,
    );
  for (const id of [row.evaluator, row.generator, row.prompt, row.factor, row.level])
    if (/^[=+@-]/.test(id))
      throw new AuditError(`score table: invalid id ${quoted(id)}; expected an id that does not start with = + - or @`);
  return [
    row.evaluator,
    row.generator,
    row.prompt,
    row.factor,
    row.level,
    row.score === null ? '' : String(row.score),
    status,
    row.reason ?? '',
    row.scene ?? '',
    row.image ?? '',
    row.caption ?? '',
    String(row.repeat ?? 0),
    row.source ?? '',
  ];
}

/** Order of rows in a written table. */
export function compareRows(a: ScoreRow, b: ScoreRow): number {
  return (
    compareText(a.evaluator, b.evaluator) ||
    compareText(a.generator, b.generator) ||
    compareText(a.prompt, b.prompt) ||
    compareText(a.factor, b.factor) ||
    compareText(a.level, b.level) ||
    (a.repeat ?? 0) - (b.repeat ?? 0)
  );
}
