import type { Envelope, Estimates, EvaluatorEstimates } from '../core/estimates.ts';
import type { AnalysisOptions } from './analysis-options.ts';
import type { DescribedEvaluator, FamilyFields } from './analyze-evaluator.ts';
import { bestSet } from './best-set.ts';
import { type ContrastMatrix, contrastMatrix } from './contrast-matrix.ts';
import { envelope } from './envelopes.ts';
import { type Bands, describeFamily, unconfirmedBecause } from './family-estimates.ts';
import { familyMaxima } from './family-maxima.ts';
import { estimateOf, type IntervalOptions, undefinedEstimate } from './interval.ts';
import { PointwiseIntervals } from './pointwise.ts';
import type { Resamples } from './prompt-bootstrap.ts';
import { pointwiseReversals, type ReversalSearch, simultaneousReversals } from './reversals.ts';
import { adjustedP, type Band, simultaneousBand } from './simultaneous-band.ts';
import { uniqueTop } from './winners.ts';

type Fields = Pick<EvaluatorEstimates, FamilyFields>;

interface MeasuredFamily {
  readonly members: readonly DescribedEvaluator[];
  readonly matrix: ContrastMatrix;
  readonly bands: Bands;
}

/**
 * The searched family: c0 and all shared levels x generator pairs x evaluators. Quality controls are searched for nothing,
 * so they stay out of the audit's family and have one of their own.
 */
export async function analyzeFamilies(
  described: readonly DescribedEvaluator[],
  options: AnalysisOptions,
  resamples: Resamples,
): Promise<{ audit: Estimates['family']; evaluators: Fields[] }> {
  const searched = described.filter(({ cube }) => cube.role !== 'quality');
  const audit = await measure(searched, options, resamples);
  const evaluators: Fields[] = [];
  for (const one of described) {
    const joint = options.family === 'audit' && one.cube.role !== 'quality';
    const family = joint ? audit : await measure([one], options, resamples);
    evaluators.push(evaluatorFields(one, family, options, resamples));
  }
  const all = searched.map((_, index) => index);
  const family = describeFamily(searched, all, audit.matrix, audit.bands, options);
  if (options.family === 'audit') return { audit: family, evaluators };
  const warnings = ['each evaluator has its own family: its critical values stand in evaluators[].family'];
  const none = { studentised: null, published: null };
  return { audit: { ...family, criticalValue: null, criticalValues: none, warnings }, evaluators };
}

async function measure(
  members: readonly DescribedEvaluator[],
  options: AnalysisOptions,
  resamples: Resamples,
): Promise<MeasuredFamily> {
  const matrix = contrastMatrix(
    members.map(({ cube }) => cube),
    members.map(({ family }) => family),
    options.prompts.length,
    resamples.unit === 'prompt' ? null : resamples.clusterOf,
  );
  const empty = !matrix.inBand.includes(1);
  const maxima = empty ? null : await familyMaxima(matrix, resamples, { workers: options.workers });
  return {
    members,
    matrix,
    bands: {
      studentised: simultaneousBand(maxima?.studentised ?? new Float64Array(), options.level),
      published: simultaneousBand(maxima?.published ?? new Float64Array(), options.level),
    },
  };
}

function evaluatorFields(
  one: DescribedEvaluator,
  { members, matrix, bands }: MeasuredFamily,
  options: AnalysisOptions,
  resamples: Resamples,
): Fields {
  const { cube, c0, family } = one;
  const position = members.indexOf(one);
  const interval: IntervalOptions = { level: options.level, method: options.interval };
  const intervals = new PointwiseIntervals(matrix, resamples, interval);
  const band = bands[options.band];
  const baseline = family.pairs.map((_, pair) =>
    baselineOf(one, position, pair, matrix, band, intervals, resamples, interval),
  );
  const isSampled = options.factors.some(
    ({ factor, sampled }) => sampled === true && cube.factors.some((own) => own.factor === factor),
  );
  const envelopes: Envelope[] = family.pairs.map(([m, n], pair) => {
    const range = envelope(cube, family, pair);
    return {
      pair: [options.generators[m]!, options.generators[n]!],
      baseline: baseline[pair]!,
      ...range,
      // A sample of the levels can refute a strict envelope, never establish one.
      strict: isSampled && range.strict === true ? null : range.strict,
      bounds: isSampled && range.bounds !== null ? { ...range.bounds, strict: false } : range.bounds,
    };
  });
  const search: ReversalSearch = { matrix, evaluator: position, family, generators: options.generators };
  const pointwise = pointwiseReversals(search, intervals);
  const studentised = simultaneousReversals(search, bands.studentised, resamples.units);
  const published = simultaneousReversals(search, bands.published, resamples.units);
  const chosen = options.band === 'studentised' ? studentised : published;
  const best =
    c0.contrastsWithheld === null
      ? bestSet(cube, c0.commonPrompts, (m, n) => marginOf(one, m, n), resamples.bootstrap, options.level)
      : [];
  const described = describeFamily([one], [position], matrix, bands, options);
  return {
    separablePairs: baseline.filter(excludesZero).length,
    strictPairs: envelopes.filter(({ strict }) => strict === true).length,
    topGap: topGap(one, baseline, options.generators),
    bestSet: best.map((index) => options.generators[index]!),
    envelopes,
    reversals: {
      pointwise: pointwise.found,
      simultaneous: chosen.found,
      counts: {
        pointwise: pointwise.count,
        simultaneous: chosen.count,
        simultaneousStudentised: studentised.count,
        simultaneousPublished: published.count,
      },
      unconfirmedBecause: unconfirmedBecause(described, band, resamples),
    },
    family: described,
  };
}

