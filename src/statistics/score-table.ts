import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'csv-parse';
import { AuditError, quoted } from '../core/errors.ts';
import { OUTCOME_STATUSES, type OutcomeStatus } from '../core/outcome.ts';
import { isPlainId } from '../core/scene.ts';
import { REQUIRED_SCORE_COLUMNS, SCORE_COLUMNS, type ScoreColumn } from '../core/score-columns.ts';
import { requireUniqueRows } from './duplicate-rows.ts';
import { Dictionary, GrowingIntegers, GrowingScores } from './table-builder.ts';

/** Columns of text that a table holds as ids into a sorted dictionary. */
export const TEXT_COLUMNS = [
  'evaluator',
  'generator',
  'prompt',
  'factor',
  'level',
  'reason',
  'scene',
  'image',
  'caption',
  'source',
] as const satisfies readonly ScoreColumn[];
export type TextColumn = (typeof TEXT_COLUMNS)[number];

/** One row, as it is written. `factor` is empty for c0; `score` is null for every status but `scored`. */
export interface ScoreRow {
  readonly evaluator: string;
  readonly generator: string;
  readonly prompt: string;
  readonly factor: string;
  readonly level: string;
  readonly score: number | null;
  readonly status?: OutcomeStatus;
  readonly reason?: string;
  readonly scene?: string;
  readonly image?: string;
  readonly caption?: string;
  readonly repeat?: number;
  readonly source?: string;
}

/**
 * A score table in columns: about 50 bytes a row, so 2.3 million rows fit in 120 MB. Text columns hold ids into
 * `values[column]`, which is sorted by code unit; `score` is NaN where the status is not `scored`.
 */
export interface ScoreTable {
  readonly rows: number;
  /** Files it was read from, as shown in messages. */
  readonly files: readonly string[];
  readonly values: Readonly<Record<TextColumn, readonly string[]>>;
  readonly ids: Readonly<Record<TextColumn, Uint32Array>>;
  readonly score: Float64Array;
  /** Index into OUTCOME_STATUSES. */
  readonly status: Uint8Array;
  readonly repeat: Uint32Array;
  /** Which file, and the line in it, a row stands on (1 is the header). */
  readonly file: Uint8Array;
  readonly line: Uint32Array;
  /** True when the column stood in every file. */
  readonly has: Readonly<Record<ScoreColumn, boolean>>;
}

export interface ReadScoreTableOptions {
  /** Unknown columns are errors (default); otherwise they are ignored. */
  readonly strict?: boolean;
  /** Largest number of rows accepted; more is an error. */
  readonly maxRows?: number;
}

const STATUS_IDS = new Map<string, number>(OUTCOME_STATUSES.map((status, id) => [status, id]));
/** Decimal numbers only: no hexadecimal, no "Infinity", no surrounding spaces. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const ID_COLUMNS = new Set<ScoreColumn>(['evaluator', 'generator', 'prompt', 'factor', 'level']);
const MAX_ROWS = 50_000_000;
const MAX_TEXT = 4096;

/**
 * Reads one score table, or several (one file per evaluator) as one. Rows may stand in any order.
 *
 * @throws AuditError naming file, line and column: missing, unknown or duplicate column; a duplicate key (evaluator,
 * generator, prompt, factor, level, repeat); a score that is not a finite decimal number; a score with a failed
 * status, or none with `scored`; an empty id; an id that starts with = + - or @.
 */
export async function readScoreTable(
  paths: string | readonly string[],
  options: ReadScoreTableOptions = {},
): Promise<ScoreTable> {
  const files = typeof paths === 'string' ? [paths] : paths;
  if (files.length === 0 || files.length > 256)
    throw new AuditError(`score tables: invalid number of files "${files.length}"; expected 1 to 256`);
  const builder = new TableBuilder(files, options.maxRows ?? MAX_ROWS);
  for (const [index, path] of files.entries()) await readInto(builder, path, index, options.strict ?? true);
  const table = builder.finish();
  requireUniqueRows(table);
  return table;
}

