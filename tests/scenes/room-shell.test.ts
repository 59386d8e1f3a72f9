import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Point, Room } from '../../src/core/scene.ts';
import type { MeshPart } from '../../src/scenes/draft.ts';
import { signedArea } from '../../src/scenes/polygon.ts';
import {
  FLOOR_THICKNESS,
  PARTITION_THICKNESS,
  polygonRoom,
  rectangularRoom,
  roomShell,
  WALL_THICKNESS,
  wallsAlong,
} from '../../src/scenes/room-shell.ts';
import { floorMaterial, floorTexture, wallMaterial } from '../../src/scenes/surfaces.ts';

const surfaces = {
  floor: { name: 'f', colour: [1, 1, 1], roughness: 1, metalness: 0 },
  wall: { name: 'w', colour: [1, 1, 1], roughness: 1, metalness: 0 },
} as const;

/** Volume by the divergence theorem: positive only when every triangle faces outward. */
function volume(part: MeshPart): number {
  let six = 0;
  for (let at = 0; at < part.indices.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => {
      const v = part.indices[at + k] as number;
      return [...part.positions.slice(3 * v, 3 * v + 3)];
    }) as [number[], number[], number[]];
    const [ax, ay, az] = a as [number, number, number];
    const [bx, by, bz] = b as [number, number, number];
    const [cx, cy, cz] = c as [number, number, number];
    six += ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx);
  }
  return six / 6;
}

/** Every triangle's winding agrees with its stored normals. */
function normalsAgree(part: MeshPart): boolean {
  for (let at = 0; at < part.indices.length; at += 3) {
    const v = [0, 1, 2].map((k) => part.indices[at + k] as number);
    const p = v.map((index) => [...part.positions.slice(3 * index, 3 * index + 3)]) as number[][];
    const n = [...part.normals.slice(3 * (v[0] as number), 3 * (v[0] as number) + 3)];
    const e = (i: number, k: number): number => (p[i]?.[k] as number) - (p[0]?.[k] as number);
    const cross = [0, 1, 2].map((k) => e(1, (k + 1) % 3) * e(2, (k + 2) % 3) - e(1, (k + 2) % 3) * e(2, (k + 1) % 3));
    const length = Math.hypot(...cross);
    if (cross.reduce((sum, value, k) => sum + (value / length) * (n[k] as number), 0) < 0.999) return false;
  }
  return true;
}

const total = WALL_THICKNESS;
const tall = (height: number): number => height + FLOOR_THICKNESS;

test('a rectangular room: floor area, outward normals, wall volume with mitred corners', () => {
  const room = rectangularRoom({ id: 'r', type: 'bedroom', width: 4, depth: 3, height: 2.5 });
  expect(room.walls.map(({ id, normal }) => ({ id, normal }))).toEqual([
    { id: 'w0', normal: [0, -1] },
    { id: 'w1', normal: [1, 0] },
    { id: 'w2', normal: [0, 1] },
    { id: 'w3', normal: [-1, 0] },
  ]);
  const shell = roomShell(room, surfaces);
  expect(volume(shell.floor)).toBeCloseTo(12 * FLOOR_THICKNESS, 6);
  const walls = shell.walls.reduce((sum, { part }) => sum + volume(part), 0);
  expect(walls).toBeCloseTo((4.2 * 3.2 - 12) * tall(2.5), 5);
  for (const part of [shell.floor, ...shell.walls.map((wall) => wall.part)]) expect(normalsAgree(part)).toBe(true);
});

test('an L-shaped room of either winding fills exactly the ring round its floor', () => {
  const floor: Point[] = [
    [0, 0],
    [4, 0],
    [4, 2],
    [2, 2],
    [2, 4],
    [0, 4],
  ];
  const ring = 4.2 * 4.2 - 2 * 2 - 12 + 0; // the notch of the outer outline stays 2 x 2 (it moves by the thickness)
  for (const polygon of [floor, [...floor].reverse()]) {
    const room = polygonRoom({ id: 'r', type: '', floor: polygon, height: 2 });
    for (const wall of room.walls) {
      const middle: Point = [
        (wall.start[0] + wall.end[0]) / 2 + wall.normal[0] * 0.01,
        (wall.start[1] + wall.end[1]) / 2 + wall.normal[1] * 0.01,
      ];
      const outside =
        middle[0] < 0 || middle[1] < 0 || middle[0] > 4 || middle[1] > 4 || (middle[0] > 2 && middle[1] > 2);
      expect(outside).toBe(true);
    }
    const shell = roomShell(room, surfaces);
    expect(volume(shell.floor)).toBeCloseTo(12 * FLOOR_THICKNESS, 6);
    expect(shell.walls.reduce((sum, { part }) => sum + volume(part), 0)).toBeCloseTo(ring * tall(2), 5);
  }
});

