import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashJson } from '../../src/core/hash.ts';
import type { CheckRow } from '../../src/scenes/check-table.ts';
import { importScenes } from '../../src/scenes/import-scenes.ts';

/** Real output files, outside the repository: present on the machines that develop this. */
const CORPUS = join(import.meta.dirname, '..', '..', '..', 'shared', 'corpus');
const GOLDEN = join(import.meta.dirname, '..', 'golden', 'scenes');
const FOLDERS = ['sceneeval', 'holodeck', 'procthor', 'ai2thor', 'layoutgpt', 'sceneweaver', 'scenesmith', 'glb'];

/** Notes that follow the kit's sizes and vocabulary, which may be tuned without touching an importer. */
const KIT_NOTES = /unknown to the kit|usual size|pairs of boxes|reach out of every room/;
/** Formats whose files tell every size: their overlaps are facts of the file. */
const SIZED = new Set(['layoutgpt', 'physcene', 'glb']);

function summary(rows: readonly CheckRow[]): unknown[] {
  return rows.map(({ file, format, scene, refused, objects, proxies, roomArea, outOfRoom, overlapping, notes }) => ({
    file,
    format,
    scene,
    ...(refused === null
      ? { objects, proxies, roomArea, ...(SIZED.has(format) ? { outOfRoom, overlapping } : {}) }
      : { refused: refused.slice(0, 100) }),
    notes: notes.filter((note) => !KIT_NOTES.test(note)).map((note) => note.slice(0, 160)),
  }));
}

/** Hundreds of scenes of one file: counts, sums, the first three, and a hash of the rest. */
function condensed(rows: readonly unknown[]): unknown {
  if (rows.length < 40) return rows;
  return { scenes: rows.length, first: rows.slice(0, 3), sha256: hashJson(rows) };
}

test.skipIf(!existsSync(CORPUS)).each(FOLDERS)(
  'corpus/%s: every file imports or is refused with a reason',
  { timeout: 300_000 },
  async (folder) => {
    const found = await importScenes({ format: 'auto', paths: [join(CORPUS, folder)], check: true, roomSize: 3.5 });
    for (const { file, format, problem, imported, refused } of found.files) {
      expect([file, format]).not.toEqual([file, null]);
      expect([file, problem === null && imported + refused > 0]).toEqual([file, true]);
    }
    for (const { refused } of found.rows) expect(refused ?? '').not.toMatch(/\n/);
    const text = `${JSON.stringify(condensed(summary(found.rows)), null, 2)}\n`;
    const path = join(GOLDEN, `corpus-${folder}.json`);
    if (process.env['PARALLAX_GOLDEN'] === 'update') {
      mkdirSync(GOLDEN, { recursive: true });
      writeFileSync(path, text);
    }
    expect(JSON.parse(text)).toEqual(JSON.parse(readFileSync(path, 'utf8')));
  },
);

test.skipIf(!existsSync(CORPUS))('the 50 study prompts read as a prompt set', async () => {
  const { readPromptSet } = await import('../../src/scenes/prompt-set.ts');
  const header = readFileSync(join(CORPUS, 'prompts', 'study-prompts.csv'), 'utf8').split('\n')[0];
  expect(header).toContain('id');
  expect((await readPromptSet(join(CORPUS, 'prompts', 'study-prompts.csv'))).entries.length).toBe(50);
});
