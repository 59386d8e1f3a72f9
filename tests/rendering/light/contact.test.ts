import { expect, test } from 'vitest';
import type { Box } from '../../../src/rendering/framing.ts';
import { type ContactMap, contactMap } from '../../../src/rendering/light/contact.ts';
import type { Occluder } from '../../../src/rendering/light/voxel-grid.ts';

/** Sides and top of a box as triangles. */
function block(min: readonly [number, number, number], max: readonly [number, number, number]): Occluder {
  const positions: number[] = [];
  const face = (corner: number[], u: number[], v: number[]) => {
    const at = (s: number, t: number) => corner.map((value, axis) => value + s * u[axis]! + t * v[axis]!);
    positions.push(...[at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1)].flat());
  };
  const [w, h, d] = [max[0] - min[0], max[1] - min[1], max[2] - min[2]];
  face([min[0], min[1], min[2]], [w, 0, 0], [0, h, 0]);
  face([min[0], min[1], max[2]], [w, 0, 0], [0, h, 0]);
  face([min[0], min[1], min[2]], [0, 0, d], [0, h, 0]);
  face([max[0], min[1], min[2]], [0, 0, d], [0, h, 0]);
  face([min[0], max[1], min[2]], [w, 0, 0], [0, 0, d]);
  const triangles = positions.length / 9;
  return {
    positions: Float32Array.from(positions),
    albedo: new Float32Array(3 * triangles).fill(0.5),
    opacity: new Float32Array(triangles).fill(1),
  };
}

const ROOM: Box = { min: [-2, -0.05, -2], max: [2, 2.5, 2] };
const CELL = 0.07;

function at(map: ContactMap, x: number, z: number): number {
  const column = Math.floor((x - map.origin[0]) / map.size);
  const row = Math.floor((z - map.origin[1]) / map.size);
  return map.data[row * map.width + column]! / 255;
}

test('a thin leg darkens the floor beside it, less with distance, and nothing beyond 12 cm', () => {
  const map = contactMap(ROOM, [block([-0.02, 0, -0.02], [0.02, 0.7, 0.02])], CELL)!;
  const [near, middle, far] = [0.032, 0.06, 0.2].map((x) => at(map, x, 0)) as [number, number, number];
  expect(near).toBeLessThan(0.9);
  expect(near).toBeGreaterThan(0.3);
  expect(middle).toBeGreaterThan(near);
  expect(far).toBe(1);
});

test('what hangs over the floor, lies flat on it or floats casts no contact', () => {
  expect(contactMap(ROOM, [block([-0.5, 0.1, -0.5], [0.5, 0.2, 0.5])], CELL)).toBeNull();
  expect(contactMap(ROOM, [block([-0.5, 0, -0.5], [0.5, 0.012, 0.5])], CELL)).toBeNull();
  expect(contactMap(ROOM, [block([-0.5, 0.8, -0.5], [0.5, 1.2, 0.5])], CELL)).toBeNull();
});

test('a leg on a rug darkens the rug, and the map only ever darkens', () => {
  const rug = block([-1, 0, -1], [1, 0.012, 1]);
  const map = contactMap(ROOM, [rug, block([-0.02, 0.012, -0.02], [0.02, 0.7, 0.02])], CELL)!;
  expect(at(map, 0.032, 0)).toBeLessThan(0.9);
  const sorted = Uint8Array.from(map.data).sort();
  expect(sorted[0]).toBeGreaterThanOrEqual(63);
  expect(sorted.at(-1)).toBe(255);
});

test('halls too large for texels of a leg have no map, and equal scenes have equal maps', () => {
  const leg = [block([-0.02, 0, -0.02], [0.02, 0.7, 0.02])];
  expect(contactMap({ min: [-30, 0, -30], max: [30, 3, 30] }, leg, 0.3)).toBeNull();
  expect(contactMap(ROOM, leg, CELL)).toEqual(contactMap(ROOM, leg, CELL));
});
