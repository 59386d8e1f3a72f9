import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkTable, notesText } from '../../src/scenes/check-table.ts';
import { IMPORT_FORMATS } from '../../src/scenes/import-formats.ts';
import { importScenes } from '../../src/scenes/import-scenes.ts';
import { readScene } from '../../src/scenes/read-scene.ts';
import { twoBoxesGlb } from './make-glb.ts';
import { FIXTURES } from './reference-room.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parallax-import-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const fixture = (path: string): string => join(FIXTURES, path);

test('auto imports a folder of mixed formats; every file is accounted for', async () => {
  const out = join(folder, 'out');
  const summary = await importScenes({
    format: 'auto',
    paths: [FIXTURES],
    out,
    roomSize: 3,
    catalogues: [fixture('assets.csv')],
  });
  expect(
    summary.files.map(({ file, format, imported, refused, problem }) => ({
      file,
      format,
      imported,
      refused,
      problem: problem?.slice(0, 50) ?? null,
    })),
  ).toEqual([
    {
      file: 'README.md',
      format: null,
      imported: 0,
      refused: 0,
      problem: 'README.md: format not recognised (no importer know',
    },
    {
      file: 'assets.csv',
      format: null,
      imported: 0,
      refused: 0,
      problem: 'assets.csv: format not recognised (no importer kno',
    },
    { file: 'boxes/room.json', format: 'boxes', imported: 1, refused: 0, problem: null },
    { file: 'front3d/house.json', format: '3d-front', imported: 1, refused: 1, problem: null },
    { file: 'holodeck/bedroom.json', format: 'holodeck', imported: 1, refused: 0, problem: null },
    { file: 'idesign/scene_graph.json', format: 'idesign', imported: 1, refused: 0, problem: null },
    ...['ktx2/quadrants-etc1s.ktx2', 'ktx2/quadrants-uastc.ktx2'].map((file) => ({
      file,
      format: null,
      imported: 0,
      refused: 0,
      problem: `${file}: format not recognised (no importer knows`.slice(0, 50),
    })),
    { file: 'layoutgpt/bedroom.json', format: 'layoutgpt', imported: 1, refused: 1, problem: null },
    { file: 'layoutvlm/layout.json', format: 'layoutvlm', imported: 1, refused: 0, problem: null },
    { file: 'layoutvlm/scene.json', format: 'layoutvlm', imported: 0, refused: 0, problem: null },
    { file: 'physcene/bedroom.json', format: 'physcene', imported: 1, refused: 0, problem: null },
    { file: 'procthor/house.json', format: 'procthor', imported: 1, refused: 0, problem: null },
    { file: 'procthor/old-schema.json', format: 'procthor', imported: 1, refused: 0, problem: null },
    {
      file: 'prompts/prompts.csv',
      format: null,
      imported: 0,
      refused: 0,
      problem: 'prompts/prompts.csv: format not recognised (no imp',
    },
    {
      file: 'prompts/prompts.json',
      format: null,
      imported: 0,
      refused: 0,
      problem: 'prompts/prompts.json: format not recognised (no im',
    },
    { file: 'reason3d/placed_objects.json', format: 'reason3d', imported: 1, refused: 0, problem: null },
    { file: 'reason3d/placed_objects_data.json', format: 'reason3d', imported: 0, refused: 0, problem: null },
    {
      file: 'reason3d/prompt.txt',
      format: null,
      imported: 0,
      refused: 0,
      problem: 'reason3d/prompt.txt: format not recognised (no imp',
    },
    { file: 'sceneeval/fork.json', format: 'sceneeval', imported: 1, refused: 0, problem: null },
    { file: 'sceneeval/hsm.json', format: 'sceneeval', imported: 1, refused: 0, problem: null },
    { file: 'sceneeval/upstream.json', format: 'sceneeval', imported: 1, refused: 0, problem: null },
    { file: 'scenesmith/house_state.json', format: 'scenesmith', imported: 1, refused: 0, problem: null },
    { file: 'sceneweaver/layout_3.json', format: 'sceneweaver', imported: 1, refused: 0, problem: null },
    { file: 'sceneweaver/results.json', format: 'sceneweaver-plan', imported: 1, refused: 0, problem: null },
    { file: 'sdf/object.sdf', format: 'sdf', imported: 0, refused: 1, problem: null },
    { file: 'sdf/room.sdf', format: 'sdf', imported: 1, refused: 0, problem: null },
    { file: 'spatiallm/scene.txt', format: 'spatiallm', imported: 1, refused: 0, problem: null },
  ]);
  expect(new Set(summary.files.flatMap(({ format }) => format ?? []))).toEqual(
    new Set(IMPORT_FORMATS.filter((format) => format !== 'glb')),
  );
  expect(summary.imported).toBe(summary.folders.length);
  expect(summary.imported + summary.refused).toBe(summary.rows.length);
  expect((await readdir(out)).sort()).toEqual(summary.folders.map((path) => path.slice(out.length + 1)).sort());
  for (const path of summary.folders) await readScene(path);
});

