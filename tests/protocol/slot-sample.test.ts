import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expandGrammar, type Template } from '../../src/captions/expand.ts';
import { readGrammar } from '../../src/captions/grammar.ts';
import { Random } from '../../src/core/random.ts';
import { estimateSampledMean, estimateSampledVariance, sampledRange } from '../../src/protocol/slot-estimates.ts';
import { sampleTemplates } from '../../src/protocol/slot-sample.ts';
import { studentTQuantile } from '../../src/protocol/student-t.ts';

const templates = expandGrammar(readGrammar(join(import.meta.dirname, '..', '..', 'grammars', 'reference.yaml')));

test("Student's t quantiles (R's qt)", () => {
  expect(studentTQuantile(0.975, 1)).toBeCloseTo(12.70620473617, 9);
  expect(studentTQuantile(0.975, 5)).toBeCloseTo(2.570581835636, 10);
  expect(studentTQuantile(0.975, 11)).toBeCloseTo(2.200985160083, 10);
  expect(studentTQuantile(0.95, 30)).toBeCloseTo(1.697260886593, 10);
  expect(studentTQuantile(0.025, 1000)).toBeCloseTo(-1.9623390808, 8);
  expect(studentTQuantile(0.5, 3)).toBe(0);
});

test('24 of 337 templates cover every slot choice; the raw prompt is always there', () => {
  const sample = sampleTemplates(templates, new Random(7, 'templates'), 24);
  expect(sample.templates.length).toBe(24);
  expect(sample.population).toBe(337);
  expect(sample.templates[0]).toMatchObject({ template: { id: 'raw' }, probability: 1, weight: 1 });
  expect(sample.templates.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(337, 9);
  expect(sample.coverage.map(({ slot, choice, population }) => [slot, choice, population])).toEqual([
    ['article', 'indefinite', 168],
    ['article', 'none', 168],
    ['connective', 'about', 112],
    ['connective', 'depicting', 112],
    ['connective', 'of', 112],
    ['frame', 'a-scene', 84],
    ['frame', 'none', 84],
    ['frame', 'scene', 84],
    ['frame', 'virtual-scene', 84],
    ['noun', 'image', 72],
    ['noun', 'photo', 72],
    ['noun', 'picture', 72],
    ['noun', 'rendering', 72],
    ['noun', 'view', 48],
    ['viewpoint', '(absent)', 96],
    ['viewpoint', 'bird-eye', 120],
    ['viewpoint', 'top-down', 120],
  ]);
  for (const { population, sampled } of sample.coverage) {
    expect(sampled).toBeGreaterThan(0);
    // Balanced: each choice has its share of the 23 drawn templates, to within rounding.
    expect(Math.abs(sampled - (23 * population) / 336)).toBeLessThan(2);
  }
  expect(sample.claims.saved).toBeCloseTo(1 - 24 / 337, 12);
});

test('the same seed draws the same templates, another seed others', () => {
  const ids = (seed: number) =>
    sampleTemplates(templates, new Random(seed, 't'), 24).templates.map(({ template }) => template.id);
  expect(ids(0)).toEqual(ids(0));
  expect(ids(0)).not.toEqual(ids(1));
});

test('the default template can be taken for certain', () => {
  const sample = sampleTemplates(templates, new Random(1, 't'), 24, { certain: ['a-top-down-view-of'] });
  const own = sample.templates.find(({ template }) => template.id === 'a-top-down-view-of');
  expect(own).toMatchObject({ probability: 1, weight: 1 });
  expect(sample.templates.length).toBe(24);
  expect(sample.templates.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(337, 9);
});

test('too small, too large and broken counts are refused', () => {
  const draw = (count: number) => () => sampleTemplates(templates, new Random(1, 't'), count);
  expect(draw(10)).toThrow('factors.template: invalid sample of "10" templates; expected at least 16');
  expect(draw(337)).toThrow('invalid sample of "337" of 337 templates; expected fewer, or "all"');
  expect(draw(24.5)).toThrow('expected at least');
});

/** A population with main effects, interactions and noise: like a score over templates. */
function population(random: Random): { values: number[]; mean: number; variance: number } {
  const effects = new Map<string, number>();
  const values = templates.map(({ slots }) => {
    let value = 25 + 0.4 * random.normal();
    for (const pair of Object.entries(slots ?? {})) {
      const name = pair.join('=');
      if (!effects.has(name)) effects.set(name, 0.8 * random.normal());
      value += effects.get(name) as number;
    }
    return value;
  });
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { values, mean, variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length };
}

test('inclusion probabilities are what the weights say; estimates are unbiased and intervals cover', () => {
  const draws = 400;
  const root = new Random(11, 'calibration');
  const { values, mean, variance } = population(root.derive('population'));
  const byId = new Map(templates.map(({ id }, index) => [id, values[index] as number]));
  const hits = new Map<string, number>();
  let [meanSum, varianceSum, meanCovered, varianceCovered, beyond] = [0, 0, 0, 0, 0];
  const simple: number[] = [];
  const balanced: number[] = [];
  for (let draw = 0; draw < draws; draw += 1) {
    const sample = sampleTemplates(templates, root.derive('sample', draw), 24);
    const scores = sample.templates.map(({ template }) => byId.get(template.id) as number);
    for (const { template } of sample.templates) hits.set(template.id, (hits.get(template.id) ?? 0) + 1);
    const m = estimateSampledMean(sample, scores);
    const v = estimateSampledVariance(sample, [scores]);
    meanSum += m.value / draws;
    varianceSum += v.value / draws;
    balanced.push(m.value);
    const plain = root.derive('plain', draw).shuffle(values).slice(0, 24);
    simple.push(plain.reduce((sum, value) => sum + value, 0) / 24);
    if (m.lower <= mean && mean <= m.upper) meanCovered += 1 / draws;
    if (v.lower <= variance && variance <= v.upper) varianceCovered += 1 / draws;
    if (sampledRange(sample, scores).value > Math.max(...values) - Math.min(...values)) beyond += 1;
  }
  const expected = (23 / 336) * draws;
  const deviation = Math.sqrt(expected * (1 - 23 / 336));
  const worst = Math.max(...templates.slice(1).map(({ id }: Template) => Math.abs((hits.get(id) ?? 0) - expected)));
  // 336 counts: the largest of as many normal deviates stays under 4.5 standard deviations.
  expect(worst).toBeLessThan(4.5 * deviation);
  expect(hits.get('raw')).toBe(draws);
  const spread = (list: number[]) => list.reduce((sum, value) => sum + (value - mean) ** 2, 0) / list.length;
  expect(Math.abs(meanSum - mean)).toBeLessThan(4 * Math.sqrt(spread(balanced) / draws));
  expect(Math.abs(varianceSum / variance - 1)).toBeLessThan(0.03);
  expect(meanCovered).toBeGreaterThan(0.92);
  expect(varianceCovered).toBeGreaterThan(0.88);
  expect(beyond).toBe(0);
  // Main effects no longer add to the error: far less than a simple random sample of the same size.
  expect(spread(balanced)).toBeLessThan(0.35 * spread(simple));
});
