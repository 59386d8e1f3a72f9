import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { fleissKappa } from '../../src/statistics/fleiss-kappa.ts';
import { kendallW } from '../../src/statistics/kendall-w.ts';
import { populationVariance } from '../../src/statistics/quantile.ts';
import { type SummaryRow, summarize } from '../../src/statistics/summary.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'tables', 'published');
const shared = join(import.meta.dirname, '..', '..', '..', 'shared', 'reference');

type Row = Readonly<Record<string, string>>;
const read = (name: string): Row[] => parse(readFileSync(join(folder, name), 'utf8'), { columns: true }) as Row[];
const numberOf = (text: string | undefined): number | null => (text === undefined || text === '' ? null : Number(text));

test.skipIf(!existsSync(shared))('the fixtures are the shared reference tables', () => {
  for (const name of readdirSync(folder))
    expect([name, readFileSync(join(folder, name), 'utf8')]).toEqual([name, readFileSync(join(shared, name), 'utf8')]);
});

describe('the configuration-fragility study: its headlines follow from its tables', () => {
  const uncertain = new Map(read('peak-rho-uncertainty.csv').map((row) => [row['evaluator'], row]));
  const spread = new Map(read('dispersion-percent.csv').map((row) => [row['evaluator'], row]));
  const probes = new Map(read('probe-discrimination-percent.csv').map((row) => [row['evaluator'], row]));
  const ranks = new Map(read('rank-stability.csv').map((row) => [row['evaluator'], row]));
  const shareOf = (text: string | undefined) => (numberOf(text) ?? Number.NaN) / 100;
  const rows = read('evaluator-summary.csv').map((row): SummaryRow => {
    const evaluator = row['evaluator']!;
    const uncertainty = uncertain.get(evaluator)!;
    const { evaluator: _, ...factors } = spread.get(evaluator)!;
    const probe = probes.get(evaluator)!;
    return {
      evaluator,
      // The prompt-free control.
      role: evaluator === 'CLIP-IQA' ? 'quality' : 'alignment',
      generators: 6,
      dispersion: Object.fromEntries(Object.entries(factors).map(([factor, text]) => [factor, numberOf(text)])),
      templateRho: numberOf(row['template_rho']),
      peakRho: numberOf(row['peak_rho']),
      peakLower: numberOf(uncertainty['ci_low']),
      leaveOneLow: numberOf(uncertainty['leave_one_low']),
      minKendallW: numberOf(row['min_w']),
      maxWinners: numberOf(row['max_top1']),
      bestView: numberOf(row['best_view_ratio']),
      contentAccuracy: shareOf(row['content_accuracy_percent']),
      probes: Object.fromEntries(
        ['keep_half', 'biggest_only', 'scrambled', 'worst_objects'].map((name) => [name, shareOf(probe[name])]),
      ),
      topGapExcludesZero: uncertainty['gap_excludes_zero'] === '' ? null : uncertainty['gap_excludes_zero'] === 'yes',
      separablePairs: null,
      strictPairs: null,
      confirmedReversals: null,
    };
  });
  const items = summarize(rows);
  const item = (name: string, over: 'alignment' | 'all' = 'alignment') =>
    items.find((one) => one.name === name && one.rows === over)!;

  test('counts over the 19 alignment evaluators', () => {
    const counted = (name: string) => [item(name).value, item(name).of];
    expect(counted('peakRhoAboveOne')).toEqual([17, 19]);
    expect(counted('peakRhoLowerBoundAboveOne')).toEqual([11, 19]);
    expect(counted('peakRhoAboveOneSampleVariance')).toEqual([13, 19]);
    expect(counted('peakRhoAboveOneWithoutAnyGenerator')).toEqual([13, 19]);
    expect(counted('templateLargestDispersion')).toEqual([18, 19]);
    expect(counted('moreThanOneWinner')).toEqual([18, 19]);
    expect(counted('topGapExcludesZero')).toEqual([12, 19]);
    expect(item('peakRhoAboveOne').evaluators).not.toContain('CLIP-IQA');
  });

  test('the control has a peak above 1 under the sample variance as well, and stays uncounted', () => {
    const control = rows.map((row) => ({ ...row, role: row.role === 'quality' ? 'alignment' : 'quality' }) as const);
    expect(summarize(control).find(({ name }) => name === 'peakRhoAboveOneSampleVariance')).toMatchObject({
      value: 1,
      of: 1,
      evaluators: ['CLIP-IQA'],
    });
  });

  test('medians and ceilings, over the rows the study took them over', () => {
    expect(item('medianMinKendallW', 'all')).toMatchObject({ value: expect.closeTo(0.8, 10), rows: 'all' });
    expect(item('medianMinKendallW', 'alignment')).toMatchObject({ value: expect.closeTo(0.81, 10) });
    expect(item('medianMinKendallW', 'all').evaluators.length).toBe(20);
    expect(item('largestBestView', 'all').value).toBe(1.37);
    expect(item('largestDiscrimination:scrambled', 'all').value).toBe(0.67);
    expect(item('largestContentAccuracy', 'all').value).toBe(0.75);
  });

  test('the published columns agree with each other', () => {
    for (const row of read('evaluator-summary.csv')) {
      const evaluator = row['evaluator']!;
      const rank = ranks.get(evaluator)!;
      const of = (suffix: string) =>
        Object.entries(rank)
          .filter(([column, text]) => column.endsWith(suffix) && text !== '')
          .map(([, text]) => Number(text));
      expect([evaluator, Math.min(...of('_w'))]).toEqual([evaluator, Number(row['min_w'])]);
      expect([evaluator, Math.max(...of('_winners'))]).toEqual([evaluator, Number(row['max_top1'])]);
      const { evaluator: _, ...rhos } = read('rho.csv').find((one) => one['evaluator'] === evaluator)!;
      const known = Object.values(rhos).flatMap((text) => (text === '' ? [] : [Number(text)]));
      expect([evaluator, Math.max(...known)]).toEqual([evaluator, Number(row['peak_rho'])]);
      expect([evaluator, Number(row['peak_rho'])]).toEqual([evaluator, Number(uncertain.get(evaluator)!['peak_rho'])]);
      // The mean of the four probes; one row is rounded down, so 1 is allowed.
      const { keep_half, biggest_only, scrambled, worst_objects, mean } = probes.get(evaluator)!;
      const average =
        [keep_half, biggest_only, scrambled, worst_objects].reduce((sum, text) => sum + Number(text), 0) / 4;
      expect(Math.abs(average - Number(mean))).toBeLessThanOrEqual(1);
    }
  });
});

