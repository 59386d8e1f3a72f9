import { AuditError, quoted } from '../core/errors.ts';
import type { Estimates, EvaluatorEstimates } from '../core/estimates.ts';

/** Numbers a gate may test, each of one evaluator; null when undefined. */
const METRICS: Record<string, (estimates: EvaluatorEstimates) => number | null> = {
  peakRho: ({ peakRho }) => peakRho.value,
  templateRho: ({ templateRho }) => templateRho.value,
  minKendallW: ({ minKendallW }) => minKendallW.value,
  maxWinners: ({ maxWinners }) => maxWinners,
  bestView: ({ bestView }) => bestView.value,
  contentAccuracy: ({ contentAccuracy }) => contentAccuracy.value,
  confirmedReversals: ({ reversals }) => reversals.counts.simultaneous,
  pointwiseReversals: ({ reversals }) => reversals.counts.pointwise,
  failures: ({ ledger }) => ledger.planned - ledger.scored,
  missing: ({ missing }) => missing.cells.share,
};

const RULE = /^([a-zA-Z]+)\s*(>=|<=|>|<)\s*(-?\d+(?:\.\d+)?)$/;

/** Collects `--fail-on` rules and checks their form at once. */
export function gateOption(value: string, before: string[]): string[] {
  const name = RULE.exec(value)?.[1];
  if (name === undefined || !(name in METRICS))
    throw new AuditError(
      `--fail-on: invalid rule ${quoted(value)}; expected <metric><comparison><number> with a metric of ${Object.keys(METRICS).join(', ')}`,
      { code: 'USAGE' },
    );
  return [...before, value];
}

/**
 * @throws AuditError (exit 100) naming the first evaluator for which a rule holds. An undefined or withheld number cannot clear a gate.
 */
export function checkGates(estimates: Estimates, rules: readonly string[]): void {
  for (const rule of rules) {
    const [, name = '', comparison, bound] = RULE.exec(rule) ?? [];
    for (const evaluator of estimates.evaluators) {
      const value = METRICS[name]?.(evaluator) ?? null;
      if (evaluator.role !== 'alignment') continue;
      if (value === null)
        throw new AuditError(
          `gate ${quoted(rule)}: ${evaluator.evaluator} has no ${name} (undefined or withheld); expected a number`,
          { code: 'GATE' },
        );
      const limit = Number(bound);
      const holds =
        comparison === '>'
          ? value > limit
          : comparison === '<'
            ? value < limit
            : comparison === '>='
              ? value >= limit
              : value <= limit;
      if (holds)
        throw new AuditError(`gate ${quoted(rule)}: ${evaluator.evaluator} has ${name} ${value}; expected otherwise`, {
          code: 'GATE',
        });
    }
  }
}
