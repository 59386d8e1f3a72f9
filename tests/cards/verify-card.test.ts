import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyCard } from '../../src/cards/verify-card.ts';
import { type ResultsFixture, resultsFixture } from './fixture.ts';

let fixture: ResultsFixture;
beforeEach(async () => {
  fixture = await resultsFixture({ prompts: 3, generators: ['one', 'two'], templates: 2 });
});
afterEach(() => fixture.remove());

const verify = (here = {}) => verifyCard(join(fixture.folder, 'card.json'), here);
const edit = (name: string, from: string | RegExp, to: string) => {
  const path = join(fixture.folder, name);
  const before = readFileSync(path, 'utf8');
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(path, after);
};

test('an untouched folder holds', async () => {
  expect(await verify()).toEqual({
    differences: [],
    notes: [],
    checked: fixture.manifest.files.length + fixture.manifest.inputs.length,
  });
});

test('a changed byte in a raw file is found and the file named', async () => {
  edit('raw/pocket.csv', /,pitch,0,(\d+)\./, ',pitch,0,1$1.');
  const { differences } = await verify();
  expect(differences[0]).toMatch(/^raw\/pocket\.csv: changed \(SHA-256 [0-9a-f]{12}…, \d+ bytes; recorded/);
  expect(differences.some((text) => text.startsWith('estimates.json#/evaluators/0/'))).toBe(true);
});

test('a changed scene outside the folder is found and named', async () => {
  const scene = fixture.manifest.inputs.find((record) => record.role === 'scene')!;
  appendFileSync(join(fixture.folder, scene.path), ' ');
  const { differences } = await verify();
  expect(differences).toEqual([expect.stringContaining(`${scene.path}: changed`)]);
  expect(differences[0]).toContain('(scene)');
});

test('a missing input is found', async () => {
  const model = fixture.manifest.inputs.find((record) => record.role === 'model')!;
  rmSync(join(fixture.folder, model.path));
  expect((await verify()).differences).toEqual([`${model.path}: missing (model)`]);
});

test('a raw file that no longer parses is a difference, not a crash', async () => {
  writeFileSync(join(fixture.folder, 'raw/pocket.csv'), 'not,a,table\n1,2,3\n');
  const { differences } = await verify();
  expect(differences.some((text) => text.startsWith('estimates.json: cannot be derived again'))).toBe(true);
});

test('an estimate edited by hand is found to the last digit', async () => {
  const estimates = JSON.parse(readFileSync(join(fixture.folder, 'estimates.json'), 'utf8'));
  estimates.evaluators[0].templateRho.value += 1e-12;
  writeFileSync(join(fixture.folder, 'estimates.json'), JSON.stringify(estimates));
  const { differences } = await verify();
  expect(differences.map((text) => text.split(':')[0])).toEqual([
    'estimates.json#/evaluators/0/templateRho/value',
    'card.json#/evaluators/0/evidence/stability/value/templateRho/value',
    'card.json#/evidenceHash',
  ]);
});

test('a contract edited by hand no longer hashes to its ID', async () => {
  edit('card.json', '"wallsBlockLight": true', '"wallsBlockLight": false');
  const { differences } = await verify();
  expect(differences[0]).toMatch(/^card\.json: pocket: the contract hashes to ecc-[0-9a-f]{12}, the card says ecc-/);
});

test('another revision or package version is a note, not a difference', async () => {
  const found = await verify({
    source: { revision: 'another', dirty: false },
    packages: { 'parallax-audit': '0.1.0', three: '0.1.0' },
  });
  expect(found.differences).toEqual([]);
  expect(found.notes).toEqual([
    'source revision: recorded 0123456789abcdef, here another',
    'package three: recorded 0.187.0, here 0.1.0',
  ]);
});

test('a manifest path that leaves the folder is refused', async () => {
  edit('manifest.json', '"raw/pocket.csv",\n      "sha256"', '"../../../escape.csv",\n      "sha256"');
  await expect(verify()).rejects.toThrow('leaves its folder');
});

test('nothing is written by a verification', async () => {
  const list = () => readdirSync(fixture.root, { recursive: true, encoding: 'utf8' }).sort();
  const before = list();
  await verify();
  expect(list()).toEqual(before);
});
