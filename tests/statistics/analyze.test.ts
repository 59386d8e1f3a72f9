import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { optionsFromTable } from '../../src/statistics/analysis-options.ts';
import { analyze } from '../../src/statistics/analyze.ts';
import { readScoreTable } from '../../src/statistics/score-table.ts';

const tables = join(import.meta.dirname, '..', 'fixtures', 'tables');

interface Expected {
  factors: Record<
    string,
    {
      dispersion: number;
      dispersion_n: number;
      rho: number;
      rho_leave_one_generator: [number, number];
      kendall_w: number;
      winners: string[];
    }
  >;
  envelopes: Record<string, { baseline: number; min: number; max: number; strict: boolean }>;
  peak_leave_one_generator: [number, number];
}
interface ExpectedFamily {
  contrasts: number;
  degenerate: number;
  excluded: number;
  critical_value_published: number;
  critical_value_studentised: number;
}

const expected = JSON.parse(readFileSync(join(tables, 'synthetic-expected.json'), 'utf8')) as Record<
  string,
  Expected
> & {
  _family: ExpectedFamily;
};

async function synthetic(resamples: number) {
  const table = await readScoreTable(join(tables, 'synthetic-scores.csv'));
  const c0 = { pitch: '90', lighting: 'city', template: 't0' };
  return await analyze(table, optionsFromTable(table, { seed: 7, c0, resamples }));
}

test('the synthetic table gives the values of the independent program', async () => {
  const estimates = await synthetic(20_000);
  const close = (actual: number | null | undefined, wanted: number) =>
    expect(Math.abs((actual ?? Number.NaN) - wanted)).toBeLessThan(1e-9);
  for (const name of ['ev-a', 'ev-b']) {
    const wanted = expected[name]!;
    const evaluator = estimates.evaluators.find((one) => one.evaluator === name)!;
    expect(evaluator.factors.map(({ factor }) => factor).sort()).toEqual(Object.keys(wanted.factors).sort());
    for (const factor of evaluator.factors) {
      const values = wanted.factors[factor.factor]!;
      close(factor.dispersion.value, values.dispersion);
      expect(factor.dispersion.n).toBe(values.dispersion_n);
      close(factor.rho.value, values.rho);
      close(factor.rhoLeaveOneGenerator?.[0], values.rho_leave_one_generator[0]);
      close(factor.rhoLeaveOneGenerator?.[1], values.rho_leave_one_generator[1]);
      close(factor.kendallW.value, values.kendall_w);
      expect(factor.winners).toEqual(values.winners);
    }
    close(evaluator.peakRho.leaveOneGenerator?.[0], wanted.peak_leave_one_generator[0]);
    close(evaluator.peakRho.leaveOneGenerator?.[1], wanted.peak_leave_one_generator[1]);
    for (const envelope of evaluator.envelopes) {
      const values = wanted.envelopes[envelope.pair.join('-')]!;
      close(envelope.baseline.value, values.baseline);
      close(envelope.min, values.min);
      close(envelope.max, values.max);
      expect(envelope.strict).toBe(values.strict);
    }
    expect(evaluator.reversals.counts).toMatchObject({ pointwise: 0, simultaneous: 0 });
  }
  const family = expected._family;
  expect(estimates.family).toMatchObject({
    contrasts: family.contrasts,
    degenerate: family.degenerate,
    excluded: family.excluded,
    evaluators: 2,
    pairs: 6,
    configurations: 14,
    confirmable: false,
  });
  const { published, studentised } = estimates.family.criticalValues;
  expect(Math.abs(published! - family.critical_value_published)).toBeLessThan(0.08);
  expect(Math.abs(studentised! / family.critical_value_studentised - 1)).toBeLessThan(0.06);
});
