import { join } from 'node:path';
import { expect, test } from 'vitest';
import { normalSource } from '../../bench/stats-data.ts';
import { expandGrammar } from '../../src/captions/expand.ts';
import { readGrammar } from '../../src/captions/grammar.ts';
import type { Estimates } from '../../src/core/estimates.ts';
import { optionsFromTable } from '../../src/statistics/analysis-options.ts';
import { analyze } from '../../src/statistics/analyze.ts';
import { probeDiscrimination } from '../../src/statistics/probe-discrimination.ts';
import { drawResamples } from '../../src/statistics/prompt-bootstrap.ts';
import { type ScoreRow, scoreTableOf } from '../../src/statistics/score-table.ts';
import { analyzeMade, type MadeTable, madeOptions, madeRows, promptId } from '../support/score-rows.ts';

const only = (estimates: Estimates) => estimates.evaluators[0]!;
const factorOf = (estimates: Estimates, name: string) => only(estimates).factors.find(({ factor }) => factor === name)!;

test('yaw swept at its own base pitch aliases pitch 45 and never supplies c0', async () => {
  const normal = normalSource(1);
  const scene = Array.from({ length: 80 }, () => 20 + normal());
  const pitches: Record<string, number> = { '90': 0, '45': -5 };
  const rows: ScoreRow[] = [];
  for (let g = 0; g < 4; g += 1)
    for (let p = 0; p < 20; p += 1) {
      const base = scene[g * 20 + p]!;
      const row = (factor: string, level: string, score: number) =>
        rows.push({ evaluator: 'ev', generator: `g${g}`, prompt: promptId(p), factor, level, score });
      for (const [pitch, shift] of Object.entries(pitches)) row('pitch', pitch, base + shift);
      row('yaw', '0', base - 5);
      row('yaw', '90', base - 7);
    }
  const table = scoreTableOf(rows);
  const options = optionsFromTable(table, { seed: 1, resamples: 200, c0: { pitch: '90' } });
  const reference = await analyze(table, {
    ...options,
    c0: { pitch: '90', yaw: '0' },
    factors: options.factors.map((factor) =>
      factor.factor === 'yaw' ? { ...factor, defaultLevel: '0', at: { pitch: '45' } } : factor,
    ),
  });
  const mean = scene.slice(0, 20).reduce((sum, score) => sum + score, 0) / 20;
  expect(only(reference).generators[0]!.score.value).toBeCloseTo(mean, 10);
  // c0, pitch 45 (= yaw 0) and yaw 90 are three distinct configurations of five rows.
  expect(reference.family).toMatchObject({ contrasts: 5 * 6, distinctContrasts: 3 * 6 });
  // Taken as a plain factor with yaw 0 as c0 the same table contradicts itself.
  await expect(async () =>
    analyze(table, optionsFromTable(table, { seed: 1, resamples: 200, c0: { pitch: '90', yaw: '0' } })),
  ).rejects.toThrow(/c0 \(yaw=0\) disagrees/);
});

test('the peak factor changes when one generator is dropped', async () => {
  // Generator 2 alone is moved by template, and stands apart at c0: without it pitch peaks.
  const made: MadeTable = {
    generators: 3,
    prompts: 20,
    factors: [
      { factor: 'pitch', levels: ['90', '0'] },
      { factor: 'template', levels: ['t0', 't1'] },
    ],
    score: ({ g, p, factor }) =>
      50 + g + (factor === 'pitch' ? 4 : 0) + (factor === 'template' && g === 2 ? 9 : 0) + (p % 5),
  };
  const { peakRho } = only(await analyzeMade(made));
  expect(peakRho.factor).toBe('template');
  expect(peakRho.leaveOneFactors).toEqual([
    { generator: 'g0', factor: 'template' },
    { generator: 'g1', factor: 'template' },
    { generator: 'g2', factor: 'pitch' },
  ]);
  // By hand: (9/2)^2 / 3 = 6.75 over Var(0, 1, 2) = 2/3; without g2 pitch: 4 over Var(0, 1) = 1/4.
  expect(peakRho.value).toBeCloseTo(6.75 / (2 / 3), 10);
  expect(peakRho.leaveOneGenerator![0]).toBeCloseTo(20.25 / 2 / 1, 10);
  expect(peakRho.leaveOneGenerator![1]).toBeCloseTo(20.25 / 2 / 0.25, 10);
});

