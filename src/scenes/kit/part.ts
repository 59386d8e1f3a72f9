import type { Random } from '../../core/random.ts';
import type { MeshPart, PartMaterial } from '../draft.ts';
import { merge, type Shape } from './shapes/shape.ts';

/** Width (x), height (y), depth (z), metres. */
export type Size = readonly [number, number, number];

/** One named part of a piece while it is being built. */
export interface DraftPart {
  readonly name: string;
  readonly material: PartMaterial;
  readonly shape: Shape;
}

/**
 * Builds one category near the size asked for (`fitExactly` does the rest): box centred on x = z = 0, standing on y = 0,
 * front +Z. Draws style and colours from `variant`.
 */
export type FurnitureBuilder = (size: Size, variant: Random) => DraftPart[];

/** A part from closed shapes; parts sink into each other rather than touch, so that no faces coincide. */
export function part(name: string, material: PartMaterial, ...shapes: readonly Shape[]): DraftPart {
  return { name, material, shape: shapes.length === 1 ? (shapes[0] as Shape) : merge(shapes) };
}

/**
 * Stretches the parts together so that their bounding box is exactly `size`, centred on x = z = 0 and standing on y = 0.
 * Normals follow the inverse stretch and stay unit length.
 */
export function fitExactly(parts: readonly DraftPart[], size: Size): MeshPart[] {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { shape } of parts)
    for (let at = 0; at < shape.positions.length; at += 1) {
      const value = shape.positions[at] as number;
      const axis = at % 3;
      if (value < (low[axis] as number)) low[axis] = value;
      if (value > (high[axis] as number)) high[axis] = value;
    }
  const stretch = size.map((asked, axis) => asked / ((high[axis] as number) - (low[axis] as number)));
  const origin = [-size[0] / 2, 0, -size[2] / 2];
  return parts.map(({ name, material, shape }) => {
    const positions = new Float32Array(shape.positions.length);
    const normals = new Float32Array(shape.normals.length);
    for (let at = 0; at < positions.length; at += 3) {
      let length = 0;
      for (let axis = 0; axis < 3; axis += 1) {
        const value = (shape.positions[at + axis] as number) - (low[axis] as number);
        positions[at + axis] = (origin[axis] as number) + value * (stretch[axis] as number);
        length += ((shape.normals[at + axis] as number) / (stretch[axis] as number)) ** 2;
      }
      length = Math.sqrt(length);
      for (let axis = 0; axis < 3; axis += 1)
        normals[at + axis] = (shape.normals[at + axis] as number) / (stretch[axis] as number) / length;
    }
    return { name, material, positions, normals, indices: Uint32Array.from(shape.indices) };
  });
}
