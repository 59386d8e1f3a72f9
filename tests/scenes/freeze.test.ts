import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AuditError } from '../../src/core/errors.ts';
import type { DraftObject, SceneDraft } from '../../src/scenes/draft.ts';
import { freezeInMemory, freezeScene, sceneHash } from '../../src/scenes/freeze.ts';
import { readGeometry } from '../../src/scenes/glb-geometry.ts';
import { MeshBuilder } from '../../src/scenes/mesh-builder.ts';
import { findScenes, readScene, sceneBounds } from '../../src/scenes/read-scene.ts';
import { rectangularRoom } from '../../src/scenes/room-shell.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parallax-freeze-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const PAINT = { name: 'paint', colour: [0.8, 0.2, 0.2], roughness: 0.5, metalness: 0 } as const;

function boxParts(width: number, height: number, depth: number) {
  const builder = new MeshBuilder(false);
  const [x, z] = [width / 2, depth / 2];
  const corner = (i: number): number[] => [i & 1 ? x : -x, i & 2 ? height : 0, i & 4 ? z : -z];
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
  ];
  for (const face of faces) builder.flatQuad(face.map(corner), Array(4).fill([0, 0]));
  return [builder.part('box', PAINT)];
}

function box(id: string, x: number, z: number, supportedBy: string | null = null): DraftObject {
  return {
    id,
    label: 'box',
    asset: null,
    transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, z, 1],
    size: [1, 0.5, 0.4],
    supportedBy,
    geometry: { kind: 'proxy', parts: boxParts(1, 0.5, 0.4) },
  };
}

function draft(change: Partial<SceneDraft> = {}): SceneDraft {
  return {
    id: 'scene-1',
    generator: 'hand',
    prompt: 'p1',
    rooms: [rectangularRoom({ id: 'room', type: 'bedroom', width: 4, depth: 3, height: 2.5 })],
    objects: [box('a', 0.5, 0), box('b', -1, 0.5, 'a')],
    source: { format: 'hand', file: 'none', sha256: '0'.repeat(64), notes: [] },
    ...change,
  };
}

test('freezing and reading back gives the same scene, bytes and bounds', async () => {
  const written = await freezeScene(draft(), folder);
  const read = await readScene(folder);
  expect(read.scene).toEqual(written);
  expect(read.scene.hash).toBe(sceneHash(read.scene));
  expect(read.scene.objects.map(({ id, supportedBy, geometry }) => ({ id, supportedBy, geometry }))).toEqual([
    { id: 'a', supportedBy: null, geometry: 'proxy' },
    { id: 'b', supportedBy: 'a', geometry: 'proxy' },
  ]);
  const bounds = sceneBounds(read);
  const rounded = (corner: readonly number[]): number[] => corner.map((value) => Math.round(value * 1e5) / 1e5);
  expect({ min: rounded(bounds.min), max: rounded(bounds.max) }).toEqual({
    min: [-2.1, -0.05, -1.6],
    max: [2.1, 2.5, 1.6],
  });
  expect((await readdir(folder)).sort()).toEqual(['scene.glb', 'scene.json']);
});

test('nodes carry the contract names and the transform', async () => {
  const { glb } = await freezeInMemory(draft());
  const nodes = readGeometry(glb);
  expect(nodes.map(({ node }) => node)).toEqual([
    'floor:room',
    'wall:room:w0',
    'wall:room:w1',
    'wall:room:w2',
    'wall:room:w3',
    'object:a',
    'object:b',
  ]);
  const a = nodes.find(({ node }) => node === 'object:a');
  const xs = [...(a as (typeof nodes)[number]).positions].filter((_, index) => index % 3 === 0);
  expect([Math.min(...xs), Math.max(...xs)]).toEqual([0, 1]);
});

test('the same draft gives the same bytes, and equal meshes are stored once', async () => {
  const [first, second] = [await freezeInMemory(draft()), await freezeInMemory(draft())];
  expect(Buffer.from(first.glb).equals(Buffer.from(second.glb))).toBe(true);
  expect(first.scene).toEqual(second.scene);
  const one = await freezeInMemory(draft({ objects: [box('a', 0.5, 0)] }));
  // The second box costs one node, not another mesh of 24 vertices (over 800 bytes).
  expect(first.glb.length - one.glb.length).toBeLessThan(300);
});

