import { CUBE_FACES, faceSteps, padded } from './padded-lattice.ts';
import type { Lattice } from './voxel-grid.ts';

/** Light arriving at every cell: what a surface there, facing along an axis, receives. */
export interface LightVolume {
  /** Per face, per cell: irradiance RGB (sky and bounces, no direct sun) and the unblocked share of the sky; 4 numbers. */
  readonly data: Float32Array;
  readonly lattice: Lattice;
}

/**
 * Spreads compact cubes over the lattice, face by face. A cell inside matter takes what the open cell in front of the
 * face has; where none is (a corner), what its neighbours beside it take; last, anything open beside or diagonally ahead.
 */
export function unfoldVolume(
  lattice: Lattice,
  cube: Float32Array,
  width: number,
  open: Uint32Array,
  openAt: Int32Array,
  matter: Uint32Array,
): Float32Array {
  const { nx, ny, nz } = lattice;
  const { strides } = padded(lattice);
  const steps = faceSteps(lattice);
  const cells = nx * ny * nz;
  const total = openAt.length;
  // Padded, per face: which compact cell a padded cell's face reads; -1 none.
  const data = new Float32Array(width * CUBE_FACES * cells);
  const place = new Int32Array(total).fill(-1);
  for (let z = 0; z < nz; z += 1)
    for (let y = 0; y < ny; y += 1)
      for (let x = 0, cell = nx * (y + ny * z), at = 1 + (y + 1) * strides[1] + (z + 1) * strides[2]; x < nx; x += 1)
        place[at + x] = cell + x;
  const filled = new Uint8Array(total);
  const later: number[] = [];
  for (let face = 0; face < CUBE_FACES; face += 1) {
    filled.fill(0);
    const base = face * cells;
    const put = (index: number, j: number) => {
      const from = width * (CUBE_FACES * j + face);
      const to = width * (base + place[index]!);
      for (let i = 0; i < width; i += 1) data[to + i] = cube[from + i]!;
      filled[index] = 1;
    };
    for (let j = 0; j < open.length; j += 1) put(open[j]!, j);
    let waiting = later;
    waiting.length = 0;
    for (let at = 0; at < matter.length; at += 1) {
      const index = matter[at]!;
      if (openAt[index]! >= 0) continue;
      const ahead = openAt[index + steps[face]!]!;
      if (ahead >= 0) {
        put(index, ahead);
        filled[index] = 2;
      } else waiting.push(index);
    }
    // Rings from cells filled before the ring began, so that light does not run along a wall; first from cells of the same
    // surface only: an open cell beside a wall's edge belongs to the other side.
    for (let ring = 3; ring <= 6 && waiting.length > 0; ring += 1) {
      const openToo = ring > 4;
      const left: number[] = [];
      for (const index of waiting) {
        let count = 0;
        const to = width * (base + place[index]!);
        for (let side = 0; side < CUBE_FACES; side += 1) {
          if (side >> 1 === face >> 1) continue;
          const beside = index + steps[side]!;
          if (filled[beside]! < (openToo ? 1 : 2) || filled[beside]! >= ring || place[beside]! < 0) continue;
          const from = width * (base + place[beside]!);
          for (let i = 0; i < width; i += 1) data[to + i]! += data[from + i]!;
          count += 1;
        }
        if (count === 0) left.push(index);
        else {
          for (let i = 0; i < width; i += 1) data[to + i]! /= count;
          filled[index] = ring;
        }
      }
      waiting = left;
    }
  }
  return data;
}
