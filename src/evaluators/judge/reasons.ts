import type { Failure, OutcomeStatus } from '../../core/outcome.ts';

/** Why a judge gave no score; the first word of a failure's reason, so that each kind can be counted. */
export const JUDGE_REASONS = {
  refused: 'refused',
  filtered: 'refused',
  truncated: 'unparseable',
  'no-answer': 'unparseable',
  'no-verdict': 'unparseable',
  'invalid-json': 'unparseable',
  'missing-field': 'unparseable',
  'unknown-field': 'unparseable',
  'wrong-type': 'unparseable',
  'out-of-range': 'unparseable',
  'two-verdicts': 'unparseable',
  'quoted-verdict': 'unparseable',
  'no-logprobs': 'unparseable',
  'unseen-answer': 'unparseable',
  'malformed-response': 'unparseable',
  timeout: 'failed',
  connection: 'failed',
  'rate-limited': 'failed',
  'server-error': 'failed',
  rejected: 'failed',
  'invalid-request': 'failed',
  budget: 'skipped',
} as const satisfies Record<string, Exclude<OutcomeStatus, 'scored'>>;
export type JudgeReason = keyof typeof JUDGE_REASONS;

/** A failure of one kind; its status follows from the kind. */
export function judgeFailure(reason: JudgeReason, detail: string): Failure {
  return { status: JUDGE_REASONS[reason], reason: `${reason}: ${detail}` };
}

/** The kind of a judge's failure, from its reason; null when a judge did not write it. */
export function judgeReasonOf(reason: string): JudgeReason | null {
  const word = reason.split(':')[0] as string;
  return Object.hasOwn(JUDGE_REASONS, word) ? (word as JudgeReason) : null;
}
