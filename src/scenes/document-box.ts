import type { Document } from '@gltf-transform/core';
import { getBounds } from '@gltf-transform/functions';
import type { Box } from './glb-geometry.ts';

/** Box round the default scene of a glTF document, in its own frame; null when it has no finite geometry. */
export function documentBox(document: Document): Box | null {
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  if (scene === undefined) return null;
  const { min, max } = getBounds(scene);
  const finite = [...min, ...max].every(Number.isFinite) && (min[0] as number) <= (max[0] as number);
  return finite ? { min: [min[0], min[1], min[2]], max: [max[0], max[1], max[2]] } : null;
}
