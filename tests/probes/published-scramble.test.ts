import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Estimates } from '../../src/core/estimates.ts';
import { cli } from '../support/run-cli.ts';

test('the published scramble: 124 drops, 77 ties, 99 rises, and its zeros as failures', async () => {
  const table = join(import.meta.dirname, '..', 'fixtures', 'published-scramble.csv');
  const { code, stdout, stderr } = await cli('analyze', table, '--json', '--resamples', '200');
  expect([code, stderr]).toEqual([0, '']);
  const [evaluator] = (JSON.parse(stdout) as Estimates).evaluators;
  const [probe] = evaluator?.probes ?? [];
  expect(probe).toMatchObject({ probe: 'scrambled', pairs: 300, failed: 0, drops: 124, ties: 77, rises: 99 });
  expect([probe?.strictDrop.value, probe?.discrimination.value]).toEqual([124 / 300, (124 + 77 / 2) / 300]);
  expect(probe?.zero?.pairs).toBe(23);
  expect(probe?.zero?.bounds.map((bound) => bound * 300)).toEqual([149, 172]);
});
