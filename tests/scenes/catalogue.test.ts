import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCatalogue } from '../../src/scenes/catalogue.ts';
import { completeSize } from '../../src/scenes/complete-size.ts';
import { readPromptSet } from '../../src/scenes/prompt-set.ts';
import { FIXTURES } from './reference-room.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parallax-catalogue-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

test('catalogues of every form; the first to know something keeps it', async () => {
  const catalogue = await readCatalogue([
    await file('a.csv', 'asset,label,width,height,depth\nx,chair,0.5,0.9,0.4\ny,table,,,\n'),
    await file('model_info.json', [
      { model_id: 'm1', 'super-category': 'Bed', category: 'King-size Bed', style: 'Modern' },
      { model_id: 'y', category: 'desk' },
    ]),
    await file('annotations.json', {
      o1: {
        category: 'sofa',
        thor_metadata: {
          assetMetadata: { boundingBox: { min: { x: -1, y: 0, z: -0.5 }, max: { x: 1, y: 0.8, z: 0.5 } } },
        },
      },
      o2: { category: 'lamp', yRotOffset: 90 },
    }),
    await file('data.json', {
      uid: 'd1',
      annotations: { category: 'shelf' },
      assetMetadata: { boundingBox: { x: 1, y: 2, z: 0.3 } },
    }),
  ]);
  expect(Object.fromEntries(catalogue)).toEqual({
    x: { label: 'chair', size: [0.5, 0.9, 0.4], frontYaw: null },
    y: { label: 'table', size: null, frontYaw: null },
    m1: { label: 'King-size Bed', size: null, frontYaw: null },
    o1: { label: 'sofa', size: [2, 0.8, 1], frontYaw: null },
    o2: { label: 'lamp', size: null, frontYaw: 90 },
    d1: { label: 'shelf', size: [1, 2, 0.3], frontYaw: null },
  });
});

test.each([
  ['no id column', 'label,width\nchair,1\n', /a\.csv:2: missing asset id/],
  ['two of three sides', 'asset,label,width,height,depth\nx,chair,1,2,\n', /a\.csv:2: 2 of width, height, depth given/],
  ['a size of nothing', 'asset,label,width,height,depth\nx,chair,1,0,1\n', /a\.csv:2: invalid size "1 x 0 x 1"/],
  ['columns that do not fit', 'asset,label\nx,chair,extra\n', /invalid CSV/],
])('CSV with %s', async (_, text, message) => {
  await expect(readCatalogue([await file('a.csv', text)])).rejects.toThrow(message);
});

test('a catalogue that is not there or not JSON', async () => {
  await expect(readCatalogue([join(folder, 'none.csv')])).rejects.toMatchObject({ code: 'MISSING_FILE' });
  await expect(readCatalogue([await file('a.json', '{"x": ')])).rejects.toThrow(/invalid JSON/);
});

test('prompt sets: CSV and JSON, paraphrases, by id and by text', async () => {
  const csv = await readPromptSet(join(FIXTURES, 'prompts', 'prompts.csv'));
  expect(csv.entries).toEqual([
    { id: 'bedroom-1', text: 'a small bedroom', source: 'own', paraphrases: { paraphrase_short: 'small bedroom' } },
    { id: 'kitchen-1', text: 'a kitchen', source: 'own', paraphrases: {} },
  ]);
  const json = await readPromptSet(join(FIXTURES, 'prompts', 'prompts.json'));
  expect(json.entries).toEqual([
    { id: 'bedroom-1', text: 'a small bedroom', source: 'own', paraphrases: { 'paraphrase-1': 'small bedroom' } },
    { id: '2', text: 'a kitchen', source: '', paraphrases: { short: 'kitchen' } },
  ]);
  expect([json.byId.get('2')?.text, json.byText.get('a small bedroom')?.id]).toEqual(['a kitchen', 'bedroom-1']);
  const plain = await readPromptSet(await file('p.json', { one: 'a room', two: { text: 'two rooms' } }));
  expect(plain.entries.map(({ id, text }) => [id, text])).toEqual([
    ['one', 'a room'],
    ['two', 'two rooms'],
  ]);
});

test.each([
  ['a doubled id', 'id,text\na,x\na,y\n', /p\.csv:3: duplicate prompt id "a"/],
  ['a formula for an id', 'id,text\n=1,x\n', /p\.csv:2: invalid prompt id "=1"/],
  ['no text', 'id,text\na,\n', /p\.csv:2: prompt "a" has no text/],
  ['no such column', 'id,words\na,b\n', /p\.csv:2: missing column/],
])('prompt sets with %s', async (_, text, message) => {
  await expect(readPromptSet(await file('p.csv', text))).rejects.toThrow(message);
});

test('sizes that are not told: usual sizes, scaled to the sides that are', () => {
  expect(completeSize([1, 2, 3], 'anything', false)).toEqual({ size: [1, 2, 3], remark: null });
  expect(completeSize(null, 'coffee cup', false)?.size).toEqual([0.08, 0.1, 0.08]);
  const book = completeSize([0.32, null, null], 'book', false);
  expect(book?.size.map((side) => Math.round(side * 1000))).toEqual([320, 51, 391]);
  expect(completeSize(null, 'flux capacitor', false)?.size).toEqual([0.3, 0.3, 0.3]);
  expect(completeSize([null, 0.8, null], 'flux capacitor', false)?.size).toEqual([0.8, 0.8, 0.8]);
  expect(completeSize(null, 'object', false)).toBe(null);
  expect(completeSize(null, 'object', true)?.size).toEqual([0.3, 0.3, 0.3]);
});
