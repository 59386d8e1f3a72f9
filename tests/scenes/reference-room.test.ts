import { describe, expect, test } from 'vitest';
import { freezeInMemory } from '../../src/scenes/freeze.ts';
import { boxOfPositions, readGeometry } from '../../src/scenes/glb-geometry.ts';
import { IMPORTERS } from '../../src/scenes/import-formats.ts';
import { SourceFile } from '../../src/scenes/source-file.ts';
import {
  corners,
  FIXTURES,
  FLOOR,
  fixtureDraft,
  furniture,
  importerOf,
  importFile,
  importFixture,
  memoryFile,
  milli,
  seen,
  walls,
  wallsBySide,
} from './reference-room.ts';

interface Fixture {
  readonly format: string;
  readonly path: string;
  /** Ids and labels of bed, wardrobe and chair. */
  readonly names: readonly (readonly [string, string])[];
  /** null: the format has no room. */
  readonly room: { readonly id: string; readonly type: string; readonly holes: boolean } | null;
  /** Where the format's origin lies from the reference's. */
  readonly shift?: readonly [number, number];
  /** Objects besides the three. */
  readonly more?: readonly string[];
  readonly roomSize?: number;
}

const FIXTURES_OF: readonly Fixture[] = [
  {
    format: 'layoutvlm',
    path: 'layoutvlm/layout.json',
    names: [
      ['bed-0', 'bed'],
      ['wardrobe-0', 'wardrobe'],
      ['chair-0', 'chair'],
    ],
    room: { id: 'room', type: '', holes: false },
  },
  {
    format: 'idesign',
    path: 'idesign/scene_graph.json',
    names: [
      ['bed_1', 'bed'],
      ['wardrobe_1', 'wardrobe'],
      ['chair_1', 'chair'],
    ],
    room: { id: 'room', type: '', holes: false },
  },
  {
    format: 'reason3d',
    path: 'reason3d/placed_objects.json',
    names: [
      ['bed-0', 'bed'],
      ['wardrobe-1', 'wardrobe'],
      ['chair-2', 'chair'],
    ],
    room: null,
  },
  {
    format: 'holodeck',
    path: 'holodeck/bedroom.json',
    names: [
      ['bed-0 (bedroom)', 'bed'],
      ['wardrobe-0 (bedroom)', 'wardrobe'],
      ['chair-0 (bedroom)', 'chair'],
    ],
    room: { id: 'bedroom', type: 'bedroom', holes: true },
    more: ['book-0|chair-0 (bedroom)', 'statue-0 (bedroom)'],
  },
  {
    format: 'procthor',
    path: 'procthor/house.json',
    names: [
      ['2|0', 'bed'],
      ['Wardrobe|2|1', 'wardrobe'],
      ['Chair|2|2', 'chair'],
    ],
    room: { id: 'room|2', type: 'Bedroom', holes: true },
    more: ['small|2|3'],
  },
  {
    format: 'sceneeval',
    path: 'sceneeval/upstream.json',
    names: [
      ['1', 'bed'],
      ['2', 'wardrobe'],
      ['3', 'chair'],
    ],
    room: { id: '0', type: 'Bedroom', holes: true },
  },
  {
    format: 'sceneeval',
    path: 'sceneeval/fork.json',
    names: [
      ['bed_0', 'bed'],
      ['wardrobe_0', 'wardrobe'],
      ['chair_0', 'chair'],
    ],
    room: { id: 'bedroom', type: 'bedroom', holes: true },
  },
  {
    format: 'sceneeval',
    path: 'sceneeval/hsm.json',
    names: [
      ['0', 'bed'],
      ['1', 'wardrobe'],
      ['2', 'chair'],
    ],
    room: { id: '0', type: '', holes: true },
  },
  {
    format: 'sceneweaver-plan',
    path: 'sceneweaver/results.json',
    names: [
      ['Bed 1', 'bed'],
      ['Wardrobe 1', 'wardrobe'],
      ['Chair 1', 'chair'],
    ],
    room: { id: 'room', type: 'Bedroom', holes: false },
    more: ['book 1'],
  },
  {
    format: 'boxes',
    path: 'boxes/room.json',
    names: [
      ['double_bed-1', 'double bed'],
      ['wardrobe-2', 'wardrobe'],
      ['chair-3', 'chair'],
    ],
    room: { id: 'room', type: 'bedroom', holes: false },
    shift: [-2, 1.5],
  },
  {
    format: 'layoutgpt',
    path: 'layoutgpt/bedroom.json',
    names: [
      ['double_bed-0', 'double bed'],
      ['wardrobe-0', 'wardrobe'],
      ['chair-0', 'chair'],
    ],
    room: { id: 'room', type: 'bedroom', holes: false },
    shift: [0, 3],
    roomSize: 3,
  },
  {
    format: 'scenesmith',
    path: 'scenesmith/house_state.json',
    names: [
      ['bed_0', 'bed'],
      ['wardrobe_0', 'wardrobe'],
      ['chair_0', 'chair'],
    ],
    room: { id: 'bedroom', type: 'bedroom', holes: true },
    more: ['book_0'],
  },
  {
    format: '3d-front',
    path: 'front3d/house.json',
    names: [
      ['furniture-1', 'double bed'],
      ['furniture-2', 'wardrobe'],
      ['furniture-3', 'chair'],
    ],
    room: { id: 'Bedroom-7', type: 'Bedroom', holes: true },
  },
  {
    format: 'spatiallm',
    path: 'spatiallm/scene.txt',
    names: [
      ['bbox_0', 'bed'],
      ['bbox_1', 'wardrobe'],
      ['bbox_2', 'chair'],
    ],
    room: { id: 'room', type: '', holes: true },
  },
];

