import { readFileSync, statSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { idSchema } from '../core/scene.ts';
import type { PromptProperty } from './annotations.ts';

/** A prompt of the audit and its paraphrases (level -> text), both in file order. */
export interface Prompt {
  readonly id: string;
  readonly text: string;
  /** The benchmark it came from; empty when not given. */
  readonly source: string;
  readonly paraphrases: ReadonlyMap<string, string>;
  /** What the prompt specifies, where the prompt set's annotations say so; left out: not known. */
  readonly specifies?: ReadonlySet<PromptProperty>;
}

const MAX_BYTES = 64 * 1024 * 1024;

/** Rows of a CSV file with exactly these columns (the last ones optional), each with its line for error messages. */
export function readRows(path: string, shown: string, required: readonly string[], optional: readonly string[]) {
  let text: string;
  try {
    if (statSync(path).size > MAX_BYTES) throw new AuditError(`${shown}: file is too large; expected at most 64 MiB`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof AuditError) throw error;
    throw new AuditError(`${shown}: cannot read the file (${messageOf(error)}); expected a CSV file`, {
      code: 'MISSING_FILE',
    });
  }
  const rows: { line: number; values: Record<string, string> }[] = [];
  try {
    const parsed = parse(text, {
      bom: true,
      info: true,
      skip_empty_lines: true,
      relax_column_count: false,
    }) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    const header = parsed[0]?.record ?? [];
    const known = [...required, ...optional];
    const unknown = header.find((column) => !known.includes(column));
    if (unknown !== undefined)
      throw new AuditError(`${shown}:1: unknown column ${quoted(unknown)}; expected ${known.join(', ')}`);
    const missing = required.find((column) => !header.includes(column));
    if (missing !== undefined)
      throw new AuditError(`${shown}:1: missing column ${quoted(missing)}; expected ${required.join(', ')}`);
    if (new Set(header).size !== header.length)
      throw new AuditError(`${shown}:1: a column stands twice in the header; expected distinct columns`);
    for (const { record, info } of parsed.slice(1))
      rows.push({
        line: info.lines,
        values: Object.fromEntries(header.map((column, index) => [column, record[index] ?? ''])),
      });
  } catch (error) {
    if (error instanceof AuditError) throw error;
    const line = (error as { lines?: number }).lines;
    throw new AuditError(`${shown}:${line ?? 1}: ${messageOf(error)}; expected valid CSV`);
  }
  return rows;
}

function requireId(id: string, where: string): string {
  const result = idSchema.safeParse(id);
  if (!result.success) throw new AuditError(`${where}: invalid id ${quoted(id)}; expected an id that names a folder`);
  return id;
}

/**
 * Reads `prompts.csv` (id,text[,source]) and, when given, `paraphrases.csv` (prompt,level,text).
 *
 * @throws AuditError naming file and line: a duplicate or invalid id, an empty text, a paraphrase of an unknown prompt.
 */
export function readPrompts(
  path: string,
  paraphrasesPath: string | null,
  shown = path,
  shownParaphrases = paraphrasesPath ?? '',
): Prompt[] {
  const prompts = new Map<string, { id: string; text: string; source: string; paraphrases: Map<string, string> }>();
  for (const { line, values } of readRows(path, shown, ['id', 'text'], ['source'])) {
    const where = `${shown}:${line}`;
    const id = requireId(values['id'] ?? '', where);
    if (prompts.has(id)) throw new AuditError(`${where}: duplicate prompt ${quoted(id)}; expected distinct ids`);
    if ((values['text'] ?? '').trim() === '')
      throw new AuditError(`${where}: prompt ${quoted(id)} has no text; expected a text`);
    prompts.set(id, { id, text: values['text'] ?? '', source: values['source'] ?? '', paraphrases: new Map() });
  }
  if (prompts.size === 0) throw new AuditError(`${shown}: no prompts; expected at least one row`);
  if (paraphrasesPath !== null) {
    for (const { line, values } of readRows(paraphrasesPath, shownParaphrases, ['prompt', 'level', 'text'], [])) {
      const where = `${shownParaphrases}:${line}`;
      const prompt = prompts.get(values['prompt'] ?? '');
      if (prompt === undefined)
        throw new AuditError(`${where}: unknown prompt ${quoted(values['prompt'])}; expected an id of ${shown}`);
      const level = requireId(values['level'] ?? '', where);
      if (level === 'original' || prompt.paraphrases.has(level))
        throw new AuditError(
          `${where}: duplicate paraphrase ${quoted(level)} of ${quoted(prompt.id)}; expected a new level`,
        );
      if ((values['text'] ?? '').trim() === '')
        throw new AuditError(`${where}: paraphrase without text; expected a text`);
      prompt.paraphrases.set(level, values['text'] ?? '');
    }
  }
  return [...prompts.values()];
}