test('--check writes nothing and prints one line a scene', async () => {
  const summary = await importScenes({
    format: 'layoutgpt',
    paths: [fixture('layoutgpt/bedroom.json')],
    check: true,
    out: join(folder, 'out'),
    roomSize: 3,
  });
  expect(await readdir(folder)).toEqual([]);
  expect(summary.folders).toEqual([]);
  expect(checkTable(summary.rows)).toBe(
    [
      'scene      objects  proxies  room area  out of room  overlapping  notes',
      'Bedroom-1        3        3    12.0 m2            0            0      5',
      `Bedroom-2  refused: ${summary.rows[1]?.refused}`,
    ].join('\n'),
  );
  expect(summary.rows[1]?.refused).toBe(
    'bedroom.json: item 1: no room size in the prompt "a bedroom"; expected "max length Npx, max width Npx"',
  );
});

test('a pattern takes generator and prompt from the path', async () => {
  for (const path of ['out/one/p1.glb', 'out/one/p2.glb', 'out/two/p1.glb', 'out/two/deep/p1.glb', 'out/two/p1.txt']) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), await twoBoxesGlb());
  }
  const summary = await importScenes({
    format: 'glb',
    paths: [join(folder, 'out/{generator}/{prompt}.glb')],
    out: join(folder, 'scenes'),
  });
  const scenes = await Promise.all(summary.folders.map(readScene));
  expect(
    scenes.map(({ scene: { id, generator, prompt, source } }) => ({ id, generator, prompt, file: source.file })),
  ).toEqual([
    { id: 'one-p1', generator: 'one', prompt: 'p1', file: 'one/p1.glb' },
    { id: 'one-p2', generator: 'one', prompt: 'p2', file: 'one/p2.glb' },
    { id: 'two-p1', generator: 'two', prompt: 'p1', file: 'two/p1.glb' },
  ]);
});

test('importing twice gives the same scene folders, byte for byte', async () => {
  const request = { format: 'auto', paths: [fixture('holodeck/bedroom.json')] } as const;
  const [first, second] = [
    await importScenes({ ...request, out: join(folder, 'a') }),
    await importScenes({ ...request, out: join(folder, 'b') }),
  ];
  for (const name of ['scene.json', 'scene.glb'])
    expect(
      (await readFile(join(first.folders[0] as string, name))).equals(
        await readFile(join(second.folders[0] as string, name)),
      ),
    ).toBe(true);
});

test('prompts are joined by id, by exact text, or not at all, which is noted', async () => {
  const joined = async (path: string, prompt?: string) => {
    const summary = await importScenes({
      format: 'auto',
      paths: [fixture(path)],
      out: join(folder, 'out'),
      promptFile: fixture('prompts/prompts.csv'),
      catalogues: [fixture('assets.csv')],
      generator: 'mine',
      ...(prompt === undefined ? {} : { prompt }),
    });
    const { scene } = await readScene(summary.folders[0] as string);
    return {
      prompt: scene.prompt,
      generator: scene.generator,
      noted: scene.source.notes.some((note) => note.includes('no prompt of the prompt file')),
    };
  };
  expect(await joined('holodeck/bedroom.json')).toEqual({ prompt: 'bedroom-1', generator: 'mine', noted: false });
  expect(await joined('physcene/bedroom.json')).toEqual({ prompt: 'bedroom', generator: 'mine', noted: true });
  expect(await joined('physcene/bedroom.json', 'kitchen-1')).toEqual({
    prompt: 'kitchen-1',
    generator: 'mine',
    noted: false,
  });
});