describe.each(FIXTURES_OF)('$path', ({ format, path, names, room, shift = [0, 0], more = [], roomSize }) => {
  const options = roomSize === undefined ? {} : { roomSize };

  test('is recognised', async () => {
    const file = await SourceFile.open(`${FIXTURES}/${path}`);
    expect(importerOf(format).recognise(file)).toMatchObject({ confidence: expect.closeTo(0.9, 0) });
  });

  test('gives the reference furniture: positions, facing, size', async () => {
    const objects = seen(await fixtureDraft(format, path, options));
    expect(Object.keys(objects).sort()).toEqual([...names.map(([id]) => id), ...more].sort());
    for (const id of more) delete objects[id];
    expect(objects).toEqual(furniture(names, [shift[0], shift[1]]));
  });

  test('gives the reference room: floor, walls, openings', async () => {
    const draft = await fixtureDraft(format, path, options);
    if (room === null) {
      expect(draft.rooms).toEqual([]);
      return;
    }
    const [found] = draft.rooms;
    const back = (point: readonly number[]): [number, number] => [
      (point[0] as number) - shift[0],
      (point[1] as number) - shift[1],
    ];
    const moved = {
      ...(found as NonNullable<typeof found>),
      floor: (found as NonNullable<typeof found>).floor.map(back),
      walls: (found as NonNullable<typeof found>).walls.map((wall) => ({
        ...wall,
        start: back(wall.start),
        end: back(wall.end),
      })),
    };
    expect({ rooms: draft.rooms.length, id: moved.id, type: moved.type, height: moved.wallHeight }).toEqual({
      rooms: 1,
      id: room.id,
      type: room.type,
      height: 2.6,
    });
    expect(corners(moved)).toEqual(FLOOR);
    expect(wallsBySide(moved)).toEqual(walls(room.holes));
  });

  test('freezes, and the frozen geometry fills the boxes', async () => {
    const draft = await fixtureDraft(format, path, options);
    const { scene, glb } = await freezeInMemory(draft);
    expect(scene.objects.map(({ id }) => id)).toEqual(draft.objects.map(({ id }) => id));
    const bed = readGeometry(glb).find(({ node }) => node === `object:${names[0]?.[0]}`);
    const box = boxOfPositions(bed?.positions as Float32Array);
    expect([box?.min.map(milli), box?.max.map(milli)]).toEqual([
      [milli(1.2 + shift[0]), 0, milli(-3 + shift[1])],
      [milli(2.8 + shift[0]), 0.6, milli(-1 + shift[1])],
    ]);
  });
});

