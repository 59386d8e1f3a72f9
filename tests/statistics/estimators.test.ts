import { describe, expect, test } from 'vitest';
import { normalSource } from '../../bench/stats-data.ts';
import type { EvaluatorEstimates } from '../../src/core/estimates.ts';
import { optionsFromTable } from '../../src/statistics/analysis-options.ts';
import { analyze } from '../../src/statistics/analyze.ts';
import { drawResamples } from '../../src/statistics/prompt-bootstrap.ts';
import { buildCubes } from '../../src/statistics/score-cube.ts';
import { type ScoreRow, scoreTableOf } from '../../src/statistics/score-table.ts';
import { secondJudge } from '../../src/statistics/second-judge.ts';
import { analyzeMade, madeOptions, madeRows, promptId } from '../support/score-rows.ts';

const INTERVAL = { level: 0.95, method: 'percentile' } as const;
const first = (estimates: { evaluators: readonly EvaluatorEstimates[] }) => estimates.evaluators[0]!;

describe('by hand', () => {
  test('best view: median over scenes of the best pose over c0, lighting left out', async () => {
    const pitch = [
      [12, 9],
      [10, 20],
      [11, 10],
    ];
    const { bestView } = first(
      await analyzeMade({
        generators: 1,
        prompts: 3,
        factors: [
          { factor: 'pitch', levels: ['90', '45', '0'] },
          { factor: 'yaw', levels: ['0', '90'] },
          { factor: 'lighting', levels: ['city', 'night'] },
        ],
        score: ({ p, factor, index }) =>
          factor === '' ? 10 : factor === 'pitch' ? pitch[p]![index - 1]! : factor === 'yaw' ? 10 + p : 99,
      }),
    );
    // Best poses: 12, 20, 12 over 10.
    expect(bestView).toMatchObject({ value: 1.2, n: 3, poses: 4, notPositive: 0 });
  });

  test('best template: its ratio to the default and the rank of the default', async () => {
    const means = [20, 18, 25, 20];
    const { bestTemplate } = first(
      await analyzeMade({
        generators: 2,
        prompts: 4,
        factors: [{ factor: 'template', levels: ['t0', 't1', 't2', 't3'] }],
        score: ({ g, p, index }) => means[index]! + (g - 0.5) + (p - 1.5),
      }),
    );
    expect(bestTemplate).toEqual({ template: 't2', ratio: 1.25, defaultRank: 2.5, templates: 4 });
  });

  test('the best set keeps who cannot be told from the best, and drops who is clearly worse', async () => {
    const normal = normalSource(41);
    const lead = [0, 0.05, 3];
    const evaluator = first(
      await analyzeMade(
        { generators: 3, prompts: 40, factors: [], score: ({ g }) => 20 - lead[g]! + normal() },
        { resamples: 1000 },
        (options) => ({ ...options, c0: {} }),
      ),
    );
    expect(evaluator.bestSet).toEqual(['g0', 'g1']);
    expect(evaluator.separablePairs).toBe(2);
    expect(evaluator.topGap).toMatchObject({ selected: true });
  });

  test('zeros of an imported table: what they could hide', async () => {
    const rows: ScoreRow[] = [];
    for (const [g, scores] of [
      [4, 0, 6],
      [3, 5, 0],
    ].entries())
      for (const [p, score] of scores.entries())
        for (const [factor, level, shift] of [
          ['', '', 0],
          ['pitch', '0', 1],
        ] as const)
          rows.push({
            evaluator: 'ev',
            generator: `g${g}`,
            prompt: promptId(p),
            factor,
            level,
            score: score === 0 ? 0 : score + shift,
          });
    const table = scoreTableOf(rows);
    const options = optionsFromTable(table, { seed: 1, resamples: 100, c0: {} });
    const scaled = {
      ...options,
      evaluators: options.evaluators.map((one) => ({ ...one, scale: { name: 'stars', min: 0, max: 10 } })),
    };
    const { zeroSensitivity } = first(await analyze(table, scaled));
    expect(zeroSensitivity).toMatchObject({
      zeros: 4,
      atDefault: 2,
      // (4-3) + (z-5) + (6-z'), z and z' anywhere from 0 to 10; without the zeros one prompt is left.
      margins: [{ pair: ['g0', 'g1'], lower: (1 - 5 - 4) / 3, upper: (1 + 5 + 6) / 3, withoutZeros: 1 }],
    });
  });

  test('missing outcomes: envelope bounds over everything they could have been', async () => {
    const made = {
      generators: 2,
      prompts: 25,
      factors: [{ factor: 'pitch', levels: ['90', '0'] }],
      score: ({ g, p, index }: { g: number; p: number; index: number }) =>
        index === 1 && g === 0 && p === 3 ? null : 6 - g + index,
    };
    const scaled = await analyzeMade(made, {}, (options) => ({
      ...options,
      evaluators: options.evaluators.map((one) => ({ ...one, scale: { name: 'stars', min: 0, max: 10 } })),
    }));
    const [envelope] = first(scaled).envelopes;
    // c0: 1 everywhere. Pitch 0: 24 prompts of 1, and one of z - 6 with z from 0 to 10.
    expect(envelope!.bounds).toEqual({
      min: expect.closeTo((24 - 6) / 25, 12),
      max: expect.closeTo((24 + 4) / 25, 12),
      strict: true,
    });
    expect(first(await analyzeMade(made)).envelopes[0]!.bounds).toBeNull();
    const missing = first(scaled).factors[0]!.missing;
    expect(missing.cells).toEqual({ planned: 100, missing: 1, share: 0.01 });
    expect(missing.prompts).toEqual({ planned: 25, lost: 1, share: 0.04 });
  });

  test('brightness: shifts in percent of c0 against log2 luminance, exact permutation p', async () => {
    const lights = ['city', 'dawn', 'noon', 'night'];
    const luminance = [1, 2, 4, 0.5];
    const shift = [0, 2, 4, -2];
    const rows = madeRows({
      generators: 2,
      prompts: 5,
      factors: [{ factor: 'lighting', levels: lights }],
      score: ({ g, p, index }) => 20 + (g - 0.5) + (p - 2) + shift[index]!,
    }).map((row) => ({ ...row, image: `image-${row.level === '' ? 'city' : row.level}` }));
    const options = madeOptions(rows, { factors: [{ factor: 'lighting', levels: lights }] });
    const { brightness } = first(
      await analyze(scoreTableOf(rows), {
        ...options,
        luminance: new Map(lights.map((light, index) => [`image-${light}`, luminance[index]!])),
      }),
    );
    // Shift is 10% per doubling: both correlations are 1; of 24 orders only the two perfect ones reach it.
    expect(brightness).toMatchObject({
      spearman: expect.closeTo(1, 12),
      permutations: 'exact',
      pearsonP: 2 / 24,
      spearmanP: 2 / 24,
      n: 4,
    });
    expect(brightness.value).toBeCloseTo(1, 12);
    const shifts = new Map(brightness.levels.map(({ level, shiftPercent }) => [level, shiftPercent]));
    for (const [index, light] of lights.entries()) expect(shifts.get(light)!).toBeCloseTo(5 * shift[index]!, 10);
  });

  test('repeats: variance, range and ICC of the table of Shrout and Fleiss', async () => {
    // Shrout and Fleiss 1979, table 2: six targets, four judges; here six scenes, four repeats.
    const table = [
      [9, 2, 5, 8],
      [6, 1, 3, 2],
      [8, 4, 6, 8],
      [7, 1, 2, 6],
      [10, 5, 6, 9],
      [6, 2, 4, 7],
    ];
    const rows: ScoreRow[] = table.flatMap((scores, p) =>
      scores.map((score, repeat) => ({
        evaluator: 'ev',
        generator: 'g0',
        prompt: promptId(p),
        factor: '',
        level: '',
        score,
        repeat,
      })),
    );
    const made = scoreTableOf(rows);
    const { repeatability, generators } = first(
      await analyze(made, optionsFromTable(made, { seed: 1, resamples: 200, c0: {} })),
    );
    expect(repeatability).toMatchObject({ repeats: 4, units: 6, meanRange: (7 + 5 + 4 + 6 + 5 + 5) / 6 });
    expect(repeatability!.iccSingle.value).toBeCloseTo(0.17, 2);
    expect(repeatability!.iccMean.value).toBeCloseTo(0.44, 2);
    // Mean square within targets of their table: 6.26.
    expect(repeatability!.repeatVariance).toBeCloseTo(6.26, 2);
    expect(generators[0]!.score.value).toBeCloseTo(127 / 24, 12);
  });

  test('a second judge: rank correlation, paired shift, favour for the own family', () => {
    const rows = ['one', 'two'].flatMap((evaluator) =>
      [0, 1, 2].flatMap((g) =>
        [0, 1, 2, 3].map((p) => ({
          evaluator,
          generator: `g${g}`,
          prompt: promptId(p),
          factor: '',
          level: '',
          // Judge two is 2 lower everywhere; judge one gives its own family (g0) 1.5 more.
          score: 50 + 3 * g + p - (evaluator === 'two' ? 2 : g === 0 ? -1.5 : 0),
        })),
      ),
    );
    const table = scoreTableOf(rows);
    const [one, two] = buildCubes(table, optionsFromTable(table, { seed: 1, c0: {} }));
    const resamples = drawResamples(1, [0, 1, 2, 3].map(promptId), 200);
    const made = secondJudge(one!, two!, [0], resamples, INTERVAL);
    expect(made).toMatchObject({
      scenes: 12,
      shift: { value: -2.5 },
      ownFamily: { value: 1.5, lower: 1.5, upper: 1.5 },
    });
    expect(made.spearman!).toBeGreaterThan(0.9);
    expect(secondJudge(one!, two!, [], resamples, INTERVAL).ownFamily).toMatchObject({ value: null });
  });
});

