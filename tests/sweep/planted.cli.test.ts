import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Estimates } from '../../src/core/estimates.ts';
import { cli } from '../support/run-cli.ts';
import { writeTinyAudit } from '../support/tiny-audit.ts';

/**
 * End-to-end truth: pictures whose red channel is planted, scored by a program over the command protocol, swept, exported and
 * analysed. Quality a=100, b=90, c=80; pitch 45 adds 30 to everyone; pitch 0 adds 30 to b alone.
 */
const QUALITY: Record<string, number> = { a: 100, b: 90, c: 80 };
const red = (generator: string, prompt: string, pitch: number) =>
  (QUALITY[generator] as number) +
  Number(prompt.slice(1)) +
  (pitch === 45 || (pitch === 0 && generator === 'b') ? 30 : 0);

let folder: string;
let estimates: Estimates;
let output: Awaited<ReturnType<typeof cli>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-planted-'));
  const file = await writeTinyAudit(join(folder, 'audit'), {
    generators: ['a', 'b', 'c'],
    prompts: ['p0', 'p2', 'p4', 'p6'],
    pitches: [90, 45, 0],
    red,
  });
  output = await cli('run', file, '--log', 'quiet', '--store', join(folder, 'store.duckdb'));
  if (output.code !== 0) throw new Error(output.stderr);
  estimates = JSON.parse(readFileSync(join(folder, 'audit', 'results', 'estimates.json'), 'utf8')) as Estimates;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const planted = () => estimates.evaluators[0] as Estimates['evaluators'][number];
const factor = (name: string) => planted().factors.find((one) => one.factor === name);

describe('the audit finds exactly what was planted', () => {
  test('every planned outcome is scored', () => {
    expect(output.stderr).toBe('');
    expect(output.code).toBe(0);
    // 12 scenes x (c0 + 2 other pitches + 3 other templates): a level equal to the default is c0's own trial.
    expect(planted().ledger).toEqual({ planned: 72, scored: 72, failed: 0, refused: 0, unparseable: 0, skipped: 0 });
  });

  test('the generators and the c0 margins', () => {
    expect(planted().generators.map(({ generator, score }) => [generator, score.value])).toEqual([
      ['a', 103],
      ['b', 93],
      ['c', 83],
    ]);
    expect(
      planted().envelopes.map(({ pair, baseline, min, max, strict }) => [pair, baseline.value, min, max, strict]),
    ).toEqual([
      [['a', 'b'], 10, -20, 10, false],
      [['a', 'c'], 20, 20, 20, true],
      [['b', 'c'], 10, 10, 40, true],
    ]);
  });

  test('dispersion, rho and its interaction form of pitch', () => {
    // Levels of a and c: 0, +30, 0; of b: 0, +30, +30. Means over levels: q + 10 (a, c) and q + 20 (b).
    const scenes = ['a', 'b', 'c'].flatMap((generator) =>
      [0, 2, 4, 6].map((prompt) => 30 / ((QUALITY[generator] as number) + prompt + (generator === 'b' ? 20 : 10))),
    );
    expect(factor('pitch')?.dispersion.value).toBeCloseTo(scenes.reduce((sum, value) => sum + value, 0) / 12, 12);
    // Population variance of (0, 30, 0) and of (0, 30, 30) is 200; of the generator means (103, 93, 83) 200/3.
    expect(factor('pitch')?.rho.value).toBeCloseTo(200 / (200 / 3), 12);
    expect(factor('pitch')?.rhoInteraction.value).toBeGreaterThan(0);
    expect(planted().peakRho.factor).toBe('pitch');
  });

  test('a shift common to all generators makes rho, and no interaction', () => {
    // Templates add 0, 2, 4 and 8 to everyone.
    expect(factor('template')?.rho.value).toBeCloseTo(8.75 / (200 / 3), 12);
    expect(factor('template')?.rhoInteraction.value).toBeCloseTo(0, 12);
    expect(factor('template')?.kendallW.value).toBe(1);
    expect(factor('template')?.winners).toEqual(['a']);
  });

  test('the winner that pitch 0 makes', () => {
    expect(factor('pitch')?.winners).toEqual(['a', 'b']);
    expect(planted().winnersAll).toEqual(['a', 'b']);
    expect(planted().bestTemplate?.template).toBe('a-rendering-of');
  });

  test('four prompts confirm nothing', () => {
    expect(planted().reversals.simultaneous).toEqual([]);
    expect(planted().reversals.unconfirmedBecause).toContain('4 prompts');
  });

  test('running again repeats nothing, and the card verifies', async () => {
    const again = await cli('run', join(folder, 'audit', 'audit.yaml'), '--store', join(folder, 'store.duckdb'));
    expect(again.stdout.split('\n').slice(0, 2)).toEqual([
      '0 rendered, 36 found in the store',
      'planted: 0 scored anew',
    ]);
    const verified = await cli('verify', join(folder, 'audit', 'results', 'card.json'));
    expect([verified.code, verified.stderr]).toEqual([0, '']);
  });

  test('one changed byte of a raw file or of a scene is named', async () => {
    const raw = join(folder, 'audit', 'results', 'raw', 'planted.csv');
    const before = readFileSync(raw);
    const text = before.toString('utf8');
    writeFileSync(raw, text.replace('100,scored', '101,scored'));
    const changed = await cli('verify', join(folder, 'audit', 'results', 'card.json'));
    expect(changed.code).toBe(1);
    expect(changed.stdout + changed.stderr).toContain('raw/planted.csv');
    writeFileSync(raw, before);
    const glb = join(folder, 'audit', 'scenes', 'a', 'p0', 'scene.glb');
    const bytes = readFileSync(glb);
    const other = Buffer.from(bytes);
    other[other.length - 1] = (other[other.length - 1] as number) ^ 1;
    writeFileSync(glb, other);
    const scene = await cli('verify', join(folder, 'audit', 'results', 'card.json'));
    expect(scene.code).toBe(1);
    expect(scene.stdout + scene.stderr).toContain('scenes/a/p0/scene.glb');
    const refused = await cli('run', join(folder, 'audit', 'audit.yaml'), '--store', join(folder, 'store.duckdb'));
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('scene.glb');
    writeFileSync(glb, bytes);
  });
});
