import { readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { AuditError, messageOf } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';

/** Largest file an importer reads, bytes. */
export const SOURCE_LIMIT = 512 * 2 ** 20;
/** JSON nested deeper than this is no scene. */
const MAX_JSON_DEPTH = 64;

/** One file to import. JSON is parsed once, however many importers look at it. */
export class SourceFile {
  /** Where it is, for reading files beside it. */
  readonly path: string;
  /** Short name for messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
  #text: string | undefined;
  #json: { value: unknown } | { error: AuditError } | undefined;

  constructor(path: string, name: string, bytes: Uint8Array) {
    this.path = path;
    this.name = name;
    this.bytes = bytes;
  }

  /** @throws AuditError when the file is missing, no regular file or too large */
  static async open(path: string, name = basename(path)): Promise<SourceFile> {
    const found = await stat(path).catch((error: unknown) => {
      throw new AuditError(`${path}: missing file; expected a file to import`, { code: 'MISSING_FILE', cause: error });
    });
    if (!found.isFile()) throw new AuditError(`${path}: not a regular file; expected a file to import`);
    if (found.size > SOURCE_LIMIT)
      throw new AuditError(`${path}: ${found.size} bytes; expected at most ${SOURCE_LIMIT} bytes`);
    const bytes = new Uint8Array(await readFile(path));
    if (bytes.length > SOURCE_LIMIT)
      throw new AuditError(`${path}: ${bytes.length} bytes; expected at most ${SOURCE_LIMIT} bytes`);
    return new SourceFile(path, name, bytes);
  }

  /** Lower-case extension without the dot. */
  get extension(): string {
    const match = /\.([^.]+)$/.exec(this.name);
    return match === null ? '' : (match[1] as string).toLowerCase();
  }

  /** File name without its extension. */
  get stem(): string {
    return basename(this.name).replace(/\.[^.]+$/, '');
  }

  /** Name of the folder it lies in, or null. */
  get folderName(): string | null {
    const name = basename(dirname(this.path));
    return name === '' || name === '.' ? null : name;
  }

  get sha256(): string {
    return sha256(this.bytes);
  }

  get text(): string {
    this.#text ??= new TextDecoder().decode(this.bytes).replace(/^\ufeff/, '');
    return this.#text;
  }

  /**
   * @throws AuditError when the text is not JSON, or nested deeper than any scene
   */
  get json(): unknown {
    this.#json ??= this.#parse();
    if ('error' in this.#json) throw this.#json.error;
    return this.#json.value;
  }

  /** The JSON value, or undefined when the file is not JSON: for recognising formats. */
  get jsonOrUndefined(): unknown {
    try {
      return this.json;
    } catch {
      return undefined;
    }
  }

  #parse(): { value: unknown } | { error: AuditError } {
    try {
      const value: unknown = JSON.parse(this.text);
      if (deeperThan(value, MAX_JSON_DEPTH))
        return {
          error: new AuditError(`${this.name}: JSON nested over ${MAX_JSON_DEPTH} deep; expected a scene file`),
        };
      return { value };
    } catch (error) {
      const bare = /(?<=[:,[\s])-?(?:NaN|Infinity)\b/.exec(this.text)?.[0];
      const what = bare === undefined ? messageOf(error, 120) : `number ${bare} is not JSON`;
      return { error: new AuditError(`${this.name}: invalid JSON (${what}); expected a complete JSON file`) };
    }
  }
}

/** Walks level by level, so that a hostile depth costs no stack. */
function deeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (item === null || typeof item !== 'object') continue;
      for (const child of Array.isArray(item) ? (item as unknown[]) : Object.values(item))
        if (child !== null && typeof child === 'object') next.push(child);
    }
    level = next;
  }
  return false;
}
