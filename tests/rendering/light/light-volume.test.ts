import { expect, test } from 'vitest';
import type { Box } from '../../../src/rendering/framing.ts';
import { sphereDirections } from '../../../src/rendering/light/directions.ts';
import { solveLight } from '../../../src/rendering/light/light-volume.ts';
import { CUBE_FACES } from '../../../src/rendering/light/padded-lattice.ts';
import { seeSky } from '../../../src/rendering/light/see-sky.ts';
import type { LightVolume } from '../../../src/rendering/light/unfold-volume.ts';
import { type Lattice, latticeFor, type Occluder, spreadMatter } from '../../../src/rendering/light/voxel-grid.ts';

const DIRECTIONS = 96;

/** A horizontal or vertical rectangle as two triangles. */
function sheet(corner: number[], u: number[], v: number[], albedo: readonly [number, number, number]): Occluder {
  const at = (s: number, t: number) => corner.map((value, axis) => value + s * u[axis]! + t * v[axis]!);
  const positions = Float32Array.from([at(0, 0), at(1, 0), at(1, 1), at(0, 0), at(1, 1), at(0, 1)].flat());
  return { positions, albedo: Float32Array.from([...albedo, ...albedo]), opacity: Float32Array.of(1, 1) };
}

/** Uniform sky of radiance 1 all round. */
function whiteSky(): Float32Array {
  return new Float32Array(3 * DIRECTIONS).fill((4 * Math.PI) / DIRECTIONS);
}

/** Sky of radiance 1 above the horizon only. */
function upperSky(): Float32Array {
  return Float32Array.from(
    sphereDirections(DIRECTIONS).flatMap((d) => new Array<number>(3).fill(d[1] > 0 ? (4 * Math.PI) / DIRECTIONS : 0)),
  );
}

function solve(box: Box, occluders: Occluder[], sky: Float32Array, bounces: number, cells = 60_000): LightVolume {
  const see = (budget: number) => {
    const lattice = latticeFor(box, budget, 0.02);
    return seeSky(lattice, [spreadMatter(lattice, occluders)], DIRECTIONS);
  };
  return solveLight(see(cells), see(cells / 6), { sky, sun: null }, bounces);
}

/** Nearest cell's face: 0 +x, 1 -x, 2 +y, 3 -y, 4 +z, 5 -z. */
function read({ lattice, data }: LightVolume, point: number[], face: number): number[] {
  const [x, y, z] = point.map((value, axis) => Math.floor((value - lattice.origin[axis]!) / lattice.size));
  const cell = x! + lattice.nx * (y! + lattice.ny * z!);
  return [
    ...data.subarray(
      4 * (face * lattice.nx * lattice.ny * lattice.nz + cell),
      4 * (face * lattice.nx * lattice.ny * lattice.nz + cell) + 4,
    ),
  ];
}

const BOX: Box = { min: [-2, 0, -2], max: [2, 2.5, 2] };
const floor = (albedo: readonly [number, number, number] = [0, 0, 0]) =>
  sheet([-2, 0, -2], [4, 0, 0], [0, 0, 4], albedo);

test('an open floor under a uniform sky receives pi, all of the sky unblocked', () => {
  const volume = solve(BOX, [floor()], upperSky(), 0);
  const [red, green, blue, seen] = read(volume, [0, 0.05, 0], 2);
  expect(red).toBeCloseTo(Math.PI, 1);
  expect([green, blue]).toEqual([red, red]);
  expect(seen).toBeCloseTo(1, 5);
});

test('under a table the sky is hidden as its form factor says, at its rim less', () => {
  const top = sheet([-0.6, 0.4, -0.6], [1.2, 0, 0], [0, 0, 1.2], [0, 0, 0]);
  const volume = solve(BOX, [floor(), top], upperSky(), 0);
  const under = read(volume, [0, 0.05, 0], 2)[0]! / Math.PI;
  const rim = read(volume, [0.6, 0.05, 0], 2)[0]! / Math.PI;
  const above = read(volume, [0, 0.46, 0], 2)[0]! / Math.PI;
  // A 1.2 m square hides 0.735 of the hemisphere 0.4 m below its middle and 0.78 at 0.35 m, where the cell's centre is.
  expect(under).toBeGreaterThan(0.15);
  expect(under).toBeLessThan(0.27);
  expect(rim).toBeGreaterThan(0.55);
  expect(rim).toBeLessThan(0.75);
  expect(above).toBeCloseTo(1, 1);
});

