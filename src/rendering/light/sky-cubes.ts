import type { Vector } from '../framing.ts';
import { CUBE_FACES, faceOf } from './padded-lattice.ts';
import type { Visibility } from './see-sky.ts';

/** The map's light as the solver needs it. */
export interface SolverLight {
  /** Radiance x solid angle of each of the solver's sphere directions, RGB. */
  readonly sky: Float32Array;
  readonly sun: { readonly direction: Vector; readonly irradiance: Vector } | null;
}

/** Cells of the compact arrays worked on together: their cubes stay in the processor's cache. */
const BLOCK = 1024;

/** Ambient cubes of the sky alone: 4 numbers a face (RGB irradiance, unblocked share), 6 faces a cell. */
export function skyCubes({ open, directions, sky }: Visibility, light: SolverLight): Float32Array {
  const cube = new Float32Array(4 * CUBE_FACES * open.length);
  const unblocked = new Float64Array(CUBE_FACES);
  const terms = directions.flatMap((d, k) =>
    [0, 1, 2].map((axis) => {
      const cosine = Math.abs(d[axis]!);
      const [r, g, b] = [0, 1, 2].map((channel) => cosine * light.sky[3 * k + channel]!) as [number, number, number];
      const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
      const face = faceOf(axis, d[axis]! > 0);
      unblocked[face]! += y;
      return { row: k * open.length, face, r, g, b, y };
    }),
  );
  for (let first = 0; first < open.length; first += BLOCK) {
    const end = Math.min(first + BLOCK, open.length);
    for (const { row, face, r, g, b, y } of terms)
      for (let j = first, at = 4 * (CUBE_FACES * first + face); j < end; j += 1, at += 4 * CUBE_FACES) {
        const seen = sky[row + j]!;
        cube[at]! += r * seen;
        cube[at + 1]! += g * seen;
        cube[at + 2]! += b * seen;
        cube[at + 3]! += y * seen;
      }
  }
  for (let at = 3, face = 0; at < cube.length; at += 4, face = (face + 1) % CUBE_FACES)
    cube[at]! /= Math.max(unblocked[face]!, 1e-9);
  return cube;
}