describe('intervals', () => {
  test('clusters: whole clusters are drawn, and few of them are warned of', async () => {
    const normal = normalSource(42);
    const clusters = new Map(Array.from({ length: 24 }, (_, p) => [promptId(p), `source-${Math.floor(p / 4)}`]));
    const shift = Array.from({ length: 6 }, () => 3 * normal());
    const made = {
      generators: 2,
      prompts: 24,
      factors: [],
      score: ({ g, p }: { g: number; p: number }) => 30 + g * shift[Math.floor(p / 4)]! + 0.1 * normal(),
    };
    const plain = first(await analyzeMade(made, { resamples: 2000 })).envelopes[0]!.baseline;
    const clustered = first(
      await analyzeMade(made, { resamples: 2000 }, (options) => ({
        ...options,
        clusters: { column: 'source', of: clusters },
      })),
    ).envelopes[0]!.baseline;
    if (plain.value === null || clustered.value === null) throw new Error('undefined');
    expect(clustered.method).toBe('cluster-percentile');
    expect(clustered.warnings).toContain('only 6 clusters: under 10 a cluster bootstrap is unreliable');
    // Prompts of a cluster move together, so taking them as independent makes the interval about half as wide.
    expect(clustered.upper! - clustered.lower!).toBeGreaterThan(1.4 * (plain.upper! - plain.lower!));
  });

  test('one family an evaluator, or one an audit; the published band beside the studentised', async () => {
    const normal = normalSource(43);
    const made = {
      evaluators: ['a', 'b'],
      generators: 3,
      prompts: 30,
      factors: [{ factor: 'pitch', levels: ['90', '0', '45'] }],
      score: ({ g }: { g: number }) => 30 + g + 2 * normal(),
    };
    const audit = await analyzeMade(made, { resamples: 500 });
    const each = await analyzeMade(
      { ...made, score: ({ g }) => 30 + g + 2 * normal() },
      { resamples: 500, family: 'evaluator', band: 'published' },
    );
    expect(audit.family).toMatchObject({ contrasts: 24, evaluators: 2, band: 'studentised' });
    expect(audit.evaluators.map(({ family }) => family.criticalValue)).toEqual([
      audit.family.criticalValue,
      audit.family.criticalValue,
    ]);
    expect(audit.family.criticalValues.published!).toBeLessThan(audit.family.criticalValues.studentised!);
    expect(each.family.criticalValue).toBeNull();
    expect(each.familyScope).toBe('evaluator');
    for (const { family } of each.evaluators) {
      expect(family).toMatchObject({ contrasts: 12, evaluators: 1, band: 'published' });
      expect(family.criticalValue).toBe(family.criticalValues.published);
      expect(family.warnings).toContainEqual(expect.stringContaining('approximate'));
    }
  });
});
