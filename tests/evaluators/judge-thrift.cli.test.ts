import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expandGrammar } from '../../src/captions/expand.ts';
import { readGrammar } from '../../src/captions/grammar.ts';
import { type CellMeans, cellMeans } from '../../src/cards/cell-means.ts';
import { sampledTemplates } from '../../src/cards/sampled-templates.ts';
import type { Estimates } from '../../src/core/estimates.ts';
import { Random } from '../../src/core/random.ts';
import { type JudgeSim, startJudgeSim } from '../../src/evaluators/judge-sim/start-judge-sim.ts';
import { recordedSample, sampleTemplates } from '../../src/protocol/slot-sample.ts';
import { readScoreTable } from '../../src/statistics/score-table.ts';
import { cli } from '../support/run-cli.ts';
import { writeTinyAudit } from '../support/tiny-audit.ts';

/** The whole grammar asked of the simulated judge once; samples of it must give the same answer on average. */
const GRAMMAR = join(import.meta.dirname, '..', '..', 'grammars', 'reference.yaml');
const templates = expandGrammar(readGrammar(GRAMMAR));
let folder: string;
let sim: JudgeSim;
let full: CellMeans;
let sampled: Estimates['evaluators'][number];
let plans: Record<string, { perEvaluator: { requests: number }[]; thrift: Record<string, unknown> }>;
let requests: [number, number];

async function run(name: string): Promise<Estimates['evaluators'][number]> {
  const done = await cli(
    'run',
    join(folder, `${name}.yaml`),
    '--log',
    'quiet',
    '--store',
    join(folder, 'store.duckdb'),
    '--max-cost',
    '10',
  );
  if (done.code !== 0) throw new Error(done.stderr);
  return JSON.parse(readFileSync(join(folder, `results-${name}`, 'estimates.json'), 'utf8')).evaluators[0];
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-judge-thrift-'));
  sim = await startJudgeSim({ seed: 2 });
  const file = await writeTinyAudit(folder, {
    generators: ['a', 'b'],
    prompts: ['p0'],
    pitches: [90],
    red: (generator) => (generator === 'a' ? 20 : 40),
  });
  copyFileSync(GRAMMAR, join(folder, 'grammar.yaml'));
  const text = readFileSync(file, 'utf8').replace(
    / {2}- \{id: planted.*\}/,
    `  - {id: judge, kind: judge, provider: openai, model: judge-sim, baseUrl: "${sim.url}/v1", concurrency: 16, rubric: yes-no}`,
  );
  writeFileSync(join(folder, 'full.yaml'), text.replace('results: results', 'results: results-full'));
  writeFileSync(
    join(folder, 'sampled.yaml'),
    text
      .replace('results: results', 'results: results-sampled')
      .replace('template: {levels: all}', 'template: {levels: {sample: 24}}')
      .replace('seed: 0', 'seed: 6'),
  );
  plans = {};
  for (const name of ['full', 'sampled'])
    plans[name] = JSON.parse((await cli('plan', join(folder, `${name}.yaml`), '--json')).stdout);
  await run('full');
  const asked = sim.stats().requests;
  sampled = await run('sampled');
  requests = [asked, sim.stats().requests];
  full = cellMeans(await readScoreTable(join(folder, 'results-full', 'raw', 'judge.csv')), 'judge');
}, 120_000);
afterAll(async () => {
  await sim.close();
  rmSync(folder, { recursive: true, force: true });
});

const rowOf = (generator: string) => templates.map(({ id }) => full.get('template', id, generator, 'p0') as number);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[]) => mean(values.map((value) => (value - mean(values)) ** 2));

