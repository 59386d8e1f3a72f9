import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Estimate, Estimates } from '../../src/core/estimates.ts';
import { optionsFromTable } from '../../src/statistics/analysis-options.ts';
import { analyze } from '../../src/statistics/analyze.ts';
import { readScoreTable } from '../../src/statistics/score-table.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-malformed-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = 'evaluator,generator,prompt,factor,level,score';

async function analyzeText(lines: readonly string[], c0: Record<string, string> = {}): Promise<Estimates> {
  const path = join(folder, 'scores.csv');
  writeFileSync(path, `${[HEADER, ...lines].join('\n')}\n`);
  const table = await readScoreTable(path);
  return await analyze(table, optionsFromTable(table, { seed: 1, resamples: 200, c0 }));
}

/** A full table: `score(g, p, level)` for c0 (level 0) and the levels of one factor. */
function full(
  generators: number,
  prompts: number,
  levels: number,
  score: (g: number, p: number, level: number) => number,
): string[] {
  const lines: string[] = [];
  for (let g = 0; g < generators; g += 1)
    for (let p = 0; p < prompts; p += 1)
      for (let level = 0; level < levels; level += 1)
        lines.push(`ev,g${g},p${p},${level === 0 ? ',' : `pitch,l${level}`},${score(g, p, level)}`);
  return lines;
}

/** Every reason in the estimates, and that no number is infinite or NaN. */
function undefinedReason(estimate: Estimate): string {
  expect(estimate.value).toBeNull();
  return estimate.value === null ? estimate.undefinedBecause : '';
}

describe('one clear line', () => {
  const oneLine = async (lines: readonly string[], message: RegExp, c0: Record<string, string> = {}) => {
    const error = await analyzeText(lines, c0).then(
      () => null,
      (thrown: Error) => thrown,
    );
    expect(error?.constructor.name).toBe('AuditError');
    expect(error?.message).toMatch(message);
    expect(error?.message).not.toContain('\n');
  };

  test('a duplicate key', () =>
    oneLine(
      ['ev,a,p,,,1', 'ev,b,p,,,2', 'ev,a,p,,,1'],
      /^scores\.csv:4: .*duplicate.*line 2|^scores\.csv:4: .*duplicate/,
    ));

  test('no default configuration', () =>
    oneLine(['ev,a,p,pitch,90,1', 'ev,b,p,pitch,90,2'], /no default configuration.*expected --c0 factor=level.*pitch/));

  test('a default configuration the table does not have', () =>
    oneLine(
      ['ev,a,p,pitch,90,1', 'ev,b,p,pitch,0,2'],
      /--c0: unknown level "45" of factor "pitch"; expected one of 0, 90/,
      {
        pitch: '45',
      },
    ));

  test('an evaluator without the default configuration', () =>
    oneLine(
      ['ev,a,p,pitch,90,1', 'ev,b,p,pitch,90,2', 'other,a,p,pitch,0,1', 'other,b,p,pitch,0,2'],
      /evaluator "other" has no row of the default configuration/,
      { pitch: '90' },
    ));

  test('factors that disagree about the default configuration', () =>
    oneLine(
      ['ev,a,p,pitch,90,1', 'ev,b,p,pitch,90,2', 'ev,a,p,light,city,1', 'ev,b,p,light,city,3'],
      /disagrees with another row of the same configuration.*generator "b", prompt "p": "2" and "3"|"3" and "2"/,
      { pitch: '90', light: 'city' },
    ));

  test.each(['NaN', 'Infinity', '-inf', '1e999', '0x10', '1,5', ' 1', 'nan'])('a score of %s', (score) =>
    oneLine(
      ['ev,a,p,,,1', `ev,b,p,,,${score.includes(',') ? `"${score}"` : score}`],
      /^scores\.csv:3: column score: invalid score ".*"; expected a finite decimal number$/,
    ),
  );

  test('no rows', () => oneLine([], /no rows|expected/));
});