/** A table from rows already in memory, under the same rules; `shown` stands for the file in messages. */
export function scoreTableOf(rows: Iterable<ScoreRow>, shown = 'rows'): ScoreTable {
  const builder = new TableBuilder([shown], MAX_ROWS);
  builder.startFile(SCORE_COLUMNS);
  let line = 1;
  for (const row of rows) {
    line += 1;
    const fields = SCORE_COLUMNS.map((column) => {
      const value = row[column];
      return value === undefined || value === null ? '' : String(value);
    });
    builder.addRow(0, line, fields);
  }
  const table = builder.finish();
  requireUniqueRows(table);
  return table;
}

async function readInto(builder: TableBuilder, path: string, file: number, strict: boolean): Promise<void> {
  const shown = basename(path);
  const parser = createReadStream(path, { highWaterMark: 1 << 20 })
    .on('error', (cause: NodeJS.ErrnoException) => {
      parser.destroy(
        new AuditError(`${shown}: cannot be read (${cause.code ?? cause.message}); expected a CSV file`, {
          code: 'MISSING_FILE',
          cause,
        }),
      );
    })
    .pipe(parse({ bom: true, info: true, skip_empty_lines: true, max_record_size: 1 << 16 }));
  let header = true;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (header) builder.startFile(requireColumns(record, shown, strict));
      else builder.addRow(file, info.lines, record);
      header = false;
    }
  } catch (cause) {
    if (cause instanceof AuditError) throw cause;
    const at = (cause as { lines?: number }).lines;
    if (at === undefined) throw cause;
    throw new AuditError(`${shown}:${at}: not valid CSV: ${(cause as Error).message}; expected RFC 4180`, { cause });
  }
  if (header) throw new AuditError(`${shown}: empty file; expected a header with ${REQUIRED_SCORE_COLUMNS.join(',')}`);
}

/** Checks the header; a column not of the table is returned as null when it may be ignored. */
function requireColumns(record: readonly string[], shown: string, strict: boolean): (ScoreColumn | null)[] {
  const seen = new Set<string>();
  const columns = record.map((name) => {
    if (seen.has(name)) throw new AuditError(`${shown}:1: duplicate column ${quoted(name)}; expected each column once`);
    seen.add(name);
    if ((SCORE_COLUMNS as readonly string[]).includes(name)) return name as ScoreColumn;
    if (strict)
      throw new AuditError(`${shown}:1: unknown column ${quoted(name)}; expected one of ${SCORE_COLUMNS.join(', ')}`);
    return null;
  });
  for (const column of REQUIRED_SCORE_COLUMNS)
    if (!seen.has(column))
      throw new AuditError(
        `${shown}:1: missing column "${column}"; expected a header with ${REQUIRED_SCORE_COLUMNS.join(',')}`,
      );
  return columns;
}

class TableBuilder {
  readonly #files: readonly string[];
  readonly #maxRows: number;
  readonly #dictionaries = new Map(TEXT_COLUMNS.map((column) => [column, new Dictionary()]));
  readonly #ids = new Map(TEXT_COLUMNS.map((column) => [column, new GrowingIntegers()]));
  readonly #score = new GrowingScores();
  readonly #status = new GrowingIntegers();
  readonly #repeat = new GrowingIntegers();
  readonly #file = new GrowingIntegers();
  readonly #line = new GrowingIntegers();
  readonly #has = new Map<ScoreColumn, boolean>(SCORE_COLUMNS.map((column) => [column, true]));
  #place = new Map<ScoreColumn, number>();
  #rows = 0;

  constructor(files: readonly string[], maxRows: number) {
    this.#files = files.map((file) => basename(file));
    this.#maxRows = maxRows;
  }

