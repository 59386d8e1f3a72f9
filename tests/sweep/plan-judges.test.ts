import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadAudit } from '../../src/sweep/load-audit.ts';
import { planJudges } from '../../src/sweep/plan-judges.ts';

const file = join(import.meta.dirname, '..', '..', 'audits', 'judge-demo.yaml');

test('the judge demo: requests, tokens and price, with and without thrift', async () => {
  const { audit, plan } = await loadAudit(file, { probes: ['keep-half'] });
  const [judge, ...others] = planJudges(plan, { folder: audit.folder });
  expect(others).toEqual([]);
  // 48 scenes x (2 repeats x (c0, 2 pitches, 1 lighting, 17 other templates, 1 rubric, 1 temperature) + 1 probe).
  expect(judge).toMatchObject({
    evaluator: 'judge',
    model: 'judge-sim',
    requests: 48 * (2 * 23 + 1),
    priceAsOf: '2026-11-30',
    minutesAtLeast: null,
    withoutThrift: { requests: 48 * (2 * (23 + 337 - 18) + 1) },
    withThrift: { requests: 48 * (2 * (23 + 24 - 18) + 1) },
    claims: { saved: 1 - 24 / 337 },
  });
  expect(judge?.price).toBeLessThan(1);
  expect(judge?.priceMost).toBeGreaterThan(judge?.price as number);
  expect(judge?.inputTokens).toBeGreaterThan(2256 * 258);
});
