import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Estimates } from '../../src/core/estimates.ts';
import type { JudgeSimFaults } from '../../src/evaluators/judge-sim/faults.ts';
import { type JudgeSim, startJudgeSim } from '../../src/evaluators/judge-sim/start-judge-sim.ts';
import { cli } from '../support/run-cli.ts';
import { writeTinyAudit } from '../support/tiny-audit.ts';
import { faults } from './judge-harness.ts';

/** Audits of judges that look at several pictures, whole pipeline, against the simulator, which prefers fuller pictures. */
let folder: string;
const GENERATORS = ['a', 'b', 'c'];
const PROMPTS = ['p0', 'p2', 'p4'];
/** Edge of the box in a picture of 32 pixels. */
const EDGE: Record<string, number> = { a: 24, b: 18, c: 12 };
const sims: JudgeSim[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-judge-audit-'));
  await writeTinyAudit(join(folder, 'audit'), {
    generators: GENERATORS,
    prompts: PROMPTS,
    pitches: [90, 45, 0],
    red: () => 0,
  });
  for (const generator of GENERATORS)
    for (const prompt of PROMPTS)
      for (const pitch of [90, 45, 0]) {
        // At pitch 0 the last generator is the best.
        const edge = pitch === 0 && generator === 'c' ? 22 : (EDGE[generator] as number);
        const data = Buffer.alloc(32 * 32 * 3, 255);
        for (let y = 3; y < 3 + edge; y += 1)
          for (let x = 3; x < 3 + edge; x += 1)
            data.set([90, 80 + 9 * Number(prompt.slice(1)), 60 + pitch / 45], 3 * (32 * y + x));
        await sharp(data, { raw: { width: 32, height: 32, channels: 3 } })
          .png()
          .toFile(join(folder, 'audit', 'pictures', generator, prompt, `render_32_50_255_255_255_${pitch}_0_city.png`));
      }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  for (const sim of sims.splice(0)) await sim.close();
});

async function audit(
  name: string,
  judge: string,
  changes: [string | RegExp, string][] = [],
  more?: Partial<JudgeSimFaults>,
) {
  const sim = await startJudgeSim({
    seed: 5,
    ...(more === undefined ? {} : { faults: faults(more.shares ?? {}, more) }),
  });
  sims.push(sim);
  let text = readFileSync(join(folder, 'audit', 'audit.yaml'), 'utf8')
    .replace(
      / {2}- \{id: planted.*\}/,
      `  - {id: judge, kind: judge, provider: openai, model: judge-sim, baseUrl: "${sim.url}/v1", ${judge}}`,
    )
    .replace('results: results', `results: results-${name}`);
  for (const [from, to] of changes) text = text.replace(from, to);
  const file = join(folder, 'audit', `${name}.yaml`);
  writeFileSync(file, text);
  const results = join(folder, 'audit', `results-${name}`);
  return {
    sim,
    file,
    results,
    run: (...flags: string[]) =>
      cli('run', file, '--log', 'quiet', '--store', join(folder, `${name}.duckdb`), ...flags),
    estimates: () =>
      (JSON.parse(readFileSync(join(results, 'estimates.json'), 'utf8')) as Estimates)
        .evaluators[0] as Estimates['evaluators'][number],
    rows: (path: string) => parse(readFileSync(join(results, path)), { columns: true }) as Record<string, string>[],
  };
}

