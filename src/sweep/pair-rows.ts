import type { Outcome } from '../core/outcome.ts';
import { readJudgeRecord } from '../evaluators/judge/judge-record.ts';
import type { ResolvedCell } from './cells.ts';
import type { Store } from './store.ts';

/** Columns of `raw/<evaluator>-pairs.csv`, in order. */
export const PAIR_COLUMNS = [
  'first',
  'second',
  'prompt',
  'factor',
  'level',
  'repeat',
  'given',
  'swapped',
  'preference',
  'status',
  'reason',
] as const;
export type PairRow = Readonly<Record<(typeof PAIR_COLUMNS)[number], string | number>>;

/**
 * One row a question of a pairwise judge and a place in the plan: the two generators in the order of the trial, and the
 * preference for the first (1, 0.5 for a tie or an answer that went with the position, 0) as `given` in that order, as
 * `swapped` in the other, and as their mean. A probe's row names the generator of the probe in `level`.
 */
export async function pairRows(store: Store, cells: readonly ResolvedCell[]): Promise<PairRow[]> {
  const trials = new Set(cells.flatMap(({ asks }) => asks.map(({ trial }) => trial)));
  const outcomes = await store.outcomes([...trials]);
  const rows: PairRow[] = [];
  for (const cell of cells)
    for (const [index, opponent] of (cell.opponents ?? []).entries()) {
      const isProbe = cell.factor === 'probe';
      // Both generators have the same pair in their cells; a probe is compared in one cell only.
      if (!opponent.isFirst && !isProbe) continue;
      const trial = cell.asks[index]?.trial ?? '';
      const outcome: Outcome = outcomes.get(trial) ?? { status: 'skipped', reason: 'not scored yet' };
      const fields = outcome.status === 'scored' ? (readJudgeRecord(outcome.record)?.fields ?? {}) : {};
      const [first, second] = opponent.isFirst
        ? [cell.generator, opponent.generator]
        : [opponent.generator, cell.generator];
      rows.push({
        first,
        second,
        prompt: cell.prompt,
        factor: cell.factor,
        level: isProbe ? `${cell.level} of ${cell.generator}` : cell.level,
        repeat: cell.repeat,
        given: fields['given'] ?? '',
        swapped: fields['swapped'] ?? '',
        preference: outcome.status === 'scored' ? outcome.value : '',
        status: outcome.status,
        reason: outcome.status === 'scored' ? '' : outcome.reason,
      });
    }
  return rows;
}
