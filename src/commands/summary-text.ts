import type { Estimate, Estimates } from '../core/estimates.ts';

const number = (value: number | null | undefined, digits = 2) =>
  value === null || value === undefined ? '-' : value.toFixed(digits);

function interval(estimate: Estimate): string {
  if (estimate.value === null) return `undefined (${estimate.undefinedBecause})`;
  if (estimate.lower === null && estimate.upper === null) return number(estimate.value);
  return `${number(estimate.value)} [${number(estimate.lower)}, ${estimate.upper === null ? 'unbounded' : number(estimate.upper)}]`;
}

/** The audit in one screen: a block an evaluator, then what the simultaneous family allows. */
export function summaryText(estimates: Estimates): string {
  const lines: string[] = [];
  for (const row of estimates.evaluators) {
    const { ledger } = row;
    lines.push(
      `${row.evaluator} (${row.role})`,
      `  outcomes      ${ledger.planned} planned = ${ledger.scored} scored + ${ledger.failed} failed + ${ledger.refused} refused + ${ledger.unparseable} unparseable + ${ledger.skipped} skipped`,
      ...row.generators.map(({ generator, score }) => `  ${generator.padEnd(13)} ${interval(score)}`),
      `  peak rho      ${interval(row.peakRho)}${row.peakRho.factor === null ? '' : `, ${row.peakRho.factor}`}`,
      `  smallest W    ${interval(row.minKendallW)}${row.minKendallW.factor === null ? '' : `, ${row.minKendallW.factor}`}`,
      `  winners       ${row.winnersAll.length === 0 ? 'none unique' : row.winnersAll.join(', ')}`,
      `  margins       ${row.strictPairs} of ${row.envelopes.length} pairs keep their sign in every configuration`,
      `  reversals     ${row.reversals.counts.simultaneous} confirmed, ${row.reversals.counts.pointwise} pointwise${row.reversals.unconfirmedBecause === null ? '' : ` (${row.reversals.unconfirmedBecause})`}`,
    );
    for (const { probe, discrimination } of row.probes)
      lines.push(`  ${probe.padEnd(13)} discrimination ${interval(discrimination)}`);
  }
  const { family } = estimates;
  lines.push(
    `family: ${family.contrasts} contrasts, ${family.band} band, critical value ${number(family.criticalValue)}; seed ${estimates.seed}, ${estimates.resamples} resamples of ${estimates.resampledUnit}s`,
  );
  for (const warning of estimates.warnings) lines.push(`note: ${warning}`);
  return lines.join('\n');
}
