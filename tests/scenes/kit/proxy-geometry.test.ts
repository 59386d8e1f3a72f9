import { expect, test } from 'vitest';
import { Random } from '../../../src/core/random.ts';
import { buildFurniture } from '../../../src/scenes/kit/furniture.ts';
import { proxyGeometry } from '../../../src/scenes/kit/proxy-geometry.ts';
import { bounds } from './mesh-checks.ts';

test('a known label becomes furniture, an unknown one a box of the exact size', () => {
  const look = new Random(4, 'object', 'a');
  expect(proxyGeometry('Dining_Chair_2', [0.4, 0.9, 0.5], look)).toEqual(
    buildFurniture('chair', [0.4, 0.9, 0.5], look),
  );
  const box = proxyGeometry('didgeridoo', [0.1, 1.5, 0.1]);
  expect(box.map(({ name, material }) => [name, material.name])).toEqual([['box', 'unknown object']]);
  const { low, high } = bounds(box);
  [-0.05, 0, -0.05, 0.05, 1.5, 0.05].forEach((side, at) => {
    expect(Math.abs(([...low, ...high][at] as number) - side)).toBeLessThan(1e-6);
  });
});

test('a size that is no size is an error of one line', () => {
  expect(() => proxyGeometry('didgeridoo\nrm -rf', [0, 1, 1])).toThrow(
    'object "didgeridoo\\nrm -rf": invalid size "0 x 1 x 1"; expected width, height and depth above 0 m',
  );
});