function excludesZero(estimate: Envelope['baseline']): boolean {
  if (estimate.value === null) return false;
  return (estimate.lower !== null && estimate.lower > 0) || (estimate.upper !== null && estimate.upper < 0);
}

/** Margin of a pair at c0 with its pointwise interval and its adjusted p within the family. */
function baselineOf(
  one: DescribedEvaluator,
  position: number,
  pair: number,
  matrix: ContrastMatrix,
  band: Band,
  intervals: PointwiseIntervals,
  resamples: Resamples,
  interval: IntervalOptions,
): Envelope['baseline'] {
  const id = matrix.index[position]![pair]!;
  const n = one.c0.commonPrompts.length;
  const excluded = one.cube.prompts - n;
  if (id < 0) return { ...undefinedEstimate(one.c0.contrastsWithheld ?? 'withheld', n, excluded), adjustedP: null };
  const p =
    matrix.inBand[id] === 1 && band.criticalValue !== null
      ? adjustedP(band, Math.abs(matrix.estimate[id]!) / matrix.error[id]!)
      : null;
  return {
    ...estimateOf(matrix.estimate[id]!, { n, excluded }, intervals.of(id), resamples, interval),
    adjustedP: p,
  };
}

/** Margin of any two generators at c0, NaN when withheld. */
function marginOf({ family }: DescribedEvaluator, m: number, n: number): number {
  const pair = family.pairs.findIndex(([a, b]) => a === Math.min(m, n) && b === Math.max(m, n));
  return m < n ? family.margins[pair]! : -family.margins[pair]!;
}

/** Gap of the two best at c0: the pair is the one of the estimates (selected), so its interval is optimistic. */
function topGap(
  one: DescribedEvaluator,
  baseline: readonly Envelope['baseline'][],
  generators: readonly string[],
): EvaluatorEstimates['topGap'] {
  const { family, c0, cube } = one;
  const none = (reason: string) => ({ ...undefinedEstimate(reason), pair: null, selected: true as const });
  if (c0.contrastsWithheld !== null) return none(c0.contrastsWithheld);
  if (generators.length < 2) return none('fewer than two generators');
  const order = generators.map((_, index) => index).sort((a, b) => marginOf(one, b, a) || a - b);
  const [first, second] = [order[0]!, order[1]!];
  const pair = family.pairs.findIndex(([a, b]) => a === Math.min(first, second) && b === Math.max(first, second));
  const names: [string, string] = [generators[first]!, generators[second]!];
  const { adjustedP: _p, ...estimate } = baseline[pair]!;
  if (estimate.value === null) return { ...estimate, pair: names, selected: true };
  const gap = marginOf(one, first, second);
  const tied = uniqueTop([gap, 0], cube.tolerance) === null;
  const flip = first > second;
  return {
    ...estimate,
    value: gap,
    lower: flip ? negated(estimate.upper) : estimate.lower,
    upper: flip ? negated(estimate.lower) : estimate.upper,
    ...(estimate.monteCarloError === undefined
      ? {}
      : {
          monteCarloError: flip ? [estimate.monteCarloError[1], estimate.monteCarloError[0]] : estimate.monteCarloError,
        }),
    ...(tied ? { warnings: [...(estimate.warnings ?? []), 'the two best are tied at c0'] } : {}),
    pair: names,
    selected: true,
  };
}

function negated(value: number | null): number | null {
  return value === null ? null : value === 0 ? 0 : -value;
}