test('a frame stands in for the bounds', async () => {
  const frame = { min: [-1, 0, -1], max: [1, 2, 1] } as {
    min: [number, number, number];
    max: [number, number, number];
  };
  await freezeScene(draft({ frame }), folder);
  expect(sceneBounds(await readScene(folder))).toEqual(frame);
});

test.each([
  ['scene.json', (bytes: Buffer) => Buffer.from(bytes.toString().replace('"bedroom"', '"kitchen"'))],
  [
    'scene.glb',
    (bytes: Buffer) => {
      bytes[bytes.length - 5] = (bytes[bytes.length - 5] as number) ^ 1;
      return bytes;
    },
  ],
])('a changed byte of %s is refused by name', async (name, change) => {
  await freezeScene(draft(), folder);
  const path = join(folder, name);
  await writeFile(path, change(await readFile(path)));
  const error = await readScene(folder).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AuditError);
  expect((error as AuditError).code).toBe('HASH_MISMATCH');
  expect((error as AuditError).message).toContain(path);
  expect((error as AuditError).hint).toContain('again');
});

test('missing and malformed files are one line each', async () => {
  await expect(readScene(join(folder, 'none'))).rejects.toMatchObject({ code: 'MISSING_FILE' });
  await writeFile(join(folder, 'scene.json'), '{"schema":');
  await expect(readScene(folder)).rejects.toThrow(/scene\.json: invalid JSON/);
  await writeFile(join(folder, 'scene.json'), '{"schema":"parallax/scene@1"}');
  await expect(readScene(folder)).rejects.toThrow(/scene\.json: id: /);
});

const turned = [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1];
test.each<[string, SceneDraft, RegExp]>([
  ['duplicate ids', draft({ objects: [box('a', 0, 0), box('a', 1, 0)] }), /duplicate object id "a"/],
  ['unknown support', draft({ objects: [box('a', 0, 0, 'z')] }), /unknown supporting object "z"/],
  ['supports in a ring', draft({ objects: [box('a', 0, 0, 'b'), box('b', 0, 0, 'a')] }), /go round/],
  [
    'scale',
    draft({ objects: [{ ...box('a', 0, 0), transform: [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }] }),
    /scales/,
  ],
  [
    'mirror',
    draft({ objects: [{ ...box('a', 0, 0), transform: [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] }] }),
    /mirrors/,
  ],
  [
    'NaN',
    draft({ objects: [{ ...box('a', 0, 0), transform: turned.map((v, i) => (i === 12 ? Number.NaN : v)) }] }),
    /finite/,
  ],
  ['path id', draft({ id: '../x' }), /id: /],
  [
    'bow tie',
    draft({
      rooms: [
        {
          ...rectangularRoom({ id: 'r', type: '', width: 2, depth: 2, height: 2 }),
          floor: [
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 1],
          ],
        },
      ],
    }),
    /room "r": invalid floor polygon/,
  ],
])('%s is refused and nothing is written', async (_, bad, message) => {
  await expect(freezeScene(bad, join(folder, 'out'))).rejects.toThrow(message);
  expect(await readdir(folder)).toEqual([]);
});

test('findScenes lists scene folders sorted and stays inside the root', async () => {
  const inside = join(folder, 'root');
  for (const name of ['b', 'a/deep', 'c']) await freezeScene(draft(), join(inside, name));
  await freezeScene(draft(), join(folder, 'outside'));
  await symlink(join(folder, 'outside'), join(inside, 'link-out'));
  await symlink(inside, join(inside, 'loop'));
  expect((await findScenes(inside)).map((path) => path.slice(inside.length))).toEqual(['/a/deep', '/b', '/c']);
  await expect(findScenes(join(folder, 'none'))).rejects.toMatchObject({ code: 'MISSING_FILE' });
});
