import { afterEach, expect, test } from 'vitest';
import type { Outcome } from '../../src/core/outcome.ts';
import { JudgeBudget } from '../../src/evaluators/judge/budget.ts';
import { judgeReasonOf } from '../../src/evaluators/judge/reasons.ts';
import { FAULT_NAMES } from '../../src/evaluators/judge-sim/faults.ts';
import { type JudgeSim, startJudgeSim } from '../../src/evaluators/judge-sim/start-judge-sim.ts';
import { faults, figures, judgeSpec, openJudge, request } from './judge-harness.ts';

const LONG = process.env['PARALLAX_LONG'] === '1';
const REQUESTS = LONG ? 10_000 : 1_000;
const KEY = 'sk-secret-4711-do-not-print';
/** 30% of all HTTP requests go wrong, every kind of fault among them; hangs are rarer, as each costs a whole time-out. */
const HANGS = 0.006;
const SHARES = Object.fromEntries(
  FAULT_NAMES.map((name) => [name, name === 'hang' ? HANGS : (0.3 - HANGS) / (FAULT_NAMES.length - 1)]),
);

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const item of open.splice(0).reverse()) await item.close();
});

interface Run {
  readonly outcomes: Map<string, Outcome>;
  readonly requests: number;
  readonly peak: number;
  readonly budget: JudgeBudget;
}

async function run(sim: JudgeSim, count: number, timeout: number): Promise<Run> {
  const budget = new JudgeBudget({ maxCost: 1000 });
  const spec = judgeSpec(sim.url, { concurrency: 16, timeout, attempts: 8, keyFrom: 'JUDGE_KEY' });
  const judge = await openJudge(spec, { budget, environment: { JUDGE_KEY: KEY } });
  open.push(judge);
  const outcomes = new Map<string, Outcome>();
  let peak = 0;
  const indices = Array.from({ length: count }, (_, index) => index);
  for (let start = 0; start < count; start += judge.batch) {
    const batch = indices.slice(start, start + judge.batch).map((index) => request(index));
    for await (const [key, outcome] of judge.score(batch, new AbortController().signal)) {
      expect(outcomes.has(key)).toBe(false);
      outcomes.set(key, outcome);
    }
    peak = Math.max(peak, process.memoryUsage().rss);
  }
  return { outcomes, requests: judge.report().attempts, peak, budget };
}

test(
  `${REQUESTS} requests with 30% faults at concurrency 16: the ledger adds up and no score is a failure in disguise`,
  async () => {
    const quiet = await startJudgeSim({ seed: 3 });
    open.push(quiet);
    const truth = await run(quiet, REQUESTS, 60);
    expect([...truth.outcomes.values()].every(({ status }) => status === 'scored')).toBe(true);
    expect(truth.requests).toBe(REQUESTS);

    const noisy = await startJudgeSim({ seed: 3, faults: faults(SHARES), hang: 60_000 });
    open.push(noisy);
    const before = process.memoryUsage().rss;
    const tried = await run(noisy, REQUESTS, 3);

    const counts: Record<string, number> = {};
    for (const [key, outcome] of tried.outcomes) {
      counts[outcome.status] = (counts[outcome.status] ?? 0) + 1;
      if (outcome.status === 'scored') expect(outcome.value).toBe((truth.outcomes.get(key) as { value: number }).value);
      else expect(judgeReasonOf(outcome.reason)).not.toBeNull();
    }
    const sum = Object.values(counts).reduce((total, count) => total + count, 0);
    expect(sum).toBe(REQUESTS);
    expect(tried.outcomes.size).toBe(REQUESTS);
    // Every kind of trouble occurred, and most requests were scored all the same.
    expect(Object.keys(counts).sort()).toEqual(['failed', 'refused', 'scored', 'unparseable']);
    expect(counts['scored']).toBeGreaterThan(0.75 * REQUESTS);
    expect(Object.keys(noisy.stats().faults).sort()).toEqual([...FAULT_NAMES].sort());
    // Our count of HTTP requests is the server's, and no answer was paid for twice.
    expect(tried.requests).toBe(noisy.stats().requests);
    expect(tried.budget.spending().requests).toBe(noisy.stats().requests);
    expect(noisy.stats().answeredAgain).toBe(0);
    expect(quiet.stats().mostAtOnce).toBeLessThanOrEqual(16);
    // The key is in no outcome and no record, though the judge echoes it in some errors.
    expect(JSON.stringify([...tried.outcomes])).not.toContain(KEY);
    expect([...tried.outcomes.values()].some((outcome) => outcome.record?.includes('***'))).toBe(true);
    // Memory does not grow with the number of requests.
    expect(tried.peak - before).toBeLessThan(300 * 1024 * 1024);
    if (LONG) expect(tried.peak).toBeLessThan(700 * 1024 * 1024);
    figures('ten thousand', {
      planned: REQUESTS,
      counts,
      httpRequests: tried.requests,
      faults: noisy.stats().faults,
      growth: tried.peak - before,
      peakWithSimulator: tried.peak,
    });
  },
  LONG ? 3_600_000 : 120_000,
);
