import type { EnsembleSpec } from '../core/evaluator-spec.ts';
import { compareText, type Json } from '../core/json.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Fingerprint } from '../core/protocol.ts';

export type Aggregate = EnsembleSpec['aggregate'];

/** Middle value; the mean of the two middle ones for an even count. */
function median(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * One value from several. `trimmed-mean` leaves out the smallest and the largest value (the "without best and
 * worst view" of RichDreamer) and needs three. Values are sorted first, so the order of members changes no digit.
 *
 * @throws RangeError for no values, or fewer than three under `trimmed-mean`.
 */
export function aggregate(how: Aggregate, values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('aggregate requires at least one value');
  const sorted = [...values].sort((a, b) => a - b);
  switch (how) {
    case 'mean':
      return mean(sorted);
    case 'median':
      return median(sorted);
    case 'max':
      return sorted[sorted.length - 1] as number;
    case 'trimmed-mean':
      if (sorted.length < 3) throw new RangeError('aggregate: a trimmed mean requires at least three values');
      return mean(sorted.slice(1, -1));
  }
}

/**
 * The outcome of an ensemble from its members' outcomes: scored only when every member is. One member missing makes the
 * ensemble missing, for an average over fewer views is another protocol; the reason counts the states that stood in the way.
 */
export function combineMembers(how: Aggregate, outcomes: readonly Outcome[]): Outcome {
  if (outcomes.length === 0) return { status: 'skipped', reason: 'the ensemble has no members' };
  const values: number[] = [];
  const missing: Exclude<Outcome, { status: 'scored' }>[] = [];
  for (const outcome of outcomes)
    if (outcome.status === 'scored') values.push(outcome.value);
    else missing.push(outcome);
  const first = missing[0];
  if (first === undefined) {
    if (how === 'trimmed-mean' && values.length < 3)
      return {
        status: 'skipped',
        reason: `a trimmed mean requires at least three members; this one has ${values.length}`,
      };
    return { status: 'scored', value: aggregate(how, values) };
  }
  const counts = [...new Set(missing.map(({ status }) => status))]
    .sort(compareText)
    .map((status) => `${missing.filter((outcome) => outcome.status === status).length} ${status}`);
  // All members in one state: the ensemble is in that state too. Mixed: it failed.
  const status = missing.every((outcome) => outcome.status === first.status) ? first.status : 'failed';
  return {
    status,
    reason: `${missing.length} of ${outcomes.length} members without a score (${counts.join(', ')}): ${first.reason}`,
  };
}

/** Everything that could change an ensemble's number: its base evaluator, what it averages over, and how. Members are a set. */
export function ensembleFingerprint(spec: EnsembleSpec, base: Json): Fingerprint {
  return {
    kind: 'ensemble',
    of: base,
    over: spec.over,
    members: [...new Set(spec.members)].sort(compareText),
    aggregate: spec.aggregate,
  };
}