test('1% random failures over 337 templates keep nearly all scenes and withhold only the comparisons', async () => {
  const normal = normalSource(3);
  let state = 1;
  const uniform = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const levels = Array.from({ length: 337 }, (_, index) => `t${String(index).padStart(3, '0')}`);
  const estimates = await analyzeMade({
    generators: 6,
    prompts: 50,
    factors: [{ factor: 'template', levels }],
    score: ({ g, factor }) => (factor !== '' && uniform() < 0.01 ? null : 20 + g + normal()),
  });
  const template = factorOf(estimates, 'template');
  expect(template.dispersion.value).not.toBeNull();
  expect(template.rho.value).not.toBeNull();
  expect(template.missing.scenes.lost).toBeLessThanOrEqual(3);
  // Complete scenes alone would have lost nine in ten.
  expect(template.dispersion.completeScenes).toBeLessThan(60);
  expect(template.missing.spreadWithheld).toBeNull();
  expect(template.missing.removedLevels).toEqual([]);
  expect(template.kendallW).toMatchObject({ value: null });
  expect(template.missing.contrastsWithheld).toMatch(/^withheld: 50 of 50 prompts/);
  expect(only(estimates).missing.gate).toBe('passed');
  expect(only(estimates).envelopes.every(({ strict }) => strict === null || strict === false)).toBe(true);
});

test('a shift common to all generators makes rho large, the interaction 0, and leaves every margin', async () => {
  const normal = normalSource(4);
  const scene = Array.from({ length: 4 * 24 }, () => normal());
  const shifts = [0, 8, -6, 13];
  const estimates = await analyzeMade({
    generators: 4,
    prompts: 24,
    factors: [{ factor: 'template', levels: ['a', 'b', 'c', 'd'] }],
    score: ({ g, p, index }) => 40 + g + scene[g * 24 + p]! + shifts[index]!,
  });
  const template = factorOf(estimates, 'template');
  expect(template.rho.value!).toBeGreaterThan(10);
  expect(template.rhoInteraction.value).toBe(0);
  expect(template.kendallW.value).toBe(1);
  for (const { baseline, min, max } of only(estimates).envelopes) {
    expect(min!).toBeCloseTo(baseline.value!, 10);
    expect(max!).toBeCloseTo(baseline.value!, 10);
  }
});

test('an evaluator that reads only captions has an undefined rho, never Infinity', async () => {
  const estimates = await analyzeMade({
    generators: 5,
    prompts: 20,
    factors: [{ factor: 'template', levels: ['a', 'b', 'c'] }],
    score: ({ p, index }) => 10 + p + 3 * index,
  });
  const template = factorOf(estimates, 'template');
  expect(template.rho).toMatchObject({ value: null, undefinedBecause: expect.stringContaining('do not differ') });
  expect(only(estimates).peakRho).toMatchObject({ value: null, factor: null });
  expect(template.kendallW).toMatchObject({ value: null, undefinedBecause: expect.stringContaining('tied') });
  expect(template.winners).toEqual([]);
  expect(JSON.stringify(estimates)).not.toMatch(/Infinity|NaN/);
});

test('generators with equal scores in another order stay tied', async () => {
  const scores = [0.1, 0.2, 0.3, 0.7, 1e9, -1e9, 1 / 3, 2 / 3, 0.11, 0.13, 0.17, 0.19];
  const estimates = await analyzeMade({
    generators: 3,
    prompts: 12,
    factors: [{ factor: 'template', levels: ['a', 'b'] }],
    // Generator 1 has generator 0's scores from the other end; 2 is worse.
    score: ({ g, p }) => (g === 2 ? -2 : scores[g === 0 ? p : 11 - p]!),
  });
  const [pair] = only(estimates).envelopes;
  expect(pair).toMatchObject({ pair: ['g0', 'g1'], min: 0, max: 0, strict: false });
  expect(pair!.baseline.value).toBe(0);
  expect(factorOf(estimates, 'template')).toMatchObject({ winners: [], tiedLevels: 2 });
  expect(only(estimates).topGap.value).toBe(0);
  // 0.1 + 0.2 against 0.3 + 0: equal on paper, 5.6e-17 apart as doubles.
  const decimals = await analyzeMade({
    generators: 2,
    prompts: 2,
    factors: [{ factor: 'template', levels: ['a', 'b'] }],
    score: ({ g, p }) => (g === 0 ? [0.1, 0.2] : [0.3, 0])[p]!,
  });
  expect(only(decimals).envelopes[0]!.baseline.value).toBe(0);
});

test('additive noun effects leave the article and the viewpoint at zero', async () => {
  const templates = expandGrammar(readGrammar(join(import.meta.dirname, '..', '..', 'grammars', 'reference.yaml')));
  expect(templates.length).toBe(337);
  const nouns: Record<string, number> = { rendering: 0.3, view: 2.7, image: -0.9, picture: 0.7, photo: 1.1 };
  const levels = templates.map(({ id }) => id);
  const made: MadeTable = {
    generators: 3,
    prompts: 10,
    factors: [{ factor: 'template', levels }],
    score: ({ g, p, index }) => 20.1 + g + p / 7 + (nouns[templates[index]!.slots?.['noun'] ?? ''] ?? 0),
  };
  const estimates = await analyzeMade(made, {}, (options) => ({ ...options, templates }));
  const { slots } = only(estimates);
  const captions = (slot: string, over?: string) =>
    slots
      .find((effect) => effect.slot === slot && (over === undefined || effect.over === over))!
      .choices.map((one) => one.captions);
  for (const effect of slots) {
    const shifts = effect.choices.map(({ shiftPercent }) => shiftPercent);
    if (effect.slot === 'noun') expect(effect.dispersion!).toBeGreaterThan(0.1);
    else {
      expect(shifts).toEqual(effect.choices.map(() => 0));
      expect(effect.dispersion).toBe(0);
    }
  }
  expect(captions('viewpoint')).toEqual([96, 96, 96]);
  expect(captions('noun')).toEqual([48, 48, 48, 48, 48]);
  expect(captions('frame')).toEqual([84, 84, 84, 84]);
  expect(captions('connective')).toEqual([112, 112, 112]);
  expect(captions('article', 'captions without a viewpoint')).toEqual([48, 48]);
  expect(slots.filter(({ slot }) => slot === 'article').length).toBe(5);
});

