import { describe, expect, test } from 'vitest';
import { countTriangles } from '../../src/scenes/count-triangles.ts';
import type { DraftObject } from '../../src/scenes/draft.ts';
import { boxOfPositions, readGeometry } from '../../src/scenes/glb-geometry.ts';
import { lightenMeshes } from '../../src/scenes/lighten-meshes.ts';
import { heavyGlb } from '../rendering/heavy-glb.ts';
import { twoBoxesGlb } from './make-glb.ts';

const object = (id: string, glb: Uint8Array): DraftObject => ({
  id,
  label: id,
  asset: null,
  transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  size: [1, 1, 1],
  supportedBy: null,
  geometry: { kind: 'mesh', glb },
});
const bytes = ({ geometry }: DraftObject) => (geometry.kind === 'mesh' ? geometry.glb : new Uint8Array(0));

test.each(['smooth', 'faceted', 'soup'] as const)(
  'a %s mesh comes down to the limit and keeps its box',
  async (kind) => {
    const glb = await heavyGlb(40_000, kind);
    const { objects, notes } = await lightenMeshes([object('ball', glb)], 8000);
    const light = bytes(objects[0]!);
    const count = countTriangles(light, 'light');
    expect(count).toBeLessThanOrEqual(8000);
    expect(count).toBeGreaterThan(6000);
    expect(notes).toEqual([
      expect.stringMatching(
        new RegExp(
          `^object "ball": ${countTriangles(glb, 'heavy')} triangles thinned to ${count}; its surface moved by at most 0\\.\\d+% of its size$`,
        ),
      ),
    ]);
    const box = (file: Uint8Array) => boxOfPositions(readGeometry(file)[0]!.positions)!;
    const [before, after] = [box(glb), box(light)];
    for (const axis of [0, 1, 2] as const) {
      expect(after.min[axis]).toBeCloseTo(before.min[axis], 2);
      expect(after.max[axis]).toBeCloseTo(before.max[axis], 2);
    }
  },
);

describe('what is thinned', () => {
  test('nothing while the scene is within the limit: the very same objects', async () => {
    const objects = [object('ball', await heavyGlb(2000, 'smooth')), object('boxes', await twoBoxesGlb())];
    const result = await lightenMeshes(objects);
    expect(result.notes).toEqual([]);
    result.objects.forEach((found, index) => {
      expect(found).toBe(objects[index]);
    });
  });

  test('only the heaviest; every use of a mesh counts, and equal bytes stay equal', async () => {
    const heavy = await heavyGlb(20_000, 'smooth');
    const light = await heavyGlb(1000, 'smooth');
    const objects = [object('a', heavy), object('b', light), object('c', heavy)];
    const result = await lightenMeshes(objects, 11_000);
    expect(result.notes.map((note) => note.slice(0, 10))).toEqual(['object "a"', 'object "c"']);
    expect(result.objects[1]).toBe(objects[1]);
    expect(bytes(result.objects[0]!)).toBe(bytes(result.objects[2]!));
    const total = result.objects.reduce((sum, item) => sum + countTriangles(bytes(item), item.id), 0);
    expect(total).toBeLessThanOrEqual(11_000);
    expect(total).toBeGreaterThan(9000);
  });

  test('the same mesh always gives the same bytes', async () => {
    const heavy = object('ball', await heavyGlb(20_000, 'faceted'));
    const [first, second] = [await lightenMeshes([heavy], 3000), await lightenMeshes([heavy], 3000)];
    expect(Buffer.compare(bytes(first.objects[0]!), bytes(second.objects[0]!))).toBe(0);
  });
});
