import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'csv-parse';
import { AuditError, quoted } from '../core/errors.ts';
import { compareText } from '../core/json.ts';

/** One preference of one rater between two generators on one prompt: 1 for the first, -1 for the second, 0 for a tie. */
export interface Preference {
  readonly prompt: string;
  readonly first: string;
  readonly second: string;
  readonly rater: string;
  readonly sign: -1 | 0 | 1;
}

/** Human judgements: ratings of single scenes (preferences follow from them), or preferences between two. */
export interface RatingTable {
  readonly kind: 'ratings' | 'pairs';
  readonly file: string;
  readonly generators: readonly string[];
  readonly prompts: readonly string[];
  readonly raters: readonly string[];
  /** Ratings by [generator, prompt], in rater order; empty for pairs. */
  readonly ratings: ReadonlyMap<string, readonly { readonly rater: string; readonly rating: number }[]>;
  readonly preferences: readonly Preference[];
}

const RATING_COLUMNS = ['generator', 'prompt', 'rater', 'rating'];
const PAIR_COLUMNS = ['prompt', 'first', 'second', 'rater', 'choice'];
const MAX_ROWS = 5_000_000;

/** Key of a scene in `RatingTable.ratings`. */
export function sceneKey(generator: string, prompt: string): string {
  return JSON.stringify([generator, prompt]);
}

/**
 * Reads human judgements: `generator,prompt,rater,rating` (numbers), or `prompt,first,second,rater,choice` where the choice is one
 * of the two generators or `tie`.
 *
 * @throws AuditError naming file, line and column: other columns, a duplicate, a rating that is not finite, an unknown choice.
 */
export async function readRatingTable(path: string): Promise<RatingTable> {
  const file = basename(path);
  const source = createReadStream(path);
  const parser = source.pipe(parse({ bom: true, info: true, skip_empty_lines: true, max_record_size: 1 << 16 }));
  source.on('error', (cause) =>
    parser.destroy(new AuditError(`${file}: cannot be read; expected a CSV file`, { code: 'MISSING_FILE', cause })),
  );
  let kind: RatingTable['kind'] | null = null;
  const seen = new Set<string>();
  const rows: { fields: Record<string, string>; line: number }[] = [];
  let columns: string[] = [];
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (kind === null) {
        columns = record;
        kind = kindOf(record, file);
        continue;
      }
      if (rows.length >= MAX_ROWS)
        throw new AuditError(`${file}:${info.lines}: too many rows; expected at most ${MAX_ROWS}`);
      const fields = Object.fromEntries(columns.map((column, index) => [column, record[index] ?? '']));
      const parts = kind === 'ratings' ? ['generator', 'prompt', 'rater'] : ['prompt', 'first', 'second', 'rater'];
      for (const column of parts)
        if (fields[column] === '')
          throw new AuditError(`${file}:${info.lines}: column ${column}: empty; expected an id`);
      const key = JSON.stringify(parts.map((column) => fields[column]));
      if (seen.has(key))
        throw new AuditError(
          `${file}:${info.lines}: columns ${parts.join(', ')}: duplicate key ${quoted(key)}; expected each once`,
        );
      seen.add(key);
      rows.push({ fields, line: info.lines });
    }
  } catch (cause) {
    const line = (cause as { lines?: number }).lines;
    if (cause instanceof AuditError || line === undefined) throw cause;
    throw new AuditError(`${file}:${line}: not valid CSV: ${(cause as Error).message}; expected RFC 4180`, { cause });
  }
  if (kind === null || rows.length === 0)
    throw new AuditError(`${file}: no rows; expected ${RATING_COLUMNS.join(',')} or ${PAIR_COLUMNS.join(',')}`);
  return kind === 'ratings' ? fromRatings(rows, file) : fromPairs(rows, file);
}

function kindOf(header: readonly string[], file: string): RatingTable['kind'] {
  const same = (columns: readonly string[]) =>
    header.length === columns.length && columns.every((column) => header.includes(column));
  if (same(RATING_COLUMNS)) return 'ratings';
  if (same(PAIR_COLUMNS)) return 'pairs';
  throw new AuditError(
    `${file}:1: unknown columns ${quoted(header.join(','))}; expected ${RATING_COLUMNS.join(',')} or ${PAIR_COLUMNS.join(',')}`,
  );
}

type Rows = readonly { readonly fields: Record<string, string>; readonly line: number }[];

function fromRatings(rows: Rows, file: string): RatingTable {
  const ratings = new Map<string, { rater: string; rating: number }[]>();
  const byPromptRater = new Map<string, { generator: string; rating: number }[]>();
  const sorted = [...rows].sort((a, b) => compareText(a.fields['rater']!, b.fields['rater']!));
  for (const { fields, line } of sorted) {
    const { generator, prompt, rater, rating } = fields as {
      generator: string;
      prompt: string;
      rater: string;
      rating: string;
    };
    const value = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(rating) ? Number(rating) : Number.NaN;
    if (!Number.isFinite(value))
      throw new AuditError(
        `${file}:${line}: column rating: invalid rating ${quoted(rating)}; expected a finite number`,
      );
    const scene = sceneKey(generator, prompt);
    ratings.set(scene, [...(ratings.get(scene) ?? []), { rater, rating: value }]);
    const key = JSON.stringify([prompt, rater]);
    byPromptRater.set(key, [...(byPromptRater.get(key) ?? []), { generator, rating: value }]);
  }
  const preferences: Preference[] = [];
  for (const [key, list] of [...byPromptRater].sort(([a], [b]) => compareText(a, b))) {
    const [prompt, rater] = JSON.parse(key) as [string, string];
    const ordered = list.sort((a, b) => compareText(a.generator, b.generator));
    for (const [index, a] of ordered.entries())
      for (const b of ordered.slice(index + 1))
        preferences.push({
          prompt,
          first: a.generator,
          second: b.generator,
          rater,
          sign: Math.sign(a.rating - b.rating) as Preference['sign'],
        });
  }
  return { kind: 'ratings', file, ...idsOf(rows, ['generator']), ratings, preferences };
}

function fromPairs(rows: Rows, file: string): RatingTable {
  const preferences = rows.map(({ fields, line }): Preference => {
    const { prompt, first, second, rater, choice } = fields as Record<
      'prompt' | 'first' | 'second' | 'rater' | 'choice',
      string
    >;
    if (first === second)
      throw new AuditError(
        `${file}:${line}: column second: generator ${quoted(second)} twice; expected two generators`,
      );
    if (choice !== first && choice !== second && choice !== 'tie')
      throw new AuditError(
        `${file}:${line}: column choice: unknown choice ${quoted(choice)}; expected ${quoted(first)}, ${quoted(second)} or "tie"`,
      );
    const sign = choice === 'tie' ? 0 : choice === first ? 1 : -1;
    // One direction a pair, so that votes of both orders add up.
    return compareText(first, second) < 0
      ? { prompt, first, second, rater, sign }
      : { prompt, first: second, second: first, rater, sign: (sign === 0 ? 0 : -sign) as Preference['sign'] };
  });
  return { kind: 'pairs', file, ...idsOf(rows, ['first', 'second']), ratings: new Map(), preferences };
}

function idsOf(rows: Rows, generatorColumns: readonly string[]) {
  const distinct = (columns: readonly string[]) =>
    [...new Set(rows.flatMap(({ fields }) => columns.map((column) => fields[column]!)))].sort(compareText);
  return { generators: distinct(generatorColumns), prompts: distinct(['prompt']), raters: distinct(['rater']) };
}