describe('a stated undefined, never a wrong number', () => {
  const clean = (estimates: Estimates) => {
    expect(JSON.stringify(estimates)).not.toMatch(/Infinity|NaN/);
    return estimates.evaluators[0]!;
  };

  test('one generator: nothing to compare', async () => {
    const estimates = await analyzeText(full(1, 25, 3, (_, p, level) => 10 + p + level));
    const evaluator = clean(estimates);
    const factor = evaluator.factors[0]!;
    expect(factor.dispersion.value).toBeGreaterThan(0);
    expect(undefinedReason(factor.rho)).toBe('fewer than two generators');
    expect(undefinedReason(evaluator.peakRho)).toBe('fewer than two generators');
    expect(undefinedReason(evaluator.topGap)).toBe('fewer than two generators');
    expect(undefinedReason(factor.kendallW)).toMatch(/generator/);
    expect(evaluator).toMatchObject({ envelopes: [], separablePairs: 0, strictPairs: 0 });
    expect(factor.winners).toEqual([]);
    expect(evaluator.winnersAll).toEqual([]);
    expect(estimates.family).toMatchObject({ contrasts: 0, criticalValue: null, confirmable: false });
    expect(estimates.warnings).toContainEqual(expect.stringContaining('only 1 generator'));
  });

  test('one prompt: there is no interval, and nothing is confirmed', async () => {
    const estimates = await analyzeText(full(3, 1, 3, (g, _, level) => 10 + 2 * g + (g === 1 ? 5 * level : 0)));
    const evaluator = clean(estimates);
    expect(evaluator.generators[1]!.score).toMatchObject({
      value: 12,
      lower: null,
      upper: null,
      level: null,
      warnings: ['only 1 prompt: nothing to resample, so there is no interval'],
    });
    // Generator 1 alone moves, 17 and 22: variance 6.25 in one scene of three; c0 means 10, 12, 14.
    expect(evaluator.factors[0]!.rho.value).toBeCloseTo(6.25 / 3 / (8 / 3), 12);
    // No prompt noise can be estimated from one prompt, so there is nothing to correct by.
    expect(undefinedReason(evaluator.factors[0]!.rhoCorrected)).toMatch(/one prompt/);
    expect(evaluator.separablePairs).toBe(0);
    expect(evaluator.reversals.counts).toMatchObject({ pointwise: 0, simultaneous: 0 });
    expect(evaluator.reversals.unconfirmedBecause).toMatch(/only 1 prompt/);
    expect(estimates.family).toMatchObject({ criticalValue: null, confirmable: false });
  });

  test('one level: nothing moved', async () => {
    const evaluator = clean(
      await analyzeText(
        full(3, 25, 1, (g, p) => 10 + g + p),
        {},
      ),
    );
    expect(evaluator.factors).toEqual([]);
    expect(undefinedReason(evaluator.peakRho)).toBe('no factor was swept');
    expect(undefinedReason(evaluator.minKendallW)).toBe('no shared factor was swept');
    expect(evaluator.envelopes.every(({ min, max, baseline }) => min === baseline.value && max === min)).toBe(true);
    // A factor of which only the default level was scored.
    const lines = full(3, 25, 1, (g, p) => 10 + g + p).map((line) => line.replace(',,,', ',pitch,90,'));
    const single = clean(await analyzeText(lines, { pitch: '90' })).factors[0]!;
    expect(undefinedReason(single.dispersion)).toBe('one level only');
    expect(undefinedReason(single.rho)).toBe('one level only');
    expect(undefinedReason(single.rhoInteraction)).toBe('fewer than two levels');
    expect(undefinedReason(single.kendallW)).toMatch(/level/);
  });

  test('all ties: no winner, no order, no reversal', async () => {
    const estimates = await analyzeText(full(3, 25, 3, (_, p) => 10 + p));
    const evaluator = clean(estimates);
    const factor = evaluator.factors[0]!;
    expect(factor.dispersion).toMatchObject({ value: 0, lower: 0, upper: 0 });
    expect(undefinedReason(factor.rho)).toMatch(/do not differ/);
    expect(undefinedReason(factor.rhoCorrected)).toMatch(/do not differ/);
    expect(undefinedReason(factor.kendallW)).toMatch(/tied/);
    expect(factor).toMatchObject({ winners: [], tiedLevels: 2 });
    expect(evaluator.envelopes.map(({ min, max, strict }) => [min, max, strict])).toEqual([
      [0, 0, false],
      [0, 0, false],
      [0, 0, false],
    ]);
    expect(evaluator.bestSet).toEqual(['g0', 'g1', 'g2']);
    expect(evaluator.separablePairs).toBe(0);
    expect(estimates.family).toMatchObject({ contrasts: 9, degenerate: 9, criticalValue: null });
    expect(evaluator.reversals.counts).toMatchObject({ pointwise: 0, simultaneous: 0 });
  });

  test('nothing scored at all', async () => {
    const lines = full(2, 25, 2, () => 0).map((line) => line.replace(/0$/, ''));
    const evaluator = clean(await analyzeText(lines));
    expect(undefinedReason(evaluator.generators[0]!.score)).toMatch(/^withheld: 50 of 50 cells at c0/);
    expect(evaluator.missing.gate).toBe('both');
    expect(evaluator.ledger).toMatchObject({ planned: 100, scored: 0, failed: 100 });
  });
});
