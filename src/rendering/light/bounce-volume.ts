import type { Vector } from '../framing.ts';
import { sphereDirections } from './directions.ts';
import { sweepAlong, sweepBounce, sweepSky } from './lattice-sweep.ts';
import { CUBE_FACES, faceOf, faceSteps, padded } from './padded-lattice.ts';
import { openIndex, type Visibility } from './see-sky.ts';
import { type SolverLight, skyCubes } from './sky-cubes.ts';
import { type LightVolume, unfoldVolume } from './unfold-volume.ts';

/** Directions of the bounce sweeps. */
const BOUNCE_DIRECTIONS = 32;

/** Bounced light (RGB, 3 numbers a face) over the whole coarse lattice. */
export function bounceVolume(coarse: Visibility, light: SolverLight, bounces: number): LightVolume {
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
