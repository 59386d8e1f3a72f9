import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parse } from 'csv-parse';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { hashFile, hashJson } from '../core/hash.ts';
import type { Rgba } from '../core/image.ts';
import { canonicalJson, compareText, type Json } from '../core/json.ts';
import { type Failure, isFailure } from '../core/outcome.ts';
import { insideFolder, relativePath } from '../core/paths.ts';
import type { RenderConfiguration, View } from '../core/protocol.ts';
import { readImageFile } from '../core/read-image.ts';
import type { FrozenScene } from '../core/scene.ts';
import { blankness } from './blankness.ts';
import { HARNESS_PATTERN, readPictureName } from './picture-name.ts';
import type { Renderer } from './renderer.ts';

/** Where the pictures are: a table that names them, or a folder whose file names say what they are. */
export interface FilesSettings {
  /** CSV: generator,prompt,factor,level,path (or scene in place of generator and prompt). */
  readonly table?: string | undefined;
  /** Folder with `<generator>/<prompt>/<pattern>`. */
  readonly folder?: string | undefined;
  readonly pattern?: string | undefined;
}

/** A level of the plan and the configuration it stands for. */
export interface PlannedLevel {
  readonly factor: string;
  readonly level: string;
  readonly configuration: RenderConfiguration;
}

/** `any` background: a transparent picture that can be put on each. */
const ANY = 'any';

/**
 * Pictures made elsewhere. They are never re-encoded: what the file holds is what evaluators see, checked for size,
 * readability, colour profile and alpha (a transparent picture is put on the level's background; an opaque one is its own).
 *
 * @throws AuditError for a table or folder that cannot be read, an unknown factor or level, a picture named twice.
 */
export async function createFilesRenderer(
  settings: FilesSettings,
  base: string,
  levels: readonly PlannedLevel[],
  where: string,
): Promise<Renderer> {
  const pictures = new Map<string, string>();
  if (settings.table !== undefined) await readTable(join(base, settings.table), levels, pictures);
  else if (settings.folder !== undefined)
    readFolder(join(base, settings.folder), settings.pattern ?? HARNESS_PATTERN, pictures);
  else
    throw new AuditError(`${where}: renderer files: missing key "table" or "folder"; expected where the pictures are`);
  if (pictures.size === 0) throw new AuditError(`${where}: renderer files: no picture found; expected at least one`);
  const content: Record<string, string> = {};
  for (const key of [...pictures.keys()].sort(compareText)) content[key] = await hashFile(pictures.get(key) as string);
  return new FilesRenderer({ name: 'files', pictures: hashJson(content), count: pictures.size }, pictures);
}

function keyOf(
  scene: string,
  { resolution, focal, lighting, pitch, yaw }: View | RenderConfiguration,
  background: string,
): string {
  return canonicalJson([scene, resolution, focal, lighting, pitch, yaw, background]);
}

class FilesRenderer implements Renderer {
  readonly fingerprint: Json;
  readonly includesBackground = true;
  readonly #pictures: ReadonlyMap<string, string>;

  constructor(fingerprint: Json, pictures: ReadonlyMap<string, string>) {
    this.fingerprint = fingerprint;
    this.#pictures = pictures;
  }

  async environment(): Promise<Json> {
    return {};
  }

  async *render(
    { scene }: FrozenScene,
    views: readonly View[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly [View, Rgba | Failure]> {
    for (const view of views) {
      signal.throwIfAborted();
      yield [view, await this.#picture(scene, view)] as const;
    }
  }

  async close(): Promise<void> {}

  async #picture(scene: FrozenScene['scene'], view: View): Promise<Rgba | Failure> {
    const failed = (reason: string): Failure => ({ status: 'failed', reason });
    if (scene.probe !== null) return failed('a probe scene has no picture made elsewhere');
    const names = [`${scene.generator}/${scene.prompt}`, scene.id, scene.hash];
    const path = names
      .flatMap((name) => [keyOf(name, view, view.background ?? ANY), keyOf(name, view, ANY)])
      .map((key) => this.#pictures.get(key))
      .find((found) => found !== undefined);
    if (path === undefined) return failed('no picture of this configuration among the files');
    const picture = await readImageFile(path);
    if (isFailure(picture)) return picture;
    if (picture.width !== view.resolution || picture.height !== view.resolution)
      return failed(
        `the picture has ${picture.width} x ${picture.height} px; expected ${view.resolution} x ${view.resolution}`,
      );
    const rgba: Rgba = { width: picture.width, height: picture.height, data: picture.data };
    const blank = blankness(rgba);
    return blank === null ? rgba : failed(blank);
  }
}

const TABLE_COLUMNS = ['scene', 'generator', 'prompt', 'factor', 'level', 'path'];

async function readTable(table: string, levels: readonly PlannedLevel[], pictures: Map<string, string>): Promise<void> {
  const shown = relativePath(table);
  const byLevel = new Map(levels.map(({ factor, level, configuration }) => [`${factor}\u0000${level}`, configuration]));
  const folder = join(table, '..');
  let header: string[] | null = null;
  let line = 0;
  try {
    for await (const { record, info } of createReadStream(table).pipe(
      parse({ bom: true, info: true, skip_empty_lines: true }),
    ) as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      line = info.lines;
      if (header === null) {
        header = record;
        const unknown = header.find((column) => !TABLE_COLUMNS.includes(column));
        if (unknown !== undefined)
          throw new AuditError(`${shown}:1: unknown column ${quoted(unknown)}; expected ${TABLE_COLUMNS.join(', ')}`);
        continue;
      }
      const row = Object.fromEntries(header.map((column, index) => [column, record[index] ?? '']));
      const { scene = '', generator = '', prompt = '', factor = '', level = '', path = '' } = row;
      const configuration = byLevel.get(`${factor}\u0000${level}`);
      if (configuration === undefined)
        throw new AuditError(
          `${shown}:${line}: unknown factor and level ${quoted(`${factor} ${level}`)}; expected a level of the audit (both empty for c0)`,
        );
      const name = scene === '' ? `${generator}/${prompt}` : scene;
      const key = keyOf(name, configuration, configuration.background);
      const file = insideFolder(folder, path, `${shown}:${line}`);
      const before = pictures.get(key);
      if (before !== undefined && before !== file)
        throw new AuditError(`${shown}:${line}: a second picture ${quoted(path)} of one configuration; expected one`);
      if (!existsSync(file) || !statSync(file).isFile())
        throw new AuditError(`${shown}:${line}: no picture at ${quoted(path)}; expected an image file`, {
          code: 'MISSING_FILE',
        });
      pictures.set(key, file);
    }
  } catch (error) {
    if (error instanceof AuditError) throw error;
    throw new AuditError(
      `${shown}:${(error as { lines?: number }).lines ?? line}: ${messageOf(error)}; expected a readable CSV table`,
    );
  }
}

function readFolder(folder: string, pattern: string, pictures: Map<string, string>): void {
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new AuditError(
      `${relativePath(folder)}: no such folder; expected <generator>/<prompt>/ folders of pictures`,
      { code: 'MISSING_FILE' },
    );
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const [generator, prompt, name, ...deeper] = relative(folder, path).split(sep);
    if (generator === undefined || prompt === undefined || name === undefined || deeper.length > 0) continue;
    const named = readPictureName(name, pattern);
    if (named === null) continue;
    const key = keyOf(`${generator}/${prompt}`, named.view, named.background ?? ANY);
    if (pictures.has(key))
      throw new AuditError(`${relativePath(path)}: a second picture of one configuration; expected one`);
    pictures.set(key, path);
  }
}
