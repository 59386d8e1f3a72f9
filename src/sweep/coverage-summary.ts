import type { ManifestEvaluator } from '../core/manifest.ts';
import type { Outcome } from '../core/outcome.ts';
import type { ResolvedCell } from './cells.ts';
import type { Store } from './store.ts';

/**
 * Token coverage over the distinct captions an evaluator was given: how much of each it can see, per template, and
 * whether captions that differ only beyond the cut got one score (same picture, same visible tokens).
 */
export async function coverageSummary(
  store: Store,
  instrument: string,
  cells: readonly ResolvedCell[],
  outcomes: readonly Outcome[],
): Promise<ManifestEvaluator['coverage']> {
  const templates = new Map<string, Set<string>>();
  const keys = new Set<string>();
  for (const { asks, template, factor } of cells) {
    if (factor === 'probe') continue;
    for (const { caption } of asks) {
      if (caption === null) continue;
      keys.add(caption.key);
      const ofTemplate = templates.get(template) ?? new Set();
      templates.set(template, ofTemplate.add(caption.key));
    }
  }
  const coverage = await store.coverage(instrument, [...keys]);
  if (coverage.size === 0) return null;
  // Captions not looked at yet have no share: they are left out, not taken for fully read.
  const sharesOf = (list: Iterable<string>) =>
    [...list].flatMap((key) => {
      const row = coverage.get(key);
      return row === undefined || row.total === 0 ? [] : [row.used / row.total];
    });
  const truncated = (list: readonly number[]) => list.filter((share) => share < 1).length;
  const shares = sharesOf(coverage.keys());
  if (shares.length === 0) return null;
  const least = (list: Iterable<number>) => [...list].reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);

  // Captions of one picture whose visible tokens are equal must score alike.
  const groups = new Map<string, { captions: Set<string>; scores: Set<number> }>();
  for (const [index, cell] of cells.entries()) {
    const ask = cell.asks[0];
    const outcome = outcomes[index] as Outcome;
    if (cell.asks.length !== 1 || ask?.caption === null || ask === undefined || outcome.status !== 'scored') continue;
    const seen = coverage.get(ask.caption.key)?.seen;
    if (seen === undefined) continue;
    const key = `${ask.image?.key ?? '-'} ${seen}`;
    const group = groups.get(key) ?? { captions: new Set(), scores: new Set() };
    group.captions.add(ask.caption.key);
    group.scores.add(outcome.value);
    groups.set(key, group);
  }
  // Equal ids embedded in two calls may differ by float noise: 1e-5 of the largest score counts as equal.
  let largest = 0;
  for (const outcome of outcomes) if (outcome.status === 'scored') largest = Math.max(largest, Math.abs(outcome.value));
  const tolerance = 1e-5 * largest;
  const shared = [...groups.values()].filter(({ captions }) => captions.size > 1);
  return {
    captions: coverage.size,
    truncated: truncated(shares),
    meanShare: mean(shares),
    minShare: least(shares),
    context: [...coverage.values()].reduce((most, { used }) => Math.max(most, used), 0),
    templates: [...templates].flatMap(([template, captions]) => {
      const own = sharesOf(captions);
      return own.length === 0 ? [] : [{ template, meanShare: mean(own), truncated: truncated(own) }];
    }),
    sameSeen: {
      groups: shared.length,
      captions: shared.reduce((sum, { captions }) => sum + captions.size, 0),
      equalScores: shared.filter(({ scores }) => Math.max(...scores) - Math.min(...scores) <= tolerance).length,
    },
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