test('light does not leak through walls of 0.1 m', () => {
  const walls = [0, 0.1].flatMap((out) => {
    const [low, side] = [-2 - out, 4 + 2 * out];
    return [
      sheet([low, 0, low], [side, 0, 0], [0, 2.5 + out, 0], [0, 0, 0]),
      sheet([low, 0, 2 + out], [side, 0, 0], [0, 2.5 + out, 0], [0, 0, 0]),
      sheet([low, 0, low], [0, 0, side], [0, 2.5 + out, 0], [0, 0, 0]),
      sheet([2 + out, 0, low], [0, 0, side], [0, 2.5 + out, 0], [0, 0, 0]),
      sheet([low, 2.5 + out, low], [side, 0, 0], [0, 0, side], [0, 0, 0]),
      sheet([low, -out, low], [side, 0, 0], [0, 0, side], [0, 0, 0]),
    ];
  });
  const volume = solve(BOX, walls, whiteSky(), 0);
  for (const [point, face] of [
    [[0, 0.05, 0], 2],
    [[-1.95, 1, 0], 0],
    [[0, 1, 1.95], 5],
    [[-1.9, 0.1, -1.9], 2],
  ] as const)
    expect(read(volume, [...point], face)[0]! / Math.PI).toBeLessThan(0.02);
});

test('white furnace: a closed box of albedo 0.5 that gives off light settles at the geometric sum', () => {
  // A hole in the lid lets in light E0; walls of albedo a return about 1 / (1 - a F) of it: brighter with albedo, never lost.
  const room = (albedo: number) => [
    sheet([-2, 0, -2], [4, 0, 0], [0, 2.5, 0], [albedo, albedo, albedo]),
    sheet([-2, 0, 2], [4, 0, 0], [0, 2.5, 0], [albedo, albedo, albedo]),
    sheet([-2, 0, -2], [0, 0, 4], [0, 2.5, 0], [albedo, albedo, albedo]),
    sheet([2, 0, -2], [0, 0, 4], [0, 2.5, 0], [albedo, albedo, albedo]),
    floor([albedo, albedo, albedo]),
  ];
  const at = (albedo: number, bounces: number) =>
    read(solve(BOX, room(albedo), upperSky(), bounces), [1.2, 0.05, 1.2], 2)[0]!;
  const dark = at(0, 2);
  expect(dark).toBeCloseTo(at(0.8, 0), 6);
  const grey = at(0.4, 2) / dark;
  const white = at(0.8, 2) / dark;
  expect(grey).toBeGreaterThan(1.1);
  expect(white).toBeGreaterThan(grey * 1.15);
  expect(white).toBeLessThan(3);
});

test('a red wall tints the floor beside it', () => {
  const wall = sheet([-1, 0, -2], [0, 0, 4], [0, 2.5, 0], [0.8, 0.05, 0.05]);
  const volume = solve(BOX, [floor([0.5, 0.5, 0.5]), wall], upperSky(), 2);
  const [red, green] = read(volume, [-0.85, 0.05, 0], 2);
  const [farRed, farGreen] = read(volume, [1.8, 0.05, 0], 2);
  expect(red! / green!).toBeGreaterThan(1.1);
  expect(red! / green!).toBeGreaterThan((1.04 * farRed!) / farGreen!);
});

test('the same scene gives the same numbers', () => {
  const top = sheet([-0.6, 0.4, -0.6], [1.2, 0, 0], [0, 0, 1.2], [0.3, 0.5, 0.7]);
  const a = solve(BOX, [floor([0.4, 0.4, 0.4]), top], upperSky(), 2, 8000);
  const b = solve(BOX, [floor([0.4, 0.4, 0.4]), top], upperSky(), 2, 8000);
  expect(a.data).toEqual(b.data);
  expect(a.data.length).toBe(4 * CUBE_FACES * a.lattice.nx * a.lattice.ny * a.lattice.nz);
});

test('the lattice stays within its budget whatever the box', () => {
  const boxes: Box[] = [
    BOX,
    { min: [0, 0, 0], max: [50, 3, 50] },
    { min: [0, 0, 0], max: [0.1, 0.1, 0.1] },
    { min: [0, 0, 0], max: [0, 0, 0] },
    { min: [0, 0, 0], max: [1000, 0.01, 0.01] },
  ];
  for (const box of boxes) {
    const { nx, ny, nz }: Lattice = latticeFor(box, 100_000, 0.05);
    expect(nx * ny * nz).toBeLessThanOrEqual(110_000);
    expect(Math.min(nx, ny, nz)).toBeGreaterThanOrEqual(3);
  }
});
