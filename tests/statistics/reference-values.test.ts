import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Random } from '../../src/core/random.ts';
import { benjaminiHochberg, holm } from '../../src/statistics/adjust-p.ts';
import { kendallTauB, pearson, permutationP, spearman } from '../../src/statistics/correlation.ts';
import { exactSum } from '../../src/statistics/exact-sum.ts';
import { fleissKappa } from '../../src/statistics/fleiss-kappa.ts';
import { iccAgreement, iccMean, iccSingle, meanSquares } from '../../src/statistics/icc.ts';
import { bootstrapInterval } from '../../src/statistics/interval.ts';
import { kendallW } from '../../src/statistics/kendall-w.ts';
import { krippendorffAlpha } from '../../src/statistics/krippendorff-alpha.ts';
import { normalCdf, normalQuantile } from '../../src/statistics/normal.ts';
import { plackettLuce } from '../../src/statistics/plackett-luce.ts';
import { drawResamples, weightedRatios } from '../../src/statistics/prompt-bootstrap.ts';
import { quantileSorted } from '../../src/statistics/quantile.ts';
import { expectedRange } from '../../src/statistics/scene-spread.ts';

const folder = join(import.meta.dirname, '..', 'reference');
// biome-ignore lint/suspicious/noExplicitAny: reference files of other programs, read field by field
const scipy = JSON.parse(readFileSync(join(folder, 'values.json'), 'utf8')) as Record<string, any>;
// biome-ignore lint/suspicious/noExplicitAny: reference files of other programs, read field by field
const r = JSON.parse(readFileSync(join(folder, 'values-r.json'), 'utf8')) as Record<string, any>;

const near = (actual: unknown, wanted: number, tolerance = 1e-10) => {
  expect(typeof actual).toBe('number');
  expect(Math.abs((actual as number) - wanted)).toBeLessThan(tolerance * Math.max(1, Math.abs(wanted)));
};
const definedValue = (defined: object) => (defined as { value?: number }).value;

describe('against numpy and scipy', () => {
  test('type 7 quantiles', () => {
    const { values, probabilities, expected } = scipy['quantiles'];
    const sorted = Float64Array.from(values as number[]).sort();
    for (const [index, probability] of (probabilities as number[]).entries())
      near(quantileSorted(sorted, probability), expected[index]);
  });

  test('exactly rounded sums are those of math.fsum, in any order', () => {
    const values = scipy['sums'].values as number[];
    expect(exactSum(values)).toBe(scipy['sums'].expected);
    expect(exactSum([...values].reverse())).toBe(scipy['sums'].expected);
  });

  test('W from Friedman, with ties', () => {
    for (const { rows, w } of scipy['kendallW']) near(definedValue(kendallW(rows)), w);
  });

  test('correlations with ties', () => {
    for (const pair of scipy['correlations']) {
      near(pearson(pair.x, pair.y), pair.pearson);
      near(spearman(pair.x, pair.y), pair.spearman);
      near(kendallTauB(pair.x, pair.y), pair.tauB);
    }
    expect(kendallTauB([1, 0, 0], [0, 0, 1])).toBe(-0.5);
    expect(kendallTauB([1, 1, 1], [0, 0, 1])).toBeNull();
  });

  test('exact permutation p', () => {
    const { x, y, pearsonP, spearmanP } = scipy['permutation'];
    const random = new Random(0, 'test');
    expect(permutationP(x, y, pearson, random)).toEqual({ p: pearsonP, kind: 'exact' });
    expect(permutationP(x, y, spearman, random)).toEqual({ p: spearmanP, kind: 'exact' });
  });

  test('normal distribution', () => {
    const { z, cdf, q, quantile } = scipy['normal'];
    for (const [index, value] of (z as number[]).entries()) near(normalCdf(value) / cdf[index], 1, 1e-12);
    for (const [index, value] of (q as number[]).entries()) near(normalQuantile(value), quantile[index], 1e-9);
  });

  test('percentile and BCa intervals of a mean', () => {
    const { sample, bca, percentile } = scipy['intervals'];
    const ids = (sample as number[]).map((_, index) => `p${index}`.padStart(3, '0'));
    const resamples = drawResamples(1, ids, 100_000);
    const values = Float64Array.from(sample as number[]);
    const ones = new Float64Array(values.length).fill(1);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    for (const [method, wanted] of [
      ['bca', bca],
      ['percentile', percentile],
    ] as const) {
      const made = bootstrapInterval(
        mean,
        weightedRatios(resamples.bootstrap, values, ones),
        () => weightedRatios(resamples.jackknife, values, ones),
        { level: 0.95, method },
      );
      near(made.lower, wanted[0], 0.01);
      near(made.upper, wanted[1], 0.01);
      expect(made.monteCarloError[0]!).toBeGreaterThan(0);
    }
  });

  test('expected range of a random subset', () => {
    const { values, expected } = scipy['expectedRange'];
    for (const [size, range] of Object.entries(expected)) near(expectedRange(values, Number(size)), range as number);
  });

  test('intraclass correlations', () => {
    const squares = meanSquares(scipy['icc'].rows);
    near(definedValue(iccSingle(squares)), scipy['icc'].single);
    near(definedValue(iccMean(squares)), scipy['icc'].mean);
    near(definedValue(iccAgreement(squares)), scipy['icc'].agreement);
  });

  test('Plackett-Luce maximum of the likelihood', () => {
    const { rankings, worths } = scipy['plackettLuce'];
    const made = plackettLuce(
      (rankings as number[][]).map((ranking) => ranking.map((item) => [item])),
      4,
    );
    if (!('worths' in made)) throw new Error(made.undefinedBecause);
    for (const [item, worth] of (worths as number[]).entries()) near(made.worths[item], worth, 1e-6);
  });
});