test('hostile ids never leave the output folder', async () => {
  const source = join(folder, 'in', 'placed_objects.json');
  await mkdir(join(folder, 'in'));
  await writeFile(
    source,
    JSON.stringify([{ name: '../../../evil', center: [0, 0, 0], rotation: [0, 0, 0], size: [1, 1, 1] }]),
  );
  for (const generator of ['..', '../up', 'a/b', '=cmd', ''])
    await expect(
      importScenes({ format: 'reason3d', paths: [source], out: join(folder, 'out'), generator }),
    ).rejects.toMatchObject({ code: 'USAGE' });
  const houses = join(folder, 'in', 'scene_graph.json');
  await writeFile(
    houses,
    JSON.stringify([
      { query_id: '../../evil', iter: 0, prompt: 'Room Size: max length 300px, max width 300px', object_list: [] },
    ]),
  );
  const summary = await importScenes({ format: 'layoutgpt', paths: [houses], out: join(folder, 'out'), roomSize: 3 });
  expect(summary.folders).toEqual([join(folder, 'out', 'layoutgpt-evil')]);
  expect((await readdir(folder)).sort()).toEqual(['in', 'out']);
});

test('links that lead out of a source folder are not followed', async () => {
  await mkdir(join(folder, 'in'));
  await symlink(FIXTURES, join(folder, 'in', 'outside'));
  await symlink(join(folder, 'in'), join(folder, 'in', 'loop'));
  await writeFile(join(folder, 'in', 'scene.glb'), await twoBoxesGlb());
  const summary = await importScenes({ format: 'auto', paths: [join(folder, 'in')], check: true });
  expect(summary.files.map(({ file }) => file)).toEqual(['scene.glb']);
});

test.each([
  ['an unknown format', { format: 'obj', paths: ['.'], check: true }, /unknown format "obj"; expected auto or one of/],
  ['no output folder', { format: 'auto', paths: ['.'] }, /expected --out DIR/],
  ['a missing path', { format: 'auto', paths: ['/no/such/file.json'], check: true }, /missing file or folder/],
  [
    'a pattern without a match',
    { format: 'glb', paths: [join(FIXTURES, '{prompt}.glb')], check: true },
    /no file matches/,
  ],
  ['an unknown placeholder', { format: 'glb', paths: ['a/{scene}.glb'], check: true }, /unknown placeholder/],
  ['a negative room size', { format: 'layoutgpt', paths: [FIXTURES], check: true, roomSize: -1 }, /invalid room size/],
  [
    'a missing asset folder',
    { format: 'glb', paths: [FIXTURES], check: true, assets: { hssd: '/no/such' } },
    /missing folder/,
  ],
])('%s is one clear error', async (_, request, message) => {
  await expect(importScenes(request)).rejects.toThrow(message);
});

test('LayoutGPT without a room size says what is missing', async () => {
  const summary = await importScenes({ format: 'layoutgpt', paths: [fixture('layoutgpt/bedroom.json')], check: true });
  expect(summary.files[0]?.problem).toBe(
    'bedroom.json: lengths are pixels of an unknown size; expected --room-size (metres of the shorter side)',
  );
});

test('a cancelled import stops', async () => {
  await expect(
    importScenes({ format: 'auto', paths: [FIXTURES], check: true, signal: AbortSignal.abort() }),
  ).rejects.toThrow();
});

test('notes are listed scene by scene, or by kind when there are many scenes', async () => {
  const { rows } = await importScenes({ format: 'physcene', paths: [fixture('physcene/bedroom.json')], check: true });
  expect(notesText(rows)).toBe(['bedroom:', ...(rows[0]?.notes ?? []).map((note) => `  ${note}`)].join('\n'));
  const many = Array.from({ length: 20 }, (_, index) => ({
    ...(rows[0] as (typeof rows)[number]),
    notes: [
      `unit assumed: 1 px = 0.0${index} m`,
      ...(index < 3 ? [`${index} objects are proxies (no mesh found): a, b`] : []),
    ],
  }));
  expect(notesText(many)).toBe(
    '20 of 20 scenes: unit assumed: 1 px = 0.00 m\n3 of 20 scenes: 0 objects are proxies (no mesh found): a, b',
  );
});