test('the plan says what is saved, the sample asks that much, and answers already known are not paid again', () => {
  expect(plans['full']?.perEvaluator[0]?.requests).toBe(2 * 337);
  expect(plans['full']?.thrift).toMatchObject({ used: false, templates: 24, of: 337 });
  // Raw is c0 here and always taken.
  expect(plans['sampled']?.perEvaluator[0]?.requests).toBe(2 * 24);
  expect(plans['sampled']?.thrift).toMatchObject({
    used: true,
    judges: [{ requests: 48 }],
    without: [{ requests: 674 }],
    lost: expect.arrayContaining([expect.stringContaining('lower bound')]),
  });
  expect(requests).toEqual([674, 674]);
});

test('the audit of a sample: estimates for all templates, a range that is a lower bound, nothing called strict', () => {
  const sample = sampled.judging?.sample;
  expect(sample).toMatchObject({ asked: 24, drawn: 24, of: 337, scenes: { complete: 2, planned: 2 } });
  for (const { generator, mean: estimate } of sample?.generators ?? []) {
    const truth = mean(rowOf(generator));
    expect(estimate.value).not.toBeNull();
    if (estimate.value === null) continue;
    expect(estimate).toMatchObject({ n: 24, level: 0.95, method: expect.stringContaining('balanced sample') });
    expect((estimate.lower as number) < estimate.value && estimate.value < (estimate.upper as number)).toBe(true);
    // Three times the half-width of a 95% interval: a wrong estimator is out, an unlucky draw is not.
    expect(Math.abs(estimate.value - truth)).toBeLessThan(
      1.5 * ((estimate.upper as number) - (estimate.lower as number)),
    );
  }
  const template = sampled.factors.find(({ factor }) => factor === 'template');
  expect(template?.dispersion).toMatchObject({ bound: 'lower' });
  expect(sampled.strictPairs).toBe(0);
  expect(sampled.envelopes.every(({ strict }) => strict !== true)).toBe(true);
  expect(sampled.judging?.settled).toMatchObject({ unsampled: 313, visited: 24, planned: 24 });
  expect(sampled.judging?.settled.statements).not.toContain('settled: the winner is the same in every configuration');
  const report = readFileSync(join(folder, 'results-sampled', 'report.html'), 'utf8');
  for (const words of ['24 drawn of 337', 'at least ', 'No longer to be said', '313 templates were not drawn'])
    expect(report).toContain(words);
});

test('over seeds the estimates are unbiased for the full grid, and their intervals cover it', () => {
  const seeds = 300;
  const options = { generators: ['a', 'b'], prompts: ['p0'], level: 0.95 };
  const truth = { mean: mean(rowOf('a')), variance: mean([variance(rowOf('a')), variance(rowOf('b'))]) };
  const means: number[] = [];
  const variances: number[] = [];
  const covered = { mean: 0, variance: 0 };
  for (let seed = 0; seed < seeds; seed += 1) {
    const drawn = sampleTemplates(templates, new Random(seed, 'templates'), 24, { certain: ['raw'] });
    const recorded = {
      asked: 24,
      of: 337,
      drawn: drawn.templates.map(({ template, probability }) => ({ template: template.id, probability })),
    };
    const again = recordedSample(templates, recorded.drawn);
    expect(again).toEqual(drawn);
    const found = sampledTemplates(recorded, again, full, options);
    for (const [name, estimate] of [
      ['mean', found.generators[0]?.mean],
      ['variance', found.variance],
    ] as const) {
      if (estimate === undefined || estimate.value === null) throw new Error('no estimate');
      (name === 'mean' ? means : variances).push(estimate.value);
      if ((estimate.lower as number) <= truth[name] && truth[name] <= (estimate.upper as number)) covered[name] += 1;
    }
  }
  const error = (values: readonly number[]) => Math.sqrt(variance(values) / values.length);
  expect(Math.abs(mean(means) - truth.mean)).toBeLessThan(4 * error(means));
  expect(Math.abs(mean(variances) - truth.variance)).toBeLessThan(
    Math.max(4 * error(variances), 0.03 * truth.variance),
  );
  expect(covered.mean / seeds).toBeGreaterThan(0.9);
  expect(covered.variance / seeds).toBeGreaterThan(0.85);
});
