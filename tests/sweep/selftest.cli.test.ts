import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerSelftest } from '../../src/commands/selftest.ts';
import type { Estimates } from '../../src/core/estimates.ts';
import { silentLog } from '../../src/core/log.ts';
import { PLANTED_EVALUATORS } from '../../src/sweep/selftest-audit.ts';
import { checkSelftest, type SelftestRow } from '../../src/sweep/selftest-checks.ts';

/** The six planted evaluators through renderer, command protocol, sweep, export and statistics. */
let folder: string;
let rows: readonly SelftestRow[];
let estimates: Estimates;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-selftest-test-'));
  let printed = '';
  const program = new Command();
  registerSelftest(program, {
    print: (text) => (printed += text),
    log: silentLog,
    onProgress: () => {},
    signal: new AbortController().signal,
    endProgress: () => {},
  });
  await program.parseAsync(['selftest', '--json', '--keep', folder], { from: 'user' });
  rows = (JSON.parse(printed) as { rows: SelftestRow[] }).rows;
  estimates = JSON.parse(readFileSync(join(folder, 'results', 'estimates.json'), 'utf8')) as Estimates;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the audit says of each planted evaluator what was planted', () => {
  expect(rows.filter(({ passed }) => !passed)).toEqual([]);
  expect([...new Set(rows.map(({ evaluator }) => evaluator))]).toEqual([...PLANTED_EVALUATORS]);
  expect(rows.length).toBeGreaterThan(30);
});

describe('the checks can fail', () => {
  test.each(PLANTED_EVALUATORS.map((id, index) => [id, PLANTED_EVALUATORS[(index + 1) % PLANTED_EVALUATORS.length]]))(
    '%s, played by %s',
    (id, impostor) => {
      const found = estimates.evaluators.find(({ evaluator }) => evaluator === impostor);
      const others = estimates.evaluators.filter(({ evaluator }) => evaluator !== id);
      const disguised = { ...estimates, evaluators: [...others, { ...found, evaluator: id }] } as Estimates;
      const failed = checkSelftest(disguised).filter(({ passed }) => !passed);
      expect(failed.length).toBeGreaterThan(0);
      expect(failed.every(({ evaluator }) => evaluator === id)).toBe(true);
    },
  );

  test('an evaluator that is not in the audit', () => {
    const empty = { ...estimates, evaluators: [] };
    expect(checkSelftest(empty).map(({ passed }) => passed)).toEqual(PLANTED_EVALUATORS.map(() => false));
  });
});
