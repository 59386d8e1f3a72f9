import { join } from 'node:path';
import { prune } from '@gltf-transform/functions';
import { hashJson, sha256 } from '../core/hash.ts';
import { prettyJson } from '../core/json.ts';
import { type FrozenScene, type Scene, sceneSchema } from '../core/scene.ts';
import { writeWhole } from '../core/write-file.ts';
import { readGlb, writeGlb } from '../scenes/gltf-io.ts';
import { sceneBounds } from '../scenes/read-scene.ts';
import { applyGeometryEdit } from './apply-geometry-edit.ts';
import { applySceneEdit } from './apply-scene-edit.ts';
import type { SceneEdit, SceneProbe } from './probe.ts';

/**
 * Applies a probe's edit to a frozen scene and freezes the result: a scene of its own, with the original's frame (so that an
 * emptied room is not zoomed into) and the edit recorded as data.
 *
 * @param draw seed and repeat of the named stream the edit was drawn from
 */
export async function freezeProbe(
  original: FrozenScene,
  probe: SceneProbe,
  edit: SceneEdit,
  draw: { readonly seed: number; readonly repeat: number },
  folder: string,
): Promise<Scene> {
  const document = await readGlb(original.glb, original.folder);
  await applyGeometryEdit(document, original.scene, edit);
  await document.transform(prune({ keepLeaves: true, keepAttributes: true, keepSolidTextures: true }));
  const glb = await writeGlb(document);
  const changed = applySceneEdit(original.scene, edit);
  const { hash: _, ...rest } = {
    ...changed,
    id: `${original.scene.id}.${probe.name}`.slice(0, 128),
    frame: original.scene.frame ?? sceneBounds(original),
    probe: {
      name: probe.name,
      of: original.scene.hash,
      seed: draw.seed,
      repeat: draw.repeat,
      expectation: probe.expectation,
      edit: JSON.parse(JSON.stringify(edit)),
    },
    glb: sha256(glb),
  };
  const scene = sceneSchema.parse({ ...rest, hash: hashJson(rest) });
  writeWhole(join(folder, 'scene.glb'), glb);
  writeWhole(join(folder, 'scene.json'), prettyJson(scene));
  return scene;
}
