import type { Vector } from '../framing.ts';
import { sphereDirections } from './directions.ts';
import type { Lattice, Matter } from './voxel-grid.ts';

/** Faces of the ambient cube, in order: +x, -x, +y, -y, +z, -z. */
export const CUBE_FACES = 6;
/** Directions of the bounce sweeps. */
const BOUNCE_DIRECTIONS = 32;
/** Cells at least this opaque hold a surface: light is not sampled in them but in front of them. */
const SOLID = 0.4;

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
  for (let at = 0; at < used; at += 1) if (transmittance[matter[at]!]! < 0.15) transmittance[matter[at]!] = 0;

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

/**
 * Light arriving at every open cell: the sky where it is visible, plus `bounces` diffuse bounces off every surface
 * (discrete ordinates on the lattice: B = albedo E / pi given off by each face of each cell with matter).
 */
export function solveLight(visibility: Visibility, light: SolverLight, bounces: number): LightVolume {
  const { lattice, transmittance, matter, albedo, shape, open, directions } = visibility;
  const { px, py, pz, strides } = padded(lattice);
  const total = px * py * pz;
  const cube = new Float32Array(4 * CUBE_FACES * open.length);
  const unblocked = new Float64Array(CUBE_FACES);
  directions.forEach((d, k) => {
    const luminance = 0.2126 * light.sky[3 * k]! + 0.7152 * light.sky[3 * k + 1]! + 0.0722 * light.sky[3 * k + 2]!;
    const row = k * open.length;
    for (let axis = 0; axis < 3; axis += 1) {
      const cosine = Math.abs(d[axis]!);
      const face = faceOf(axis, d[axis]! > 0);
      const [r, g, b, y] = [
        cosine * light.sky[3 * k]!,
        cosine * light.sky[3 * k + 1]!,
        cosine * light.sky[3 * k + 2]!,
        cosine * luminance,
      ];
      unblocked[face]! += y;
      for (let j = 0, at = 4 * face; j < open.length; j += 1, at += 4 * CUBE_FACES) {
        const seen = visibility.sky[row + j]!;
        cube[at]! += r * seen;
        cube[at + 1]! += g * seen;
        cube[at + 2]! += b * seen;
        cube[at + 3]! += y * seen;
      }
    }
  });
  for (let j = 0; j < open.length; j += 1)
    for (let face = 0; face < CUBE_FACES; face += 1)
      cube[4 * (CUBE_FACES * j + face) + 3]! /= Math.max(unblocked[face]!, 1e-9);

  const openAt = new Int32Array(total).fill(-1);
  open.forEach((cell, j) => {
    openAt[cell] = j;
  });
  const neighbours = [1, -1, strides[1], -strides[1], strides[2], -strides[2]];
  // Light each face of each matter cell receives first: the sky, and the sun where it is seen.
  let received = receive(cube, 4, matter, openAt, neighbours);
  if (light.sun !== null) addSun(received, visibility, light.sun);
  const bounced = new Float32Array(3 * CUBE_FACES * open.length);
  for (let bounce = 0; bounce < bounces; bounce += 1) {
    const arrived = bounceOnce(visibility, received, strides, total);
    // What later bounces would add is a geometric tail of the last one computed.
    const last = bounce === bounces - 1;
    const tail = last ? 1 / (1 - 0.45) : 1;
    for (let i = 0; i < bounced.length; i += 1) bounced[i]! += tail * arrived[i]!;
    if (!last) received = receive(arrived, 3, matter, openAt, neighbours);
  }
  for (let j = 0; j < open.length; j += 1)
    for (let face = 0; face < CUBE_FACES; face += 1)
      for (let channel = 0; channel < 3; channel += 1)
        cube[4 * (CUBE_FACES * j + face) + channel]! += bounced[3 * (CUBE_FACES * j + face) + channel]!;
  void transmittance;
  void albedo;
  void shape;
  return { lattice, data: unfoldVolume(lattice, cube, open, openAt, matter, neighbours) };
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

function bounceOnce(
  visibility: Visibility,
  received: Float32Array,
  strides: readonly [number, number, number],
  total: number,
): Float32Array {
  const { lattice, transmittance, matter, albedo, shape, open } = visibility;
  void strides;
  const arrived = new Float32Array(3 * CUBE_FACES * open.length);
  const emitted = new Float32Array(3 * total);
  const passing = new Float32Array(3 * total);
  const arriving = new Float32Array(3 * total);
  const weight = (4 * Math.PI) / BOUNCE_DIRECTIONS;
  for (const d of sphereDirections(BOUNCE_DIRECTIONS)) {
    for (let at = 0; at < matter.length; at += 1) {
      const cell = matter[at]!;
      const blocked = 1 - transmittance[cell]!;
      // Light travels along -d: it leaves through the faces that look that way.
      let share = 0;
      let [red, green, blue] = [0, 0, 0];
      for (let axis = 0; axis < 3; axis += 1) {
        const seen = Math.abs(d[axis]!) * shape[3 * at + axis]!;
        const from = 3 * (CUBE_FACES * at + faceOf(axis, d[axis]! < 0));
        share += seen;
        red += seen * received[from]!;
        green += seen * received[from + 1]!;
        blue += seen * received[from + 2]!;
      }
      const scale = share > 0 ? blocked / (share * Math.PI) : 0;
      emitted[3 * cell] = scale * albedo[3 * at]! * red;
      emitted[3 * cell + 1] = scale * albedo[3 * at + 1]! * green;
      emitted[3 * cell + 2] = scale * albedo[3 * at + 2]! * blue;
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

/** Spreads the compact cubes over the lattice; a cell inside matter takes, face by face, what the open cell in front has. */
function unfoldVolume(
  lattice: Lattice,
  cube: Float32Array,
  open: Uint32Array,
  openAt: Int32Array,
  matter: Uint32Array,
  neighbours: readonly number[],
): Float32Array {
  const { nx, ny, nz } = lattice;
  const { strides } = padded(lattice);
  const cells = nx * ny * nz;
  const data = new Float32Array(4 * CUBE_FACES * cells);
  const place = (index: number) => {
    const z = Math.floor(index / strides[2]);
    const y = Math.floor((index - z * strides[2]) / strides[1]);
    const x = index - z * strides[2] - y * strides[1];
    return x - 1 + nx * (y - 1 + ny * (z - 1));
  };
  for (let j = 0; j < open.length; j += 1) {
    const cell = place(open[j]!);
    for (let face = 0; face < CUBE_FACES; face += 1) {
      const from = 4 * (CUBE_FACES * j + face);
      data.set(cube.subarray(from, from + 4), 4 * (face * cells + cell));
    }
  }
  for (let at = 0; at < matter.length; at += 1) {
    const index = matter[at]!;
    if (openAt[index]! >= 0) continue;
    const cell = place(index);
    for (let face = 0; face < CUBE_FACES; face += 1) {
      // In front of the face; else beside it in front; else anything open around: a surface deep in a corner.
      const ahead = index + neighbours[face]!;
      let count = 0;
      const sum = [0, 0, 0, 0];
      const add = (where: number, weight: number) => {
        const j = openAt[where] ?? -1;
        if (j < 0) return;
        const from = 4 * (CUBE_FACES * j + face);
        for (let i = 0; i < 4; i += 1) sum[i]! += weight * cube[from + i]!;
        count += weight;
      };
      add(ahead, 1);
      if (count === 0)
        for (let side = 0; side < CUBE_FACES; side += 1) {
          if (side >> 1 === face >> 1) continue;
          add(ahead + neighbours[side]!, 1);
        }
      if (count === 0)
        for (let side = 0; side < CUBE_FACES; side += 1) if (side >> 1 !== face >> 1) add(index + neighbours[side]!, 1);
      if (count > 0) for (let i = 0; i < 4; i += 1) data[4 * (face * cells + cell) + i] = sum[i]! / count;
    }
  }
  return data;
}
