import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { JudgeBudget } from '../../src/evaluators/judge/budget.ts';
import { estimateJudgeCost } from '../../src/evaluators/judge/estimate-judge-cost.ts';
import {
  costOf,
  imageTokens,
  type ModelPrice,
  priceOf,
  readPrices,
  SHIPPED_PRICES,
} from '../../src/evaluators/judge/prices.ts';
import { startJudgeSim } from '../../src/evaluators/judge-sim/start-judge-sim.ts';
import { askAll, faults, judgeSpec, openJudge, request } from './judge-harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'prices-'));
afterAll(() => rmSync(folder, { recursive: true }));
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

async function setUp(shares = {}, more: Parameters<typeof judgeSpec>[1] = {}, budget = new JudgeBudget()) {
  const sim = await startJudgeSim({ faults: faults(shares), seed: 2 });
  const judge = await openJudge(judgeSpec(sim.url, { concurrency: 4, maxTokens: 64, ...more }), { budget });
  open.push(sim, judge);
  return { sim, judge, budget };
}
const many = (count: number) => Array.from({ length: count }, (_, index) => request(index));
const statuses = (outcomes: Map<string, { status: string }>) => {
  const counts: Record<string, number> = {};
  for (const { status } of outcomes.values()) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test('--max-requests stops cleanly: what was asked is kept, the rest is skipped', async () => {
  const { sim, judge, budget } = await setUp({}, {}, new JudgeBudget({ maxRequests: 7 }));
  const outcomes = await askAll(judge, many(20));
  expect(statuses(outcomes)).toEqual({ scored: 7, skipped: 13 });
  expect([...outcomes.values()].find(({ status }) => status === 'skipped')).toMatchObject({
    reason: 'budget: the limit of 7 requests is reached',
  });
  expect(sim.stats().requests).toBe(7);
  expect(budget.spending()).toMatchObject({ requests: 7, stopped: 'the limit of 7 requests is reached' });
  // Later calls are skipped without a request.
  expect(statuses(await askAll(judge, many(3)))).toEqual({ skipped: 3 });
  expect(sim.stats().requests).toBe(7);
});

test('--max-cost is never overrun, and is used up as far as whole requests allow', async () => {
  const { sim, judge, budget } = await setUp({}, {}, new JudgeBudget({ maxCost: 0.0025 }));
  const outcomes = await askAll(judge, many(60));
  const { cost, stopped } = budget.spending();
  expect(cost).toBeLessThanOrEqual(0.0025);
  expect(cost).toBeGreaterThan(0.002);
  expect(stopped).toContain('the limit of $0.0025 leaves no room');
  const counts = statuses(outcomes);
  expect(counts['scored']).toBe(sim.stats().answered);
  expect((counts['scored'] ?? 0) + (counts['skipped'] ?? 0)).toBe(60);
});

test('--max-tokens counts input and output', async () => {
  const { judge, budget } = await setUp({}, {}, new JudgeBudget({ maxTokens: 8000 }));
  await askAll(judge, many(40));
  const { input, output } = budget.spending();
  expect(input + output).toBeLessThanOrEqual(8000);
  expect(input + output).toBeGreaterThan(6500);
});

test('requests asked again count; answers without usage are charged at their most', async () => {
  const { sim, judge, budget } = await setUp({ 'server-error': 0.3, 'no-usage': 0.3 });
  await askAll(judge, many(30));
  const spending = budget.spending();
  expect(spending.requests).toBe(sim.stats().requests);
  expect(spending.requests).toBeGreaterThan(30);
  expect(spending.unreported).toBe(sim.stats().faults['no-usage']);
  expect(spending.costUnreported).toBeGreaterThan(0);
});

test('an unknown price stops before the first request, unless it is allowed', async () => {
  const { sim, judge } = await setUp({}, { model: 'mystery' });
  await expect(askAll(judge, many(2))).rejects.toThrow(
    /^evaluators\.sim: no price for model "mystery" at "127\.0\.0\.1:\d+" in the price file of \d{4}-\d\d-\d\d; expected a row for it$/,
  );
  expect(sim.stats().requests).toBe(0);
  const allowed = await setUp({}, { model: 'mystery' }, new JudgeBudget({ allowUnpriced: true, maxRequests: 5 }));
  expect(statuses(await askAll(allowed.judge, many(2)))).toEqual({ scored: 2 });
  expect(allowed.budget.spending()).toMatchObject({ unpriced: 2, cost: 0 });
  expect(() => new JudgeBudget({ allowUnpriced: true, maxCost: 1 })).toThrow('cannot be kept with --allow-unpriced');
  expect(() => new JudgeBudget({ maxCost: 0 })).toThrow('invalid maxCost "0"; expected a positive number');
});

test('prices belong to a host; a file of the user comes first', () => {
  expect(priceOf(judgeSpec('http://127.0.0.1:1'))).toMatchObject({ host: 'loopback', input: 0.25, output: 1 });
  expect(priceOf(judgeSpec('', { baseUrl: undefined, model: 'gpt-4o-2024-08-06' }))).toMatchObject({
    input: 2.5,
    output: 10,
  });
  expect(priceOf(judgeSpec('', { baseUrl: 'https://openrouter.ai/api/v1', model: 'gpt-4o-2024-08-06' }))).toBeNull();
  writeFileSync(
    join(folder, 'own.yaml'),
    'schema: parallax/prices@1\nasOf: 2026-11-01\nmodels:\n  - {host: loopback, models: [judge-sim], input: 9, output: 9, image: {rule: fixed, tokens: 1}, asOf: 2026-11-01, source: mine}\n',
  );
  const own = readPrices(join(folder, 'own.yaml'));
  expect(priceOf(judgeSpec('http://127.0.0.1:1'), 'judge-sim', own)).toMatchObject({ input: 9 });
  expect(own.models.length).toBe(SHIPPED_PRICES.models.length + 1);
  writeFileSync(join(folder, 'bad.yaml'), 'schema: parallax/prices@1\nasOf: soon\nmodels: []\n');
  expect(() => readPrices(join(folder, 'bad.yaml'), 'bad.yaml')).toThrow('bad.yaml:2:7: asOf: invalid value "soon"');
});

test('every shipped price is dated, sourced and for a known host', () => {
  for (const { asOf, source, host } of SHIPPED_PRICES.models) {
    expect(asOf).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(source.length).toBeGreaterThan(10);
    expect(['loopback', 'api.openai.com', 'api.anthropic.com', 'generativelanguage.googleapis.com']).toContain(host);
  }
});

test("tokens of a picture by each provider's published rule", () => {
  const tiles = { rule: 'tiles', base: 85, tile: 170 } as const;
  expect(imageTokens(tiles, 1024, 1024, 'high')).toBe(765);
  expect(imageTokens(tiles, 2048, 4096, 'high')).toBe(1105);
  expect(imageTokens(tiles, 4096, 8192, 'low')).toBe(85);
  expect(imageTokens(tiles, 512, 512, 'auto')).toBe(255);
  expect(imageTokens({ rule: 'patches', multiplier: 1, most: 1536 }, 1024, 1024, 'high')).toBe(1024);
  expect(imageTokens({ rule: 'patches', multiplier: 1, most: 1536 }, 1800, 2400, 'high')).toBe(1536);
  expect(imageTokens({ rule: 'area', pixelsPerToken: 750, most: 1600 }, 200, 200, 'auto')).toBe(54);
  expect(imageTokens({ rule: 'area', pixelsPerToken: 750, most: 1600 }, 3000, 3000, 'auto')).toBe(1600);
  expect(imageTokens({ rule: 'crops', tokens: 258 }, 384, 384, 'auto')).toBe(258);
  expect(imageTokens({ rule: 'crops', tokens: 258 }, 960, 540, 'auto')).toBe(6 * 258);
});

test('an estimate brackets what the simulated judge then uses', async () => {
  const { sim, judge, budget } = await setUp();
  const requests = many(40);
  const cost = estimateJudgeCost(
    judgeSpec(sim.url, { maxTokens: 64, requestsPerMinute: 10 }),
    { trials: 40, captions: requests.map(({ caption }) => caption ?? ''), sizes: [{ pixels: 32, trials: 1 }] },
    { folder: '.' },
  );
  await askAll(judge, requests);
  const used = budget.spending();
  expect(cost).toMatchObject({ requests: 40, model: 'judge-sim', priceAsOf: '2026-11-30', minutesAtLeast: 4 });
  expect(Math.abs(cost.inputTokens / used.input - 1)).toBeLessThan(0.25);
  expect(used.input).toBeLessThanOrEqual(cost.inputTokensMost);
  expect(used.output).toBeLessThanOrEqual(cost.outputTokensMost);
  expect(used.cost).toBeLessThanOrEqual(cost.priceMost as number);
  expect(cost.price as number).toBeCloseTo(
    costOf(priceOf(judgeSpec(sim.url)) as ModelPrice, { input: cost.inputTokens, output: cost.outputTokens }),
    12,
  );
});

test('a pairwise rubric takes two requests a trial; an unknown model has no price', () => {
  const load = { trials: 10, captions: ['a room'] };
  const context = { folder: '.' };
  expect(estimateJudgeCost(judgeSpec('http://127.0.0.1:1', { rubric: 'pairwise' }), load, context).requests).toBe(20);
  expect(estimateJudgeCost(judgeSpec('http://127.0.0.1:1', { model: 'mystery' }), load, context)).toMatchObject({
    price: null,
    priceMost: null,
    priceAsOf: null,
    minutesAtLeast: null,
  });
});