describe('pairwise', () => {
  test('every pair is asked in both orders; the score is the mean preference over the other generators', async () => {
    const { sim, file, run, estimates, rows } = await audit('pairs', 'rubric: pairwise');
    const plan = JSON.parse((await cli('plan', file, '--json')).stdout);
    // 3 prompts x 3 pairs x (c0 + 2 pitches + 3 templates), two requests each.
    expect(plan.perEvaluator[0]).toMatchObject({ requests: 54, judge: { requests: 108 } });
    const done = await run('--max-cost', '1');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(sim.stats()).toMatchObject({ requests: 108, answered: 108 });

    const scores = rows('raw/judge.csv');
    const at = (factor: string, level: string) =>
      GENERATORS.map((generator) =>
        scores
          .filter((row) => row['generator'] === generator && row['factor'] === factor && row['level'] === level)
          .map((row) => Number(row['score'])),
      );
    expect(at('', '')).toEqual([
      [1, 1, 1],
      [0.5, 0.5, 0.5],
      [0, 0, 0],
    ]);
    expect(at('pitch', '0')).toEqual([
      [0.5, 0.5, 0.5],
      [0, 0, 0],
      [1, 1, 1],
    ]);
    const pairs = rows('raw/judge-pairs.csv');
    expect(pairs).toHaveLength(3 * 3 * (1 + 3 + 4));
    expect(pairs[0]).toEqual({
      first: 'a',
      second: 'b',
      prompt: 'p0',
      factor: '',
      level: '',
      repeat: '0',
      given: '1',
      swapped: '1',
      preference: '1',
      status: 'scored',
      reason: '',
    });

    const found = estimates();
    // A row a scene and configuration, as for every other evaluator.
    expect(found.ledger).toMatchObject({ planned: 54, scored: 54 });
    expect(found.scale).toEqual({ name: 'preference', min: 0, max: 1 });
    expect(found.winnersAll).toEqual(['a', 'c']);
    const pairwise = found.judging?.pairwise;
    expect(pairwise).toMatchObject({
      ledger: { planned: 72, scored: 72, failed: 0 },
      consistent: { value: 1 },
      firstShown: { value: 0.5 },
      worths: { list: null, undefinedBecause: expect.stringContaining('always win') },
    });
    expect(pairwise?.preferences.map(({ pair, preference }) => [pair, preference.value])).toEqual([
      [['a', 'b'], 1],
      [['a', 'c'], 1],
      [['b', 'c'], 1],
    ]);
    expect(found.judging?.settled).toMatchObject({ winnerChanges: true, visited: 6, planned: 6 });
    // Nothing is asked again.
    expect((await run('--max-cost', '1')).code).toBe(0);
    expect(sim.stats().requests).toBe(108);
  });

  test('a judge that goes with the position gives ties, and the bias is reported', async () => {
    const { run, estimates } = await audit('position', 'rubric: pairwise', [], { position: 2 });
    expect(await run('--max-cost', '1')).toMatchObject({ code: 0 });
    const found = estimates();
    expect(found.generators.map(({ score }) => score.value)).toEqual([0.5, 0.5, 0.5]);
    expect(found.judging?.pairwise).toMatchObject({ consistent: { value: 0 }, firstShown: { value: 1 } });
    expect(found.judging?.pairwise?.worths).toEqual({
      list: GENERATORS.map((generator) => ({ generator, worth: expect.closeTo(1 / 3, 9) })),
    });
  });

  test('a refused pair is missing for both of its generators, never half a win', async () => {
    const { run, rows, estimates } = await audit('refused', 'rubric: pairwise, attempts: 1', [], {
      shares: { refusal: 0.15 },
    });
    await run('--max-cost', '1');
    const pairs = rows('raw/judge-pairs.csv').filter(({ factor }) => factor !== 'probe');
    const missing = pairs.filter(({ status }) => status !== 'scored');
    expect(missing.length).toBeGreaterThan(5);
    expect(missing[0]).toMatchObject({ status: 'refused', given: '', preference: '' });
    for (const row of rows('raw/judge.csv')) {
      const own = pairs.filter(
        (pair) =>
          [pair['first'], pair['second']].includes(row['generator']) &&
          ['prompt', 'factor', 'level'].every((column) => pair[column] === row[column]),
      );
      expect(own).toHaveLength(2);
      const whole = own.every(({ status }) => status === 'scored');
      expect([row['status'], row['score'] === '']).toEqual(whole ? ['scored', false] : ['refused', true]);
    }
    const { ledger = { planned: 0, refused: 0 } } = estimates().judging?.pairwise ?? {};
    expect([ledger.planned, ledger.refused]).toEqual([72, missing.length]);
  });

  test('a probe of the caption is not asked: one caption goes with both pictures', async () => {
    const { run, estimates, rows, sim } = await audit('probes', 'rubric: pairwise, attempts: 1', [
      ['statistics:', 'probes: [wrong-prompt]\nstatistics:'],
      [/ {2}template: .*\n/, ''],
    ]);
    await run('--max-cost', '1');
    expect(rows('raw/judge.csv').filter(({ factor }) => factor === 'probe')).toHaveLength(9);
    expect(rows('raw/judge.csv').filter(({ factor }) => factor === 'probe')[0]).toMatchObject({
      score: '',
      status: 'skipped',
      reason: 'a pairwise judge shows one caption with both pictures',
    });
    expect(sim.stats().requests).toBe(2 * 3 * 3 * 3);
    expect(estimates().ledger).toMatchObject({ planned: 36, scored: 27, skipped: 9 });
  });
});

