import type { Estimate } from '../core/estimates.ts';
import { fleissKappa } from './fleiss-kappa.ts';
import { bootstrapInterval, descriptive, estimateOf, type IntervalOptions, undefinedEstimate } from './interval.ts';
import type { Defined } from './kendall-w.ts';
import { type AlphaMetric, krippendorffAlpha } from './krippendorff-alpha.ts';
import { plackettLuce } from './plackett-luce.ts';
import { type Resamples, type WeightMatrix, weightedRatios } from './prompt-bootstrap.ts';
import type { RatingTable } from './rating-table.ts';

/** How well people agree with each other, and the order they put the generators in. */
export interface HumanReliability {
  /** Share of rater pairs that give the same preference, mean over (prompt, generator pair). */
  readonly percentAgreement: Estimate;
  /** Fleiss' kappa of the preferences: first, tie, second. */
  readonly fleissKappa: Estimate;
  /** Krippendorff's alpha of the ratings; of the preferences (-1, 0, 1) where there are only those. */
  readonly alpha: Readonly<Record<AlphaMetric, Estimate>>;
  /** Plackett-Luce worths, best first. */
  readonly consensus: readonly { readonly generator: string; readonly worth: number }[];
  readonly consensusUndefinedBecause: string | null;
}

/** Reliability of the ratings on `prompts`; the percent agreement is resampled by prompt (or cluster). */
export function humanReliability(
  table: RatingTable,
  prompts: readonly string[],
  resamples: Resamples,
  options: IntervalOptions,
): HumanReliability {
  const known = new Map(prompts.map((prompt, index) => [prompt, index]));
  const items = new Map<string, { prompt: number; counts: [number, number, number] }>();
  for (const { prompt, first, second, sign } of table.preferences) {
    const index = known.get(prompt);
    if (index === undefined) continue;
    const key = JSON.stringify([prompt, first, second]);
    const item = items.get(key) ?? { prompt: index, counts: [0, 0, 0] as [number, number, number] };
    item.counts[sign + 1]! += 1;
    items.set(key, item);
  }
  const judged = [...items.values()].filter(({ counts }) => counts[0] + counts[1] + counts[2] > 1);
  const kappa = judged.length === 0 ? null : fleissKappa(judged.map(({ counts }) => counts));
  const units =
    table.kind === 'ratings'
      ? [...table.ratings.values()].map((list) => list.map(({ rating }) => rating))
      : judged.map(({ counts }) => counts.flatMap((count, sign) => Array<number>(count).fill(sign - 1)));
  const alpha = (metric: AlphaMetric) => estimated(krippendorffAlpha(units, metric), units.length);
  const consensus = plackettLuce(rankings(table, known), table.generators.length);
  return {
    percentAgreement: percentAgreement(judged, prompts.length, resamples, options),
    fleissKappa:
      kappa === null ? undefinedEstimate('no preference has two raters', 0) : estimated(kappa.kappa, judged.length),
    alpha: { nominal: alpha('nominal'), ordinal: alpha('ordinal'), interval: alpha('interval') },
    consensus:
      'worths' in consensus
        ? consensus.order.map((item) => ({ generator: table.generators[item]!, worth: consensus.worths[item]! }))
        : [],
    consensusUndefinedBecause: 'worths' in consensus ? null : consensus.undefinedBecause,
  };
}

function percentAgreement(
  judged: readonly { prompt: number; counts: readonly number[] }[],
  prompts: number,
  resamples: Resamples,
  options: IntervalOptions,
): Estimate {
  if (judged.length === 0) return undefinedEstimate('no preference has two raters', 0);
  const sums = new Float64Array(prompts);
  const counts = new Float64Array(prompts);
  for (const item of judged) {
    const raters = item.counts.reduce((sum, count) => sum + count, 0);
    sums[item.prompt]! += item.counts.reduce((sum, count) => sum + count * (count - 1), 0) / (raters * (raters - 1));
    counts[item.prompt]! += 1;
  }
  const value = sums.reduce((total, sum) => total + sum, 0) / judged.length;
  const replicate = (weights: WeightMatrix) => weightedRatios(weights, sums, counts);
  const interval = bootstrapInterval(
    value,
    replicate(resamples.bootstrap),
    () => replicate(resamples.jackknife),
    options,
  );
  return estimateOf(value, { n: judged.length }, interval, resamples, options);
}

/** One ranking a rater and prompt from ratings (equal ratings tie), or one a preference. */
function rankings(table: RatingTable, known: ReadonlyMap<string, number>): number[][][] {
  const place = new Map(table.generators.map((generator, index) => [generator, index]));
  if (table.kind === 'pairs')
    return table.preferences
      .filter(({ prompt }) => known.has(prompt))
      .map(({ first, second, sign }) => {
        const [a, b] = [place.get(first)!, place.get(second)!];
        return sign === 0 ? [[a, b]] : sign > 0 ? [[a], [b]] : [[b], [a]];
      });
  const lists = new Map<string, { item: number; rating: number }[]>();
  for (const [scene, list] of table.ratings) {
    const [generator, prompt] = JSON.parse(scene) as [string, string];
    if (!known.has(prompt)) continue;
    for (const { rater, rating } of list) {
      const key = JSON.stringify([prompt, rater]);
      lists.set(key, [...(lists.get(key) ?? []), { item: place.get(generator)!, rating }]);
    }
  }
  return [...lists.values()].map((list) => {
    const values = [...new Set(list.map(({ rating }) => rating))].sort((a, b) => b - a);
    return values.map((value) => list.filter(({ rating }) => rating === value).map(({ item }) => item));
  });
}

function estimated(defined: Defined, n: number): Estimate {
  return 'value' in defined ? descriptive(defined.value, n) : undefinedEstimate(defined.undefinedBecause, n);
}
