import { readFile, stat } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { idSchema } from '../core/scene.ts';
import { isObject } from './json-reader.ts';

/** One prompt of a benchmark. */
export interface PromptEntry {
  readonly id: string;
  readonly text: string;
  readonly source: string;
  /** Rewrites of the text, by level name. */
  readonly paraphrases: Readonly<Record<string, string>>;
}

/** Prompts in file order, found by id or by exact text. */
export interface PromptSet {
  readonly entries: readonly PromptEntry[];
  readonly byId: ReadonlyMap<string, PromptEntry>;
  readonly byText: ReadonlyMap<string, PromptEntry>;
}

const LIMIT = 64 * 2 ** 20;

/**
 * Reads a prompt set. CSV: columns `id,text` and optionally `source`; further columns whose names start with `paraphrase`
 * are rewrites. JSON: a list of {id, text, source?, paraphrases?: list or object}, or an object id -> text.
 *
 * @throws AuditError naming the file and the line or item: no id, no text, a doubled id, an id that cannot name a folder
 */
export async function readPromptSet(path: string): Promise<PromptSet> {
  const found = await stat(path).catch((error: unknown) => {
    throw new AuditError(`${path}: missing file; expected a prompt set (CSV or JSON)`, {
      code: 'MISSING_FILE',
      cause: error,
    });
  });
  if (!found.isFile() || found.size > LIMIT)
    throw new AuditError(`${path}: expected a prompt file of at most ${LIMIT} bytes`);
  const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
  const raw = /^\s*[[{]/.test(text) ? jsonPrompts(text, path) : csvPrompts(text, path);
  const byId = new Map<string, PromptEntry>();
  const byText = new Map<string, PromptEntry>();
  for (const { where, entry } of raw) {
    const id = idSchema.safeParse(entry.id);
    if (!id.success)
      throw new AuditError(`${where}: invalid prompt id ${quoted(entry.id)}; ${id.error.issues[0]?.message}`);
    if (entry.text.trim() === '')
      throw new AuditError(`${where}: prompt ${quoted(entry.id)} has no text; expected a text`);
    if (byId.has(entry.id))
      throw new AuditError(`${where}: duplicate prompt id ${quoted(entry.id)}; expected unique ids`);
    byId.set(entry.id, entry);
    if (!byText.has(entry.text)) byText.set(entry.text, entry);
  }
  return { entries: [...byId.values()], byId, byText };
}

interface RawPrompt {
  readonly where: string;
  readonly entry: PromptEntry;
}

function csvPrompts(text: string, path: string): RawPrompt[] {
  let rows: { record: Record<string, string>; info: { lines: number } }[];
  try {
    rows = parse(text, { columns: true, skip_empty_lines: true, info: true }) as typeof rows;
  } catch (error) {
    throw new AuditError(`${path}: invalid CSV (${messageOf(error, 160)}); expected columns id,text,source`, {
      cause: error,
    });
  }
  return rows.map(({ record, info }) => {
    const { id, text: words, prompt } = record;
    const where = `${path}:${info.lines}`;
    const body = words ?? prompt;
    if (id === undefined || body === undefined)
      throw new AuditError(`${where}: missing column; expected columns id,text,source`);
    const paraphrases = Object.fromEntries(
      Object.entries(record).filter(([name, value]) => name.startsWith('paraphrase') && value !== ''),
    );
    return { where, entry: { id, text: body, source: record['source'] ?? '', paraphrases } };
  });
}

function jsonPrompts(text: string, path: string): RawPrompt[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AuditError(`${path}: invalid JSON (${messageOf(error, 120)}); expected a prompt set`, { cause: error });
  }
  const items: [string, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [`${path}: item ${index}`, item])
    : isObject(value)
      ? Object.entries(value).map(([id, item]) => [
          `${path}: ${id}`,
          typeof item === 'string' ? { id, text: item } : isObject(item) ? { id, ...item } : item,
        ])
      : [];
  return items.map(([where, item]) => {
    const id = isObject(item) ? item['id'] : undefined;
    const body = isObject(item) ? (item['text'] ?? item['prompt']) : undefined;
    if (!isObject(item) || (typeof id !== 'string' && typeof id !== 'number') || typeof body !== 'string')
      throw new AuditError(`${where}: invalid prompt ${quoted(item)}; expected {id, text, source?, paraphrases?}`);
    const given = item['paraphrases'];
    const pairs: [string, unknown][] = Array.isArray(given)
      ? given.map((rewrite, index) => [`paraphrase-${index + 1}`, rewrite])
      : isObject(given)
        ? Object.entries(given)
        : [];
    const paraphrases: Record<string, string> = {};
    for (const [name, rewrite] of pairs) {
      if (typeof rewrite !== 'string')
        throw new AuditError(`${where}: invalid paraphrase ${quoted(rewrite)}; expected text`);
      paraphrases[name] = rewrite;
    }
    const source = item['source'];
    return {
      where,
      entry: { id: String(id), text: body, source: typeof source === 'string' ? source : '', paraphrases },
    };
  });
}