describe('several views', () => {
  test('the poses of the judge go together in one request, whatever pitch and yaw are swept', async () => {
    const { sim, file, run, estimates, rows } = await audit(
      'views',
      'rubric: views-semantic-orientation-overlap, views: ["90/0", "45/0", "0/0"]',
    );
    const plan = JSON.parse((await cli('plan', file, '--json')).stdout);
    // Pitch is the judge's own: c0 and three other templates a scene.
    expect(plan.perEvaluator[0]).toMatchObject({ requests: 36, judge: { requests: 36 } });
    expect(plan.contrasts).toBe(3 * 5);
    expect(await run('--max-cost', '1')).toMatchObject({ code: 0, stderr: '' });
    expect(sim.stats()).toMatchObject({ requests: 36, answered: 36 });
    const [first] = rows('raw/judge.csv');
    const keys = rows('images.csv').map(({ key }) => key);
    const shown = first?.['image']?.split(' ') ?? [];
    expect(shown).toHaveLength(3);
    expect(shown.every((key) => keys.includes(key))).toBe(true);
    expect(estimates().ledger).toEqual({ planned: 36, scored: 36, failed: 0, refused: 0, unparseable: 0, skipped: 0 });
    expect(estimates().factors.map(({ factor }) => factor)).toEqual(['template']);
    const manifest = JSON.parse(readFileSync(join(folder, 'audit', 'results-views', 'manifest.json'), 'utf8'));
    expect(manifest.evaluators[0].fingerprint).toMatchObject({
      views: ['90/0', '45/0', '0/0'],
      aggregate: 'several views in one request',
    });
    // The poses are the judge's, so they stand in the contract once.
    const card = JSON.parse(readFileSync(join(folder, 'audit', 'results-views', 'card.json'), 'utf8'));
    const { view, configurations, aggregation } = card.evaluators[0].contract;
    expect(Object.keys(view).sort()).toEqual(['background', 'focal', 'lighting', 'resolution']);
    expect(configurations.factors.map((factor: { factor: string }) => factor.factor)).toEqual(['template']);
    expect(aggregation).toBe('several views in one request');
    const tasks = await cli('export', 'tasks', file, '--evaluator', 'judge', '--out', join(folder, 'tasks'));
    expect(tasks.stderr).toContain('is shown 3 pictures a question');
  });

  test.each([
    ['rubric: views-semantic-orientation-overlap', 'reads several views; expected "views"'],
    ['views: ["90/0", "45/0"]', 'reads one picture; expected no "views"'],
    ['rubric: pairwise, views: ["90/0", "45/0"]', 'compares one picture of each of two generators'],
    ['rubric: views-semantic-orientation-overlap, views: ["90/0", "up"]', 'invalid pose "up"'],
  ])('%s: %s', async (judge, message) => {
    const { file } = await audit('wrong', judge);
    const { code, stderr } = await cli('plan', file);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  test('a rubric that asks about other pictures cannot be a level', async () => {
    const { file } = await audit('mixed', 'rubric: direct-0-100', [
      ['  template:', '  rubric: {levels: [direct-0-100, pairwise], default: direct-0-100}\n  template:'],
    ]);
    expect((await cli('plan', file)).stderr).toContain('factors.rubric: rubric pairwise: scale preference differs');
  });
});

test('yes or no: the score is the probability of yes from log-probabilities', async () => {
  const { sim, run, rows } = await audit('yes-no', 'rubric: yes-no, maxTokens: 1');
  expect(await run('--max-cost', '1')).toMatchObject({ code: 0, stderr: '' });
  const values = rows('raw/judge.csv').map(({ score }) => Number(score));
  expect(values).toHaveLength(9 * 8);
  expect(Math.min(...values)).toBeGreaterThan(0);
  expect(Math.max(...values)).toBeLessThan(1);
  // A probability, not a verdict: values between the ends, and different ones.
  expect(new Set(values).size).toBeGreaterThan(20);
  expect(sim.stats().byProtocol).toEqual({ openai: 54 });
});

describe('money', () => {
  test('a budget stops cleanly, c0 first; the next run asks the rest and nothing twice', async () => {
    const { sim, run, rows, estimates, file } = await audit('budget', 'concurrency: 2');
    const states = () => {
      const counts: Record<string, number> = {};
      for (const row of rows('raw/judge.csv')) counts[row['status'] ?? ''] = (counts[row['status'] ?? ''] ?? 0) + 1;
      return counts;
    };
    expect(await run('--max-requests', '20')).toMatchObject({ code: 0 });
    expect(sim.stats()).toMatchObject({ requests: 20, answered: 20, answeredAgain: 0 });
    // The 9 scenes of c0 stand in three places each (c0, pitch 90, template raw); 11 others were asked.
    expect(states()).toEqual({ scored: 38, skipped: 34 });
    const ledger = estimates().judging?.configurations ?? [];
    expect(ledger[0]).toMatchObject({ factor: '', level: '', planned: 9, scored: 9 });
    expect(ledger.reduce((sum, row) => sum + row.scored, 0)).toBe(20);
    expect(ledger.reduce((sum, row) => sum + row.planned, 0)).toBe(estimates().ledger.planned);
    const { settled } = estimates().judging ?? {};
    expect(settled).toMatchObject({ planned: 6, withFailures: 0, winnerChanges: false });
    expect(settled?.visited).toBeLessThan(6);
    expect(settled?.statements).toContain('open: no change of winner seen yet');
    expect(JSON.parse(readFileSync(join(folder, 'audit', 'results-budget', 'manifest.json'), 'utf8')).draft).toBe(true);

    expect(await run('--max-tokens', '1')).toMatchObject({ code: 0 });
    expect(sim.stats().requests).toBe(20);
    // `retry` asks failures only: there are none. What was skipped for want of money is asked by any run.
    await cli('retry', file, '--log', 'quiet', '--store', join(folder, 'budget.duckdb'), '--max-requests', '1');
    expect(sim.stats().requests).toBe(21);
    expect(await run('--max-cost', '1')).toMatchObject({ code: 0 });
    expect(sim.stats()).toMatchObject({ requests: 54, answered: 54 });
    expect(states()).toEqual({ scored: 72 });
    expect(estimates().judging?.settled).toMatchObject({ visited: 6, planned: 6, winnerChanges: true });
  });

  test('retry asks what failed and nothing else; failures of one configuration are seen', async () => {
    const { sim, file, run, rows, estimates } = await audit('retry', 'attempts: 1', [], { shares: { refusal: 0.3 } });
    const flags = ['--log', 'quiet', '--store', join(folder, 'retry.duckdb'), '--max-cost', '1'];
    await run('--max-cost', '1');
    const before = rows('raw/judge.csv');
    const refused = estimates().ledger.refused;
    expect(refused).toBeGreaterThan(5);
    expect(sim.stats().requests).toBe(54);
    const ledger = estimates().judging?.configurations ?? [];
    expect(ledger.reduce((sum, row) => sum + row.refused, 0)).toBe(refused);
    await run('--max-cost', '1');
    expect(sim.stats().requests).toBe(54);
    expect((await cli('retry', file, ...flags)).stdout).toContain(`${refused} requests`);
    expect(sim.stats().requests).toBe(54 + refused);
    await run('--max-cost', '1');
    expect(estimates().ledger.refused).toBeLessThan(refused);
    const after = rows('raw/judge.csv');
    before.forEach((row, index) => {
      if (row['status'] === 'scored') expect(after[index]).toEqual(row);
    });
  });

  test('a model without a price stops the run before it asks, unless that is allowed', async () => {
    const { sim, run } = await audit('unpriced', 'id2: x', [
      [', id2: x', ''],
      ['model: judge-sim', 'model: unheard-of'],
    ]);
    const stopped = await run();
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/unheard-of.*--allow-unpriced/s);
    expect(sim.stats().requests).toBe(0);
    expect(await run('--allow-unpriced')).toMatchObject({ code: 0 });
    expect(sim.stats().requests).toBe(54);
  });
});

test('repeats: noise is told from scenes, each scene counted once', async () => {
  const { run, estimates, results } = await audit('repeats', 'repeats: 3', [], { noise: 0.02 });
  expect(await run('--max-cost', '1')).toMatchObject({ code: 0 });
  const { repeatability, factors } = estimates();
  expect(repeatability).toMatchObject({ repeats: 3, units: 9, iccSingle: { n: 9 } });
  // The planted error is 2 points of 100, rounded answers and few scenes aside.
  expect(repeatability?.meanSd).toBeGreaterThan(0.8);
  expect(repeatability?.meanSd).toBeLessThan(3.2);
  expect(repeatability?.winnerChanges).toBe(0);
  const noise = Object.fromEntries(factors.map((factor) => [factor.factor, factor.noiseShare?.value]));
  // The wording moves scores by less than the noise does, the pose by more.
  expect(noise['template']).toBeGreaterThan(noise['pitch'] as number);
  const report = readFileSync(join(results, 'report.html'), 'utf8');
  for (const words of [
    'Share of configuration variance that is only repeat noise',
    'Standard deviation between repeats',
    'ICC of one answer',
    'Repeats with another winner',
    'What is settled',
  ])
    expect(report).toContain(words);
});
