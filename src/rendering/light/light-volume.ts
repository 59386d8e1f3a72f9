import type { Vector } from '../framing.ts';
import { sphereDirections } from './directions.ts';
import type { Lattice, Matter } from './voxel-grid.ts';

/** Faces of the ambient cube, in order: +x, -x, +y, -y, +z, -z. */
export const CUBE_FACES = 6;
/** Directions of the bounce sweeps. */
const BOUNCE_DIRECTIONS = 32;
/** Cells at least this opaque hold a surface: light is not sampled in them but in front of them. */
const SOLID = 0.4;
/** Cells that would let less than this through are sealed: the area of a sheet is known to about a fifth of a cell. */
const SEALED = 0.3;

/** Light arriving at every cell: what a surface there, facing along an axis, receives. */
export interface LightVolume {
  /** Per face, per cell: irradiance RGB (sky and bounces, no direct sun) and the unblocked share of the sky; 4 numbers. */
  readonly data: Float32Array;
  readonly lattice: Lattice;
}

/** The map's light as the solver needs it. */
export interface SolverLight {
  /** Radiance x solid angle of each of the solver's sphere directions, RGB. */
  readonly sky: Float32Array;
  readonly sun: { readonly direction: Vector; readonly irradiance: Vector } | null;
}

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

interface Padded {
  readonly px: number;
  readonly py: number;
  readonly pz: number;
  readonly strides: readonly [number, number, number];
}

function padded({ nx, ny, nz }: Lattice): Padded {
  return { px: nx + 2, py: ny + 2, pz: nz + 2, strides: [1, nx + 2, (nx + 2) * (ny + 2)] };
}

function paddedIndex(lattice: Lattice, cell: number): number {
  const { nx, ny } = lattice;
  const x = cell % nx;
  const y = Math.floor(cell / nx) % ny;
  const z = Math.floor(cell / (nx * ny));
  const { strides } = padded(lattice);
  return x + 1 + (y + 1) * strides[1] + (z + 1) * strides[2];
}

/** One sweep: how its taps lie in the padded lattice and how layers follow one another. */
interface Sweep {
  readonly layers: number;
  readonly rows: number;
  readonly columns: number;
  readonly start: number;
  readonly layerStep: number;
  readonly rowStep: number;
  readonly columnStep: number;
  readonly taps: readonly [number, number, number, number];
  readonly weights: readonly [number, number, number, number];
}

/**
 * Light from direction d reaches a cell from the layer before it along d's longest axis, interpolated between the four
 * cells the ray passes between. The smear this adds grows like the cone that one direction stands for.
 */
function sweepAlong(lattice: Lattice, d: Vector): Sweep {
  const { strides } = padded(lattice);
  const sizes = [lattice.nx, lattice.ny, lattice.nz];
  const main = [0, 1, 2].reduce((best, axis) => (Math.abs(d[axis]!) > Math.abs(d[best]!) ? axis : best), 0);
  const [u, v] = main === 0 ? [1, 2] : main === 1 ? [0, 2] : [0, 1];
  const [column, row] = [u!, v!];
  const fu = Math.abs(d[column]! / d[main]!);
  const fv = Math.abs(d[row]! / d[main]!);
  const back = Math.sign(d[main]!) * strides[main]!;
  const su = Math.sign(d[column]!) * strides[column]!;
  const sv = Math.sign(d[row]!) * strides[row]!;
  const towards = d[main]! > 0;
  return {
    layers: sizes[main]!,
    rows: sizes[row]!,
    columns: sizes[column]!,
    start: (towards ? sizes[main]! : 1) * strides[main]! + strides[row]! + strides[column]!,
    layerStep: towards ? -strides[main]! : strides[main]!,
    rowStep: strides[row]!,
    columnStep: strides[column]!,
    taps: [back, back + su, back + sv, back + su + sv],
    weights: [(1 - fu) * (1 - fv), fu * (1 - fv), (1 - fu) * fv, fu * fv],
  };
}