test('SceneWeaver layouts are rounded to 0.01 rad in the file', async () => {
  const draft = await fixtureDraft('sceneweaver', 'sceneweaver/layout_3.json');
  const objects = seen(draft);
  expect(objects['2222_wardrobe']).toEqual({
    label: 'wardrobe',
    size: [1.2, 2, 0.6],
    base: [0.3, 0, -1],
    front: [1, 0, 0],
  });
  expect(objects['1111_BedFactory']).toMatchObject({ label: 'bed', size: [1.6, 0.6, 2], base: [2, 0, -2] });
  const bed = objects['1111_BedFactory']?.front as number[];
  expect(Math.hypot(bed[0] as number, (bed[2] as number) - 1)).toBeLessThan(0.01);
  const chair = objects['3333_ChairFactory']?.front as number[];
  expect(Math.hypot((chair[0] as number) - 0.5, (chair[2] as number) + 0.866)).toBeLessThan(0.01);
  expect(draft.objects.map(({ supportedBy }) => supportedBy)).toEqual([null, null, null, '3333_ChairFactory']);
  expect(corners(draft.rooms[0] as (typeof draft.rooms)[number])).toEqual(FLOOR);
  const round = (value: number): number => Math.round(value * 100) / 100;
  const holes = draft.rooms[0]?.walls.flatMap(({ start, end, openings }) =>
    openings.map(({ type, from, to, bottom, top }) => ({
      type,
      // Along the wall from its start, as points of the floor plan.
      along: [from, to].map((at) => {
        const share = at / Math.hypot(end[0] - start[0], end[1] - start[1]);
        return [0, 1].map((axis) => round(start[axis as 0] + share * (end[axis as 0] - start[axis as 0])) + 0);
      }),
      height: [round(bottom) + 0, round(top)],
    })),
  );
  expect(holes).toEqual([
    {
      type: 'door',
      along: [
        [2.5, 0],
        [3.4, 0],
      ],
      height: [0, 2.1],
    },
    {
      type: 'window',
      along: [
        [4, -1],
        [4, -2],
      ],
      height: [0.9, 2.1],
    },
  ]);
  expect(draft.source.notes).toEqual(
    expect.arrayContaining([
      '1 windows and entrances without a place left out: window_2',
      '2 windows and entrances: their locations are taken for the centre of their blocks (so entrances stand on the floor)',
    ]),
  );
});

test('SceneWeaver: blocks whose location is their bottom stand on the floor all the same', async () => {
  const block = (location: number[], size: number[]): object => ({ location, rotation: [0, 0, 0], size });
  const [scene] = await importFile(
    'sceneweaver',
    memoryFile('layout_1.json', {
      objects: { a_box: { location: [1, 1, 0], rotation: [0, 0, 0], size: [1, 1, 1], parent: [] } },
      structure: {
        entrance: block([2, 3, 0], [0.9, 0.1, 2.1]),
        window: block([0, 1, 0.9], [0.1, 1, 1.2]),
        lost: block([2, 1.5, 1], [1, 0.1, 1]),
      },
      roomsize: [4, 3],
    }),
  );
  if (scene === undefined || !('draft' in scene)) throw new Error('refused');
  const holes = scene.draft.rooms[0]?.walls.flatMap(({ id, openings }) =>
    openings.map(({ from, to, ...hole }) => ({ id, from: milli(from), to: milli(to), ...hole })),
  );
  expect(holes).toEqual([
    { id: 'w2', type: 'door', from: 1.55, to: 2.45, bottom: 0, top: 2.1 },
    { id: 'w3', type: 'window', from: 1.5, to: 2.5, bottom: 0.9, top: 2.1 },
  ]);
  expect(scene.notes).toEqual(expect.arrayContaining(['layout_1.json: a window lies in no wall: left out']));
});

