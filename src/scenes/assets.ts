import { readFile, realpath, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { compareText } from '../core/json.ts';
import { documentBox } from './document-box.ts';
import type { Box } from './glb-geometry.ts';
import { readGlb } from './gltf-io.ts';
import { gltfToGlb } from './gltf-to-glb.ts';
import { objToGlb } from './obj-to-glb.ts';

/** An asset's mesh as stored: its own frame and unit (metres), y up by convention of all these collections. */
export interface AssetMesh {
  readonly glb: Uint8Array;
  /** Box in the asset's own frame. */
  readonly box: Box;
  /** File it came from, relative to its source folder. */
  readonly file: string;
}

/** Largest asset file that is read, bytes. */
const ASSET_LIMIT = 512 * 2 ** 20;
/** Meshes kept in memory at once, bytes. */
const CACHE_LIMIT = 256 * 2 ** 20;

/** Names that mean one collection. */
const ALIASES: Readonly<Record<string, string>> = {
  '3dfmodel': '3d-future',
  '3dfuture': '3d-future',
  '3d-future': '3d-future',
  future: '3d-future',
  objaverse: 'objaverse',
  objathor: 'objaverse',
  holodeck: 'objaverse',
  'layoutvlm-objaverse': 'objaverse',
  fpmodel: 'hssd',
  hssd: 'hssd',
  'scene-agent': 'scenesmith',
  scenesmith: 'scenesmith',
  thor: 'ai2thor',
  ai2thor: 'ai2thor',
};

/** One name for each collection, however a file or the user spells it; names without an alias stay as they are. */
export function collectionOf(source: string): string {
  const name = source.toLowerCase();
  return ALIASES[name] ?? name;
}

/**
 * Named folders of assets. A mesh is looked for in the folder of its collection, in the places where that collection keeps
 * it (design section 3); nothing outside the folder is ever read, whatever the id or a symbolic link says.
 *
 * - objaverse, objathor: `<id>.glb`, `<id>/<id>.glb`, `<id>/model.glb`, `glbs/<id>.glb`, `assets/<id>/<id>.glb`, and below a folder of its first two characters
 * - 3d-future: `<id>/raw_model.obj` or `<id>/normalized_model.obj` with their MTL and texture
 * - hssd: `<id>.glb`, `objects/<first character>/<id>.glb`, `objects/decomposed/<model>/<id>.glb`, `objects/openings/<id>.glb`
 * - any other name: `<id>.glb`, `<id>/<id>.glb`, `<id>/model.glb`, `<id>.gltf`, `<id>/<id>.gltf`, `<id>.obj`, `<id>/<id>.obj`, `<id>/model.obj`
 */
export class AssetLibrary {
  readonly #folders = new Map<string, string[]>();
  readonly #cache = new Map<string, AssetMesh | null>();
  #cached = 0;

  /**
   * @param sources name -> folder, as in the audit file or `--assets name=folder`
   * @throws AuditError when a folder does not exist
   */
  static async open(sources: Readonly<Record<string, string>>): Promise<AssetLibrary> {
    const library = new AssetLibrary();
    for (const name of Object.keys(sources).sort(compareText)) {
      const folder = sources[name] as string;
      const root = await realpath(resolve(folder)).catch((error: unknown) => {
        throw new AuditError(`assets ${quoted(name)}: missing folder ${quoted(folder)}; expected a folder of meshes`, {
          code: 'MISSING_FILE',
          cause: error,
        });
      });
      if (!(await stat(root)).isDirectory())
        throw new AuditError(`assets ${quoted(name)}: not a folder ${quoted(folder)}; expected a folder of meshes`);
      const collection = collectionOf(name);
      library.#folders.set(collection, [...(library.#folders.get(collection) ?? []), root]);
    }
    return library;
  }

  /** Collections with a folder, sorted. */
  get collections(): readonly string[] {
    return [...this.#folders.keys()].sort(compareText);
  }

  /**
   * The asset's mesh, or null when no source holds it.
   *
   * @throws AuditError when the file is there but cannot be read
   */
  async find(source: string, id: string): Promise<AssetMesh | null> {
    const collection = collectionOf(source);
    const roots = this.#folders.get(collection);
    if (roots === undefined || !isSafeId(id)) return null;
    const key = `${collection}/${id}`;
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const mesh = await this.#load(roots, collection, id);
    this.#remember(key, mesh);
    return mesh;
  }

  async #load(roots: readonly string[], collection: string, id: string): Promise<AssetMesh | null> {
    for (const root of roots)
      for (const relative of placesOf(collection, id)) {
        const path = await insideRoot(root, relative);
        if (path === null) continue;
        const where = `asset ${quoted(id)} (${relative})`;
        if ((await stat(path)).size > ASSET_LIMIT)
          throw new AuditError(`${where}: too large; expected at most ${ASSET_LIMIT} bytes`);
        try {
          const glb = await meshBytes(path, root);
          const box = documentBox(await readGlb(glb, where));
          if (box === null) throw new AuditError(`${where}: no triangles; expected a mesh`);
          return { glb, box, file: relative };
        } catch (error) {
          if (error instanceof AuditError) throw error;
          throw new AuditError(`${where}: unreadable mesh (${messageOf(error, 160)}); expected GLB or OBJ`, {
            cause: error,
          });
        }
      }
    return null;
  }

  #remember(key: string, mesh: AssetMesh | null): void {
    this.#cache.set(key, mesh);
    this.#cached += mesh?.glb.length ?? 0;
    for (const [oldest, held] of this.#cache) {
      if (this.#cached <= CACHE_LIMIT || oldest === key) break;
      this.#cache.delete(oldest);
      this.#cached -= held?.glb.length ?? 0;
    }
  }
}

/** The mesh file as GLB bytes, whatever its form. */
async function meshBytes(path: string, root: string): Promise<Uint8Array> {
  if (path.endsWith('.obj')) return objToGlb(path, root);
  return path.endsWith('.gltf') ? gltfToGlb(path, root) : new Uint8Array(await readFile(path));
}

/** Ids come out of untrusted files: one path part, nothing that climbs. */
export function isSafeId(id: string): boolean {
  return id.length <= 200 && /^[\p{L}\p{N}_][\p{L}\p{N}_ .,()+-]*$/u.test(id) && !id.includes('..');
}

function placesOf(collection: string, id: string): string[] {
  const glb = [`${id}.glb`, `${id}/${id}.glb`, `${id}/model.glb`];
  const obj = [`${id}.obj`, `${id}/${id}.obj`, `${id}/model.obj`];
  if (collection === '3d-future') return [`${id}/raw_model.obj`, `${id}/normalized_model.obj`, ...glb, ...obj];
  if (collection === 'hssd') {
    const model = id.replace(/_part_\d+$/, '');
    return [
      ...glb,
      `objects/${id[0]}/${id}.glb`,
      `objects/decomposed/${model}/${id}.glb`,
      `decomposed/${model}/${id}.glb`,
      `objects/openings/${id}.glb`,
      `${id[0]}/${id}.glb`,
    ];
  }
  if (collection === 'objaverse')
    return [...glb, `glbs/${id}.glb`, `${id.slice(0, 2)}/${id}.glb`, `assets/${id}/${id}.glb`, ...obj];
  return [...glb, `${id}.gltf`, `${id}/${id}.gltf`, ...obj];
}

/** Real path of `root/relative` when it is a file inside the root, else null. */
async function insideRoot(root: string, relative: string): Promise<string | null> {
  try {
    const real = await realpath(join(root, relative));
    if (!real.startsWith(root + sep)) return null;
    return (await stat(real)).isFile() ? real : null;
  } catch {
    return null;
  }
}