describe('the scene-critic study', () => {
  const views = read('scene-critic-views.csv');
  const METRICS = ['semantic', 'orientation', 'overlap'] as const;
  const scoreOf = (method: string, view: string, metric: string) =>
    Number(views.find((row) => row['method'] === method && row['view'] === view)![metric]);

  test('all 72 published variances are those of two views', () => {
    const published = read('scene-critic-variances.csv');
    let checked = 0;
    for (const row of published)
      for (const metric of METRICS) {
        const [base, other] = [scoreOf(row['method']!, 'top1', metric), scoreOf(row['method']!, row['view']!, metric)];
        const variance = populationVariance([base, other]);
        // Both scores are rounded to 0.005, the variance to 0.005.
        const rounding = 0.0051 + Math.abs(base - other) * 0.005 + 0.0001;
        expect(Math.abs(variance - Number(row[metric]))).toBeLessThanOrEqual(rounding);
        checked += 1;
      }
    expect(checked).toBe(72);
  });

  test('the order of the methods does not survive the view', () => {
    const methods = [...new Set(views.map((row) => row['method']!))];
    const levels = [...new Set(views.map((row) => row['view']!))];
    const table = levels.map((view) => methods.map((method) => scoreOf(method, view, 'average')));
    const w = kendallW(table);
    expect('value' in w && w.value).toBeLessThan(0.5);
    expect(new Set(table.map((scores) => scores.indexOf(Math.max(...scores)))).size).toBeGreaterThan(1);
  });

  test('the 18 kappas of the easy rows, and the aggregated one', () => {
    const easy = read('scene-critic-human.csv').filter((row) => row['difficulty'] === 'easy');
    let checked = 0;
    for (const metric of METRICS) {
      const counts = easy.map((row) => [Number(row[`${metric}_a_wins`]), Number(row[`${metric}_b_wins`])]);
      const { items, kappa } = fleissKappa(counts);
      for (const [index, row] of easy.entries()) {
        expect(Math.abs(items[index]! - Number(row[`kappa_${metric}`]))).toBeLessThanOrEqual(0.00051);
        checked += 1;
      }
      if (metric === 'semantic') expect('value' in kappa && kappa.value).toBeCloseTo(0.297, 3);
    }
    expect(checked).toBe(18);
  });
});

test("W of DescTools' anxiety data: 20 people, 3 raters, with tie correction", () => {
  const raters = [
    [3, 3, 3, 4, 5, 5, 2, 3, 5, 2, 2, 6, 1, 5, 2, 2, 1, 2, 4, 3],
    [3, 6, 4, 6, 2, 4, 2, 4, 3, 3, 2, 3, 3, 3, 2, 2, 1, 3, 3, 4],
    [2, 1, 4, 4, 3, 2, 1, 6, 1, 1, 1, 2, 3, 3, 1, 1, 3, 3, 2, 2],
  ];
  const w = kendallW(raters);
  expect('value' in w && w.value).toBeCloseTo(0.53965688, 8);
});
