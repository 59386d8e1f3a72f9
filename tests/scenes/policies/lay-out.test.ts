import { expect, test } from 'vitest';
import { hashJson, sha256 } from '../../../src/core/hash.ts';
import { Random } from '../../../src/core/random.ts';
import type { Room } from '../../../src/core/scene.ts';
import type { DraftGeometry, DraftObject, SceneDraft } from '../../../src/scenes/draft.ts';
import { KIT_CATEGORIES } from '../../../src/scenes/kit/categories.ts';
import { outsideRooms, overlappingPairs } from '../../../src/scenes/layout-checks.ts';
import { LAYOUT_POLICIES, layOut } from '../../../src/scenes/policies/lay-out.ts';
import { POLICY_NAMES } from '../../../src/scenes/policies/policy.ts';
import { polygonRoom, rectangularRoom } from '../../../src/scenes/room-shell.ts';
import { validateDraft } from '../../../src/scenes/validate-draft.ts';

const room = rectangularRoom({
  id: 'room',
  type: 'bedroom',
  width: 4.6,
  depth: 4.2,
  height: 2.6,
  openings: {
    1: [{ type: 'window', from: 1.2, to: 2.6, bottom: 0.9, top: 2.1 }],
    2: [{ type: 'door', from: 0.4, to: 1.3, bottom: 0, top: 2.05 }],
  },
});
const BEDROOM = [
  'double bed',
  'nightstand',
  'nightstand',
  'lamp',
  'wardrobe',
  'desk',
  'chair',
  'rug',
  'plant',
  'painting',
];
const list = (labels: readonly string[]) => labels.map((label) => ({ label }));
const seeds = [0, 1, 2, 3, 4, 5, 6, 7];

function bedroom(policy: (typeof POLICY_NAMES)[number], seed: number) {
  return layOut(policy, { room, objects: list(BEDROOM), random: new Random(seed, 'test') });
}

/** Geometry as one hash: deep comparison of long arrays is slow. */
function digestOf(geometry: DraftGeometry): string {
  if (geometry.kind === 'mesh') return sha256(geometry.glb);
  return hashJson(
    geometry.parts.map((part) => [
      part.name,
      part.material.name,
      ...[part.positions, part.normals, part.indices].map((array) => sha256(new Uint8Array(array.buffer))),
    ]),
  );
}

function digest(draft: SceneDraft) {
  return { ...draft, objects: draft.objects.map((object) => ({ ...object, geometry: digestOf(object.geometry) })) };
}

function find(objects: readonly DraftObject[], label: string): DraftObject[] {
  return objects.filter((object) => object.label === label);
}

/** Where an object's front points, and where it stands. */
function pose({ transform }: DraftObject) {
  const at = (index: number) => transform[index] as number;
  return { x: at(12), y: at(13), z: at(14), front: [at(8), at(10)] as const };
}

test.for(POLICY_NAMES.map((name) => [name] as const))(
  '%s: same list, sizes, looks; a valid draft; the same again',
  ([policy]) => {
    for (const seed of seeds) {
      const draft = bedroom(policy, seed);
      validateDraft(draft);
      expect(digest(bedroom(policy, seed))).toEqual(digest(draft));
      expect({ id: draft.id, generator: draft.generator, rooms: draft.rooms }).toEqual({
        id: `${policy}-prompt`,
        generator: policy,
        rooms: [room],
      });
      const other = new Map(bedroom('functional', seed).objects.map((object) => [object.id, object]));
      for (const { id, label, size, geometry } of draft.objects)
        expect({ label, size, geometry }).toEqual({
          label: other.get(id)?.label,
          size: other.get(id)?.size,
          geometry: other.get(id)?.geometry,
        });
      expect(draft.objects.map(({ label }) => label)).toEqual(policy === 'sparse' ? expect.any(Array) : BEDROOM);
      expect(draft.objects.length).toBe(policy === 'sparse' ? 5 : 10);
      expect(draft.source.format).toBe(`layout-policy:${policy}`);
    }
  },
);

