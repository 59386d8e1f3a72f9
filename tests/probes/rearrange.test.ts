import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isFailure } from '../../src/core/outcome.ts';
import { Random } from '../../src/core/random.ts';
import type { FrozenScene, Point, Room, SceneObject } from '../../src/core/scene.ts';
import { applySceneEdit } from '../../src/probes/apply-scene-edit.ts';
import { movedOnly } from '../../src/probes/moved-only.ts';
import { areaOf, boxInside } from '../../src/probes/placing/area.ts';
import { standingBox } from '../../src/probes/placing/rigid.ts';
import type { SceneEdit, SceneProbe } from '../../src/probes/probe.ts';
import { scrambled } from '../../src/probes/scrambled.ts';
import { turnedOnly } from '../../src/probes/turned-only.ts';
import { overlappingPairs } from '../../src/scenes/layout-checks.ts';
import { BEDROOM, L_SHAPE, object, RECTANGLE, roomOver } from './probe-rooms.ts';

const bare = (objects: readonly SceneObject[], rooms: readonly Room[]): FrozenScene => ({
  scene: {
    schema: 'parallax/scene@1',
    id: 's',
    generator: 'g',
    prompt: 'p',
    rooms: [...rooms],
    objects: [...objects],
    frame: null,
    probe: null,
    source: { format: 'test', file: '', sha256: '', notes: [] },
    glb: '0'.repeat(64),
    hash: '0'.repeat(64),
  },
  folder: '',
  glb: new Uint8Array(),
});

async function edited(probe: SceneProbe, scene: FrozenScene, seed: number, choices: Record<string, string> = {}) {
  const edit = await probe.edit(scene, new Random(seed, 'test'), { prompts: [], choices });
  return isFailure(edit) ? edit : { edit, after: applySceneEdit(scene.scene, edit).objects };
}
const done = (result: Awaited<ReturnType<typeof edited>>): { edit: SceneEdit; after: SceneObject[] } => {
  if (isFailure(result)) throw new Error(result.reason);
  return result;
};
const yaw = ({ transform: m }: SceneObject) => Math.atan2(m[8] as number, m[10] as number);
const byId = (objects: readonly SceneObject[]) => new Map(objects.map((one) => [one.id, one]));

const LABELS = ['chair', 'table', 'armchair', 'nightstand', 'potted plant', 'xylophone', 'rug', 'wardrobe'];
const layouts = fc
  .record({
    floor: fc.constantFrom(RECTANGLE, L_SHAPE, [...L_SHAPE].reverse() as Point[]),
    objects: fc.array(
      fc.record({
        label: fc.constantFrom(...LABELS),
        size: fc.tuple(
          fc.double({ min: 0.2, max: 1.4, noNaN: true }),
          fc.double({ min: 0.1, max: 2, noNaN: true }),
          fc.double({ min: 0.2, max: 1.2, noNaN: true }),
        ),
        at: fc.tuple(
          fc.double({ min: -2.2, max: 2.2, noNaN: true }),
          fc.constantFrom(0, 0, 0, 0.8, 2),
          fc.double({ min: -1.8, max: 1.8, noNaN: true }),
          fc.double({ min: -180, max: 180, noNaN: true }),
        ),
      }),
      { minLength: 1, maxLength: 9 },
    ),
    seed: fc.integer({ min: 0, max: 1e6 }),
  })
  .map(({ floor, objects, seed }) => ({
    seed,
    floor,
    scene: bare(
      objects.map(({ label, size, at }, index) => object(`o${index}`, label, size, at)),
      [roomOver(floor)],
    ),
  }));

