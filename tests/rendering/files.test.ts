import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rgba } from '../../src/core/image.ts';
import type { Failure } from '../../src/core/outcome.ts';
import type { RenderConfiguration, View } from '../../src/core/protocol.ts';
import type { FrozenScene } from '../../src/core/scene.ts';
import { createFilesRenderer, type PlannedLevel } from '../../src/rendering/files.ts';
import { HARNESS_PATTERN, readPictureName } from '../../src/rendering/picture-name.ts';

let folder: string;
const c0: RenderConfiguration = {
  resolution: 32,
  focal: 50,
  lighting: 'city',
  background: 'grey-255',
  pitch: 90,
  yaw: 0,
};
const levels: PlannedLevel[] = [
  { factor: '', level: '', configuration: c0 },
  { factor: 'pitch', level: '45', configuration: { ...c0, pitch: 45 } },
  { factor: 'background', level: 'red', configuration: { ...c0, background: 'red' } },
];
const scene = {
  folder: '',
  glb: new Uint8Array(),
  scene: { id: 'g-p', generator: 'g', prompt: 'p', hash: 'f'.repeat(64), probe: null },
} as unknown as FrozenScene;

async function picture(path: string, size: number, alpha: boolean, blank = false): Promise<void> {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  const channels = alpha ? 4 : 3;
  const data = Buffer.alloc(size * size * channels, 200);
  if (!blank) for (let index = 0; index < size * size; index += 1) data[channels * index] = index % 200;
  if (alpha) for (let index = 0; index < size * size; index += 2) data[4 * index + 3] = 0;
  await sharp(data, { raw: { width: size, height: size, channels } })
    .png()
    .toFile(join(folder, path));
}

async function renderAll(renderer: Awaited<ReturnType<typeof createFilesRenderer>>, views: View[]) {
  const results: (Rgba | Failure)[] = [];
  for await (const [, result] of renderer.render(scene, views, new AbortController().signal)) results.push(result);
  return results;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-files-'));
  await picture('named/g/p/render_32_50_255_255_255_90_0_city.png', 32, false);
  await picture('named/g/p/render_32_50_45_0_city.png', 32, true);
  await picture('named/g/p/render_64_50_255_255_255_90_0_city.png', 60, false);
  await picture('named/g/p/render_32_24_255_255_255_90_0_city.png', 32, false, true);
  await picture('t/base.png', 32, false);
  await picture('t/p45.png', 32, false);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('file names of the published harness', () => {
  const view = { resolution: 512, focal: 50, lighting: 'city', pitch: 90, yaw: 0 };
  test.each([
    ['render_512_50_255_255_255_90_0_city.png', { view, background: 'grey-255' }],
    ['render_512_50_0_255_0_90_0_city.png', { view, background: 'green' }],
    ['render_512_50_90_0_city.png', { view, background: null }],
    ['render_512_50_12_34_56_90_0_city.png', null],
    ['thumbs.db', null],
  ])('%s', (name, expected) => {
    expect(readPictureName(name, HARNESS_PATTERN)).toEqual(expected);
  });

  test("a pattern of one's own, and an unknown field in it", () => {
    expect(readPictureName('night/224-45.png'.replace('/', '-'), '{map}-{res}-{pitch}.png')).toEqual({
      view: { resolution: 224, focal: 50, lighting: 'night', pitch: 45, yaw: 0 },
      background: null,
    });
    expect(() => readPictureName('x', '{size}.png')).toThrow(
      'renderer.pattern: unknown field "{size}"; expected one of {res}',
    );
  });
});

test('pictures by name: opaque and transparent ones, a wrong size, a blank one, a missing one', async () => {
  const renderer = await createFilesRenderer({ folder: 'named' }, folder, levels, 'audit.yaml');
  const results = await renderAll(renderer, [
    { ...c0 },
    { ...c0, pitch: 45, background: 'red' },
    { ...c0, resolution: 64 },
    { ...c0, focal: 24 },
    { ...c0, focal: 100 },
  ]);
  expect(
    results.map((result) => ('data' in result ? [result.width, result.data.length] : [result.status, result.reason])),
  ).toEqual([
    [32, 4096],
    [32, 4096],
    ['failed', 'the picture has 60 x 60 px; expected 64 x 64'],
    ['failed', expect.stringMatching(/blank|one colour|constant/i)],
    ['failed', 'no picture of this configuration among the files'],
  ]);
});

test('pictures by table', async () => {
  writeFileSync(
    join(folder, 't', 'table.csv'),
    'generator,prompt,factor,level,path\ng,p,,,base.png\ng,p,pitch,45,p45.png\n',
  );
  const renderer = await createFilesRenderer({ table: 't/table.csv' }, folder, levels, 'audit.yaml');
  const results = await renderAll(renderer, [{ ...c0 }, { ...c0, pitch: 45 }, { ...c0, background: 'red' }]);
  expect(results.map((result) => 'data' in result)).toEqual([true, true, false]);
});

test('the fingerprint follows the bytes of the pictures', async () => {
  const before = (await createFilesRenderer({ folder: 'named' }, folder, levels, 'a')).fingerprint;
  expect((await createFilesRenderer({ folder: 'named' }, folder, levels, 'a')).fingerprint).toEqual(before);
  await picture('named/g/p/render_32_85_255_255_255_90_0_city.png', 32, false);
  expect((await createFilesRenderer({ folder: 'named' }, folder, levels, 'a')).fingerprint).not.toEqual(before);
});

describe('a malformed table names file and line', () => {
  test.each([
    ['generator,prompt,factor,level,path\ng,p,pitch,46,base.png\n', 'bad.csv:2: unknown factor and level "pitch 46"'],
    [
      'generator,prompt,factor,level,path\ng,p,,,../../etc/passwd\n',
      'bad.csv:2: path "../../etc/passwd" leaves its folder',
    ],
    ['generator,prompt,factor,level,path\ng,p,,,none.png\n', 'bad.csv:2: no picture at "none.png"'],
    ['generator,prompt,factor,level,path\ng,p,,,base.png\ng,p,,,p45.png\n', 'bad.csv:3: a second picture "p45.png"'],
    ['generator,prompt,level,path,colour\n', 'bad.csv:1: unknown column "colour"'],
  ])('%j', async (text, message) => {
    writeFileSync(join(folder, 't', 'bad.csv'), text);
    await expect(createFilesRenderer({ table: 't/bad.csv' }, folder, levels, 'audit.yaml')).rejects.toThrow(message);
  });
});
