import { join } from 'node:path';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { type Log, type OnProgress, silentLog } from '../core/log.ts';
import { idSchema } from '../core/scene.ts';
import { assembleDraft } from './assemble-draft.ts';
import { AssetLibrary } from './assets.ts';
import { readCatalogue } from './catalogue.ts';
import { type CheckRow, checkRow } from './check-table.ts';
import { namedByFolders } from './folder-names.ts';
import { freezeScene } from './freeze.ts';
import { IMPORT_FORMATS, IMPORTERS } from './import-formats.ts';
import type { ImportedScene, Importer, ImportOptions, ParsedScene } from './importer.ts';
import { type PromptSet, readPromptSet } from './prompt-set.ts';
import { safeId, UniqueIds } from './safe-id.ts';
import { SourceFile } from './source-file.ts';
import { type SourcePath, sourcePaths } from './source-paths.ts';

/** What the command line's `import` asks for. Everything but `format` and `paths` has a default. */
export interface ImportRequest {
  /** One of IMPORT_FORMATS, or `auto`: recognise each file. */
  readonly format: string;
  /** Files, folders or patterns (`out/{generator}/{prompt}.glb`). */
  readonly paths: readonly string[];
  /** Folder that receives one folder a scene; null (or `check`) writes nothing. */
  readonly out?: string | null;
  readonly check?: boolean;
  readonly generator?: string | null;
  /** Prompt id of all scenes (usually for a single file). */
  readonly prompt?: string | null;
  /** Prompt set (CSV or JSON) to join by id or exact text. */
  readonly promptFile?: string | null;
  /** Asset folders by collection name. */
  readonly assets?: Readonly<Record<string, string>>;
  /** Catalogue files for labels and sizes. */
  readonly catalogues?: readonly string[];
  readonly up?: 'y' | 'z' | null;
  /** Length unit of the files: a name or metres per unit. */
  readonly unit?: 'm' | 'cm' | 'mm' | number | null;
  readonly roomSize?: number | null;
  readonly wallHeight?: number;
  readonly allowUnknownSize?: boolean;
  readonly log?: Log;
  readonly onProgress?: OnProgress;
  readonly signal?: AbortSignal;
}

export const IMPORT_DEFAULTS = { wallHeight: 2.6, allowUnknownSize: false } as const;

/** What became of one file. */
export interface ImportedFile {
  readonly file: string;
  /** null when no importer took it. */
  readonly format: string | null;
  /** How it was recognised, or why it was not. */
  readonly why: string;
  readonly imported: number;
  readonly refused: number;
  /** Why the file as a whole gave nothing; null otherwise. */
  readonly problem: string | null;
}

/** Every file and every scene accounted for. */
export interface ImportSummary {
  readonly files: readonly ImportedFile[];
  /** One a scene, in file order; a file that gave nothing has a row of its own. */
  readonly rows: readonly CheckRow[];
  readonly imported: number;
  readonly refused: number;
  /** Folders written, in order. */
  readonly folders: readonly string[];
}

/**
 * Imports every scene of the files: reads, completes with assets and catalogue, freezes below `out` as
 * `<generator>-<prompt>`. A file or scene that cannot be imported is refused with its reason and stops nothing else.
 *
 * @throws AuditError for a request that makes no sense (unknown format, missing path, unreadable catalogue) before any file
 * is read
 */
