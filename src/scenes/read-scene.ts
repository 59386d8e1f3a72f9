import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import { compareText } from '../core/json.ts';
import { type FrozenScene, type Scene, sceneSchema } from '../core/scene.ts';
import { sceneHash } from './freeze.ts';
import { type Box, boxOfPositions, readGeometry, unionOfBoxes } from './glb-geometry.ts';
import { schemaProblem } from './schema-problem.ts';

/** Largest scene.json and scene.glb that are read, bytes. */
export const SCENE_LIMITS = { json: 64 * 2 ** 20, glb: 2 ** 30 } as const;

/**
 * Reads a frozen scene back and checks both hashes.
 *
 * @throws AuditError `MISSING_FILE`, `INVALID_INPUT`, or `HASH_MISMATCH` when a byte changed after freezing
 */
export async function readScene(folder: string): Promise<FrozenScene> {
  const absolute = resolve(folder);
  const jsonPath = join(absolute, 'scene.json');
  const glbPath = join(absolute, 'scene.glb');
  const text = new TextDecoder().decode(await readBounded(jsonPath, SCENE_LIMITS.json));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AuditError(`${jsonPath}: invalid JSON; expected a frozen scene`, { hint: 'freeze the scene again' });
  }
  const parsed = sceneSchema.safeParse(value);
  if (!parsed.success)
    throw new AuditError(`${jsonPath}: ${schemaProblem(parsed.error)}`, { hint: 'freeze the scene again' });
  const scene = parsed.data;
  const hash = hashOf(scene, jsonPath);
  if (hash !== scene.hash) throw mismatch(jsonPath, hash, scene.hash);
  const glb = await readBounded(glbPath, SCENE_LIMITS.glb);
  const glbHash = sha256(glb);
  if (glbHash !== scene.glb) throw mismatch(glbPath, glbHash, scene.glb);
  return { scene, folder: absolute, glb };
}

/** @throws AuditError for text that has no canonical form (half a surrogate pair) */
function hashOf(scene: Scene, path: string): string {
  try {
    return sceneHash(scene);
  } catch (error) {
    throw new AuditError(`${path}: cannot be hashed (${messageOf(error, 120)}); expected a frozen scene`, {
      hint: 'freeze the scene again',
      cause: error,
    });
  }
}

function mismatch(path: string, found: string, expected: string): AuditError {
  return new AuditError(
    `${path}: changed after freezing, SHA-256 ${quoted(`${found.slice(0, 12)}…`)}; expected ${expected.slice(0, 12)}…`,
    { code: 'HASH_MISMATCH', hint: 'restore the file, or import or freeze the scene again' },
  );
}

async function readBounded(path: string, limit: number): Promise<Uint8Array> {
  let size: number;
  try {
    const found = await stat(path);
    if (!found.isFile())
      throw new AuditError(`${path}: not a file; expected a frozen scene's file`, { code: 'MISSING_FILE' });
    size = found.size;
  } catch (error) {
    if (error instanceof AuditError) throw error;
    throw new AuditError(`${path}: missing file; expected a frozen scene (scene.json and scene.glb)`, {
      code: 'MISSING_FILE',
      hint: 'import or freeze the scene again',
      cause: error,
    });
  }
  if (size > limit) throw new AuditError(`${path}: ${size} bytes; expected at most ${limit} bytes`);
  return new Uint8Array(await readFile(path));
}

/** Folders are searched at most this deep below the root. */
const MAX_DEPTH = 16;

/**
 * Absolute folders below `root` (itself included) that contain a scene.json, sorted. Symbolic links that lead out of the
 * root are not followed, nor is any folder visited twice.
 *
 * @throws AuditError `MISSING_FILE` when the root does not exist
 */
export async function findScenes(root: string): Promise<string[]> {
  const top = await realpath(root).catch((error: unknown) => {
    throw new AuditError(`${root}: missing folder; expected a folder of frozen scenes`, {
      code: 'MISSING_FILE',
      cause: error,
    });
  });
  const found: string[] = [];
  const seen = new Set<string>();
  const visit = async (folder: string, depth: number): Promise<void> => {
    const real = await realpath(folder);
    if (seen.has(real) || (real !== top && !real.startsWith(top + sep))) return;
    seen.add(real);
    const entries = await readdir(folder, { withFileTypes: true });
    if (entries.some((entry) => entry.name === 'scene.json' && !entry.isDirectory())) found.push(folder);
    if (depth === MAX_DEPTH) return;
    for (const entry of entries.sort((a, b) => compareText(a.name, b.name))) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() || (entry.isSymbolicLink() && (await isFolder(path)))) await visit(path, depth + 1);
    }
  };
  await visit(top, 0);
  return found.sort(compareText);
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/**
 * World box of a scene, metres: its `frame` when it has one (a probe keeps its original's camera), else the box round
 * all its geometry, walls and floors included.
 *
 * @throws AuditError when the scene has neither
 */
export function sceneBounds(frozen: FrozenScene): Box {
  if (frozen.scene.frame !== null) return frozen.scene.frame;
  const boxes = readGeometry(frozen.glb).flatMap(({ positions }) => boxOfPositions(positions) ?? []);
  const box = unionOfBoxes(boxes);
  if (box === null)
    throw new AuditError(`${frozen.folder}: a scene without geometry; expected a room or an object to look at`);
  return box;
}
