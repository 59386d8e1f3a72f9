import type { Equirect } from '../environment-maps.ts';
import type { Vector } from '../framing.ts';
import { equirectDirection, sphereDirections } from './directions.ts';
import { reflections, type Sky } from './reflections.ts';

/** Directions over the whole sphere that the light solver sweeps. */
export const SWEEP_DIRECTIONS = 96;
const LUMINANCE = [0.2126, 0.7152, 0.0722] as const;

/** A small bright source taken out of the map: parallel light. */
export interface Sun {
  /** Towards the sun, unit. */
  readonly direction: Vector;
  /** Irradiance on a surface facing it, RGB. */
  readonly irradiance: Vector;
  /** Root mean square angular radius, radians. */
  readonly radius: number;
}

/** One environment map, ready for the renderer; plain numbers, computed once and cached. */
export interface PreparedLight {
  readonly sun: Sun | null;
  /** Radiance x solid angle of each sweep direction's cell, RGB; the sun is not in it. */
  readonly sky: Float32Array;
  /** Upward irradiance, sun included, RGB luminance: what `normalised` divides by. */
  readonly upward: number;
  /** The map as an octahedral RGBA square of SHARP_TILE + 2 pixels, sun not included; alpha 1. */
  readonly sharp: Float32Array;
  /** Layers of ROUGH_TILE + 2 pixels: the map prefiltered for each roughness, then irradiance / pi. */
  readonly rough: Float32Array;
}

function luminanceAt(data: Float32Array, pixel: number): number {
  return LUMINANCE[0] * data[3 * pixel]! + LUMINANCE[1] * data[3 * pixel + 1]! + LUMINANCE[2] * data[3 * pixel + 2]!;
}

function unfold(map: Equirect): Sky {
  const { width, height } = map;
  const directions = new Float32Array(3 * width * height);
  const solidAngles = new Float32Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const low = (row / height - 0.5) * Math.PI;
    const high = ((row + 1) / height - 0.5) * Math.PI;
    const solidAngle = ((Math.sin(high) - Math.sin(low)) * 2 * Math.PI) / width;
    for (let column = 0; column < width; column += 1) {
      const pixel = row * width + column;
      directions.set(equirectDirection(column, row, width, height), 3 * pixel);
      solidAngles[pixel] = solidAngle;
    }
  }
  return { data: Float32Array.from(map.data), directions, solidAngles, width, height };
}

/**
 * Takes the sun out of a map: pixels brighter than 16x the mean luminance within 12 degrees of the brightest give their
 * excess to one parallel light. A map keeps its "sun" when that light is wider than 4 degrees (a softbox, a window: no
 * sharp shadow), gives under 3% of the upward irradiance, or stands below the horizon.
 */
function takeSun(sky: Sky): Sun | null {
  const { data, directions, solidAngles } = sky;
  const pixels = solidAngles.length;
  let peak = 0;
  let brightest = -1;
  let mean = 0;
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const luminance = luminanceAt(data, pixel);
    mean += (luminance * solidAngles[pixel]!) / (4 * Math.PI);
    if (luminance > brightest) {
      brightest = luminance;
      peak = pixel;
    }
  }
  const threshold = 16 * mean;
  const cosine = Math.cos((12 * Math.PI) / 180);
  const chosen: number[] = [];
  const irradiance: [number, number, number] = [0, 0, 0];
  const centre: [number, number, number] = [0, 0, 0];
  const toPeak = (pixel: number) =>
    directions[3 * pixel]! * directions[3 * peak]! +
    directions[3 * pixel + 1]! * directions[3 * peak + 1]! +
    directions[3 * pixel + 2]! * directions[3 * peak + 2]!;
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    const luminance = luminanceAt(data, pixel);
    if (luminance <= threshold || toPeak(pixel) < cosine) continue;
    chosen.push(pixel);
    const share = 1 - threshold / luminance;
    for (let channel = 0; channel < 3; channel += 1) {
      irradiance[channel]! += share * data[3 * pixel + channel]! * solidAngles[pixel]!;
      centre[channel]! += share * luminance * solidAngles[pixel]! * directions[3 * pixel + channel]!;
    }
  }
  if (chosen.length === 0) return null;
  const length = Math.hypot(...centre);
  const direction: Vector = [centre[0] / length, centre[1] / length, centre[2] / length];
  let spread = 0;
  let weight = 0;
  for (const pixel of chosen) {
    const luminance = luminanceAt(data, pixel);
    const energy = (luminance - threshold) * solidAngles[pixel]!;
    const chord = [0, 1, 2].reduce((sum, axis) => sum + (directions[3 * pixel + axis]! - direction[axis]!) ** 2, 0);
    spread += energy * chord;
    weight += energy;
  }
  const radius = Math.sqrt(spread / weight);
  const sunUpward = luminanceAt(Float32Array.from(irradiance), 0) * Math.max(direction[1], 0);
  if (direction[1] <= 0.02 || radius > (4 * Math.PI) / 180 || sunUpward < 0.03 * upwardIrradiance(sky)) return null;
  for (const pixel of chosen) {
    const keep = threshold / luminanceAt(data, pixel);
    for (let channel = 0; channel < 3; channel += 1) data[3 * pixel + channel]! *= keep;
  }
  return { direction, irradiance, radius };
}

function upwardIrradiance({ data, directions, solidAngles }: Sky): number {
  let sum = 0;
  for (let pixel = 0; pixel < solidAngles.length; pixel += 1)
    sum += luminanceAt(data, pixel) * solidAngles[pixel]! * Math.max(directions[3 * pixel + 1]!, 0);
  return sum;
}

/** Radiance x solid angle over the Voronoi cell of each sweep direction. */
function sweepSky({ data, directions, solidAngles }: Sky): Float32Array {
  const axes = sphereDirections(SWEEP_DIRECTIONS);
  const sky = new Float32Array(3 * SWEEP_DIRECTIONS);
  for (let pixel = 0; pixel < solidAngles.length; pixel += 1) {
    const [x, y, z] = [directions[3 * pixel]!, directions[3 * pixel + 1]!, directions[3 * pixel + 2]!];
    let best = -2;
    let nearest = 0;
    for (let k = 0; k < axes.length; k += 1) {
      const axis = axes[k]!;
      const cosine = axis[0] * x + axis[1] * y + axis[2] * z;
      if (cosine > best) {
        best = cosine;
        nearest = k;
      }
    }
    for (let channel = 0; channel < 3; channel += 1)
      sky[3 * nearest + channel]! += data[3 * pixel + channel]! * solidAngles[pixel]!;
  }
  return sky;
}

/** Everything the renderer needs of an environment map; `scale` multiplies all of it (1 keeps the map's own brightness). */
export function prepareLight(map: Equirect, normalise: boolean): PreparedLight {
  const sky = unfold(map);
  const upward = upwardIrradiance(sky);
  if (normalise) {
    // pi: a white floor under the open sky reads 1.
    for (let index = 0; index < sky.data.length; index += 1) sky.data[index]! *= Math.PI / upward;
  }
  const sun = takeSun(sky);
  return { sun, sky: sweepSky(sky), upward, ...reflections(sky) };
}