  startFile(columns: readonly (ScoreColumn | null)[]): void {
    this.#place = new Map();
    for (const [index, column] of columns.entries()) if (column !== null) this.#place.set(column, index);
    for (const column of SCORE_COLUMNS) if (!this.#place.has(column)) this.#has.set(column, false);
  }

  addRow(file: number, line: number, record: readonly string[]): void {
    this.#rows += 1;
    const where = (column: ScoreColumn) => `${this.#files[file]}:${line}: column ${column}`;
    if (this.#rows > this.#maxRows)
      throw new AuditError(`${this.#files[file]}:${line}: too many rows; expected at most ${this.#maxRows}`);
    const field = (column: ScoreColumn) => {
      const index = this.#place.get(column);
      return index === undefined ? '' : (record[index] ?? '');
    };
    for (const column of TEXT_COLUMNS) {
      const value = field(column);
      if (ID_COLUMNS.has(column)) requireId(value, column, where);
      else if (value.length > MAX_TEXT)
        throw new AuditError(`${where(column)}: text of ${value.length} characters; expected at most ${MAX_TEXT}`);
      this.#ids.get(column)!.push(this.#dictionaries.get(column)!.idOf(value));
    }
    if (field('factor') === '' && field('level') !== '')
      throw new AuditError(
        `${where('level')}: level ${quoted(field('level'))} without a factor; expected both or neither`,
      );
    if (field('factor') !== '' && field('level') === '')
      throw new AuditError(`${where('level')}: empty level of factor ${quoted(field('factor'))}; expected a level id`);
    this.#addOutcome(field('score'), field('status'), where);
    this.#repeat.push(wholeNumber(field('repeat'), where));
    this.#file.push(file);
    this.#line.push(line);
  }

  #addOutcome(score: string, status: string, where: (column: ScoreColumn) => string): void {
    const named = status === '' ? (score === '' ? 'failed' : 'scored') : status;
    const id = STATUS_IDS.get(named);
    if (id === undefined)
      throw new AuditError(
        `${where('status')}: unknown status ${quoted(status)}; expected one of ${OUTCOME_STATUSES.join(', ')}`,
      );
    if (named === 'scored') {
      if (score === '') throw new AuditError(`${where('score')}: no score with status "scored"; expected a number`);
      const value = NUMBER.test(score) ? Number(score) : Number.NaN;
      if (!Number.isFinite(value))
        throw new AuditError(`${where('score')}: invalid score ${quoted(score)}; expected a finite decimal number`);
      // -0 and 0 are one score: sums and ties must not tell them apart.
      this.#score.push(value === 0 ? 0 : value);
    } else {
      if (score !== '')
        throw new AuditError(
          `${where('score')}: score ${quoted(score)} with status "${named}"; expected an empty score, a failure is never a number`,
        );
      this.#score.push(Number.NaN);
    }
    this.#status.push(id);
  }

  finish(): ScoreTable {
    const values = {} as Record<TextColumn, readonly string[]>;
    const ids = {} as Record<TextColumn, Uint32Array>;
    for (const column of TEXT_COLUMNS) {
      const sorted = this.#dictionaries.get(column)!.sorted();
      values[column] = sorted.values;
      ids[column] = this.#ids.get(column)!.finish(sorted.place);
    }
    return {
      rows: this.#rows,
      files: this.#files,
      values,
      ids,
      score: this.#score.finish(),
      status: Uint8Array.from(this.#status.finish()),
      repeat: this.#repeat.finish(),
      file: Uint8Array.from(this.#file.finish()),
      line: this.#line.finish(),
      has: Object.fromEntries(this.#has) as Record<ScoreColumn, boolean>,
    };
  }
}

/** Refuses ids a spreadsheet would run as a formula: escaping them would change them on reading back. */
function requireId(value: string, column: ScoreColumn, where: (column: ScoreColumn) => string): void {
  if (value === '') {
    if (column === 'factor' || column === 'level') return;
    throw new AuditError(`${where(column)}: empty ${column}; expected an id`);
  }
  const first = value.charCodeAt(0);
  if (first === 61 || first === 43 || first === 64 || first === 45)
    throw new AuditError(
      `${where(column)}: invalid ${column} ${quoted(value)}; expected an id that does not start with = + - or @`,
    );
  if (!isPlainId(value))
    throw new AuditError(
      `${where(column)}: invalid ${column} ${quoted(value)}; expected an id of whole characters that is no name of JavaScript's own`,
    );
  if (value.length > 512)
    throw new AuditError(`${where(column)}: id of ${value.length} characters; expected at most 512`);
}

function wholeNumber(text: string, where: (column: ScoreColumn) => string): number {
  if (text === '') return 0;
  if (!/^\d{1,9}$/.test(text))
    throw new AuditError(`${where('repeat')}: invalid repeat ${quoted(text)}; expected a whole number from 0`);
  return Number(text);
}
