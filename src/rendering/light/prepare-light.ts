import type { Equirect } from '../environment-maps.ts';
import type { Vector } from '../framing.ts';
import { equirectDirection, octahedralDirection, sphereDirections } from './directions.ts';

/** Directions over the whole sphere that the light solver sweeps. */
export const SWEEP_DIRECTIONS = 96;
/** Roughness of each layer of the reflection stack, evenly spaced; the layer after the last is irradiance / pi. */
export const REFLECTION_ROUGHNESS = [1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1] as const;
/** Side of the sharp map and of the rough layers, pixels; each has one pixel of border on every side. */
export const SHARP_TILE = 256;
export const ROUGH_TILE = 48;
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

interface Sky {
  /** RGB, sun removed. */
  readonly data: Float32Array;
  readonly directions: Float32Array;
  readonly solidAngles: Float32Array;
  readonly width: number;
  readonly height: number;
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

/** A chain of halved equirects for sampling wide lobes without noise. */
function pyramid(sky: Sky): Equirect[] {
  const levels: Equirect[] = [{ width: sky.width, height: sky.height, data: sky.data }];
  while (levels.at(-1)!.height > 4) {
    const above = levels.at(-1)!;
    const width = above.width >> 1;
    const height = above.height >> 1;
    const data = new Float32Array(3 * width * height);
    for (let row = 0; row < height; row += 1)
      for (let column = 0; column < width; column += 1)
        for (let channel = 0; channel < 3; channel += 1) {
          const at = (y: number, x: number) =>
            above.data[3 * ((2 * row + y) * above.width + 2 * column + x) + channel]!;
          data[3 * (row * width + column) + channel] = (at(0, 0) + at(0, 1) + at(1, 0) + at(1, 1)) / 4;
        }
    levels.push({ width, height, data });
  }
  return levels;
}

function sampleEquirect(map: Equirect, [x, y, z]: Vector, out: Float64Array, scale: number): void {
  const { width, height, data } = map;
  const u = (Math.atan2(z, x) / (2 * Math.PI) + 0.5) * width - 0.5;
  const v = Math.min(Math.max((Math.asin(Math.min(Math.max(y, -1), 1)) / Math.PI + 0.5) * height - 0.5, 0), height - 1);
  const u0 = Math.floor(u);
  const v0 = Math.floor(v);
  const left = (u0 + width) % width;
  const right = (u0 + 1 + width) % width;
  const top = Math.min(v0 + 1, height - 1);
  const [fu, fv] = [u - u0, v - v0];
  for (let channel = 0; channel < 3; channel += 1) {
    const low = data[3 * (v0 * width + left) + channel]! * (1 - fu) + data[3 * (v0 * width + right) + channel]! * fu;
    const high = data[3 * (top * width + left) + channel]! * (1 - fu) + data[3 * (top * width + right) + channel]! * fu;
    out[channel]! += scale * (low * (1 - fv) + high * fv);
  }
}

/** Points of the Hammersley set. */
function hammersley(index: number, count: number): [number, number] {
  let bits = index;
  let inverse = 0;
  for (let digit = 0.5; bits > 0; digit /= 2, bits >>= 1) if (bits & 1) inverse += digit;
  return [(index + 0.5) / count, inverse];
}

function around([x, y, z]: Vector): [Vector, Vector] {
  const sign = z < 0 ? -1 : 1;
  const a = -1 / (sign + z);
  const b = x * y * a;
  return [
    [1 + sign * x * x * a, sign * b, -sign * x],
    [b, sign + y * y * a, -y],
  ];
}

/** GGX-prefiltered radiance about `axis` with view = normal = reflection (the split-sum approximation); roughness > 0. */
function prefilter(levels: Equirect[], axis: Vector, roughness: number, samples: number, out: Float64Array): void {
  const alpha2 = roughness ** 4;
  const [tangent, bitangent] = around(axis);
  const pixelAngle = (4 * Math.PI) / (levels[0]!.width * levels[0]!.height);
  let total = 0;
  out.fill(0);
  for (let index = 0; index < samples; index += 1) {
    const [first, second] = hammersley(index, samples);
    const cosine2 = (1 - second) / (1 + (alpha2 - 1) * second);
    const cosine = Math.sqrt(cosine2);
    const sine = Math.sqrt(Math.max(0, 1 - cosine2));
    const lit = 2 * cosine2 - 1;
    if (lit <= 0) continue;
    const density = alpha2 / (Math.PI * (cosine2 * (alpha2 - 1) + 1) ** 2) / 4;
    const level = Math.min(Math.max(0, 0.5 * Math.log2(1 / (samples * density) / pixelAngle) + 1), levels.length - 1);
    const [px, pz] = [
      2 * cosine * sine * Math.cos(2 * Math.PI * first),
      2 * cosine * sine * Math.sin(2 * Math.PI * first),
    ];
    const direction = [0, 1, 2].map((i) => tangent[i]! * px + bitangent[i]! * pz + axis[i]! * lit) as unknown as Vector;
    sampleEquirect(levels[Math.round(level)]!, direction, out, lit);
    total += lit;
  }
  for (let channel = 0; channel < 3; channel += 1) out[channel]! /= total;
}

/** Irradiance / pi about `axis`, from a coarse level, exact quadrature. */
function irradiance(level: Equirect, axis: Vector, out: Float64Array): void {
  out.fill(0);
  const { width, height, data } = level;
  for (let row = 0; row < height; row += 1) {
    const low = (row / height - 0.5) * Math.PI;
    const high = ((row + 1) / height - 0.5) * Math.PI;
    const solidAngle = ((Math.sin(high) - Math.sin(low)) * 2 * Math.PI) / width;
    for (let column = 0; column < width; column += 1) {
      const d = equirectDirection(column, row, width, height);
      const cosine = d[0] * axis[0] + d[1] * axis[1] + d[2] * axis[2];
      if (cosine <= 0) continue;
      for (let channel = 0; channel < 3; channel += 1)
        out[channel]! += (cosine * solidAngle * data[3 * (row * width + column) + channel]!) / Math.PI;
    }
  }
}

/** Writes an octahedral square with its border; over an edge it continues mirrored about the middle of that edge. */
function fillOctahedral(
  out: Float32Array,
  offset: number,
  side: number,
  pixel: Float64Array,
  shade: (direction: Vector) => void,
): void {
  let at = offset;
  for (let row = -1; row <= side; row += 1)
    for (let column = -1; column <= side; column += 1, at += 4) {
      let u = (column + 0.5) / side;
      let v = (row + 0.5) / side;
      if (u < 0 || u > 1) [u, v] = [u < 0 ? -u : 2 - u, 1 - v];
      if (v < 0 || v > 1) [u, v] = [1 - u, v < 0 ? -v : 2 - v];
      shade(octahedralDirection(u, v));
      out.set([pixel[0]!, pixel[1]!, pixel[2]!, 1], at);
    }
}

function reflections(sky: Sky): { sharp: Float32Array; rough: Float32Array } {
  const levels = pyramid(sky);
  const pixel = new Float64Array(3);
  const sharp = new Float32Array(4 * (SHARP_TILE + 2) ** 2);
  fillOctahedral(sharp, 0, SHARP_TILE, pixel, (direction) => {
    pixel.fill(0);
    sampleEquirect(levels[0]!, direction, pixel, 1);
  });
  const layer = 4 * (ROUGH_TILE + 2) ** 2;
  const rough = new Float32Array(layer * (REFLECTION_ROUGHNESS.length + 1));
  REFLECTION_ROUGHNESS.forEach((roughness, index) => {
    fillOctahedral(rough, index * layer, ROUGH_TILE, pixel, (direction) =>
      prefilter(levels, direction, roughness, 64, pixel),
    );
  });
  const coarse = levels.find((level) => level.height <= 32)!;
  fillOctahedral(rough, REFLECTION_ROUGHNESS.length * layer, ROUGH_TILE, pixel, (direction) =>
    irradiance(coarse, direction, pixel),
  );
  return { sharp, rough };
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
