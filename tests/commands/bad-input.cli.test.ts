import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cli } from '../support/run-cli.ts';
import { writeTinyAudit } from '../support/tiny-audit.ts';

let folder: string;
let audit: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-bad-'));
  audit = await writeTinyAudit(join(folder, 'audit'), {
    generators: ['a', 'b'],
    prompts: ['p1'],
    pitches: [90],
    red: () => 100,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const store = () => join(folder, 'store.duckdb');

describe('any user mistake ends with one clear line and exit 1 or 2', () => {
  test.each([
    ['an unknown command', ['analyse'], 2, 'unknown command'],
    ['a missing argument', ['run'], 2, 'missing required argument'],
    ['a wrong number', ['run', 'x.yaml', '--limit-scenes', '0'], 2, 'expected a whole number from 1 up'],
    ['a missing audit', ['run', 'nowhere.yaml'], 1, 'nowhere.yaml: cannot read the file'],
    ['a missing table', ['analyze', 'nowhere.csv', '--c0', 'a=b'], 1, 'nowhere.csv: no such file'],
    ['a malformed --c0', ['analyze', 'x.csv', '--c0', 'pitch'], 2, '--c0: invalid part "pitch"; expected factor=level'],
    ['an unknown gate', ['analyze', 'x.csv', '--fail-on', 'beauty>1'], 2, '--fail-on: invalid rule "beauty>1"'],
    ['a missing card', ['verify', 'nowhere/card.json'], 1, 'nowhere/card.json'],
    ['an import to nowhere', ['import', 'auto', 'x'], 2, 'import: missing --out'],
    ['an unknown format', ['import', 'usdz', 'x', '--out', 'y'], 2, 'usdz'],
    ['init without scenes', ['init', '--yes'], 2, 'init: missing --scenes'],
  ])('%s', async (_, argv, code, message) => {
    const result = await cli(...argv);
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(message)]);
    expect(result.stderr).not.toMatch(/\n\s+at /);
  });

  test('an unknown evaluator', async () => {
    const result = await cli('run', audit, '--evaluator', 'other', '--store', store());
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('unknown evaluator "other"; expected one of planted');
  });

  test('a table with a bad row names file, line and column, and nothing is written', async () => {
    const table = join(folder, 'bad.csv');
    writeFileSync(table, 'evaluator,generator,prompt,factor,level,score\ne,a,p,,,1\ne,b,p,,,NaN\n');
    const result = await cli('analyze', table, '--out', join(folder, 'out.json'));
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/bad\.csv:3: column score: .*NaN/);
    expect(readdirSync(folder)).not.toContain('out.json');
  });

  test('a results folder that cannot be written', async () => {
    writeFileSync(join(folder, 'audit', 'results'), 'a file where a folder is wanted');
    const result = await cli('run', audit, '--store', store(), '--log', 'quiet');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('expected a writable results folder');
    rmSync(join(folder, 'audit', 'results'));
  });

  test('an evaluator program that is not there', async () => {
    const file = join(folder, 'audit', 'other.yaml');
    const { readFileSync } = await import('node:fs');
    writeFileSync(file, readFileSync(audit, 'utf8').replace(/run: \[node, [^\]]+\]/, 'run: [no-such-program]'));
    const result = await cli('run', file, '--store', store(), '--log', 'quiet');
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('no-such-program');
  });
});

test('init writes an audit file that validates, and does not overwrite it', async () => {
  const out = join(folder, 'mine.yaml');
  const made = await cli(
    'init',
    '--scenes',
    join(folder, 'audit', 'scenes'),
    '--evaluator',
    'command',
    '--out',
    out,
    '--yes',
  );
  expect([made.code, made.stderr]).toEqual([0, '']);
  const valid = await cli('validate', out);
  expect([valid.code, valid.stderr]).toEqual([0, '']);
  expect(valid.stdout).toContain('2 scenes of 2 generators');
  const again = await cli('init', '--scenes', join(folder, 'audit', 'scenes'), '--out', out, '--yes');
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')]);
});

test('a gate that is not met exits 100', async () => {
  mkdirSync(join(folder, 'gate'), { recursive: true });
  const table = join(folder, 'gate', 'scores.csv');
  const rows = ['a', 'b', 'c'].flatMap((generator, g) =>
    [0, 1, 2].flatMap((prompt) => [
      `e,${generator},p${prompt},f,x,${10 + g + prompt}`,
      `e,${generator},p${prompt},f,y,${30 - g + prompt}`,
    ]),
  );
  writeFileSync(table, `evaluator,generator,prompt,factor,level,score\n${rows.join('\n')}\n`);
  const result = await cli('analyze', table, '--c0', 'f=x', '--fail-on', 'peakRho>1');
  expect([result.code, result.stderr]).toEqual([100, expect.stringContaining('gate "peakRho>1": e has peakRho')]);
});