test('functional: bed at a wall, nightstands beside it, chair at the desk, lamp and picture off the floor, nothing overlaps', () => {
  for (const seed of seeds) {
    const { objects } = bedroom('functional', seed);
    expect(overlappingPairs(objects)).toEqual([]);
    expect(outsideRooms(objects, [room])).toEqual([]);
    const bed = find(objects, 'double bed')[0] as DraftObject;
    const { x, z, front } = pose(bed);
    const behind = [x - front[0] * (bed.size[2] / 2), z - front[1] * (bed.size[2] / 2)] as const;
    expect(Math.min(2.3 - Math.abs(behind[0]), 2.1 - Math.abs(behind[1]))).toBeLessThan(0.05);
    for (const stand of find(objects, 'nightstand')) {
      const distance = Math.hypot(pose(stand).x - x, pose(stand).z - z);
      expect(distance).toBeLessThan(1.5);
    }
    const [desk, chair] = [find(objects, 'desk')[0] as DraftObject, find(objects, 'chair')[0] as DraftObject];
    expect(Math.hypot(pose(desk).x - pose(chair).x, pose(desk).z - pose(chair).z)).toBeLessThan(1.1);
    expect(pose(desk).front[0] * pose(chair).front[0] + pose(desk).front[1] * pose(chair).front[1]).toBeCloseTo(-1);
    const lamp = find(objects, 'lamp')[0] as DraftObject;
    expect(lamp.supportedBy).toMatch(/^(nightstand|desk)-/);
    expect(pose(find(objects, 'painting')[0] as DraftObject).y).toBeGreaterThan(0.8);
  }
});

test('scatter collides and turns, grid stands in rows and faces one way', () => {
  const collisions = seeds.map((seed) => overlappingPairs(bedroom('scatter', seed).objects).length);
  expect(collisions.reduce((a, b) => a + b) / seeds.length).toBeGreaterThan(2);
  for (const seed of seeds) {
    const { objects } = bedroom('grid', seed);
    expect(objects.map((object) => pose(object).front)).toEqual(objects.map(() => [0, 1]));
    expect(outsideRooms(bedroom('scatter', seed).objects, [room])).toEqual([]);
    expect(new Set(objects.map((object) => pose(object).z)).size).toBeLessThan(objects.length);
  }
});

test('sparse leaves out a random half', () => {
  const kept = seeds.map((seed) =>
    bedroom('sparse', seed)
      .objects.map(({ id }) => id)
      .join(),
  );
  expect(new Set(kept).size).toBeGreaterThan(4);
});

test('every kind of furniture finds a place, in rooms of any shape, however small or full', () => {
  const rooms: Room[] = [
    rectangularRoom({ id: 'r', type: 'hall', width: 9, depth: 8, height: 3 }),
    rectangularRoom({ id: 'r', type: 'cell', width: 1.1, depth: 0.9, height: 2.2 }),
    polygonRoom({
      id: 'r',
      type: 'l-shape',
      height: 2.6,
      floor: [
        [0, 0],
        [6, 0],
        [6, 3],
        [3, 3],
        [3, 6],
        [0, 6],
      ],
    }),
    polygonRoom({
      id: 'r',
      type: 'triangle',
      height: 2.6,
      floor: [
        [0, 0],
        [5, 1],
        [1, 5],
      ],
    }),
  ];
  for (const at of rooms)
    for (const policy of POLICY_NAMES) {
      const labels = at.type === 'hall' ? KIT_CATEGORIES : KIT_CATEGORIES.filter((_, index) => index % 3 === 0);
      const draft = layOut(policy, { room: at, objects: list(labels), random: new Random(1, at.type) });
      validateDraft(draft);
      expect(draft.objects.length).toBe(policy === 'sparse' ? Math.ceil(labels.length / 2) : labels.length);
    }
  const hall = layOut('functional', {
    room: rooms[0] as Room,
    objects: list([...KIT_CATEGORIES]),
    random: new Random(1, 'hall'),
  });
  expect(outsideRooms(hall.objects, hall.rooms)).toEqual([]);
  expect(overlappingPairs(hall.objects).length).toBeLessThan(6);
});

test('an empty list is an empty room; an unknown label needs a size', () => {
  for (const policy of POLICY_NAMES)
    expect(layOut(policy, { room, objects: [], random: new Random(0) }).objects).toEqual([]);
  expect(() => layOut('grid', { room, objects: [{ label: 'gramophone' }], random: new Random(0) })).toThrow(
    'layout: unknown object "gramophone" without a size; expected a size or a kit label',
  );
  const odd = layOut('functional', {
    room,
    objects: [{ label: 'gramophone', size: [0.4, 0.6, 0.4] }],
    random: new Random(0),
  });
  expect(odd.objects.map(({ size, geometry }) => [size, geometry.kind === 'proxy' && geometry.parts[0]?.name])).toEqual(
    [[[0.4, 0.6, 0.4], 'box']],
  );
  expect(Object.keys(LAYOUT_POLICIES)).toEqual([...POLICY_NAMES]);
});
