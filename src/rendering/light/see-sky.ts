import type { Vector } from '../framing.ts';
import { sphereDirections } from './directions.ts';
import { sweepAlong, sweepSky } from './lattice-sweep.ts';
import { padded, paddedIndex } from './padded-lattice.ts';
import type { Lattice, Matter } from './voxel-grid.ts';

/** Cells at least this opaque hold a surface: light is not sampled in them but in front of them. */
const SOLID = 0.4;
/** Cells that would let less than this through are sealed: the area of a sheet is known to about a fifth of a cell. */
const SEALED = 0.3;

/** Geometry of one set of drawn walls: which cells block, which need light, and how much of the sky reaches them. */
export interface Visibility {
  readonly lattice: Lattice;
  /** Transmittance of each cell of the padded lattice. */
  readonly transmittance: Float32Array;
  /** Padded index of each cell with matter, and its albedo and shape. */
  readonly matter: Uint32Array;
  readonly albedo: Float32Array;
  readonly shape: Float32Array;
  /** Padded index of each open cell near matter: where light is asked for. */
  readonly open: Uint32Array;
  /** Row per sweep direction: the share of the sky that arrives at each open cell. */
  readonly sky: Float32Array;
  readonly directions: readonly Vector[];
}

/** Which cells block and which need light for one set of drawn walls, and the sky each sees. Independent of the map. */
export function seeSky(lattice: Lattice, parts: readonly Matter[], directionCount: number): Visibility {
  const { px, py, pz, strides } = padded(lattice);
  const total = px * py * pz;
  const transmittance = new Float32Array(total).fill(1);
  const entry = new Int32Array(total).fill(-1);
  const count = parts.reduce((sum, part) => sum + part.cells.length, 0);
  const matter = new Uint32Array(count);
  const albedo = new Float32Array(3 * count);
  const shape = new Float32Array(3 * count);
  let used = 0;
  for (const part of parts)
    for (let index = 0; index < part.cells.length; index += 1) {
      const cell = paddedIndex(lattice, part.cells[index]!);
      let at = entry[cell]!;
      if (at < 0) {
        at = used;
        used += 1;
        entry[cell] = at;
        matter[at] = cell;
      }
      for (let axis = 0; axis < 3; axis += 1) {
        const opacity = part.opacity[3 * index + axis]!;
        if (opacity >= shape[3 * at + axis]!) shape[3 * at + axis] = opacity;
        // Where two parts meet in a cell the later one's colour counts half: exact shares would cost more than they show.
        const colour = part.albedo[3 * index + axis]!;
        albedo[3 * at + axis] = albedo[3 * at + axis] === 0 ? colour : (albedo[3 * at + axis]! + colour) / 2;
      }
    }
  for (let at = 0; at < used; at += 1)
    transmittance[matter[at]!] = 1 - Math.max(shape[3 * at]!, shape[3 * at + 1]!, shape[3 * at + 2]!);
  for (let at = 0; at < used; at += 1) if (transmittance[matter[at]!]! < SEALED) transmittance[matter[at]!] = 0;

  const wanted = new Uint8Array(total);
  for (let at = 0; at < used; at += 1) {
    const cell = matter[at]!;
    for (let dz = -1; dz <= 1; dz += 1)
      for (let dy = -1; dy <= 1; dy += 1)
        for (let dx = -1; dx <= 1; dx += 1) {
          const near = cell + dx + dy * strides[1] + dz * strides[2];
          wanted[near] = 1;
        }
  }
  const open: number[] = [];
  for (let z = 1; z <= lattice.nz; z += 1)
    for (let y = 1; y <= lattice.ny; y += 1)
      for (let x = 1, cell = 1 + y * strides[1] + z * strides[2]; x <= lattice.nx; x += 1, cell += 1)
        if (wanted[cell] === 1 && transmittance[cell]! > 1 - SOLID) open.push(cell);

  const directions = sphereDirections(directionCount);
  const sky = new Float32Array(directionCount * open.length);
  const passing = new Float32Array(total).fill(1);
  const arriving = new Float32Array(total);
  for (let k = 0; k < directionCount; k += 1) {
    sweepSky(sweepAlong(lattice, directions[k]!), transmittance, passing, arriving);
    const row = k * open.length;
    for (let j = 0; j < open.length; j += 1) sky[row + j] = arriving[open[j]!]!;
  }
  return {
    lattice,
    transmittance,
    matter: matter.subarray(0, used),
    albedo: albedo.subarray(0, 3 * used),
    shape: shape.subarray(0, 3 * used),
    open: Uint32Array.from(open),
    sky,
    directions,
  };
}

/** Number of each padded cell among the open ones, -1 for the others. */
export function openIndex({ lattice, open }: Visibility): Int32Array {
  const { px, py, pz } = padded(lattice);
  const openAt = new Int32Array(px * py * pz).fill(-1);
  for (let j = 0; j < open.length; j += 1) openAt[open[j]!] = j;
  return openAt;
}
