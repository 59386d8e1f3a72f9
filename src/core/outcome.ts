import { z } from 'zod';

/** Every planned outcome ends in exactly one of these states; they add up to the plan. */
export const OUTCOME_STATUSES = ['scored', 'failed', 'refused', 'unparseable', 'skipped'] as const;
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number];

/** A score, or a failure with its reason; a failure is never a number. `record` keeps raw evidence (an answer, a log). */
export type Outcome =
  | { readonly status: 'scored'; readonly value: number; readonly record?: string }
  | { readonly status: Exclude<OutcomeStatus, 'scored'>; readonly reason: string; readonly record?: string };

/** A failure inside a pipeline step (a render, an embedding) before it becomes an outcome. */
export interface Failure {
  readonly status: Exclude<OutcomeStatus, 'scored'>;
  readonly reason: string;
}

/** True for a failure, false for any other result of a step. */
export function isFailure(value: unknown): value is Failure {
  return (
    typeof value === 'object' &&
    value !== null &&
    'status' in value &&
    'reason' in value &&
    (value as { status: unknown }).status !== 'scored' &&
    OUTCOME_STATUSES.includes((value as { status: OutcomeStatus }).status)
  );
}

/** How many outcomes ended in each state; `planned` is their sum. */
export const ledgerSchema = z.strictObject({
  planned: z.number().int().nonnegative(),
  scored: z.number().int().nonnegative(),
  failed: z.number().int().nonnegative(),
  refused: z.number().int().nonnegative(),
  unparseable: z.number().int().nonnegative(),
  skipped: z.number().int().nonnegative(),
});
export type Ledger = z.infer<typeof ledgerSchema>;
