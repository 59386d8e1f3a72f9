import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messageOf } from '../../src/core/errors.ts';
import { AssetLibrary, isSafeId } from '../../src/scenes/assets.ts';
import { twoBoxesGlb } from './make-glb.ts';
import { importFile, memoryFile } from './reference-room.ts';

/** The reason why a file gives no scene, one line. */
async function reason(format: string, name: string, content: unknown): Promise<string> {
  try {
    const [scene] = await importFile(format, memoryFile(name, content), { roomSize: 3 });
    return scene === undefined ? 'no scene' : 'refused' in scene ? scene.refused : 'imported';
  } catch (error) {
    return messageOf(error);
  }
}

const physObject = { label: 'chair', size: [0.25, 0.45, 0.2], theta: 0, position: [0, 0, 0] };
const phys = (change: object): unknown => ({ ThreedFront: { jid: [{ ...physObject, ...change }] } });
const house = (change: object): unknown => ({ rooms: [], walls: [], objects: [], ...change });
const square = [
  { x: 0, y: 0, z: 0 },
  { x: 0, y: 0, z: 3 },
  { x: 4, y: 0, z: 3 },
  { x: 4, y: 0, z: 0 },
];

test.each<[string, string, string, unknown, string]>([
  [
    'truncated JSON',
    'physcene',
    'a.json',
    '{"ThreedFront": {"jid": [',
    'a.json: invalid JSON (Unexpected end of JSON input); expected a complete JSON file',
  ],
  [
    'bare NaN',
    'physcene',
    'a.json',
    '{"ThreedFront": {"jid": [{"theta": NaN}]}}',
    'a.json: invalid JSON (number NaN is not JSON); expected a complete JSON file',
  ],
  [
    'bare Infinity',
    'boxes',
    'a.json',
    '{"translations": [[0, -Infinity, 0]]}',
    'a.json: invalid JSON (number -Infinity is not JSON); expected a complete JSON file',
  ],
  [
    'deep nesting',
    'procthor',
    'a.json',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    'a.json: JSON nested over 64 deep; expected a scene file',
  ],
  [
    'a number that overflows',
    'physcene',
    'a.json',
    '{"ThreedFront": {"jid": [{"size": [1, 1, 1], "position": [1e999, 0, 0], "theta": 0}]}}',
    'a.json: "jid"[0]: position[0]: invalid value "null"; expected a finite number',
  ],
  [
    'a gigantic coordinate',
    'physcene',
    'a.json',
    phys({ position: [1e7, 0, 0] }),
    'a.json: "jid"[0]: position[0]: invalid value "10000000"; expected a number within 1000000',
  ],
  [
    'a null where a list belongs',
    'physcene',
    'a.json',
    { ThreedFront: { jid: null } },
    'a.json: "jid": invalid value "null"; expected a list',
  ],
  [
    'a negative size',
    'physcene',
    'a.json',
    phys({ size: [-1, 1, 1] }),
    'a.json: "jid"[0]: size: invalid value "[-1,1,1]"; expected three sizes of zero or more',
  ],
  [
    'a list that never ends',
    'physcene',
    'a.json',
    { ThreedFront: { jid: Array(20_001).fill(physObject) } },
    'a.json: "jid": 20001 items; expected at most 20000',
  ],
  [
    'a bow tie for a floor',
    'procthor',
    'a.json',
    house({ rooms: [{ id: 'r', floorPolygon: [square[0], square[2], square[1], square[3]] }] }),
    'room "r": invalid floor polygon',
  ],
  [
    'a floor of two corners',
    'procthor',
    'a.json',
    house({ rooms: [{ id: 'r', floorPolygon: square.slice(0, 2) }] }),
    'room "r": invalid floor polygon',
  ],
  [
    'a floor of 3,000 corners',
    'procthor',
    'a.json',
    house({
      rooms: [
        { id: 'r', floorPolygon: Array.from({ length: 3000 }, (_, k) => ({ x: Math.cos(k), y: 0, z: Math.sin(k) })) },
      ],
    }),
    'room "r": floor polygon of 3000 points; expected at most 2000',
  ],
  ['children without end', 'procthor', 'a.json', house({ objects: [nested(30)] }), 'children nested over 20 deep'],
  [
    'a mirrored matrix',
    'sceneeval',
    'a.json',
    sceneState([-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
    'object "1": invalid transform',
  ],
  ['a flat matrix', 'sceneeval', 'a.json', sceneState(Array(16).fill(0)), 'object "1": invalid transform'],
  ['a matrix of 15 numbers', 'sceneeval', 'a.json', sceneState(Array(15).fill(1)), 'expected 16 numbers'],
  ['a quaternion of nothing', 'scenesmith', 'a.json', smith({ rotation_wxyz: [0, 0, 0, 0] }), 'expected a quaternion'],
  [
    'XML cut short',
    'sdf',
    'a.sdf',
    '<sdf><model name="x"><link>',
    'a.sdf:1: invalid XML (<link> is not closed); expected a complete XML file',
  ],
  [
    'XML that closes another tag',
    'sdf',
    'a.sdf',
    '<sdf><model></sdf></model>',
    'a.sdf:1: invalid XML (</sdf> without its start); expected a complete XML file',
  ],
  ['a text without layout', 'spatiallm', 'a.txt', 'hello', 'a.txt: neither walls nor boxes; expected a layout'],
  [
    'bytes that are no GLB',
    'glb',
    'a.glb',
    'not a model at all, sorry',
    'a.glb: invalid GLB "no glTF signature"; expected a complete glTF 2.0 binary (.glb)',
  ],
  ['nothing at all', 'glb', 'a.glb', '', 'a.glb: invalid GLB "0 bytes"; expected a complete glTF 2.0 binary (.glb)'],
])('%s: %s', async (_, format, name, content, expected) => {
  const found = await reason(format, name, content);
  expect(found).toContain(expected);
  expect(found).not.toMatch(/\n/);
});

function nested(depth: number): object {
  const object = { id: `o${depth}`, assetId: 'Box_1', position: { x: 0, y: 0, z: 0 }, rotation: { x: 0, y: 0, z: 0 } };
  return depth === 0 ? object : { ...object, children: [nested(depth - 1)] };
}

function sceneState(data: readonly number[]): unknown {
  return {
    format: 'sceneState',
    scene: { arch: { elements: [] }, object: [{ id: 1, modelId: '3dfModel.bed-mesh', transform: { data } }] },
  };
}

function smith(transform: object): unknown {
  const object = {
    object_id: 'a',
    name: 'chair',
    transform: { translation: [0, 0, 0], ...transform },
    bbox_min: [0, 0, 0],
    bbox_max: [1, 1, 1],
  };
  return { layout: { placed_rooms: [] }, rooms: { r: { objects: { a: object } } } };
}

test('a truncated GLB names what is missing', async () => {
  const glb = await twoBoxesGlb();
  const [cut] = [glb.slice(0, glb.length - 40)];
  const file = memoryFile('a.glb', '');
  await expect(importFile('glb', Object.assign(file, { bytes: cut }))).rejects.toThrow(/cut short at \d+ of \d+ bytes/);
});

test('doubled ids are renamed, mixed number and text ids stay apart from each other', async () => {
  const state = (ids: readonly unknown[]): unknown => ({
    format: 'sceneState',
    scene: {
      arch: { elements: [] },
      object: ids.map((id, k) => ({
        id,
        modelId: '3dfModel.bed-mesh',
        transform: { data: [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 3 * k, 0, 0, 1] },
      })),
    },
  });
  const [scene] = await importFile('sceneeval', memoryFile('a.json', state([1, '1', 'a/b', '=2', 2, '1'])));
  if (scene === undefined || !('draft' in scene)) throw new Error('refused');
  expect(scene.draft.objects.map(({ id }) => id)).toEqual(['1', '1-2', 'a-b', '2', '2-2', '1-3']);
  expect(scene.notes).toEqual(
    expect.arrayContaining(['duplicate object id "1" renamed "1-2"', 'duplicate object id "1" renamed "1-3"']),
  );
});

test('supports that go round are broken and noted', async () => {
  const weaver = (parents: Record<string, string>): unknown => ({
    roomsize: [4, 4],
    objects: Object.fromEntries(
      Object.entries(parents).map(([key, parent]) => [
        key,
        { location: [1, 1, 0], rotation: [0, 0, 0], size: [1, 1, 1], parent: [[parent, 'ontop']] },
      ]),
    ),
  });
  const [scene] = await importFile(
    'sceneweaver',
    memoryFile('a.json', weaver({ a_box: 'b_box', b_box: 'c_box', c_box: 'a_box', d_box: 'a_box' })),
  );
  if (scene === undefined || !('draft' in scene)) throw new Error('refused');
  expect(scene.draft.objects.map(({ supportedBy }) => supportedBy)).toEqual([null, 'c_box', 'a_box', 'a_box']);
  expect(scene.notes).toContain('object "a_box": supports itself through others: its support left out');
});

test('things of no thickness are made a millimetre thick and noted', async () => {
  const [scene] = await importFile('physcene', memoryFile('a.json', phys({ size: [0.5, 0, 0.5], label: 'rug' })));
  if (scene === undefined || !('draft' in scene)) throw new Error('refused');
  expect(scene.draft.objects[0]?.size).toEqual([1, 0.001, 1]);
  expect(scene.notes.join('\n')).toContain('thinner than 1 mm: made 1 mm thick');
});

test('10,000 objects import', async () => {
  const many = Array.from({ length: 10_000 }, (_, k) => ({
    ...physObject,
    position: [(k % 100) * 2, 0, Math.floor(k / 100) * 2],
  }));
  const [scene] = await importFile('physcene', memoryFile('a.json', { ThreedFront: { jid: many } }));
  if (scene === undefined || !('draft' in scene)) throw new Error('refused');
  expect(scene.draft.objects.length).toBe(10_000);
});

test('null lists are empty lists where formats write them', async () => {
  const [scene] = await importFile(
    'procthor',
    memoryFile(
      'a.json',
      house({
        rooms: [{ id: 'r', roomType: 'Bedroom', floorPolygon: square }],
        doors: null,
        windows: null,
        objects: null,
      }),
    ),
  );
  expect(scene).toMatchObject({ draft: { objects: [], rooms: [{ id: 'r', walls: [] }] } });
});

test('asset ids never leave their folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parallax-assets-'));
  try {
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'secret.glb'), await twoBoxesGlb());
    await writeFile(join(folder, 'assets', 'chair.glb'), await twoBoxesGlb());
    const library = await AssetLibrary.open({ objathor: join(folder, 'assets') });
    expect((await library.find('objaverse', 'chair'))?.file).toBe('chair.glb');
    for (const id of ['../secret', '..', 'a/../../secret', join(folder, 'secret'), '', '.', 'x\u0000', 'a\\b']) {
      expect(isSafeId(id)).toBe(false);
      expect(await library.find('objaverse', id)).toBe(null);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
