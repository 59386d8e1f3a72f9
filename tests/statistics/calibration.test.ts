import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { falseReversals, reversalPower } from '../../bench/calibration-bands.ts';
import { marginTable, percentOf } from '../../bench/calibration-document.ts';
import { type Coverage, marginCoverage, rhoCoverage } from '../../bench/calibration-intervals.ts';
import { CALIBRATION } from '../../bench/calibration-settings.ts';

const share = ({ runs, above, below }: Coverage) => (runs - above - below) / runs;

/** Expects a share of `runs` within four binomial standard deviations of `wanted`. */
function expectNear(observed: number, wanted: number, runs: number): void {
  const limit = 4 * Math.sqrt((wanted * (1 - wanted)) / runs);
  expect(observed).toBeGreaterThanOrEqual(wanted - limit);
  expect(observed).toBeLessThanOrEqual(wanted + limit);
}

describe('coverage of the interval of a margin', () => {
  test('N = 50: near 95% for normal and tied differences', () => {
    const runs = 400;
    const { normal, tied } = marginCoverage(50, { seed: 5, runs, resamples: 400 });
    for (const coverage of [normal.percentile, normal.bca, tied.percentile, tied.bca])
      expectNear(share(coverage), 0.94, runs);
  });

  test('N = 10: short, and worse for skewed differences, whose misses lie below', () => {
    const runs = 1000;
    const { normal, skewed } = marginCoverage(10, { seed: 6, runs, resamples: 400 });
    expectNear(share(normal.percentile), 0.905, runs);
    expectNear(share(skewed.percentile), 0.86, runs);
    expect(skewed.percentile.below).toBeGreaterThan(5 * skewed.percentile.above);
  });
});

describe('coverage of the interval of rho', () => {
  test('generators close together: too low without the correction, near 95% with it', () => {
    const { plain, corrected, correctedUndefined, medians } = rhoCoverage(3, 20, {
      seed: 7,
      runs: 150,
      resamples: 300,
    });
    expect(plain.above).toBeLessThanOrEqual(2);
    expect(plain.below / plain.runs).toBeGreaterThan(0.1);
    expect(share(corrected)).toBeGreaterThan(0.88);
    expect(correctedUndefined).toBeLessThan(15);
    expect(medians.plain).toBeLessThan(2.8);
    expect(medians.corrected!).toBeGreaterThan(2.5);
  });

  test('generators far apart: no correction is needed', () => {
    const runs = 150;
    const { plain, medians } = rhoCoverage(0.3, 50, { seed: 8, runs, resamples: 300 });
    expectNear(share(plain), 0.94, runs);
    expect(Math.abs(medians.plain - 0.3)).toBeLessThan(0.02);
  });
});

describe('bands', () => {
  test('a planted reversal is confirmed when it is large, and not when it is small', async () => {
    const { found } = await reversalPower(50, 134, [0.25, 1.5], { seed: 10, runs: 10, resamples: 199 });
    expect(found[0]!.counts.studentised).toBeLessThanOrEqual(1);
    expect(found[1]!.counts.studentised).toBeGreaterThanOrEqual(8);
  });

  test('where no order is reversed pointwise intervals call reversals and the band does not', async () => {
    const { pointwise, confirmed, pointwiseCount } = await falseReversals('no difference, independent', 20, 134, {
      seed: 11,
      runs: 8,
      resamples: 199,
    });
    expect(pointwise).toBe(8);
    expect(pointwiseCount).toBeGreaterThan(10);
    expect(confirmed.studentised).toBeLessThanOrEqual(1);
  });
});

test('shares carry their Monte Carlo error; none and all carry a limit', () => {
  expect([percentOf(38, 40), percentOf(0, 300), percentOf(300, 300), percentOf(0, 0)]).toEqual([
    '95.0 ± 3.4',
    '0 (< 1.0)',
    '100 (> 99.0)',
    '–',
  ]);
});

describe('docs/calibration.md', () => {
  const path = join(import.meta.dirname, '..', '..', 'docs', 'calibration.md');
  const page = existsSync(path) ? readFileSync(path, 'utf8') : '';

  test('states the seed and the size of every part', () => {
    const { seed, margin, rho, family, power, reversals } = CALIBRATION;
    expect(page).toContain(`Seed ${seed};`);
    expect(page).toContain(`${margin.runs} runs a row, ${margin.resamples} resamples each`);
    expect(page).toContain(`${rho.runs} runs a row, ${rho.resamples} resamples each`);
    expect(page).toContain(`${family.resamples} resamples an audit`);
    expect(page).toContain(`${power.runs} audits of 2010 contrasts`);
    expect(page).toContain(`${reversals.runs} audits of 2010 contrasts`);
  });

  test('its rows for ten prompts come out again to the digit', () => {
    const { seed, margin } = CALIBRATION;
    const shapes = marginCoverage(10, { seed, runs: margin.runs, resamples: margin.resamples });
    const rows = marginTable([{ prompts: 10, shapes }])
      .split('\n')
      .slice(2);
    expect(rows.length).toBe(3);
    for (const row of rows) expect(page).toContain(row);
  });
});