describe('against R', () => {
  test('intraclass correlations of psych', () => {
    const squares = meanSquares(r['icc'].rows);
    near(definedValue(iccSingle(squares)), r['icc'].single);
    near(definedValue(iccMean(squares)), r['icc'].mean);
    near(definedValue(iccAgreement(squares)), r['icc'].agreement);
  });

  test('quantiles', () => {
    const { values, probabilities, expected } = r['quantile'];
    const sorted = Float64Array.from(values as number[]).sort();
    for (const [index, probability] of (probabilities as number[]).entries())
      near(quantileSorted(sorted, probability), expected[index]);
  });

  test('Holm and Benjamini-Hochberg of p.adjust, refused when the resamples cannot resolve them', () => {
    const { p, holm: wantedHolm, bh } = r['adjust'];
    for (const [index, value] of holm(p, 10_000).entries()) near(value, wantedHolm[index]);
    for (const [index, value] of benjaminiHochberg(p, 10_000).entries()) near(value, bh[index]);
    expect(() => holm(new Array(110_295).fill(0.01), 10_000)).toThrow(/too large for 10000 resamples/);
    expect(() => benjaminiHochberg(new Array(501).fill(0.01), 10_000)).toThrow(/expected at most 500/);
  });
});

describe('published examples', () => {
  test('Shrout and Fleiss 1979, table 2', () => {
    const rows = [
      [9, 2, 5, 8],
      [6, 1, 3, 2],
      [8, 4, 6, 8],
      [7, 1, 2, 6],
      [10, 5, 6, 9],
      [6, 2, 4, 7],
    ];
    const squares = meanSquares(rows);
    near(definedValue(iccSingle(squares)), 0.17, 0.005);
    near(definedValue(iccMean(squares)), 0.44, 0.005);
    near(definedValue(iccAgreement(squares)), 0.29, 0.005);
  });

  test('Fleiss 1971 form: ten subjects, fourteen raters, five categories', () => {
    const counts = [
      [0, 0, 0, 0, 14],
      [0, 2, 6, 4, 2],
      [0, 0, 3, 5, 6],
      [0, 3, 9, 2, 0],
      [2, 2, 8, 1, 1],
      [7, 7, 0, 0, 0],
      [3, 2, 6, 3, 0],
      [2, 5, 3, 2, 2],
      [6, 5, 2, 1, 0],
      [0, 2, 2, 3, 7],
    ];
    const { kappa, observed, chance } = fleissKappa(counts);
    near(observed, 0.378, 0.0005);
    near(chance, 0.2128, 0.0005);
    near(definedValue(kappa), 0.21, 0.0005);
    expect(fleissKappa([[3, 0]]).kappa).toEqual({ undefinedBecause: 'every rating is the same category' });
  });

  test('Krippendorff 2011: four observers, twelve units, missing data', () => {
    const missing = Number.NaN;
    const observers = [
      [1, 2, 3, 3, 2, 1, 4, 1, 2, missing, missing, missing],
      [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, missing, 3],
      [missing, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, missing],
      [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, missing],
    ];
    const units = observers[0]!.map((_, unit) =>
      observers.map((values) => values[unit]!).filter((value) => !Number.isNaN(value)),
    );
    near(definedValue(krippendorffAlpha(units, 'nominal')), 0.743, 0.0006);
    near(definedValue(krippendorffAlpha(units, 'ordinal')), 0.815, 0.0006);
    near(definedValue(krippendorffAlpha(units, 'interval')), 0.849, 0.0006);
    expect(
      krippendorffAlpha(
        [
          [1, 1],
          [1, 1],
        ],
        'nominal',
      ),
    ).toEqual({ undefinedBecause: 'every rating is the same value' });
  });

  test('Plackett-Luce without a maximum is undefined, not a large number', () => {
    expect(
      plackettLuce(
        [
          [[0], [1]],
          [[0], [1]],
        ],
        2,
      ),
    ).toHaveProperty('undefinedBecause');
    const tied = plackettLuce([[[0, 1]], [[0, 1]]], 2);
    expect(tied).toMatchObject({ worths: [0.5, 0.5] });
  });

  test('all tied is undefined', () => {
    expect(
      kendallW([
        [1, 1, 1],
        [2, 2, 2],
      ]),
    ).toEqual({ undefinedBecause: 'all generators are tied at every level' });
  });
});
