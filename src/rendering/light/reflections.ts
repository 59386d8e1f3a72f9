import type { Equirect } from '../environment-maps.ts';
import type { Vector } from '../framing.ts';
import { equirectDirection, octahedralDirection } from './directions.ts';

/** Roughness of each layer of the reflection stack, evenly spaced; the layer after the last is irradiance / pi. */
export const REFLECTION_ROUGHNESS = [1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1] as const;
/** Side of the sharp map and of the rough layers, pixels; each has one pixel of border on every side. */
export const SHARP_TILE = 256;
export const ROUGH_TILE = 48;

/** An environment map with the direction and solid angle of each pixel. */
export interface Sky {
  /** RGB, sun removed. */
  readonly data: Float32Array;
  readonly directions: Float32Array;
  readonly solidAngles: Float32Array;
  readonly width: number;
  readonly height: number;
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

/** A map as mirrors see it: sharp, and prefiltered for each roughness with irradiance / pi as the last layer. */
export function reflections(sky: Sky): { sharp: Float32Array; rough: Float32Array } {
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
