import type { EvaluatorEstimates, ProbeEstimates } from '../core/estimates.ts';
import type { AnalysisProbe } from './analysis-options.ts';
import { bootstrapInterval, estimateOf, type IntervalOptions, undefinedEstimate } from './interval.ts';
import type { ProbePair } from './probe-pairs.ts';
import { type Resamples, type WeightMatrix, weightedRatios } from './prompt-bootstrap.ts';

/** The four probes of the published content accuracy. */
export const CONTENT_PROBES = ['keep-half', 'biggest-only', 'scrambled', 'worst-objects'] as const;

export interface ProbeContext {
  readonly resamples: Resamples;
  readonly interval: IntervalOptions;
  readonly prompts: number;
  /** Differences up to it are ties. */
  readonly tolerance: number;
  /** Population standard deviation of the c0 scores over scenes; null without spread. */
  readonly deviation: number | null;
  /** Stored zeros may be failures. */
  readonly zerosMayFail: boolean;
}

/** Estimates of one probe, and its discrimination in every resample (for the content accuracy). */
export interface ProbeResult {
  readonly estimates: ProbeEstimates;
  readonly replicates: Float64Array;
  readonly jackknife: Float64Array;
}

/** Credits of directional discrimination: a strict drop 1, an exact tie 0.5, a rise 0. */
export function creditOf(pair: Pick<ProbePair, 'original' | 'degraded'>, tolerance: number): 0 | 0.5 | 1 {
  const drop = pair.original - pair.degraded;
  return Math.abs(drop) <= tolerance ? 0.5 : drop > 0 ? 1 : 0;
}

/** Discrimination, strict-drop rate, bounds and effect size of one probe. */
export function probeDiscrimination(
  probe: string,
  pairs: readonly ProbePair[],
  declared: AnalysisProbe | undefined,
  context: ProbeContext,
): ProbeResult {
  const scored = pairs.filter(({ original, degraded }) => !Number.isNaN(original) && !Number.isNaN(degraded));
  const failed = pairs.length - scored.length;
  const credits = scored.map((pair) => creditOf(pair, context.tolerance));
  const total = credits.reduce<number>((sum, credit) => sum + credit, 0);
  const replicatesOf = (values: readonly number[]) => {
    const sums = new Float64Array(context.prompts);
    const counts = new Float64Array(context.prompts);
    for (const [index, pair] of scored.entries()) {
      sums[pair.prompt]! += values[index]!;
      counts[pair.prompt]! += 1;
    }
    return (weights: WeightMatrix) => weightedRatios(weights, sums, counts);
  };
  const estimate = (values: readonly number[]): ProbeEstimates['discrimination'] => {
    if (scored.length === 0) return undefinedEstimate('no pair has both scores', 0, failed);
    const replicate = replicatesOf(values);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const interval = bootstrapInterval(
      mean,
      replicate(context.resamples.bootstrap),
      () => replicate(context.resamples.jackknife),
      context.interval,
    );
    return estimateOf(mean, { n: scored.length, excluded: failed }, interval, context.resamples, context.interval);
  };
  const drops = scored.map(({ original, degraded }) =>
    Math.abs(original - degraded) <= context.tolerance ? 0 : original - degraded,
  );
  const { deviation } = context;
  const byCredit = replicatesOf(credits);
  return {
    estimates: {
      probe,
      expectation: declared?.expectation ?? null,
      control: declared?.control ?? false,
      discrimination: estimate(credits),
      strictDrop: estimate(credits.map((credit) => (credit === 1 ? 1 : 0))),
      bounds: pairs.length === 0 ? null : [total / pairs.length, (total + failed) / pairs.length],
      pairs: pairs.length,
      failed,
      drops: credits.filter((credit) => credit === 1).length,
      ties: credits.filter((credit) => credit === 0.5).length,
      rises: credits.filter((credit) => credit === 0).length,
      effectSize:
        deviation === null
          ? undefinedEstimate('the scores at c0 have no spread', scored.length, failed)
          : estimate(drops.map((drop) => drop / deviation)),
      meanDrop: estimate(drops),
      zero: context.zerosMayFail ? zeroBounds(scored, credits) : null,
    },
    replicates: scored.length === 0 ? new Float64Array() : byCredit(context.resamples.bootstrap),
    jackknife: scored.length === 0 ? new Float64Array() : byCredit(context.resamples.jackknife),
  };
}

/** Pairs that hold a stored zero, and the discrimination if they earned 0, and then 1: exact. */
function zeroBounds(scored: readonly ProbePair[], credits: readonly number[]): ProbeEstimates['zero'] {
  const zero = scored.map(({ original, degraded }) => original === 0 || degraded === 0);
  const pairs = zero.filter(Boolean).length;
  if (pairs === 0) return null;
  const certain = credits.reduce((sum, credit, index) => sum + (zero[index] ? 0 : credit), 0);
  return { pairs, bounds: [certain / scored.length, (certain + pairs) / scored.length] };
}

/** Content accuracy: mean discrimination of the four published probes, undefined when one is missing. */
export function contentAccuracy(
  results: readonly ProbeResult[],
  context: ProbeContext,
): EvaluatorEstimates['contentAccuracy'] {
  const four = CONTENT_PROBES.map((probe) => results.find(({ estimates }) => estimates.probe === probe));
  const missing = CONTENT_PROBES.filter((_, index) => (four[index]?.estimates.discrimination.value ?? null) === null);
  if (missing.length > 0) return undefinedEstimate(`probe ${missing.join(', ')} is missing`);
  const present = four as ProbeResult[];
  const mean = (parts: readonly Float64Array[]) =>
    parts[0]!.map((_, row) => parts.reduce((sum, part) => sum + part[row]!, 0) / parts.length);
  const value = present.reduce((sum, { estimates }) => sum + estimates.discrimination.value!, 0) / present.length;
  const interval = bootstrapInterval(
    value,
    mean(present.map(({ replicates }) => replicates)),
    () => mean(present.map(({ jackknife }) => jackknife)),
    context.interval,
  );
  const counts = {
    n: present.reduce((sum, { estimates }) => sum + estimates.pairs - estimates.failed, 0),
    excluded: present.reduce((sum, { estimates }) => sum + estimates.failed, 0),
  };
  return estimateOf(value, counts, interval, context.resamples, context.interval);
}

/** Dose responses: probes named `<family>-<percent kept>`; `keep-half` is 50% of the family `keep`. */
export function doseResponses(probes: readonly ProbeEstimates[]): EvaluatorEstimates['doses'] {
  const families = new Map<string, EvaluatorEstimates['doses'][number]['doses'][number][]>();
  for (const { probe, discrimination, meanDrop } of probes) {
    const named = /^(.+)-(\d+|half)$/.exec(probe);
    if (named === null || discrimination.value === null || meanDrop.value === null) continue;
    const dose = named[2] === 'half' ? 50 : Number(named[2]);
    const list = families.get(named[1]!) ?? [];
    if (named[2] === 'half' && list.some((item) => item.dose === 50)) continue;
    list.push({ probe, dose, discrimination: discrimination.value, meanDrop: meanDrop.value });
    families.set(named[1]!, list);
  }
  return [...families]
    .filter(([, doses]) => new Set(doses.map(({ dose }) => dose)).size > 1)
    .map(([family, doses]) => {
      const ordered = [...doses].sort((a, b) => b.dose - a.dose);
      const monotone = ordered.every((item, index) => index === 0 || item.meanDrop >= ordered[index - 1]!.meanDrop);
      return { family, doses: ordered, monotone };
    });
}