test.each<[string, string, string, unknown, RegExp]>([
  [
    'PhyScene with articulated objects',
    'physcene',
    'a.json',
    { ThreedFront: {}, GPN: { door: [{}, {}] } },
    /2 articulated objects under "GPN".*documented nowhere/,
  ],
  [
    "HSM's working state alone",
    'sceneeval',
    'hsm_scene_state.json',
    { scene_objects: [] },
    /expected the stk_scene_state\.json/,
  ],
  [
    "Drake's directives alone",
    'sdf',
    'house.dmd.yaml',
    'directives:\n- add_model:\n    name: chair\n',
    /expected the house_state\.json/,
  ],
])('%s is refused with the reason', async (_, format, name, content, reason) => {
  const file = memoryFile(name, content);
  const sure = IMPORTERS.map((importer) => [importer.format, importer.recognise(file)?.confidence ?? 0] as const);
  expect(sure.filter(([, confidence]) => confidence > 0).map(([found]) => found)).toEqual([format]);
  const [scene] = await importFile(format, file);
  expect(scene).toMatchObject({ refused: expect.stringMatching(reason) });
});

test('PhyScene: half sizes, bottoms as they are', async () => {
  const draft = await fixtureDraft('physcene', 'physcene/bedroom.json');
  const objects = Object.values(seen(draft));
  expect(objects).toEqual([
    { label: 'double bed', size: [1.6, 0.6, 2], base: [2, 0, -2], front: [0, 0, 1] },
    { label: 'wardrobe', size: [1.2, 2, 0.6], base: [0.3, -0.001, -1], front: [1, 0, 0] },
    { label: 'chair', size: [0.5, 0.9, 0.4], base: [3.2, 0.1, -0.6], front: [0.5, 0, -0.866] },
  ]);
  expect(draft.source.notes).toEqual(
    expect.arrayContaining([
      '"chair-33333333-0" floats 0.10 m above the floor',
      '1 objects have another label than was asked for: wardrobe-22222222-0',
    ]),
  );
});

test('the old AI2-THOR schema: polygon, room_id, doors by bounding box, a repeated corner', async () => {
  const draft = await fixtureDraft('procthor', 'procthor/old-schema.json');
  const [room] = draft.rooms;
  expect(corners(room as NonNullable<typeof room>)).toEqual(FLOOR);
  const [, , south, west] = walls(true);
  expect(wallsBySide(room as NonNullable<typeof room>)).toEqual([south, west]);
  expect(draft.source.notes).toContain('room "room_0": 1 repeated floor corners left out');
});

test('SDF: a room of boxes, its open side, and an object without its mesh', async () => {
  const draft = await fixtureDraft('sdf', 'sdf/room.sdf');
  const [room] = draft.rooms;
  expect(corners(room as NonNullable<typeof room>)).toEqual([
    [-2, -1.5],
    [-2, 1.5],
    [2, -1.5],
    [2, 1.5],
  ]);
  expect((wallsBySide(room as NonNullable<typeof room>) as { side: string }[]).map(({ side }) => side)).toEqual([
    'east',
    'north',
    'west',
  ]);
  expect(draft.source.notes.join('\n')).toContain('that side is open');
  expect(await importFixture('sdf', 'sdf/object.sdf')).toEqual([
    {
      name: 'object',
      refused:
        'object.sdf: mesh "../../../etc/desk.gltf" is not beside the file; expected its mesh (GLB or glTF): its size is nowhere else',
      notes: [],
    },
  ]);
});