export async function importScenes(request: ImportRequest): Promise<ImportSummary> {
  const { out = null, check = false, log = silentLog } = request;
  if (request.format !== 'auto' && !IMPORT_FORMATS.includes(request.format))
    throw new AuditError(
      `import: unknown format ${quoted(request.format)}; expected auto or one of ${IMPORT_FORMATS.join(', ')}`,
      { code: 'USAGE' },
    );
  if (!check && out === null)
    throw new AuditError('import: missing folder to write to; expected --out DIR (or --check)', { code: 'USAGE' });
  const options = await readOptions(request);
  const sources = namedByFolders(await sourcePaths(request.paths));
  const names = new Names(request, options.prompts);
  const files: ImportedFile[] = [];
  const rows: CheckRow[] = [];
  const folders: string[] = [];
  for (const source of sources) {
    request.signal?.throwIfAborted();
    const read = await readSource(source, request.format, options);
    const scenes: ImportedScene[] = [];
    for (const parsed of read.scenes) {
      request.signal?.throwIfAborted();
      const made = await finish(parsed, read, source, names, options);
      const written = check || out === null ? made : await freezeInto(made, out, folders);
      scenes.push(written);
      rows.push(checkRow(source.name, read.format ?? '', written));
    }
    if (read.problem !== null)
      rows.push(checkRow(source.name, read.format ?? '', { name: source.name, refused: read.problem, notes: [] }));
    const imported = scenes.filter((scene) => 'draft' in scene).length;
    files.push({
      file: source.name,
      format: read.format,
      why: read.why,
      imported,
      refused: scenes.length - imported,
      problem: read.problem,
    });
    log.debug(`${source.name}: ${read.format ?? 'not recognised'} (${read.why}), ${imported} scenes`);
    request.onProgress?.({
      stage: 'import',
      done: files.length,
      total: sources.length,
      failed: files.filter((file) => file.problem !== null).length,
    });
  }
  const imported = rows.filter((row) => row.refused === null).length;
  return { files, rows, imported, refused: rows.length - imported, folders };
}

/** Freezes an imported scene below `out`; geometry that turns out damaged only now refuses this scene alone. */
async function freezeInto(scene: ImportedScene, out: string, folders: string[]): Promise<ImportedScene> {
  if (!('draft' in scene)) return scene;
  const folder = join(out, scene.draft.id);
  try {
    await freezeScene(scene.draft, folder);
  } catch (error) {
    // A disk that is full or locked fails every scene: that is no fault of this one.
    if (!(error instanceof AuditError) || error.code === 'ENVIRONMENT') throw error;
    return { name: scene.name, refused: messageOf(error), notes: scene.notes };
  }
  folders.push(folder);
  return scene;
}

async function readOptions(request: ImportRequest): Promise<ImportOptions> {
  const positive = (value: number | null | undefined, name: string): number | null => {
    if (value === null || value === undefined) return null;
    if (Number.isFinite(value) && value > 0) return value;
    throw new AuditError(`import: invalid ${name} ${quoted(value)}; expected metres above zero`, { code: 'USAGE' });
  };
  const unit = request.unit ?? null;
  const metresPerUnit = typeof unit === 'string' ? { m: 1, cm: 0.01, mm: 0.001 }[unit] : positive(unit, 'unit');
  for (const [what, id] of [
    ['generator', request.generator],
    ['prompt', request.prompt],
  ] as const)
    if (id !== null && id !== undefined && !idSchema.safeParse(id).success)
      throw new AuditError(
        `import: invalid ${what} ${quoted(id)}; expected an id without "/", not starting with = + - @`,
        { code: 'USAGE' },
      );
  return {
    generator: request.generator ?? null,
    prompt: request.prompt ?? null,
    prompts:
      request.promptFile === null || request.promptFile === undefined ? null : await readPromptSet(request.promptFile),
    assets: await AssetLibrary.open(request.assets ?? {}),
    catalogue: await readCatalogue(request.catalogues ?? []),
    up: request.up ?? null,
    metresPerUnit,
    roomSize: positive(request.roomSize, 'room size'),
    wallHeight: positive(request.wallHeight, 'wall height') ?? IMPORT_DEFAULTS.wallHeight,
    allowUnknownSize: request.allowUnknownSize ?? IMPORT_DEFAULTS.allowUnknownSize,
  };
}

interface ReadSource {
  readonly format: string | null;
  readonly why: string;
  readonly sha256: string;
  readonly scenes: readonly ParsedScene[];
  readonly problem: string | null;
}

/** Recognises and parses one file; whatever goes wrong with it is its `problem`. */
async function readSource(source: SourcePath, format: string, options: ImportOptions): Promise<ReadSource> {
  let recognised: string | null = null;
  let why = 'unreadable';
  let sha = '';
  try {
    const file = await SourceFile.open(source.path, source.name);
    sha = file.sha256;
    const chosen = choose(file, format);
    why = chosen.why;
    if (chosen.importer === null) return { format: null, why, sha256: sha, scenes: [], problem: chosen.problem };
    if (chosen.companion) return { format: chosen.importer.format, why, sha256: sha, scenes: [], problem: null };
    recognised = chosen.importer.format;
    const scenes = await chosen.importer.parse(file, options);
    const problem = scenes.length === 0 ? `${source.name}: no scene in the file; expected at least one` : null;
    return { format: recognised, why, sha256: sha, scenes, problem };
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    return { format: recognised, why, sha256: sha, scenes: [], problem: messageOf(error) };
  }
}

