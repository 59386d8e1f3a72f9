import { type Estimate, type EvaluatorEstimates, isMeasured } from '../core/estimates.ts';

/**
 * Why nothing at all can be shown for an evaluator; null when something can. The gates on missing outcomes withhold
 * quantity by quantity (a factor's spread, its comparisons, the scores at c0), so an evaluator is withheld as a whole only
 * when no outcome was scored, or every one of these is.
 */
export function withheldBecause(measured: EvaluatorEstimates): string | null {
  const { ledger } = measured;
  if (ledger.planned === 0) return 'nothing was planned for this evaluator';
  if (ledger.scored === 0) return `none of ${ledger.planned} planned outcomes was scored`;
  const all: Estimate[] = [
    ...measured.generators.map(({ score }) => score),
    ...measured.factors.flatMap(({ dispersion, kendallW }) => [dispersion, kendallW]),
  ];
  return withheldReason(all);
}

/** Why every comparison of generators at c0 is withheld; null when one is not, or there is no pair. */
export function comparisonsWithheld(measured: EvaluatorEstimates): string | null {
  return withheldReason(measured.envelopes.map(({ baseline }) => baseline));
}

/** Why no margin over the declared configurations is known; null when one is. */
export function envelopesWithheld(measured: EvaluatorEstimates): string | null {
  if (measured.envelopes.some(({ min }) => min !== null)) return null;
  const because = comparisonsWithheld(measured);
  return because ?? (measured.envelopes.length === 0 ? null : 'no configuration has enough common prompts');
}

/** The gate's reason when there are estimates and not one has a value because of a gate; null otherwise. */
export function withheldReason(estimates: readonly Estimate[]): string | null {
  let reason: string | null = null;
  for (const estimate of estimates) {
    if (isMeasured(estimate)) return null;
    if (reason === null && estimate.undefinedBecause.startsWith('withheld:'))
      reason = estimate.undefinedBecause.slice('withheld:'.length).trim();
  }
  return reason;
}

/** What the gates withhold while other numbers are shown, in words; empty when they pass. */
export function partlyWithheld(measured: EvaluatorEstimates): string[] {
  const parts: string[] = [];
  const scores = withheldReason(measured.generators.map(({ score }) => score));
  if (scores !== null) parts.push(`scores at c0: ${scores}`);
  for (const { factor, missing, shared } of measured.factors) {
    const text = (reason: string) => reason.replace(/^withheld:\s*/, '');
    if (missing.spreadWithheld !== null) parts.push(`dispersion and rho of ${factor}: ${text(missing.spreadWithheld)}`);
    if (shared && missing.contrastsWithheld !== null)
      parts.push(`rankings and margins of ${factor}: ${text(missing.contrastsWithheld)}`);
    for (const level of missing.removedLevels) parts.push(`level ${level} of ${factor} is removed from comparisons`);
  }
  return parts;
}