/** Sweeps visibility: `arriving` gets what reaches each cell, `passing` (border 1) what leaves it. */
function sweepSky(sweep: Sweep, transmittance: Float32Array, passing: Float32Array, arriving: Float32Array): void {
  const { layers, rows, columns, start, layerStep, rowStep, columnStep } = sweep;
  const [t0, t1, t2, t3] = sweep.taps;
  const [w0, w1, w2, w3] = sweep.weights;
  for (let layer = 0, first = start; layer < layers; layer += 1, first += layerStep)
    for (let row = 0, begin = first; row < rows; row += 1, begin += rowStep)
      for (let column = 0, i = begin; column < columns; column += 1, i += columnStep) {
        const light = w0 * passing[i + t0]! + w1 * passing[i + t1]! + w2 * passing[i + t2]! + w3 * passing[i + t3]!;
        arriving[i] = light;
        passing[i] = light * transmittance[i]!;
      }
}

/** Sweeps light given off by matter: `emitted` holds RGB leaving each cell in this direction; the sky is dark. */
function sweepBounce(
  sweep: Sweep,
  transmittance: Float32Array,
  emitted: Float32Array,
  passing: Float32Array,
  arriving: Float32Array,
): void {
  const { layers, rows, columns, start, layerStep, rowStep, columnStep } = sweep;
  const [t0, t1, t2, t3] = sweep.taps.map((tap) => 3 * tap) as [number, number, number, number];
  const [w0, w1, w2, w3] = sweep.weights;
  for (let layer = 0, first = start; layer < layers; layer += 1, first += layerStep)
    for (let row = 0, begin = first; row < rows; row += 1, begin += rowStep)
      for (let column = 0, cell = begin; column < columns; column += 1, cell += columnStep) {
        const through = transmittance[cell]!;
        for (let i = 3 * cell, end = i + 3; i < end; i += 1) {
          const light = w0 * passing[i + t0]! + w1 * passing[i + t1]! + w2 * passing[i + t2]! + w3 * passing[i + t3]!;
          arriving[i] = light;
          passing[i] = light * through + emitted[i]!;
        }
      }
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

function faceOf(axis: number, positive: boolean): number {
  return 2 * axis + (positive ? 0 : 1);
}

/** Cells of the compact arrays worked on together: their cubes stay in the processor's cache. */
const BLOCK = 1024;

/** Ambient cubes of the sky alone: 4 numbers a face (RGB irradiance, unblocked share), 6 faces a cell. */
function skyCubes({ open, directions, sky }: Visibility, light: SolverLight): Float32Array {
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

function openIndex({ lattice, open }: Visibility): Int32Array {
  const { px, py, pz } = padded(lattice);
  const openAt = new Int32Array(px * py * pz).fill(-1);
  for (let j = 0; j < open.length; j += 1) openAt[open[j]!] = j;
  return openAt;
}

function faceSteps(lattice: Lattice): number[] {
  const { strides } = padded(lattice);
  return [1, -1, strides[1], -strides[1], strides[2], -strides[2]];
}

/**
 * Light arriving at every open cell of the fine lattice: the sky where it is visible, plus diffuse bounces off every
 * surface, solved on a coarser lattice of the same scene (discrete ordinates: each face of each cell with matter gives
 * off B = albedo E / pi; E counts the sky, the sun and the bounces before).
 */
export function solveLight(fine: Visibility, coarse: Visibility, light: SolverLight, bounces: number): LightVolume {
  const cube = skyCubes(fine, light);
  if (bounces > 0) addBounces(cube, fine, bounceVolume(coarse, light, bounces));
  return {
    lattice: fine.lattice,
    data: unfoldVolume(fine.lattice, cube, 4, fine.open, openIndex(fine), fine.matter),
  };
}

/** Bounced light (RGB, 3 numbers a face) over the whole coarse lattice. */
function bounceVolume(coarse: Visibility, light: SolverLight, bounces: number): LightVolume {
  const { lattice, matter, open } = coarse;
  const openAt = openIndex(coarse);
  const steps = faceSteps(lattice);
  let received = receive(skyCubes(coarse, light), 4, matter, openAt, steps);
  if (light.sun !== null) addSun(received, coarse, light.sun);
  const bounced = new Float32Array(3 * CUBE_FACES * open.length);
  let before = 0;
  for (let bounce = 0; bounce < bounces; bounce += 1) {
    const arrived = bounceOnce(coarse, received);
    let total = 0;
    for (const value of arrived) total += value;
    // What later bounces would add is the geometric tail of the last two.
    const ratio = before > 0 ? Math.min(total / before, 0.8) : 0;
    const tail = bounce === bounces - 1 ? 1 / (1 - ratio) : 1;
    for (let i = 0; i < bounced.length; i += 1) bounced[i]! += tail * arrived[i]!;
    before = total;
    received = receive(arrived, 3, matter, openAt, steps);
  }
  return { lattice, data: unfoldVolume(lattice, bounced, 3, open, openAt, matter) };
}

/** Samples the coarse bounce half a coarse cell in front of each face of each fine cell. */
function addBounces(cube: Float32Array, { lattice, open }: Visibility, bounce: LightVolume): void {
  const { nx, ny, nz, size, origin } = bounce.lattice;
  const cells = nx * ny * nz;
  const { strides } = padded(lattice);
  for (let j = 0; j < open.length; j += 1) {
    const index = open[j]!;
    const z = Math.floor(index / strides[2]);
    const y = Math.floor((index - z * strides[2]) / strides[1]);
    const x = index - z * strides[2] - y * strides[1];
    const cx = (lattice.origin[0] + (x - 0.5) * lattice.size - origin[0]) / size - 0.5;
    const cy = (lattice.origin[1] + (y - 0.5) * lattice.size - origin[1]) / size - 0.5;
    const cz = (lattice.origin[2] + (z - 0.5) * lattice.size - origin[2]) / size - 0.5;
    for (let face = 0; face < CUBE_FACES; face += 1) {
      const push = 0.25 * (face & 1 ? -1 : 1);
      const sx = Math.min(Math.max(cx + (face < 2 ? push : 0), 0), nx - 1.001);
      const sy = Math.min(Math.max(cy + (face === 2 || face === 3 ? push : 0), 0), ny - 1.001);
      const sz = Math.min(Math.max(cz + (face > 3 ? push : 0), 0), nz - 1.001);
      const [x0, y0, z0] = [Math.floor(sx), Math.floor(sy), Math.floor(sz)];
      const [fx, fy, fz] = [sx - x0, sy - y0, sz - z0];
      const corner = face * cells + x0 + nx * (y0 + ny * z0);
      const to = 4 * (CUBE_FACES * j + face);
      for (let tap = 0; tap < 8; tap += 1) {
        const weight = (tap & 1 ? fx : 1 - fx) * (tap & 2 ? fy : 1 - fy) * (tap & 4 ? fz : 1 - fz);
        const from = 3 * (corner + (tap & 1) + nx * (((tap >> 1) & 1) + ny * (tap >> 2)));
        cube[to]! += weight * bounce.data[from]!;
        cube[to + 1]! += weight * bounce.data[from + 1]!;
        cube[to + 2]! += weight * bounce.data[from + 2]!;
      }
    }
  }
}

/** Irradiance on each face of each matter cell: the ambient cube of the open cell in front of it, 0 when there is none. */
function receive(
  cube: Float32Array,
  width: number,
  matter: Uint32Array,
  openAt: Int32Array,
  neighbours: readonly number[],
): Float32Array {
  const received = new Float32Array(3 * CUBE_FACES * matter.length);
  for (let at = 0; at < matter.length; at += 1)
    for (let face = 0; face < CUBE_FACES; face += 1) {
      const own = openAt[matter[at]!]!;
      const front = own >= 0 ? own : openAt[matter[at]! + neighbours[face]!]!;
      if (front < 0) continue;
      const from = width * (CUBE_FACES * front + face);
      const to = 3 * (CUBE_FACES * at + face);
      received[to] = cube[from]!;
      received[to + 1] = cube[from + 1]!;
      received[to + 2] = cube[from + 2]!;
    }
  return received;
}

function addSun(
  received: Float32Array,
  { lattice, transmittance, matter }: Visibility,
  sun: { readonly direction: Vector; readonly irradiance: Vector },
): void {
  const { px, py, pz, strides } = padded(lattice);
  const passing = new Float32Array(px * py * pz).fill(1);
  const arriving = new Float32Array(px * py * pz);
  sweepSky(sweepAlong(lattice, sun.direction), transmittance, passing, arriving);
  for (let at = 0; at < matter.length; at += 1)
    for (let axis = 0; axis < 3; axis += 1) {
      const positive = sun.direction[axis]! > 0;
      // Seen from the cell in front: within the surface's own cell its neighbours would shade it.
      const front = matter[at]! + (positive ? 1 : -1) * strides[axis]!;
      const lit = Math.abs(sun.direction[axis]!) * arriving[front]!;
      for (let channel = 0; channel < 3; channel += 1)
        received[3 * (CUBE_FACES * at + faceOf(axis, positive)) + channel]! += lit * sun.irradiance[channel]!;
    }
}

function bounceOnce(visibility: Visibility, received: Float32Array): Float32Array {
  const { lattice, transmittance, matter, albedo, shape, open } = visibility;
  const total = transmittance.length;
  const arrived = new Float32Array(3 * CUBE_FACES * open.length);
  const emitted = new Float32Array(3 * total);
  const passing = new Float32Array(3 * total);
  const arriving = new Float32Array(3 * total);
  const weight = (4 * Math.PI) / BOUNCE_DIRECTIONS;
  for (const d of sphereDirections(BOUNCE_DIRECTIONS)) {
    // Light travels along -d: it leaves through the faces that look that way.
    const faces = [0, 1, 2].map((axis) => faceOf(axis, d[axis]! < 0)) as [number, number, number];
    const [ax, ay, az] = d.map(Math.abs) as [number, number, number];
    for (let at = 0; at < matter.length; at += 1) {
      const cell = matter[at]!;
      const [sx, sy, sz] = [ax * shape[3 * at]!, ay * shape[3 * at + 1]!, az * shape[3 * at + 2]!];
      const share = sx + sy + sz;
      const scale = share > 0 ? (1 - transmittance[cell]!) / (share * Math.PI) : 0;
      const fx = 3 * (CUBE_FACES * at + faces[0]);
      const fy = 3 * (CUBE_FACES * at + faces[1]);
      const fz = 3 * (CUBE_FACES * at + faces[2]);
      for (let channel = 0; channel < 3; channel += 1)
        emitted[3 * cell + channel] =
          scale *
          albedo[3 * at + channel]! *
          (sx * received[fx + channel]! + sy * received[fy + channel]! + sz * received[fz + channel]!);
    }
    sweepBounce(sweepAlong(lattice, d), transmittance, emitted, passing, arriving);
    for (let axis = 0; axis < 3; axis += 1) {
      const face = faceOf(axis, d[axis]! > 0);
      const scale = weight * Math.abs(d[axis]!);
      for (let j = 0; j < open.length; j += 1) {
        const from = 3 * open[j]!;
        const to = 3 * (CUBE_FACES * j + face);
        arrived[to]! += scale * arriving[from]!;
        arrived[to + 1]! += scale * arriving[from + 1]!;
        arrived[to + 2]! += scale * arriving[from + 2]!;
      }
    }
  }
  return arrived;
}

/**
 * Spreads compact cubes over the lattice, face by face. A cell inside matter takes what the open cell in front of the
 * face has; where none is (a corner), what its neighbours beside it take; last, anything open beside or diagonally ahead.
 */
function unfoldVolume(
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