describe.each([
  ['scrambled', scrambled, {}],
  ['scrambled, supported fall', scrambled, { supported: 'fall' }],
  ['moved-only', movedOnly, {}],
  ['turned-only', turnedOnly, {}],
] as const)('%s over random rooms', (_, probe, choices) => {
  test('keeps set, sizes and heights; moved objects stand inside the room and touch nothing', async () => {
    await fc.assert(
      fc.asyncProperty(layouts, async ({ scene, seed, floor }) => {
        const result = await edited(probe, scene, seed, choices);
        if (isFailure(result)) return;
        const { edit, after } = result;
        const before = scene.scene.objects;
        expect(after.map(({ id, label, size }) => [id, label, size])).toEqual(
          before.map(({ id, label, size }) => [id, label, size]),
        );
        const moved = new Set((edit.moved ?? []).map(({ id }) => id));
        for (const [index, one] of after.entries()) {
          const original = before[index] as SceneObject;
          const heights = [original.transform[13], 'supported' in choices ? original.transform[13] : undefined];
          if (!('supported' in choices)) expect(one.transform[13]).toBe(heights[0]);
          else expect([0, heights[1]]).toContain(Math.round((one.transform[13] as number) * 1e9) / 1e9);
          if (!moved.has(one.id)) expect(one.transform).toEqual(original.transform);
          else expect(boxInside(standingBox(one), areaOf(roomOver(floor)), 0.051)).toBe(true);
        }
        const place = byId(before);
        const carried = (a: string, b: string) =>
          // two that move as one body keep the overlap they had
          overlappingPairs([place.get(a) as SceneObject, place.get(b) as SceneObject]).length > 0;
        const clashes = overlappingPairs(after.filter(({ label, size }) => label !== 'rug' && size[1] >= 0.03)).filter(
          ([a, b]) => (moved.has(a) || moved.has(b)) && !carried(a, b),
        );
        expect(clashes).toEqual([]);
      }),
      { numRuns: 60, seed: 8 },
    );
  });

  test('the same seed gives the same edit, another seed another', async () => {
    const scene = bare(BEDROOM, [roomOver(RECTANGLE)]);
    const [one, two, other] = [
      await edited(probe, scene, 5, choices),
      await edited(probe, scene, 5, choices),
      await edited(probe, scene, 6, choices),
    ];
    expect(one).toEqual(two);
    expect(one).not.toEqual(other);
  });

  test('a scene without objects is skipped with the reason', async () => {
    expect(await edited(probe, bare([], [roomOver(RECTANGLE)]), 1)).toEqual({
      status: 'skipped',
      reason: 'no objects',
    });
  });
});

describe('a furnished bedroom, scrambled', () => {
  const openings = {
    0: [{ type: 'window' as const, from: 1, to: 4, bottom: 0.9, top: 2.1 }],
    2: [{ type: 'door' as const, from: 1, to: 2, bottom: 0, top: 2.1 }],
  };
  const scene = bare(BEDROOM, [roomOver(RECTANGLE, openings)]);

  test('the lamp travels with its nightstand, or falls to the floor', async () => {
    for (let seed = 0; seed < 30; seed += 1) {
      const { after } = done(await edited(scrambled, scene, seed));
      const [stand, lamp] = [byId(after).get('nightstand') as SceneObject, byId(after).get('lamp') as SceneObject];
      expect(lamp.supportedBy).toBe('nightstand');
      expect(lamp.transform[12]).toBeCloseTo(stand.transform[12] as number, 9);
      expect(lamp.transform[14]).toBeCloseTo(stand.transform[14] as number, 9);
      const fallen = done(await edited(scrambled, scene, seed, { supported: 'fall' })).after;
      const onFloor = byId(fallen).get('lamp') as SceneObject;
      expect([onFloor.transform[13], onFloor.supportedBy]).toEqual([0, null]);
      expect(overlappingPairs(fallen)).toEqual([]);
    }
  });

  test('a lamp without a named supporter travels with what is under it', async () => {
    const anonymous = BEDROOM.map((one) => ({ ...one, supportedBy: null }));
    const named = done(await edited(scrambled, scene, 3));
    const found = done(await edited(scrambled, bare(anonymous, scene.scene.rooms), 3));
    expect(found.edit).toEqual(named.edit);
  });

  test('the painting stays flat on a wall at its height, clear of door and window', async () => {
    const walls = new Set<number>();
    for (let seed = 0; seed < 40; seed += 1) {
      const { after } = done(await edited(scrambled, scene, seed));
      const painting = byId(after).get('painting') as SceneObject;
      const [x, y, z] = [12, 13, 14].map((index) => painting.transform[index] as number) as [number, number, number];
      expect(y).toBe(1.4);
      const gaps = [z + 2, 2.5 - x, 2 - z, x + 2.5];
      const wall = gaps.findIndex((gap) => Math.abs(gap - 0.05) < 1e-9);
      expect(wall).toBeGreaterThanOrEqual(0);
      walls.add(wall);
      // its front looks into the room
      expect([Math.sin(yaw(painting)), Math.cos(yaw(painting))].map((v) => Math.round(v) + 0)).toEqual(
        [
          [0, 1],
          [-1, 0],
          [0, -1],
          [1, 0],
        ][wall]?.map((v) => v + 0),
      );
      // wall 0 runs from x -2.5 to 2.5 with a window 1..4 m along it; wall 2 runs back with a door 1..2 m along it
      if (wall === 0) expect(x + 0.4 <= -1.5 || x - 0.4 >= 1.5).toBe(true);
      if (wall === 2) expect(2.5 - (x - 0.4) <= 1 || 2.5 - (x + 0.4) >= 2).toBe(true);
    }
    expect(walls.size).toBeGreaterThan(2);
  });

  test('the rug stays on the floor, furniture may stand on it, the pendant keeps its height', async () => {
    let under = 0;
    for (let seed = 0; seed < 20; seed += 1) {
      const { after } = done(await edited(scrambled, scene, seed));
      const all = byId(after);
      expect([all.get('rug')?.transform[13], all.get('pendant')?.transform[13]]).toEqual([0, 2.1]);
      const rug = { ...(all.get('rug') as SceneObject), size: [2, 0.1, 1.4] as [number, number, number] };
      if (overlappingPairs([rug, all.get('bed') as SceneObject]).length > 0) under += 1;
    }
    expect(under).toBeGreaterThan(0);
  });

  test('moved-only turns nothing, turned-only moves nothing and leaves the wall alone', async () => {
    for (let seed = 0; seed < 20; seed += 1) {
      for (const { id, from, to } of done(await edited(movedOnly, scene, seed)).edit.moved ?? []) {
        expect(to.slice(0, 12)).toEqual(from.slice(0, 12));
        expect(
          Math.hypot((to[12] as number) - (from[12] as number), (to[14] as number) - (from[14] as number)),
        ).toBeGreaterThan(0.09);
        if (id === 'painting') expect(to[14]).toBeCloseTo(-1.95, 9);
      }
      const turned = done(await edited(turnedOnly, scene, seed)).edit;
      for (const { from, to } of turned.moved ?? []) {
        expect(to.slice(12)).toEqual(from.slice(12));
        expect(to[0] === from[0] && to[2] === from[2]).toBe(false);
      }
      expect((turned.moved ?? []).map(({ id }) => id)).not.toContain('painting');
    }
  });
});