test('8 to 11 paraphrases with duplicates match a hand value', async () => {
  const rows: ScoreRow[] = [];
  let sum = 0;
  let ratios = 0;
  for (let g = 0; g < 2; g += 1)
    for (let p = 0; p < 4; p += 1) {
      // 7 to 10 rewrites and the original; a duplicate was written once, so prompts differ in number.
      const scores = [10 + g, ...Array.from({ length: 7 + p }, (_, index) => 10 + g + ((index * (p + 2)) % 5))];
      const mean = scores.reduce((total, score) => total + score, 0) / scores.length;
      sum += scores.reduce((total, score) => total + (score - mean) ** 2, 0) / scores.length;
      ratios += (Math.max(...scores) - Math.min(...scores)) / mean;
      for (const [index, score] of scores.entries())
        rows.push({
          evaluator: 'ev',
          generator: `g${g}`,
          prompt: promptId(p),
          factor: index === 0 ? '' : 'paraphrase',
          level: index === 0 ? '' : `w${index}`,
          score,
        });
    }
  const table = scoreTableOf(rows);
  const estimates = await analyze(
    table,
    optionsFromTable(table, { seed: 1, resamples: 200, c0: { paraphrase: 'original' }, unshared: ['paraphrase'] }),
  );
  const paraphrase = factorOf(estimates, 'paraphrase');
  // Var(10, 11) = 1/4.
  expect(paraphrase.rho.value).toBeCloseTo(sum / 8 / 0.25, 12);
  expect(paraphrase.dispersion.value).toBeCloseTo(ratios / 8, 12);
  expect(paraphrase).toMatchObject({ levels: 11, shared: false, winners: [], perLevel: [] });
  expect(paraphrase.missing.cells).toEqual({ planned: 2 * (8 + 9 + 10 + 11), missing: 0, share: 0 });
  expect(only(estimates).peakRho.factor).toBe('paraphrase');
  expect(estimates.family).toMatchObject({ contrasts: 1, configurations: 1 });
});

test('124 drops, 77 ties and 99 rises with 23 zero pairs bound at exactly 149/300 and 172/300', () => {
  const pairs = [
    ...Array.from({ length: 124 }, (_, index) => ({ original: 5, degraded: index < 8 ? 0 : 4 })),
    ...Array.from({ length: 77 }, (_, index) => ({ original: index < 11 ? 0 : 5, degraded: index < 11 ? 0 : 5 })),
    ...Array.from({ length: 99 }, (_, index) => ({ original: index < 4 ? 0 : 4, degraded: 5 })),
  ].map((pair, index) => ({ ...pair, generator: index % 6, prompt: Math.floor(index / 6) }));
  const prompts = Array.from({ length: 50 }, (_, index) => promptId(index));
  const { estimates } = probeDiscrimination('scrambled', pairs, undefined, {
    resamples: drawResamples(1, prompts, 500),
    interval: { level: 0.95, method: 'percentile' },
    prompts: 50,
    tolerance: 0,
    deviation: 1,
    zerosMayFail: true,
  });
  expect(estimates).toMatchObject({ pairs: 300, failed: 0, drops: 124, ties: 77, rises: 99 });
  expect(estimates.strictDrop.value).toBe(124 / 300);
  expect(estimates.discrimination.value).toBe(162.5 / 300);
  expect(estimates.zero).toEqual({ pairs: 23, bounds: [149 / 300, 172 / 300] });
});

test('rows in any order give the same bytes', async () => {
  const normal = normalSource(9);
  const made: MadeTable = {
    evaluators: ['b', 'a'],
    generators: 3,
    prompts: 21,
    factors: [
      { factor: 'pitch', levels: ['90', '0', '45'] },
      { factor: 'template', levels: ['t0', 't1'] },
    ],
    score: ({ g }) => 30 + g + Math.round(100 * normal()) / 100,
  };
  const rows = madeRows(made);
  const options = madeOptions(rows, made);
  const there = await analyze(scoreTableOf(rows), options);
  const back = await analyze(scoreTableOf([...rows].reverse()), options);
  expect(JSON.stringify(back)).toBe(JSON.stringify(there));
});
