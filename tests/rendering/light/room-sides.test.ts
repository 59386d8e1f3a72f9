import { expect, test } from 'vitest';
import { roomSides } from '../../../src/rendering/light/room-sides.ts';
import type { Occluder } from '../../../src/rendering/light/voxel-grid.ts';

type Colour = readonly [number, number, number];

/** Two triangles that span a box's diagonal planes: enough for its extent. */
function slab(min: Colour, max: Colour, colour: Colour): Occluder {
  return {
    positions: Float32Array.of(...min, max[0], min[1], max[2], ...max, ...min, ...max, min[0], max[1], min[2]),
    albedo: Float32Array.of(...colour, ...colour),
    opacity: Float32Array.of(1, 1),
  };
}

const BOX = { min: [-2.1, -0.05, -1.1], max: [2.1, 2.5, 1.1] } as const;
const floor: Occluder = {
  positions: Float32Array.of(-2, 0, -1, -2, 0, 1, 2, 0, 1, -2, 0, -1, 2, 0, 1, 2, 0, -1),
  albedo: Float32Array.of(0.5, 0.25, 0.125, 0.5, 0.25, 0.125),
  opacity: Float32Array.of(1, 1),
};

test('walls close the side they stand on, the floor the one below; the inner faces bound the box', () => {
  const room = roomSides(
    BOX,
    new Map([
      ['', [floor]],
      ['wall:a', [slab([2, 0, -1.1], [2.1, 2.5, 1.1], [0.75, 0.5, 0.25])]],
      ['wall:b', [slab([-2.1, 0, -1.1], [2.1, 2.5, -1], [0.5, 0.5, 0.5])]],
    ]),
  );
  expect(room.sides).toEqual([
    { owner: 'wall:a', albedo: [0.75, 0.5, 0.25] },
    null,
    null,
    { owner: '', albedo: [0.5, 0.25, 0.125] },
    null,
    { owner: 'wall:b', albedo: [0.5, 0.5, 0.5] },
  ]);
  expect(room.box.max[0]).toBeCloseTo(2, 6);
  expect(room.box.min[2]).toBeCloseTo(-1, 6);
  expect([room.box.min[0], room.box.min[1], room.box.max[1], room.box.max[2]]).toEqual([-2.1, 0, 2.5, 1.1]);
});

test('a wall inside the box closes nothing; of two on one side the larger counts; without a floor below is open', () => {
  const room = roomSides(
    BOX,
    new Map([
      ['', []],
      ['wall:inner', [slab([0, 0, -1.1], [0.1, 2.5, 1.1], [1, 0, 0])]],
      ['wall:small', [slab([2, 0, 0.5], [2.1, 2.5, 1.1], [0, 1, 0])]],
      ['wall:large', [slab([2, 0, -1.1], [2.1, 2.5, 0.5], [0, 0, 1])]],
    ]),
  );
  expect(room.sides.map((side) => side?.owner ?? null)).toEqual(['wall:large', null, null, null, null, null]);
});
