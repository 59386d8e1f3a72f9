import type { Lattice } from './voxel-grid.ts';

/** Faces of the ambient cube, in order: +x, -x, +y, -y, +z, -z. */
export const CUBE_FACES = 6;

/** A lattice with a border of one cell, so that taps need no bounds checks: sizes and index strides along x, y, z. */
export interface PaddedLattice {
  readonly px: number;
  readonly py: number;
  readonly pz: number;
  readonly strides: readonly [number, number, number];
}

/** The padded sizes and strides of a lattice. */
export function padded({ nx, ny, nz }: Lattice): PaddedLattice {
  return { px: nx + 2, py: ny + 2, pz: nz + 2, strides: [1, nx + 2, (nx + 2) * (ny + 2)] };
}

/** Index in the padded lattice of a cell of the lattice. */
export function paddedIndex(lattice: Lattice, cell: number): number {
  const { nx, ny } = lattice;
  const x = cell % nx;
  const y = Math.floor(cell / nx) % ny;
  const z = Math.floor(cell / (nx * ny));
  const { strides } = padded(lattice);
  return x + 1 + (y + 1) * strides[1] + (z + 1) * strides[2];
}

/** Face that looks along an axis (0 x, 1 y, 2 z). */
export function faceOf(axis: number, positive: boolean): number {
  return 2 * axis + (positive ? 0 : 1);
}

/** Step in the padded lattice to the cell in front of each face. */
export function faceSteps(lattice: Lattice): number[] {
  const { strides } = padded(lattice);
  return [1, -1, strides[1], -strides[1], strides[2], -strides[2]];
}
