import type { Estimate } from '../core/estimates.ts';
import { kendallTauB, spearman } from './correlation.ts';
import { bootstrapInterval, estimateOf, type IntervalOptions, undefinedEstimate } from './interval.ts';
import { type Resamples, type WeightMatrix, weightedRatios } from './prompt-bootstrap.ts';
import { type ScoreCube, scoreAt } from './score-cube.ts';

/** A second judge beside the first, on the scenes both scored at c0. */
export interface SecondJudge {
  readonly scenes: number;
  readonly spearman: number | null;
  readonly kendallTauB: number | null;
  /** Mean of second minus first, paired. */
  readonly shift: Estimate;
  /**
   * How much more the first judge gives its own family than the second does: mean (first - second) over its own family's scenes
   * minus that over all others. Undefined without a family.
   */
  readonly ownFamily: Estimate;
}

/**
 * Compares two judges. `own` are the generators of the first judge's family.
 *
 * @throws RangeError when the cubes differ in generators or prompts.
 */
export function secondJudge(
  first: ScoreCube,
  second: ScoreCube,
  own: readonly number[],
  resamples: Resamples,
  options: IntervalOptions,
): SecondJudge {
  if (first.generators !== second.generators || first.prompts !== second.prompts)
    throw new RangeError('secondJudge requires cubes of the same generators and prompts');
  const { generators, prompts } = first;
  const a: number[] = [];
  const b: number[] = [];
  const parts = {
    all: { sums: new Float64Array(prompts), counts: new Float64Array(prompts) },
    own: { sums: new Float64Array(prompts), counts: new Float64Array(prompts) },
    rest: { sums: new Float64Array(prompts), counts: new Float64Array(prompts) },
  };
  for (let generator = 0; generator < generators; generator += 1)
    for (let prompt = 0; prompt < prompts; prompt += 1) {
      const x = scoreAt(first, 0, generator, prompt);
      const y = scoreAt(second, 0, generator, prompt);
      if (Number.isNaN(x) || Number.isNaN(y)) continue;
      a.push(x);
      b.push(y);
      parts.all.sums[prompt]! += y - x;
      parts.all.counts[prompt]! += 1;
      const part = own.includes(generator) ? parts.own : parts.rest;
      part.sums[prompt]! += x - y;
      part.counts[prompt]! += 1;
    }
  const excluded = generators * prompts - a.length;
  const estimate = (replicate: (weights: WeightMatrix) => Float64Array): Estimate => {
    const value = replicate({ rows: 1, columns: prompts, data: new Float64Array(prompts).fill(1) })[0]!;
    const interval = bootstrapInterval(
      value,
      replicate(resamples.bootstrap),
      () => replicate(resamples.jackknife),
      options,
    );
    return estimateOf(value, { n: a.length, excluded }, interval, resamples, options);
  };
  const total = (part: { counts: Float64Array }) => part.counts.reduce((sum, count) => sum + count, 0);
  return {
    scenes: a.length,
    spearman: a.length < 2 ? null : spearman(a, b),
    kendallTauB: kendallTauB(a, b),
    shift:
      a.length === 0
        ? undefinedEstimate('no scene was scored by both judges', 0, excluded)
        : estimate((weights) => weightedRatios(weights, parts.all.sums, parts.all.counts)),
    ownFamily:
      total(parts.own) === 0 || total(parts.rest) === 0
        ? undefinedEstimate("no generator of the judge's own family, or none besides", a.length, excluded)
        : estimate((weights) => {
            const mine = weightedRatios(weights, parts.own.sums, parts.own.counts);
            const others = weightedRatios(weights, parts.rest.sums, parts.rest.counts);
            return mine.map((mean, row) => mean - others[row]!);
          }),
  };
}
