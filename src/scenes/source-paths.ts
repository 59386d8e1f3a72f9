import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { AuditError, quoted } from '../core/errors.ts';
import { compareText } from '../core/json.ts';

/** A file to import and what its path says. */
export interface SourcePath {
  readonly path: string;
  /** Short name for messages and scene.json. */
  readonly name: string;
  /** From a pattern's `{generator}`. */
  readonly generator: string | null;
  /** From a pattern's `{prompt}`. */
  readonly prompt: string | null;
  /** `folders` when generator and prompt follow from the folders it lies in, not from a pattern. */
  readonly told?: 'folders';
}

const MAX_FILES = 100_000;
const MAX_DEPTH = 16;

/**
 * Files named by paths on the command line, sorted: a file, a folder (everything below it, hidden files and symbolic links
 * that lead out of it left aside), or a pattern with `{generator}`, `{prompt}` and `*`, each standing for a part of one
 * path segment, like `out/{generator}/{prompt}.glb`.
 *
 * @throws AuditError when a path does not exist or a pattern matches nothing
 */
export async function sourcePaths(paths: readonly string[]): Promise<SourcePath[]> {
  const found = new Map<string, SourcePath>();
  for (const path of paths)
    for (const source of /[{*]/.test(path) ? await matching(path) : await below(path))
      if (!found.has(source.path)) found.set(source.path, source);
  if (found.size > MAX_FILES) throw new AuditError(`${found.size} files; expected at most ${MAX_FILES}`);
  return [...found.values()].sort((a, b) => compareText(a.path, b.path));
}

async function below(path: string): Promise<SourcePath[]> {
  const absolute = resolve(path);
  const kind = await stat(absolute).catch((error: unknown) => {
    throw new AuditError(`${path}: missing file or folder; expected something to import`, {
      code: 'MISSING_FILE',
      cause: error,
    });
  });
  if (kind.isFile()) return [{ path: absolute, name: basename(absolute), generator: null, prompt: null }];
  if (!kind.isDirectory()) throw new AuditError(`${path}: neither a file nor a folder; expected something to import`);
  const files = await walk(absolute);
  return files.map((file) => ({ path: file, name: named(relative(absolute, file)), generator: null, prompt: null }));
}

async function matching(pattern: string): Promise<SourcePath[]> {
  const segments = pattern.split('/');
  const first = segments.findIndex((segment) => /[{*]/.test(segment));
  const root = resolve(segments.slice(0, first).join('/') || (isAbsolute(pattern) ? sep : '.'));
  const fields = [...pattern.matchAll(/\{([^}]*)\}/g)].map((match) => match[1] as string);
  for (const field of fields)
    if (field !== 'generator' && field !== 'prompt')
      throw new AuditError(
        `${pattern}: unknown placeholder ${quoted(`{${field}}`)}; expected {generator} or {prompt}`,
        { code: 'USAGE' },
      );
  if (new Set(fields).size !== fields.length)
    throw new AuditError(`${pattern}: a placeholder twice; expected {generator} and {prompt} once each`, {
      code: 'USAGE',
    });
  const source = segments
    .slice(first)
    .join('/')
    .split(/(\{generator\}|\{prompt\}|\*)/)
    .map((part) =>
      part === '*'
        ? '[^/]*'
        : /^\{/.test(part)
          ? `(?<${part.slice(1, -1)}>[^/]+)`
          : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('');
  const expression = new RegExp(`^${source}$`, 'u');
  const exists = await stat(root).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (!exists)
    throw new AuditError(`${pattern}: missing folder ${quoted(root)}; expected a folder to search`, {
      code: 'MISSING_FILE',
    });
  const found = (await walk(root)).flatMap((file): SourcePath[] => {
    const inside = named(relative(root, file));
    const groups = expression.exec(inside)?.groups;
    if (!expression.test(inside)) return [];
    return [{ path: file, name: inside, generator: groups?.['generator'] ?? null, prompt: groups?.['prompt'] ?? null }];
  });
  if (found.length === 0)
    throw new AuditError(`${pattern}: no file matches; expected at least one`, { code: 'MISSING_FILE' });
  return found;
}

function named(path: string): string {
  return path.split(sep).join('/');
}

async function walk(root: string): Promise<string[]> {
  const top = await realpath(root);
  const files: string[] = [];
  const seen = new Set<string>();
  const visit = async (folder: string, depth: number): Promise<void> => {
    const real = await realpath(folder);
    if (seen.has(real) || depth > MAX_DEPTH || (real !== top && !real.startsWith(top + sep))) return;
    seen.add(real);
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
      if (entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await visit(path, depth + 1);
      else if (entry.isFile()) files.push(path);
      else if (entry.isSymbolicLink()) {
        const target = await realpath(path).catch(() => null);
        if (target === null || !target.startsWith(top + sep)) continue;
        if ((await stat(target)).isDirectory()) await visit(path, depth + 1);
        else files.push(path);
      }
      if (files.length > MAX_FILES)
        throw new AuditError(`${root}: over ${MAX_FILES} files; expected a folder of scenes`);
    }
  };
  await visit(root, 0);
  return files;
}
