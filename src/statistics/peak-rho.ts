import type { EvaluatorEstimates, FactorEstimates } from '../core/estimates.ts';
import { bootstrapInterval, estimateOf, undefinedEstimate } from './interval.ts';
import type { RhoContext, RhoParts } from './rho.ts';

/** One factor's part in the peak. */
export interface PeakCandidate {
  readonly factor: string;
  readonly parts: RhoParts;
  readonly interaction: FactorEstimates['rhoInteraction'];
}

/**
 * Peak rho = the largest rho over all factors (paraphrase included). Each resample selects its own peak; the interval with
 * the factor held fixed stands beside it. Without each generator the peak is selected anew.
 */
export function peakRho(candidates: readonly PeakCandidate[], context: RhoContext): EvaluatorEstimates['peakRho'] {
  const defined = candidates.filter(({ parts }) => parts.rho.value !== null);
  const largest = (pick: (candidate: PeakCandidate) => number | null) => {
    let value: number | null = null;
    let factor: string | null = null;
    for (const candidate of candidates) {
      const own = pick(candidate);
      if (own !== null && (value === null || own > value)) {
        value = own;
        factor = candidate.factor;
      }
    }
    return { value, factor };
  };
  const corrected = largest(({ parts }) => parts.corrected.value);
  const interaction = largest((candidate) => candidate.interaction.value);
  const peak = largest(({ parts }) => parts.rho.value);
  const top = defined.find(({ factor }) => factor === peak.factor);
  if (top === undefined || peak.value === null)
    return {
      ...undefinedEstimate(reasonOf(candidates)),
      factor: null,
      leaveOneGenerator: null,
      leaveOneFactors: [],
      fixedFactor: null,
      selected: [],
      corrected,
      interaction,
    };
  const { replicates, chosen } = peakReplicates(defined.map(({ parts }) => parts.replicates));
  const jackknife = () => peakReplicates(defined.map(({ parts }) => parts.jackknife)).replicates;
  const interval = bootstrapInterval(peak.value, replicates, jackknife, context.interval);
  const leaveOne = context.generators.map((generator, index) => leaveOut(defined, generator, index));
  const rho = top.parts.rho;
  return {
    ...estimateOf(
      peak.value,
      { n: rho.n ?? 0, excluded: rho.excluded ?? 0 },
      interval,
      context.resamples,
      context.interval,
    ),
    factor: top.factor,
    leaveOneGenerator: top.parts.leaveOne.length === 0 ? null : spanOf(leaveOne.map(({ value }) => value)),
    leaveOneFactors:
      top.parts.leaveOne.length === 0 ? [] : leaveOne.map(({ generator, factor }) => ({ generator, factor })),
    fixedFactor: rho.value === null ? null : { lower: rho.lower, upper: rho.upper },
    selected: defined.map(({ factor }, index) => ({ factor, share: (chosen[index] ?? 0) / replicates.length })),
    corrected,
    interaction,
  };
}

/** Largest rho of each resample and how often each factor had it (ties to the first). */
function peakReplicates(factors: readonly Float64Array[]): { replicates: Float64Array; chosen: number[] } {
  const rows = factors[0]?.length ?? 0;
  const replicates = new Float64Array(rows);
  const chosen = factors.map(() => 0);
  for (let row = 0; row < rows; row += 1) {
    let best = Number.NaN;
    let which = -1;
    for (const [index, values] of factors.entries())
      if (!Number.isNaN(values[row]!) && !(values[row]! <= best)) {
        best = values[row]!;
        which = index;
      }
    replicates[row] = best;
    if (which >= 0) chosen[which]! += 1;
  }
  return { replicates, chosen };
}

/** The peak without one generator: Infinity when a denominator was 0. */
function leaveOut(defined: readonly PeakCandidate[], generator: string, index: number) {
  let value = Number.NEGATIVE_INFINITY;
  let factor: string | null = null;
  for (const candidate of defined) {
    const rho = candidate.parts.leaveOne[index]?.rho;
    if (rho === undefined) continue;
    const own = rho ?? Number.POSITIVE_INFINITY;
    if (own > value) {
      value = own;
      factor = rho === null ? null : candidate.factor;
    }
  }
  return { generator, value, factor };
}

function spanOf(values: readonly number[]): [number | null, number | null] {
  const finite = (value: number) => (Number.isFinite(value) ? value : null);
  return [finite(Math.min(...values)), finite(Math.max(...values))];
}

function reasonOf(candidates: readonly PeakCandidate[]): string {
  const first = candidates[0]?.parts.rho;
  return first !== undefined && first.value === null ? first.undefinedBecause : 'no factor was swept';
}
