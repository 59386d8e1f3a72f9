import type { FactorEstimates, MeasuredEstimate, UndefinedEstimate } from '../core/estimates.ts';
import { bootstrapInterval, estimateOf, type IntervalOptions, undefinedEstimate } from './interval.ts';
import { type Resamples, type WeightMatrix, weightedRatios } from './prompt-bootstrap.ts';
import { meanOf, median } from './quantile.ts';
import type { SceneSpread } from './scene-spread.ts';

/** Scenes whose mean is under this share of the evaluator's median score are flagged: their ratio is inflated. */
const LOW_MEAN = 0.1;

/** Relative change of D without the near-zero scenes from which a reader must be told. */
const INFLATED = 0.1;

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
 *
 * A ratio says little where the mean is near zero: a scene that scores under 0 at some level has a ratio above 1 whatever its
 * size. Such scenes stay in D as the published study has it, but are counted; D without them, the median scene and the spread in
 * score units stand beside it, and a warning says so when they move D by more than a tenth.
 */
export function dispersion(
  spread: SceneSpread,
  withheld: string | null,
  context: DispersionContext,
): FactorEstimates['dispersion'] {
  const ratios = sceneRatios(spread, spread.range);
  const used = known(ratios);
  const companions = companionsOf(spread, ratios, withheld, context);
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
  const estimate = estimateOf(value, { n: used.length, excluded }, interval, context.resamples, context.interval);
  if (!companions.inflated) return { ...estimate, ...companions };
  return {
    ...estimate,
    warnings: [...(estimate.warnings ?? []), inflationWarning(used.length, companions)],
    ...companions,
  };
}

type Companions = Omit<FactorEstimates['dispersion'], keyof MeasuredEstimate | keyof UndefinedEstimate>;

function companionsOf(
  spread: SceneSpread,
  ratios: Float64Array,
  withheld: string | null,
  context: DispersionContext,
): Companions {
  const low = (context.median ?? 0) * LOW_MEAN;
  const isLow = (scene: number) => spread.mean[scene]! > 0 && spread.mean[scene]! < low;
  const isNegative = (scene: number) => spread.mean[scene]! > 0 && spread.smallest[scene]! < 0;
  const count = (holds: (scene: number) => boolean) =>
    spread.mean.reduce((total, _, scene) => total + (holds(scene) ? 1 : 0), 0);
  const steady = known(ratios.filter((_, scene) => !isLow(scene) && !isNegative(scene)));
  const value = meanOf(known(ratios));
  const rest = meanOf(steady);
  const variance = meanOf(known(spread.variance));
  const open = withheld === null;
  return {
    median: open ? median(known(ratios)) : null,
    matched: {
      levels: context.matchedLevels,
      value: open ? meanOf(known(sceneRatios(spread, spread.matchedRange))) : null,
    },
    complete: meanOf(known(ratios.filter((_, scene) => spread.complete[scene] === 1))),
    completeScenes: count((scene) => spread.complete[scene] === 1),
    commonForms:
      context.commonForms === null
        ? null
        : {
            templates: context.commonForms.templates,
            value: meanOf(known(sceneRatios(context.commonForms.spread, context.commonForms.spread.range))),
          },
    notPositive: count((scene) => spread.mean[scene]! <= 0),
    lowMean: count(isLow),
    negative: count(isNegative),
    withoutNearZero: { value: open ? rest : null, scenes: steady.length },
    inflated:
      open &&
      value !== null &&
      steady.length < known(ratios).length &&
      (rest === null || Math.abs(value - rest) > INFLATED * value),
    points: {
      range: open ? meanOf(known(spread.range)) : null,
      sd: open && variance !== null ? Math.sqrt(variance) : null,
    },
  };
}

function known(values: Float64Array): Float64Array {
  return values.filter((value) => !Number.isNaN(value));
}

/** The sentence that says how near-zero means inflate D. */
function inflationWarning(scenes: number, { median: middle, withoutNearZero, points }: Companions): string {
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  const { value, scenes: left } = withoutNearZero;
  const without =
    value === null
      ? 'no scene is free of it'
      : `without ${scenes - left === 1 ? 'it' : 'them'} the mean is ${percent(value)} (${left} ${left === 1 ? 'scene' : 'scenes'})`;
  return `means near zero inflate this average: ${scenes - left} of ${scenes} scenes score under 0 at some level or have a mean under 10% of the median score; ${without}; the median scene moves by ${percent(middle!)}; in score units the mean range is ${points.range!.toPrecision(3)} and the SD ${points.sd!.toPrecision(3)}`;
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