test('openings are cut through and have reveals', () => {
  const openings = {
    0: [
      { type: 'door', from: 0.5, to: 1.4, bottom: 0, top: 2.1 },
      { type: 'window', from: 2, to: 3.5, bottom: 0.9, top: 2.1 },
    ],
  } as const;
  const room = rectangularRoom({ id: 'r', type: '', width: 4, depth: 3, height: 2.5, openings });
  const plain = rectangularRoom({ id: 'r', type: '', width: 4, depth: 3, height: 2.5 });
  const cut = roomShell(room, surfaces).walls[0]?.part as MeshPart;
  const whole = roomShell(plain, surfaces).walls[0]?.part as MeshPart;
  expect(volume(whole) - volume(cut)).toBeCloseTo((0.9 * 2.1 + 1.5 * 1.2) * total, 5);
  expect(normalsAgree(cut)).toBe(true);
});

test('an opening over the whole wall leaves only the sill below the floor', () => {
  const room = rectangularRoom({
    id: 'r',
    type: '',
    width: 4,
    depth: 3,
    height: 2.5,
    openings: { 1: [{ type: 'opening', from: -1, to: 9, bottom: -1, top: 9 }] },
  });
  const part = roomShell(room, surfaces).walls[1]?.part as MeshPart;
  expect(Math.max(...[...part.positions].filter((_, index) => index % 3 === 1))).toBeCloseTo(0, 6);
});

test('walls of two rooms back to back become a thin partition', () => {
  const left = polygonRoom({
    id: 'a',
    type: '',
    floor: [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ],
    height: 2,
  });
  const right = polygonRoom({
    id: 'b',
    type: '',
    floor: [
      [2, 0],
      [4, 0],
      [4, 2],
      [2, 2],
    ],
    height: 2,
  });
  const reach = (room: Room, others: Room[], wall: string): number[] => {
    const part = roomShell(room, surfaces, others).walls.find((item) => item.wall === wall)?.part as MeshPart;
    const xs = [...part.positions].filter((_, index) => index % 3 === 0);
    return [Math.min(...xs), Math.max(...xs)];
  };
  expect(reach(left, [], 'w1')[1]).toBeCloseTo(2 + WALL_THICKNESS, 6);
  expect(reach(left, [right], 'w1')[1]).toBeCloseTo(2 + PARTITION_THICKNESS, 6);
  expect(reach(right, [left], 'w3')[0]).toBeCloseTo(2 - PARTITION_THICKNESS, 6);
});

test('star-shaped rooms of any kind: exact floor, outward triangles, walls outside', () => {
  const radii = fc.array(fc.double({ min: 1, max: 4, noNaN: true }), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(radii, fc.boolean(), (rays, turned) => {
      const around = rays.map((radius, index): Point => {
        const angle = (2 * Math.PI * index) / rays.length;
        return [radius * Math.cos(angle), radius * Math.sin(angle)];
      });
      const floor = turned ? around.reverse() : around;
      const shell = roomShell(polygonRoom({ id: 'r', type: '', floor, height: 2.4 }), surfaces);
      expect(volume(shell.floor)).toBeCloseTo(Math.abs(signedArea(floor)) * FLOOR_THICKNESS, 4);
      for (const { part } of shell.walls) {
        expect(normalsAgree(part)).toBe(true);
        expect(volume(part)).toBeGreaterThan(0);
      }
    }),
    { seed: 7, numRuns: 200 },
  );
});

test.each<[string, Point[]]>([
  [
    'a bow tie',
    [
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
    ],
  ],
  [
    'two points',
    [
      [0, 0],
      [1, 0],
    ],
  ],
  [
    'a line',
    [
      [0, 0],
      [1, 0],
      [2, 0],
    ],
  ],
  [
    'a repeated point',
    [
      [0, 0],
      [1, 0],
      [1, 0],
      [1, 1],
    ],
  ],
  [
    'a spike',
    [
      [0, 0],
      [2, 0],
      [2, 2],
      [2, 3],
      [2, 1.5],
      [0, 2],
    ],
  ],
])('%s is not a floor', (_, floor) => {
  expect(() => wallsAlong(floor, 2)).toThrow(/simple polygon/);
});

test('surfaces: the same kind gives the same bytes, other variants others', async () => {
  expect(await floorTexture('wood', 0)).toEqual(await floorTexture('wood', 0));
  expect(await floorTexture('wood', 1)).not.toEqual(await floorTexture('wood', 0));
  expect((await floorMaterial('carpet', 2)).name).toBe('floor-carpet-2');
  expect(wallMaterial(5)).toEqual(wallMaterial(1));
});
