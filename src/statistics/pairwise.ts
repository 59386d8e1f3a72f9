import type { Estimate } from '../core/estimate.ts';
import type { PairwiseEstimates } from '../core/judging-estimates.ts';
import type { OutcomeStatus } from '../core/outcome.ts';
import { bootstrapInterval, estimateOf, type IntervalOptions, undefinedEstimate } from './interval.ts';
import { plackettLuce } from './plackett-luce.ts';
import { type Resamples, type WeightMatrix, weightedRatios } from './prompt-bootstrap.ts';

/** One question of a pairwise judge: preferences for the first generator, 1, 0.5 or 0; null without a valid answer. */
export interface PairAnswer {
  readonly first: string;
  readonly second: string;
  readonly prompt: string;
  /** Asked at c0 (empty factor). */
  readonly atDefault: boolean;
  readonly given: number | null;
  readonly swapped: number | null;
  readonly preference: number | null;
  readonly status: OutcomeStatus;
}

export interface PairwiseContext {
  readonly generators: readonly string[];
  /** Sorted by id, as the resamples count them. */
  readonly prompts: readonly string[];
  readonly resamples: Resamples;
  readonly interval: IntervalOptions;
}

/**
 * Consistency, position bias, preferences and Bradley-Terry worths of a pairwise judge; intervals from the bootstrap of whole
 * prompts. With every pair asked equally often, the order of the worths is that of the mean preferences (Ford 1957).
 */
export function pairwiseEstimates(answers: readonly PairAnswer[], context: PairwiseContext): PairwiseEstimates {
  const ledger = { planned: answers.length, scored: 0, failed: 0, refused: 0, unparseable: 0, skipped: 0 };
  for (const { status } of answers) ledger[status] += 1;
  const share = (of: readonly PairAnswer[], value: (answer: PairAnswer) => number | null) =>
    promptShare(of, value, context);
  const atDefault = answers.filter((answer) => answer.atDefault);
  const names = [...new Set(atDefault.map(({ first, second }) => JSON.stringify([first, second])))].sort();
  return {
    ledger,
    consistent: share(answers, ({ given, swapped }) =>
      given === null || swapped === null ? null : given === swapped ? 1 : 0,
    ),
    // `swapped` is turned to the first generator already: the second was shown first.
    firstShown: share(answers, ({ given, swapped }) =>
      given === null || swapped === null ? null : (given + 1 - swapped) / 2,
    ),
    preferences: names.map((name) => {
      const [first, second] = JSON.parse(name) as [string, string];
      const own = atDefault.filter((answer) => answer.first === first && answer.second === second);
      return { pair: [first, second], preference: share(own, ({ preference }) => preference) };
    }),
    worths: worthsOf(atDefault, context.generators),
  };
}

function promptShare(
  answers: readonly PairAnswer[],
  value: (answer: PairAnswer) => number | null,
  { prompts, resamples, interval }: PairwiseContext,
): Estimate {
  const sums = new Float64Array(prompts.length);
  const counts = new Float64Array(prompts.length);
  let excluded = 0;
  for (const answer of answers) {
    const prompt = prompts.indexOf(answer.prompt);
    const own = value(answer);
    if (own === null || prompt < 0) {
      excluded += 1;
      continue;
    }
    sums[prompt] = sums[prompt]! + own;
    counts[prompt] = counts[prompt]! + 1;
  }
  const n = answers.length - excluded;
  if (n === 0) return undefinedEstimate('no pair has a valid answer', 0, excluded);
  const total = sums.reduce((sum, one) => sum + one, 0) / n;
  const replicate = (weights: WeightMatrix) => weightedRatios(weights, sums, counts);
  const limits = bootstrapInterval(
    total,
    replicate(resamples.bootstrap),
    () => replicate(resamples.jackknife),
    interval,
  );
  return estimateOf(total, { n, excluded }, limits, resamples, interval);
}

function worthsOf(answers: readonly PairAnswer[], generators: readonly string[]): PairwiseEstimates['worths'] {
  const place = new Map(generators.map((generator, index) => [generator, index]));
  const rankings: number[][][] = [];
  for (const { first, second, given, swapped } of answers) {
    const [m, n] = [place.get(first), place.get(second)];
    if (m === undefined || n === undefined) continue;
    for (const answer of [given, swapped]) {
      if (answer === null) continue;
      // A tie is half a win each: once either way, against twice the one way.
      if (answer === 0.5) rankings.push([[m], [n]], [[n], [m]]);
      else for (let times = 0; times < 2; times += 1) rankings.push(answer === 1 ? [[m], [n]] : [[n], [m]]);
    }
  }
  const consensus = plackettLuce(rankings, generators.length);
  if ('undefinedBecause' in consensus) return { list: null, undefinedBecause: consensus.undefinedBecause };
  return { list: generators.map((generator, index) => ({ generator, worth: consensus.worths[index]! })) };
}
