import { AuditError, quoted } from '../core/errors.ts';
import { compareText } from '../core/json.ts';
import type { FrozenScene, Scene } from '../core/scene.ts';
import { findScenes, readScene } from '../scenes/read-scene.ts';

/** Where an audit's scenes are; geometry is read again when it is needed, so that memory stays bounded. */
export interface IndexedScene {
  readonly folder: string;
  readonly scene: Scene;
}

export interface SceneIndex {
  readonly generators: readonly string[];
  /** Sorted prompt ids that have at least one scene. */
  readonly prompts: readonly string[];
  readonly scenes: readonly IndexedScene[];
  get(generator: string, prompt: string): IndexedScene | null;
}

/** An index over no scenes at all. */
export const EMPTY_INDEX: SceneIndex = { generators: [], prompts: [], scenes: [], get: () => null };

/**
 * Finds every frozen scene below a folder and checks its hashes.
 *
 * @param generators keep only these; all when null.
 * @throws AuditError for a scene whose bytes changed after freezing, or two scenes for one (generator, prompt).
 */
export async function indexScenes(root: string, generators: readonly string[] | null): Promise<SceneIndex> {
  const byKey = new Map<string, IndexedScene>();
  for (const folder of await findScenes(root)) {
    const { scene } = await readScene(folder);
    if (scene.probe !== null || (generators !== null && !generators.includes(scene.generator))) continue;
    const key = keyOf(scene.generator, scene.prompt);
    const other = byKey.get(key);
    if (other !== undefined)
      throw new AuditError(
        `${folder}: a second scene of generator ${quoted(scene.generator)} for prompt ${quoted(scene.prompt)} beside ${quoted(other.folder)}; expected one`,
      );
    byKey.set(key, { folder, scene });
  }
  const scenes = [...byKey.keys()].sort(compareText).map((key) => byKey.get(key) as IndexedScene);
  const unique = (values: string[]) => [...new Set(values)].sort(compareText);
  const found = unique(scenes.map(({ scene }) => scene.generator));
  const missing = generators?.find((generator) => !found.includes(generator));
  if (missing !== undefined)
    throw new AuditError(`${root}: no scene of generator ${quoted(missing)}; expected frozen scenes of it`, {
      hint: 'Import its scenes, or take it out of `generators`.',
    });
  return {
    generators: generators ?? found,
    prompts: unique(scenes.map(({ scene }) => scene.prompt)),
    scenes,
    get: (generator, prompt) => byKey.get(keyOf(generator, prompt)) ?? null,
  };
}

/** Reads a scene's geometry, once more checked against its hash. */
export async function loadScene({ folder }: IndexedScene): Promise<FrozenScene> {
  return await readScene(folder);
}

function keyOf(generator: string, prompt: string): string {
  return `${generator}\u0000${prompt}`;
}
