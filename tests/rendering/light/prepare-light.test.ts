import { expect, test } from 'vitest';
import type { Equirect } from '../../../src/rendering/environment-maps.ts';
import { equirectDirection, octahedralDirection, sphereDirections } from '../../../src/rendering/light/directions.ts';
import { prepareLight, SWEEP_DIRECTIONS } from '../../../src/rendering/light/prepare-light.ts';
import { REFLECTION_ROUGHNESS, ROUGH_TILE } from '../../../src/rendering/light/reflections.ts';

function map(radiance: (direction: readonly [number, number, number]) => [number, number, number]): Equirect {
  const [width, height] = [128, 64];
  const data = new Float32Array(3 * width * height);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      data.set(radiance(equirectDirection(column, row, width, height)), 3 * (row * width + column));
  return { width, height, data };
}

test('a uniform sky: irradiance pi, equal cells, every reflection 1', () => {
  const light = prepareLight(
    map(() => [1, 1, 1]),
    false,
  );
  expect(light.sun).toBeNull();
  expect(light.upward).toBeCloseTo(Math.PI, 2);
  const total = light.sky.reduce((sum, value) => sum + value, 0);
  expect(total / 3).toBeCloseTo(4 * Math.PI, 3);
  for (const value of light.sharp) expect(value).toBeCloseTo(1, 5);
  for (const value of light.rough) expect(value).toBeCloseTo(1, 1);
});

test('a small bright disc becomes a sun with its direction and irradiance, and leaves the map', () => {
  const towards = [0.48, 0.6, 0.64] as const;
  const light = prepareLight(
    map((d) => {
      const inside = d[0] * towards[0] + d[1] * towards[1] + d[2] * towards[2] > Math.cos((3 * Math.PI) / 180);
      return inside ? [2000, 1500, 1000] : [0.2, 0.3, 0.4];
    }),
    false,
  );
  const { sun } = light;
  expect(sun).not.toBeNull();
  for (const axis of [0, 1, 2] as const) expect(sun!.direction[axis]).toBeCloseTo(towards[axis], 1);
  const solidAngle = 2 * Math.PI * (1 - Math.cos((3 * Math.PI) / 180));
  expect(sun!.irradiance[0]! / (2000 * solidAngle)).toBeCloseTo(1, 0);
  // What is left in the map is the threshold, not the disc.
  expect(light.sharp.reduce((most, value) => Math.max(most, value), 0)).toBeLessThan(200);
});

test('a wide softbox and a sun below the horizon stay in the map', () => {
  const bright = (towards: readonly [number, number, number], degrees: number) =>
    map((d) =>
      d[0] * towards[0] + d[1] * towards[1] + d[2] * towards[2] > Math.cos((degrees * Math.PI) / 180)
        ? [500, 500, 500]
        : [0.1, 0.1, 0.1],
    );
  expect(prepareLight(bright([0, 0.8, 0.6], 9), false).sun).toBeNull();
  expect(prepareLight(bright([0, -0.8, 0.6], 2), false).sun).toBeNull();
  expect(prepareLight(bright([0, 0.8, 0.6], 2), false).sun).not.toBeNull();
});

test('normalised maps light a white floor alike, whatever their own brightness', () => {
  for (const brightness of [0.05, 1, 30]) {
    const light = prepareLight(
      map((d) => [brightness * (1 + d[1]), brightness, brightness]),
      true,
    );
    let up = 0;
    sphereDirections(SWEEP_DIRECTIONS).forEach((d, k) => {
      const y = 0.2126 * light.sky[3 * k]! + 0.7152 * light.sky[3 * k + 1]! + 0.0722 * light.sky[3 * k + 2]!;
      up += y * Math.max(d[1], 0);
    });
    expect(up).toBeCloseTo(Math.PI, 1);
  }
});

test('rough reflections are smoother than sharp ones and point the same way', () => {
  const light = prepareLight(
    map((d) => (d[0] > 0.7 ? [4, 4, 4] : [0, 0, 0])),
    false,
  );
  const side = ROUGH_TILE + 2;
  const brightest = (layer: number) => {
    let best = 0;
    let found: readonly [number, number, number] = [0, 0, 0];
    for (let row = 1; row <= ROUGH_TILE; row += 1)
      for (let column = 1; column <= ROUGH_TILE; column += 1) {
        const value = light.rough[4 * ((layer * side + row) * side + column)]!;
        if (value > best) {
          best = value;
          found = octahedralDirection((column - 0.5) / ROUGH_TILE, (row - 0.5) / ROUGH_TILE);
        }
      }
    return { best, found };
  };
  let before = Infinity;
  for (let layer = 0; layer < REFLECTION_ROUGHNESS.length; layer += 1) {
    const { best, found } = brightest(layer);
    expect(found[0]).toBeGreaterThan(0.85);
    expect(best).toBeLessThanOrEqual(before + 0.05);
    before = best;
  }
  expect(before).toBeLessThan(3);
});
