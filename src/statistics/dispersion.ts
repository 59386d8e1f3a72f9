import type { FactorEstimates } from '../core/estimates.ts';
import { bootstrapInterval, estimateOf, type IntervalOptions, undefinedEstimate } from './interval.ts';
import { type Resamples, type WeightMatrix, weightedRatios } from './prompt-bootstrap.ts';
import { meanOf, median } from './quantile.ts';
import type { SceneSpread } from './scene-spread.ts';

/** Scenes whose mean is under this share of the evaluator's median score are flagged: their ratio is inflated. */
const LOW_MEAN = 0.1;

export interface DispersionContext {
  readonly resamples: Resamples;
  readonly interval: IntervalOptions;
  /** Median score of the evaluator. */
  readonly median: number | null;
  readonly matchedLevels: number;
  readonly commonForms: { readonly templates: string[]; readonly spread: SceneSpread } | null;
}

/**
 * Dispersion D = mean over scenes of (max - min) / mean over the levels of one factor. Scenes whose mean is not positive are
 * left out and counted. `withheld` gives the reason when a missing-data gate was tripped.
 */
export function dispersion(
  spread: SceneSpread,
  withheld: string | null,
  context: DispersionContext,
): FactorEstimates['dispersion'] {
  const ratios = sceneRatios(spread, spread.range);
  const used = ratios.filter((ratio) => !Number.isNaN(ratio));
  const notPositive = spread.mean.reduce((total, mean) => total + (mean <= 0 ? 1 : 0), 0);
  const low = (context.median ?? 0) * LOW_MEAN;
  const completeRatios = ratios.filter((ratio, scene) => !Number.isNaN(ratio) && spread.complete[scene] === 1);
  const companions = {
    median: withheld === null ? median(used) : null,
    matched: {
      levels: context.matchedLevels,
      value:
        withheld === null
          ? meanOf(sceneRatios(spread, spread.matchedRange).filter((ratio) => !Number.isNaN(ratio)))
          : null,
    },
    complete: meanOf(completeRatios),
    completeScenes: spread.complete.reduce((total, flag) => total + flag, 0),
    commonForms:
      context.commonForms === null
        ? null
        : {
            templates: context.commonForms.templates,
            value: meanOf(
              sceneRatios(context.commonForms.spread, context.commonForms.spread.range).filter(
                (ratio) => !Number.isNaN(ratio),
              ),
            ),
          },
    notPositive,
    lowMean: spread.mean.reduce((total, mean) => total + (mean > 0 && mean < low ? 1 : 0), 0),
  };
  const excluded = spread.planned - used.length;
  if (withheld !== null) return { ...undefinedEstimate(withheld, used.length, excluded), ...companions };
  if (used.length === 0)
    return { ...undefinedEstimate('no scene with a positive mean score', 0, excluded), ...companions };
  if (spread.levels < 2) return { ...undefinedEstimate('one level only', used.length, excluded), ...companions };
  const value = meanOf(used)!;
  const { sums, counts } = perPrompt(spread, ratios);
  const replicate = (weights: WeightMatrix) => weightedRatios(weights, sums, counts);
  const interval = bootstrapInterval(
    value,
    replicate(context.resamples.bootstrap),
    () => replicate(context.resamples.jackknife),
    context.interval,
  );
  return {
    ...estimateOf(value, { n: used.length, excluded }, interval, context.resamples, context.interval),
    ...companions,
  };
}

/** width / mean of every scene; NaN where the scene is lost or its mean is not positive. */
export function sceneRatios(spread: SceneSpread, width: Float64Array): Float64Array {
  return spread.mean.map((mean, scene) => (mean > 0 ? width[scene]! / mean : Number.NaN));
}

/** Sum and number of the scene values of every prompt, NaN left out. */
export function perPrompt(
  spread: Pick<SceneSpread, 'generators' | 'prompts'>,
  values: Float64Array,
  generatorLeftOut = -1,
): { sums: Float64Array; counts: Float64Array } {
  const sums = new Float64Array(spread.prompts);
  const counts = new Float64Array(spread.prompts);
  for (let generator = 0; generator < spread.generators; generator += 1) {
    if (generator === generatorLeftOut) continue;
    for (let prompt = 0; prompt < spread.prompts; prompt += 1) {
      const value = values[generator * spread.prompts + prompt]!;
      if (Number.isNaN(value)) continue;
      sums[prompt]! += value;
      counts[prompt]! += 1;
    }
  }
  return { sums, counts };
}