interface Choice {
  readonly importer: Importer | null;
  readonly why: string;
  readonly companion: boolean;
  readonly problem: string | null;
}

function choose(file: SourceFile, format: string): Choice {
  if (format !== 'auto') {
    const importer = IMPORTERS.find((item) => item.format === format) as Importer;
    return { importer, why: 'format given', companion: false, problem: null };
  }
  let best: { importer: Importer; confidence: number; why: string; companion: boolean } | null = null;
  for (const importer of IMPORTERS) {
    const recognition = importer.recognise(file);
    if (recognition !== null && recognition.confidence > (best?.confidence ?? 0))
      best = { companion: false, ...recognition, importer };
  }
  if (best !== null) return { ...best, problem: null };
  let why = 'no importer knows this content';
  try {
    if (/^(json|jsonl)$/.test(file.extension)) file.json;
  } catch (error) {
    why = messageOf(error);
  }
  return {
    importer: null,
    why,
    companion: false,
    problem: `${file.name}: format not recognised (${why}); expected one of ${IMPORT_FORMATS.join(', ')}`,
  };
}

async function finish(
  parsed: ParsedScene,
  read: ReadSource,
  source: SourcePath,
  names: Names,
  options: ImportOptions,
): Promise<ImportedScene> {
  const { id, generator, prompt, notes } = names.of(parsed, read.format as string, source);
  const withNotes =
    'layout' in parsed
      ? { ...parsed, layout: { ...parsed.layout, notes: [...parsed.layout.notes, ...notes] } }
      : parsed;
  const origin = { format: read.format as string, file: source.name, sha256: read.sha256, id, generator, prompt };
  return assembleDraft(withNotes, origin, options);
}

/** Names scenes: generator, prompt (joined with the prompt set by id or exact text) and a unique scene id. */
class Names {
  readonly #request: ImportRequest;
  readonly #prompts: PromptSet | null;
  readonly #scenes = new UniqueIds();
  readonly #pairs = new Set<string>();

  constructor(request: ImportRequest, prompts: PromptSet | null) {
    this.#request = request;
    this.#prompts = prompts;
  }

  of(
    parsed: ParsedScene,
    format: string,
    source: SourcePath,
  ): { id: string; generator: string; prompt: string; notes: string[] } {
    const notes: string[] = [];
    if (source.told === 'folders')
      notes.push(
        `file names repeat, so its folders tell${source.generator === null || this.#request.generator != null ? '' : ` generator ${quoted(source.generator)} and`} prompt ${quoted(source.prompt)}`,
      );
    const generator = this.#request.generator ?? safeId(source.generator ?? format, 'generator');
    const prompt = this.#request.prompt ?? this.#promptOf(parsed, source, notes);
    const pair = `${generator}\u0000${prompt}`;
    if (this.#pairs.has(pair))
      notes.push(`another scene of generator ${quoted(generator)} has the prompt ${quoted(prompt)} too`);
    this.#pairs.add(pair);
    return { id: this.#scenes.add(`${generator}-${prompt}`, 'scene').id, generator, prompt, notes };
  }

  #promptOf(parsed: ParsedScene, source: SourcePath, notes: string[]): string {
    const name = source.prompt ?? parsed.name;
    const fallback = safeId(name, 'scene');
    if (this.#prompts === null) return fallback;
    const byId = this.#prompts.byId.get(name) ?? this.#prompts.byId.get(fallback);
    if (byId !== undefined) return byId.id;
    const text = 'layout' in parsed ? parsed.layout.promptText : undefined;
    const byText = text === undefined ? undefined : this.#prompts.byText.get(text);
    if (byText !== undefined) return byText.id;
    notes.push(
      `no prompt of the prompt file has the id ${quoted(name)}${text === undefined ? '' : ' or the text of this scene'}: the name stands as prompt id`,
    );
    return fallback;
  }
}
