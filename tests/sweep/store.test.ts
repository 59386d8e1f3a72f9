import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../src/core/hash.ts';
import { Store } from '../../src/sweep/store.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-store-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const key = (name: string) => sha256(name);

test('outcomes come back as they were put, failures with their reasons, and a later answer replaces an earlier one', async () => {
  const store = await Store.open(join(folder, 'a.duckdb'));
  await store.putOutcomes([
    { trial: key('1'), outcome: { status: 'scored', value: -0.125, record: 'raw "answer"' } },
    { trial: key('2'), outcome: { status: 'refused', reason: "it's against policy" } },
  ]);
  await store.putOutcomes([{ trial: key('2'), outcome: { status: 'scored', value: 3 } }]);
  expect(await store.outcomes([key('1'), key('2'), key('3')])).toEqual(
    new Map([
      [key('1'), { status: 'scored', value: -0.125, record: 'raw "answer"' }],
      [key('2'), { status: 'scored', value: 3 }],
    ]),
  );
  await store.close();
  const again = await Store.open(join(folder, 'a.duckdb'));
  expect((await again.outcomes([key('1')])).size).toBe(1);
  await again.close();
});

test('embeddings keep every bit and belong to one instrument', async () => {
  const store = await Store.open(join(folder, 'b.duckdb'));
  const vector = Float32Array.from([0.1, -0, 1e-30, 3]);
  await store.putEmbeddings(key('i'), 'image', [
    { key: key('x'), status: 'scored', reason: '', vector },
    { key: key('y'), status: 'failed', reason: 'too small', vector: null },
  ]);
  const found = await store.embeddings(key('i'), 'image', [key('x'), key('y')]);
  expect(found.get(key('x'))?.vector).toEqual(vector);
  expect(found.get(key('y'))).toEqual({ key: key('y'), status: 'failed', reason: 'too small', vector: null });
  expect((await store.embeddings(key('other'), 'image', [key('x')])).size).toBe(0);
  expect((await store.embeddings(key('i'), 'caption', [key('x')])).size).toBe(0);
  await store.close();
});

test('failures are forgotten on request, scores and what was skipped never', async () => {
  const store = await Store.open(join(folder, 'c.duckdb'));
  await store.putOutcomes([
    { trial: key('ok'), outcome: { status: 'scored', value: 1 } },
    { trial: key('bad'), outcome: { status: 'failed', reason: 'time-out' } },
    { trial: key('odd'), outcome: { status: 'skipped', reason: 'does not apply' } },
  ]);
  const all = [key('ok'), key('bad'), key('odd')];
  expect(await store.forgetFailures(all)).toBe(1);
  expect([...(await store.outcomes(all)).keys()].sort()).toEqual([key('ok'), key('odd')].sort());
  await store.close();
});

test('a store in use is one clear line', async () => {
  const path = join(folder, 'd.duckdb');
  const store = await Store.open(path);
  const { execFileSync } = await import('node:child_process');
  const script = `
    const { DuckDBInstance } = await import('@duckdb/node-api');
    try { await DuckDBInstance.create(${JSON.stringify(path)}); console.log('opened'); } catch (error) { console.log('refused', /lock/i.test(String(error))); }`;
  expect(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      cwd: process.cwd(),
    }).trim(),
  ).toBe('refused true');
  await store.close();
});

test('merging brings what is missing and keeps what is here', async () => {
  const one = await Store.open(join(folder, 'one.duckdb'));
  await one.putOutcomes([{ trial: key('a'), outcome: { status: 'scored', value: 1 } }]);
  await one.close();
  const two = await Store.open(join(folder, 'two.duckdb'));
  await two.putOutcomes([
    { trial: key('a'), outcome: { status: 'scored', value: 1 } },
    { trial: key('b'), outcome: { status: 'scored', value: 2 } },
  ]);
  await two.close();
  const target = await Store.open(join(folder, 'one.duckdb'));
  expect(await target.merge(join(folder, 'two.duckdb'))).toEqual({
    renders: 0,
    embeddings: 0,
    coverage: 0,
    outcomes: 1,
  });
  expect((await target.counts())['outcomes']).toBe(2);
  await target.close();
});

test.each([
  ['a file that is no database', 'not a database '.repeat(100)],
  ['an empty file', ''],
])('merging %s is refused by name and changes nothing', async (name, content) => {
  const folder = mkdtempSync(join(tmpdir(), 'parallax-merge-'));
  const store = await Store.open(join(folder, 'store.duckdb'));
  try {
    const other = join(folder, `${name.replaceAll(' ', '-')}.duckdb`);
    writeFileSync(other, content);
    await expect(store.merge(other)).rejects.toThrow(/: not a store \(.*expected a DuckDB file written by Parallax/);
    expect(await store.counts()).toEqual({ renders: 0, embeddings: 0, outcomes: 0 });
  } finally {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