describe('what cannot be placed', () => {
  test('keeps its pose, is listed, and the others are placed round it', async () => {
    // The slab fills the floor and can stand nowhere else; the painting can hang anywhere above it.
    const objects = [
      object('slab', 'stage', [4.98, 0.3, 3.98], [0, 0, 0]),
      object('painting', 'painting', [0.8, 0.6, 0.05], [0, 1.4, -1.95]),
    ];
    const { edit, after } = done(await edited(movedOnly, bare(objects, [roomOver(RECTANGLE)]), 4));
    expect(edit.unplaced).toEqual(['slab']);
    expect((edit.moved ?? []).map(({ id }) => id)).toEqual(['painting']);
    expect(overlappingPairs(after)).toEqual([]);
  });

  test('nothing at all: skipped', async () => {
    const full = bare([object('slab', 'stage', [4.99, 0.3, 3.99], [0, 0, 0])], [roomOver(RECTANGLE)]);
    const reason = 'no object can be placed elsewhere in the room';
    expect(await edited(movedOnly, full, 1)).toEqual({ status: 'skipped', reason });
  });

  test('every object has a room: its own, or the nearest', async () => {
    const second = { ...roomOver(RECTANGLE.map(([x, z]): Point => [x + 10, z])), id: 'second' };
    const objects = [
      object('a', 'chair', [0.4, 0.8, 0.4], [0, 0, 0]),
      object('b', 'chair', [0.4, 0.8, 0.4], [10, 0, 0]),
      object('c', 'chair', [0.4, 0.8, 0.4], [14, 0, 0]),
    ];
    for (let seed = 0; seed < 10; seed += 1) {
      const { after } = done(await edited(scrambled, bare(objects, [roomOver(RECTANGLE), second]), seed));
      const xs = after.map(({ transform }) => transform[12] as number);
      expect(xs.map((x) => x > 5)).toEqual([false, true, true]);
      expect(xs.every((x) => Math.abs(x) < 2.5 || Math.abs(x - 10) < 2.5)).toBe(true);
    }
  });

  test('without a room objects stay in the rectangle round them', async () => {
    const objects = [0, 1, 2, 3].map((at) => object(`o${at}`, 'chair', [0.4, 0.8, 0.4], [2 * (at % 2), 0, at, 0]));
    const { after } = done(await edited(scrambled, bare(objects, []), 2));
    for (const { transform } of after) {
      expect(transform[12]).toBeGreaterThan(-0.2);
      expect(transform[12]).toBeLessThan(2.2);
      expect(transform[14]).toBeGreaterThan(-0.2);
      expect(transform[14]).toBeLessThan(3.2);
    }
  });
});
