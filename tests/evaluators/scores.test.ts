import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { scoresSpecSchema } from '../../src/core/evaluator-spec.ts';
import { sha256 } from '../../src/core/hash.ts';
import type { ScoresEvaluator } from '../../src/evaluators/evaluator.ts';
import { createScores } from '../../src/evaluators/scores.ts';

const folder = mkdtempSync(join(tmpdir(), 'parallax-scores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(text: string, more: Record<string, unknown> = {}): Promise<ScoresEvaluator> {
  writeFileSync(join(folder, 'table.csv'), text);
  return createScores(scoresSpecSchema.parse({ id: 'blip', kind: 'scores', file: 'table.csv', ...more }), { folder });
}
const HEAD = 'evaluator,generator,prompt,factor,level,score';
const cell = (factor = '', level = '', repeat = 0) => ({ generator: 'g', prompt: 'p', factor, level, repeat });

test('looks up scores and failures; other evaluators in the file are left alone', async () => {
  const text = `${HEAD},status,reason,repeat\r
blip,g,p,,,1.5,,,\r
blip,g,p,,,2.5,scored,,1\r
blip,g,p,pitch,45,,refused,"policy, said so",\r
blip,g,p,focal,-3,-2e-3,,,\r
other,g,p,,,99,,,\r
`;
  const scores = await open(text);
  expect(scores.lookup(cell())).toEqual({ status: 'scored', value: 1.5 });
  expect(scores.lookup(cell('', '', 1))).toEqual({ status: 'scored', value: 2.5 });
  expect(scores.lookup(cell('pitch', '45'))).toEqual({ status: 'refused', reason: 'policy, said so' });
  expect(scores.lookup(cell('focal', '-3'))).toEqual({ status: 'scored', value: -0.002 });
  expect(scores.lookup(cell('yaw', '90'))).toEqual({
    status: 'skipped',
    reason: 'no row in table.csv for g, p, yaw 90',
  });
  expect(scores).toMatchObject({
    kind: 'scores',
    role: 'alignment',
    table: sha256(text),
    scale: { name: 'unstated', min: null, max: null },
    files: [{ path: join(folder, 'table.csv'), role: 'scores' }],
  });
});

test('the fingerprint follows the bytes of the table and the declared scale', async () => {
  const text = `${HEAD}\nblip,g,p,,,1\n`;
  const first = (await open(text)).fingerprint;
  expect((await open(text)).fingerprint).toEqual(first);
  expect((await open(text.replace('1\n', '2\n'))).fingerprint).not.toEqual(first);
  expect((await open(text, { scale: { name: 'itm', min: 0, max: 1 } })).fingerprint).not.toEqual(first);
});

describe('refuses, naming file, line and column:', () => {
  test.each([
    ['a duplicate key', 'blip,g,p,pitch,45,1\nblip,g,p,pitch,45,1', 'table.csv:3: column "level": the same evaluator'],
    [
      'a word for a number',
      'blip,g,p,,,high',
      'table.csv:2: column "score": invalid number "high"; expected a finite number',
    ],
    ['NaN', 'blip,g,p,,,NaN', 'table.csv:2: column "score": invalid number "NaN"'],
    ['infinity', 'blip,g,p,,,1e999', 'table.csv:2: column "score": invalid number "1e999"'],
    ['a hexadecimal number', 'blip,g,p,,,0x10', 'table.csv:2: column "score": invalid number "0x10"'],
    ['an empty score without a status', 'blip,g,p,,,', 'table.csv:2: column "score": empty'],
    ['a factor without a level', 'blip,g,p,pitch,,1', 'table.csv:2: column "level"'],
    ['a spreadsheet formula', 'blip,=g(),p,,,1', 'table.csv:2: column "generator": invalid id "=g()"'],
    ['a short row', 'blip,g,p,,', 'table.csv:2: 5 cells; expected 6 as in the header'],
    ['a path', 'blip,../g,p,,,1', 'table.csv:2: column "generator": invalid id'],
    ['no row of its own', 'other,g,p,,,1', 'table.csv: no row of evaluator "blip"; expected one of other'],
  ])('%s', async (_, rows, message) => {
    await expect(open(`${HEAD}\n${rows}\n`)).rejects.toThrow(message);
  });

  test.each([
    ['an unknown column', `${HEAD},colour\nblip,g,p,,,1,red\n`, 'table.csv:1: unknown column "colour"'],
    [
      'a missing column',
      'evaluator,generator,prompt,factor,score\nblip,g,p,,1\n',
      'table.csv:1: missing column "level"',
    ],
    ['a doubled column', `${HEAD},score\nblip,g,p,,,1,1\n`, 'table.csv:1: column "score" occurs twice'],
    ['an empty file', '', 'table.csv: empty file'],
    ['an open quote', `${HEAD}\n"blip,g,p,,,1\n`, 'table.csv: invalid CSV'],
    ['a number beside a failure', `${HEAD},status\nblip,g,p,,,0,failed\n`, 'expected an empty score for a failure'],
    ['an unknown status', `${HEAD},status\nblip,g,p,,,,lost\n`, 'column "status": unknown status "lost"'],
  ])('%s', async (_, text, message) => {
    await expect(open(text)).rejects.toThrow(message);
  });

  test('a score outside the declared scale', async () => {
    await expect(open(`${HEAD}\nblip,g,p,,,1.2\n`, { scale: { name: 'itm', min: 0, max: 1 } })).rejects.toThrow(
      'table.csv:2: column "score": 1.2 is outside the declared scale; expected 0 to 1',
    );
  });

  test('bytes that are not UTF-8, a missing file, no file', async () => {
    writeFileSync(join(folder, 'latin.csv'), Buffer.from(`${HEAD}\nblip,caf\xe9,p,,,1\n`, 'latin1'));
    const create = (more: Record<string, unknown>) =>
      createScores(scoresSpecSchema.parse({ id: 'blip', kind: 'scores', ...more }), { folder });
    await expect(create({ file: 'latin.csv' })).rejects.toThrow('latin.csv: invalid UTF-8');
    await expect(create({ file: 'nowhere.csv' })).rejects.toThrow('nowhere.csv: cannot be read');
    await expect(create({})).rejects.toThrow('blip: missing "file"');
  });
});
