import { parse } from 'csv-parse/sync';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { OUTCOME_STATUSES, type Outcome, type OutcomeStatus } from '../core/outcome.ts';
import { idSchema } from '../core/scene.ts';
import { REQUIRED_SCORE_COLUMNS, SCORE_COLUMNS } from '../core/score-columns.ts';

/** One row of a table made elsewhere. */
export interface ScoreRow {
  readonly line: number;
  readonly evaluator: string;
  readonly generator: string;
  readonly prompt: string;
  readonly factor: string;
  readonly level: string;
  readonly repeat: number;
  readonly outcome: Outcome;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** A CSV record with the line its record starts on. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: Readonly<Record<string, string>>;
}

/**
 * Reads a CSV with a header: UTF-8, an optional byte order mark, no unknown and no missing columns, no ragged rows.
 *
 * @throws AuditError naming file and line.
 */
export function readCsv(
  bytes: Uint8Array,
  shown: string,
  columns: readonly string[],
  required: readonly string[],
): CsvRecord[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AuditError(`${shown}: invalid UTF-8; expected a CSV file in UTF-8`, { cause: error });
  }
  let rows: { record: string[]; info: { lines: number } }[];
  try {
    rows = parse(text, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: 1 << 20,
    }) as unknown as typeof rows;
  } catch (error) {
    throw new AuditError(`${shown}: invalid CSV (${messageOf(error, 160)}); expected comma-separated values`, {
      cause: error,
    });
  }
  const header = rows[0]?.record;
  if (header === undefined) throw new AuditError(`${shown}: empty file; expected a header with ${required.join(', ')}`);
  for (const [index, name] of header.entries()) {
    if (!columns.includes(name))
      throw new AuditError(`${shown}:1: unknown column ${quoted(name)}; expected ${columns.join(', ')}`);
    if (header.indexOf(name) !== index) throw new AuditError(`${shown}:1: column ${quoted(name)} occurs twice`);
  }
  const missing = required.filter((name) => !header.includes(name));
  if (missing.length > 0)
    throw new AuditError(`${shown}:1: missing column "${missing.join(', ')}"; expected ${required.join(', ')}`);
  return rows.slice(1).map(({ record, info }) => {
    if (record.length !== header.length)
      throw new AuditError(
        `${shown}:${info.lines}: ${record.length} cells; expected ${header.length} as in the header`,
      );
    return {
      line: info.lines,
      cells: Object.fromEntries(header.map((name, index) => [name, record[index] as string])),
    };
  });
}

/** A finite decimal number, or an error naming the place. */
export function readNumber(text: string, where: string, column: string): number {
  const value = Number(text);
  if (!NUMBER.test(text) || !Number.isFinite(value))
    throw new AuditError(`${where}: column "${column}": invalid number ${quoted(text)}; expected a finite number`);
  return value;
}

function readId(text: string, where: string, column: string): string {
  if (!idSchema.safeParse(text).success)
    throw new AuditError(
      `${where}: column "${column}": invalid id ${quoted(text)}; expected an id without "/" or "\\" that does not start with = + - @`,
    );
  return text;
}

/** The outcome a row states: a score, or a status with its reason; never both, never neither. */
export function readOutcome(cells: Readonly<Record<string, string>>, where: string): Outcome {
  const score = cells['score'] ?? '';
  const status = (cells['status'] ?? '') === '' ? (score === '' ? '' : 'scored') : (cells['status'] as string);
  if (status === '')
    throw new AuditError(`${where}: column "score": empty; expected a number, or a status other than "scored"`);
  if (!OUTCOME_STATUSES.includes(status as OutcomeStatus))
    throw new AuditError(
      `${where}: column "status": unknown status ${quoted(status)}; expected one of ${OUTCOME_STATUSES.join(', ')}`,
    );
  if (status === 'scored') return { status, value: readNumber(score, where, 'score') };
  if (score !== '')
    throw new AuditError(
      `${where}: column "score": a number ${quoted(score)} beside status "${status}"; expected an empty score for a failure`,
    );
  const reason = cells['reason'] ?? '';
  return { status: status as Exclude<OutcomeStatus, 'scored'>, reason: reason === '' ? 'no reason given' : reason };
}

/**
 * Reads a score table strictly. Rows keep the order of the file.
 *
 * @throws AuditError naming file, line and column for anything unexpected, a duplicate key included.
 */
export function readScoreRows(bytes: Uint8Array, shown: string): ScoreRow[] {
  const seen = new Map<string, number>();
  return readCsv(bytes, shown, SCORE_COLUMNS, REQUIRED_SCORE_COLUMNS).map(({ line, cells }) => {
    const where = `${shown}:${line}`;
    const factor = cells['factor'] as string;
    const level = cells['level'] as string;
    if ((factor === '') !== (level === ''))
      throw new AuditError(
        `${where}: column "level": ${quoted(level)} beside factor ${quoted(factor)}; expected both, or neither for the default configuration`,
      );
    const repeatText = cells['repeat'] ?? '';
    const repeat = repeatText === '' ? 0 : readNumber(repeatText, where, 'repeat');
    if (!Number.isSafeInteger(repeat) || repeat < 0)
      throw new AuditError(`${where}: column "repeat": invalid repeat ${quoted(repeatText)}; expected 0, 1, 2, ...`);
    const row = {
      line,
      evaluator: readId(cells['evaluator'] as string, where, 'evaluator'),
      generator: readId(cells['generator'] as string, where, 'generator'),
      prompt: readId(cells['prompt'] as string, where, 'prompt'),
      factor: factor === '' ? '' : readId(factor, where, 'factor'),
      level: level === '' ? '' : readLevel(level, where),
      repeat,
      outcome: readOutcome(cells, where),
    };
    const key = JSON.stringify([row.evaluator, row.generator, row.prompt, row.factor, row.level, repeat]);
    const before = seen.get(key);
    if (before !== undefined)
      throw new AuditError(
        `${where}: column "level": the same evaluator, generator, prompt, factor, level and repeat as line ${before}; expected each once`,
      );
    seen.set(key, line);
    return row;
  });
}

/** Levels may be negative numbers; otherwise the rules of ids hold. */
function readLevel(text: string, where: string): string {
  return NUMBER.test(text) ? text : readId(text, where, 'level');
}
