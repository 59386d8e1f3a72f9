import type { Texture } from 'three';
import type { Occluder } from '../light/voxel-grid.ts';
import type { Batch } from './batch.ts';

/** What batches block and reflect, by owner: key '' for everything that is no wall. */
export function occludersOf(
  batches: readonly Batch[],
  mean: (texture: Texture) => readonly [number, number, number, number],
): Map<string, Occluder[]> {
  const occluders = new Map<string, Occluder[]>();
  for (const batch of batches) {
    const key = batch.wall ?? '';
    const list = occluders.get(key) ?? [];
    list.push(occluderOf(batch, mean));
    occluders.set(key, list);
  }
  return occluders;
}

/** What a batch blocks and reflects: its triangles with the mean colour of its texture folded in. */
function occluderOf(batch: Batch, mean: (texture: Texture) => readonly [number, number, number, number]): Occluder {
  const { geometry, surface } = batch;
  const index = geometry.index!.array;
  const position = geometry.getAttribute('position').array;
  const tint = geometry.getAttribute('tint').array;
  const shape = geometry.getAttribute('surface').array;
  const [r, g, b, a] = surface.map === null ? [1, 1, 1, 1] : mean(surface.map);
  const triangles = Math.floor(index.length / 3);
  const positions = new Float32Array(9 * triangles);
  const albedo = new Float32Array(3 * triangles);
  const opacity = new Float32Array(triangles);
  for (let triangle = 0; triangle < triangles; triangle += 1) {
    for (let corner = 0; corner < 3; corner += 1) {
      const vertex = index[3 * triangle + corner]!;
      for (let axis = 0; axis < 3; axis += 1)
        positions[9 * triangle + 3 * corner + axis] = position[3 * vertex + axis]!;
    }
    const first = index[3 * triangle]!;
    albedo[3 * triangle] = Math.min(tint[3 * first]! * r, 0.95);
    albedo[3 * triangle + 1] = Math.min(tint[3 * first + 1]! * g, 0.95);
    albedo[3 * triangle + 2] = Math.min(tint[3 * first + 2]! * b, 0.95);
    opacity[triangle] = shape[4 * first + 3]! * (surface.alphaTest > 0 || surface.blended ? a : 1);
  }
  return { positions, albedo, opacity };
}
