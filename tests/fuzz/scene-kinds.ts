import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { canonicalJson } from '../../src/core/json.ts';
import { AssetLibrary } from '../../src/scenes/assets.ts';
import { freezeInMemory } from '../../src/scenes/freeze.ts';
import { IMPORTERS } from '../../src/scenes/import-formats.ts';
import { importScenes } from '../../src/scenes/import-scenes.ts';
import { findScenes, readScene } from '../../src/scenes/read-scene.ts';
import { SourceFile } from '../../src/scenes/source-file.ts';
import { validateDraft } from '../../src/scenes/validate-draft.ts';
import { boxNode, makeGlb } from '../scenes/make-glb.ts';
import { FIXTURES, importFile } from '../scenes/reference-room.ts';
import { type FuzzInput, type FuzzKind, requireLine, requireRefusal, type Verdict } from './fuzz-kind.ts';
import { mutateJson, mutateText, textBytes } from './mutate.ts';

/** Every importer that reads text, with the fixtures that are damaged for it. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  sceneeval: ['sceneeval/upstream.json', 'sceneeval/fork.json', 'sceneeval/hsm.json'],
  holodeck: ['holodeck/bedroom.json'],
  procthor: ['procthor/house.json', 'procthor/old-schema.json'],
  layoutvlm: ['layoutvlm/layout.json', 'layoutvlm/scene.json'],
  idesign: ['idesign/scene_graph.json'],
  reason3d: ['reason3d/placed_objects.json'],
  sceneweaver: ['sceneweaver/layout_3.json'],
  'sceneweaver-plan': ['sceneweaver/results.json'],
  physcene: ['physcene/bedroom.json'],
  boxes: ['boxes/room.json'],
  layoutgpt: ['layoutgpt/bedroom.json'],
  scenesmith: ['scenesmith/house_state.json'],
  sdf: ['sdf/room.sdf', 'sdf/object.sdf'],
  '3d-front': ['front3d/house.json'],
  spatiallm: ['spatiallm/scene.txt'],
};

/** One case in this many is also imported from disk and frozen. */
export const WRITTEN = 16;
/** Name of the material of the mesh that lies outside the asset folder. */
export const CANARY = 'secret-canary';
/** Names under which scene files look for assets. */
export const COLLECTIONS = ['objaverse', '3d-future', 'hssd', 'scenesmith', 'ai2thor', 'sceneweaver', 'idesign', 'sw'];

/** Asset folders with one mesh inside and one, the canary, just outside. */
export async function assetFolders(folder: string): Promise<Record<string, string>> {
  const assets = join(folder, 'assets');
  mkdirSync(assets, { recursive: true });
  const box = (name: string): Promise<Uint8Array> =>
    makeGlb((document) => [boxNode(document, name, [-0.2, 0, -0.2], [0.2, 0.4, 0.2])]);
  writeFileSync(join(folder, 'secret.glb'), await box(CANARY));
  writeFileSync(join(assets, 'inside.glb'), await box('inside'));
  return Object.fromEntries(COLLECTIONS.map((name) => [name, assets]));
}

/** Reads a scene file in memory with one importer: drafts that can be frozen, or refusals of one line. */
export async function survives(
  format: string,
  file: SourceFile,
  assets: AssetLibrary,
  freeze = false,
): Promise<Verdict> {
  for (const importer of IMPORTERS) importer.recognise(file);
  try {
    const scenes = await importFile(format, file, { roomSize: 3, assets });
    for (const scene of scenes) {
      for (const note of scene.notes) requireLine(`note: ${note}`);
      if ('refused' in scene) {
        requireLine(scene.refused);
        continue;
      }
      validateDraft(scene.draft);
      const { objects, rooms, source } = scene.draft;
      canonicalJson({
        rooms,
        source,
        objects: objects.map(({ geometry, ...object }) => ({ ...object, geometry: geometry.kind })),
      });
      for (const { id, geometry } of objects)
        if (geometry.kind === 'mesh' && Buffer.from(geometry.glb).includes(CANARY))
          throw new Error(`path escape: object ${id} has the mesh that lies outside the asset folder`);
      if (freeze) await freezeInMemory(scene.draft);
    }
    return scenes.some((scene) => 'draft' in scene) ? 'accepted' : 'refused';
  } catch (error) {
    requireRefusal(error);
    return 'refused';
  }
}

/**
 * Imports a file from disk as the command does: whatever is written lies below the folder asked for and is a whole scene, and
 * nothing else changed.
 */
export async function importsCleanly(format: string, input: FuzzInput, folder: string): Promise<void> {
  const [source, out] = [join(folder, 'in'), join(folder, 'out')];
  mkdirSync(source);
  writeFileSync(join(source, input.name), input.bytes);
  const before = listing(folder);
  try {
    await importScenes({
      format,
      paths: [join(source, input.name)],
      out,
      roomSize: 3,
      allowUnknownSize: true,
      assets: Object.fromEntries(COLLECTIONS.map((name) => [name, join(folder, 'assets')])),
    }).catch(requireRefusal);
    const written = listing(folder).filter((file) => !before.includes(file));
    const stray = written.filter((file) => !/^out\/[^/]+\/scene\.(json|glb)$/.test(file));
    if (stray.length > 0) throw new Error(`written where nothing belongs: ${stray.slice(0, 3).join(', ')}`);
    const scenes = await findScenes(out).catch(() => []);
    for (const scene of scenes) await readScene(scene);
    if (scenes.length * 2 !== written.length)
      throw new Error(`half-written: ${written.length} files for ${scenes.length} scenes`);
  } finally {
    for (const made of [source, out]) rmSync(made, { recursive: true, force: true });
  }
}

function listing(folder: string): string[] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true }) as {
      isFile(): boolean;
      parentPath: string;
      name: string;
    }[]
  )
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Scene files of every text format. */
export const SCENE_KINDS: readonly FuzzKind[] = Object.entries(SOURCES).map(([format, paths]) => ({
  name: `scene ${format}`,
  async prepare(folder) {
    const assets = await AssetLibrary.open(await assetFolders(folder));
    const texts = paths.map((path) => ({
      name: path.split('/').at(-1) as string,
      text: readFileSync(join(FIXTURES, path), 'utf8'),
    }));
    return {
      make(random) {
        const { name, text } = random.pick(texts);
        const mutated = name.endsWith('.json') ? mutateJson(text, random) : mutateText(text, random);
        return { name, bytes: textBytes(mutated, random) };
      },
      async check(input, run) {
        const file = new SourceFile(join('/nowhere', input.name), input.name, input.bytes);
        const verdict = await survives(format, file, assets);
        if (run % WRITTEN === 0) await importsCleanly(run % (2 * WRITTEN) === 0 ? 'auto' : format, input, folder);
        return verdict;
      },
    };
  },
}));
