import { expect, test } from 'vitest';
import { Random } from '../../../src/core/random.ts';
import { categoryEntry, KIT_CATEGORIES, type KitCategory } from '../../../src/scenes/kit/categories.ts';
import { buildFurniture } from '../../../src/scenes/kit/furniture.ts';
import type { Size } from '../../../src/scenes/kit/part.ts';
import { bounds, coincidentFaces, componentVolumes, normalErrors } from './mesh-checks.ts';

/** The default size, a small and a large usual one, a random usual one, and one far outside the usual range. */
function sizes(category: KitCategory): Size[] {
  const { defaultSize, sizeRange } = categoryEntry(category);
  const random = new Random(0, 'sizes', category);
  const usual = [0, 1, 2].map((axis) =>
    random.between(sizeRange.min[axis] as number, sizeRange.max[axis] as number),
  ) as unknown as Size;
  const odd = [random.between(0.05, 5), random.between(0.05, 3), random.between(0.05, 5)] as const;
  return [defaultSize, sizeRange.min, sizeRange.max, usual, odd];
}

const looks = [undefined, ...[0, 1, 2, 3].map((seed) => new Random(seed, 'look'))];

test.for(KIT_CATEGORIES.map((category) => [category] as const))(
  '%s: parts, exact size, closed, outward',
  ([category]) => {
    for (const size of sizes(category))
      for (const look of looks) {
        const parts = buildFurniture(category, size, look);
        expect(parts.length).toBeGreaterThanOrEqual(4);
        expect(new Set(parts.map((part) => part.name)).size).toBe(parts.length);
        expect(parts.reduce((sum, part) => sum + part.indices.length / 3, 0)).toBeLessThan(2000);
        const box = bounds(parts);
        const [w, h, d] = size;
        [-w / 2, 0, -d / 2].forEach((side, axis) => {
          expect(Math.abs((box.low[axis] as number) - side)).toBeLessThan(1e-6);
        });
        [w / 2, h, d / 2].forEach((side, axis) => {
          expect(Math.abs((box.high[axis] as number) - side)).toBeLessThan(1e-6);
        });
        for (const part of parts) {
          expect(normalErrors(part), part.name).toEqual([]);
          expect(
            componentVolumes(part).filter((volume) => !(volume > 0)),
            `${category} ${part.name} at ${size}`,
          ).toEqual([]);
        }
      }
  },
);

test.for(KIT_CATEGORIES.map((category) => [category] as const))('%s: no coincident faces', ([category]) => {
  for (const size of sizes(category).slice(0, 4))
    for (const look of looks.slice(1, 4)) expect(coincidentFaces(buildFurniture(category, size, look))).toEqual([]);
});

test('the look depends on the seed and names of the stream only', () => {
  const stream = new Random(3, 'room');
  const first = buildFurniture('sofa', [2, 0.8, 0.9], stream);
  stream.next();
  expect(buildFurniture('sofa', [2, 0.8, 0.9], stream)).toEqual(first);
  const colours = new Set(
    Array.from({ length: 12 }, (_, seed) => buildFurniture('sofa', [2, 0.8, 0.9], new Random(seed))[0]?.material.name),
  );
  expect(colours.size).toBeGreaterThan(3);
});

test.for([[0, 1, 1] as const, [1, Number.NaN, 1] as const, [1, 1, -2] as const, [1, 1, Infinity] as const])(
  'size %s is refused',
  (size) => {
    expect(() => buildFurniture('chair', size)).toThrow(/kit furniture chair: invalid size ".*"; expected/);
  },
);
