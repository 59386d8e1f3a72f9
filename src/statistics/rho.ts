import type { Estimate, FactorEstimates } from '../core/estimates.ts';
import { perPrompt } from './dispersion.ts';
import type { GeneratorVariance } from './generator-variance.ts';
import { bootstrapInterval, estimateOf, type IntervalOptions, undefinedEstimate } from './interval.ts';
import { type Resamples, type WeightMatrix, weightedRatios } from './prompt-bootstrap.ts';
import type { SceneSpread } from './scene-spread.ts';

/** Denominators shared by all factors of an evaluator: on the data, in the bootstrap, leave-one-out, and without each generator. */
export interface RhoContext {
  readonly resamples: Resamples;
  readonly interval: IntervalOptions;
  readonly data: GeneratorVariance;
  readonly bootstrap: GeneratorVariance;
  readonly jackknife: GeneratorVariance;
  /** Variance at c0 without each generator. */
  readonly withoutGenerator: readonly number[];
  readonly generators: readonly string[];
  /** Why no denominator can be had at all (gate at c0, one generator); null otherwise. */
  readonly undefinedBecause: string | null;
  readonly weights: WeightMatrix;
}

export const ZERO_VARIANCE = 'the generators do not differ at the default configuration (zero variance between them)';

/** rho of one factor: what the estimate and the peak need. */
export interface RhoParts {
  readonly rho: FactorEstimates['rho'];
  readonly corrected: Estimate;
  readonly leaveOne: FactorEstimates['leaveOneGenerator'];
  /** rho in every resample (+Infinity for a zero denominator), empty when undefined. */
  readonly replicates: Float64Array;
  readonly jackknife: Float64Array;
}

/**
 * rho(f) = mean over scenes of Var_l / Var over generators of (mean over prompts at c0), population variances.
 * The corrected form takes the prompt noise out of the denominator; in a resample the noise counts twice, once for
 * sampling and once for resampling, so it is taken out twice there.
 */
export function rho(spread: SceneSpread, withheld: string | null, context: RhoContext): RhoParts {
  const { sums, counts } = perPrompt(spread, spread.variance);
  const scenes = counts.reduce((total, count) => total + count, 0);
  const excluded = spread.planned - scenes;
  const reason =
    withheld ??
    context.undefinedBecause ??
    (scenes === 0 ? 'no scene with enough scored levels' : spread.levels < 2 ? 'one level only' : null);
  const denominator = context.data.plain[0] ?? Number.NaN;
  const complete = completeRho(spread, denominator);
  if (reason !== null || !(denominator > 0)) {
    const because = undefinedEstimate(reason ?? ZERO_VARIANCE, scenes, excluded);
    return {
      rho: { ...because, complete: reason === null ? null : complete },
      corrected: because,
      leaveOne: [],
      replicates: new Float64Array(),
      jackknife: new Float64Array(),
    };
  }
  const numerator = (weights: WeightMatrix) => weightedRatios(weights, sums, counts);
  const above = numerator(context.weights)[0]!;
  const boot = numerator(context.resamples.bootstrap);
  const jack = context.interval.method === 'bca' ? numerator(context.resamples.jackknife) : new Float64Array();
  const ratio = (top: Float64Array, below: GeneratorVariance, noises: number) =>
    top.map((value, row) => divide(value, below.plain[row]! - noises * below.noise[row]!));
  const replicates = ratio(boot, context.bootstrap, 0);
  const jackknife = ratio(jack, context.jackknife, 0);
  const value = above / denominator;
  const counted = { n: scenes, excluded };
  const finish = (estimate: number, values: Float64Array, left: Float64Array) =>
    estimateOf(
      estimate,
      counted,
      bootstrapInterval(estimate, values, () => left, context.interval),
      context.resamples,
      context.interval,
    );
  const correctedBelow = denominator - context.data.noise[0]!;
  return {
    rho: { ...finish(value, replicates, jackknife), complete },
    corrected:
      correctedBelow > 0
        ? finish(above / correctedBelow, ratio(boot, context.bootstrap, 2), ratio(jack, context.jackknife, 1))
        : undefinedEstimate(
            Number.isNaN(correctedBelow)
              ? 'prompt noise cannot be estimated from one prompt'
              : 'the variance between generators is no more than prompt noise',
            scenes,
            excluded,
          ),
    leaveOne: leaveOneGenerator(spread, context),
    replicates,
    jackknife,
  };
}

/** Numerator over denominator; a denominator of 0 or less is +Infinity, never dropped. */
export function divide(above: number, below: number): number {
  if (Number.isNaN(above) || Number.isNaN(below)) return Number.NaN;
  return below > 0 ? above / below : Number.POSITIVE_INFINITY;
}

/** rho without each generator, in numerator and denominator; null where its denominator is 0. */
function leaveOneGenerator(spread: SceneSpread, context: RhoContext): FactorEstimates['leaveOneGenerator'] {
  if (context.generators.length < 3) return [];
  return context.generators.map((generator, index) => {
    const { sums, counts } = perPrompt(spread, spread.variance, index);
    const above = weightedRatios(context.weights, sums, counts)[0]!;
    const value = divide(above, context.withoutGenerator[index]!);
    return { generator, rho: Number.isFinite(value) ? value : null };
  });
}

/** [smallest, largest] of leave-one-generator values; a null limit is infinite; null when there are none. */
export function leaveOneSpan(values: readonly { rho: number | null }[]): [number | null, number | null] | null {
  if (values.length === 0) return null;
  const known = values.map(({ rho: value }) => value).filter((value) => value !== null);
  return [known.length === 0 ? null : Math.min(...known), known.length < values.length ? null : Math.max(...known)];
}

function completeRho(spread: SceneSpread, denominator: number): number | null {
  let sum = 0;
  let count = 0;
  for (const [scene, variance] of spread.variance.entries())
    if (spread.complete[scene] === 1) {
      sum += variance;
      count += 1;
    }
  return count === 0 || !(denominator > 0) ? null : sum / count / denominator;
}
