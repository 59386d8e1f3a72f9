import type { SampledTemplate, TemplateSample } from './slot-sample.ts';
import { studentTQuantile } from './student-t.ts';

/** An estimate for all templates of a grammar from a sample of them. */
export interface SampledEstimate {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
  readonly level: number;
  readonly method: string;
  /** Sampled templates. */
  readonly n: number;
}

/** The largest spread among sampled templates: never more than that among all. */
export interface SampledRange {
  readonly value: number;
  readonly bound: 'lower';
}

/**
 * Mean over all templates, with a t interval. The generalised regression estimator: the main effects of the slots, fitted
 * on the sample, carry over to all templates (whose slot choices are known), so that what is left of imbalance after
 * rounding does not matter; only the residuals add to the variance (Deville and Tille 2005).
 *
 * @param values One value a sampled template, in the sample's order (say, a generator's mean score).
 */
export function estimateSampledMean(sample: TemplateSample, values: readonly number[], level = 0.95): SampledEstimate {
  requireValues(sample, values);
  const { value, variance } = totalOf(sample, values);
  const half = tOf(sample, level) * Math.sqrt(variance);
  return {
    value,
    lower: value - half,
    upper: value + half,
    level,
    method: 'regression estimate from a balanced sample of templates, residual variance, t interval',
    n: values.length,
  };
}

/**
 * Mean over scenes of the population variance over all templates (the numerator of the template rho), with an interval on
 * the logarithmic scale. The variance over sampled templates is corrected for the error of each scene's estimated mean.
 *
 * @param scenes One row a scene, one value a sampled template.
 */
export function estimateSampledVariance(
  sample: TemplateSample,
  scenes: readonly (readonly number[])[],
  level = 0.95,
): SampledEstimate {
  if (scenes.length === 0) throw new RangeError('estimateSampledVariance: no scenes; expected at least one');
  const squares = sample.templates.map(() => 0);
  let meanError = 0;
  for (const values of scenes) {
    requireValues(sample, values);
    const { value, variance } = totalOf(sample, values);
    meanError += variance / scenes.length;
    values.forEach((score, index) => {
      squares[index] = (squares[index] as number) + (score - value) ** 2 / scenes.length;
    });
  }
  const spread = totalOf(sample, squares);
  const value = spread.value + meanError;
  const relative = value > 0 ? Math.sqrt(spread.variance) / value : 0;
  const half = tOf(sample, level) * relative;
  return {
    value,
    lower: value * Math.exp(-half),
    upper: value * Math.exp(half),
    level,
    method: 'regression estimate from a balanced sample of templates, log t interval',
    n: sample.templates.length,
  };
}

/** Range over the sampled templates: a lower bound of the range over all. */
export function sampledRange(sample: TemplateSample, values: readonly number[]): SampledRange {
  requireValues(sample, values);
  return { value: Math.max(...values) - Math.min(...values), bound: 'lower' };
}

function requireValues(sample: TemplateSample, values: readonly number[]): void {
  if (values.length !== sample.templates.length || !values.every(Number.isFinite))
    throw new RangeError(
      `slot estimates: ${values.length} values for ${sample.templates.length} sampled templates; expected one finite value each`,
    );
}

function tOf(sample: TemplateSample, level: number): number {
  const drawn = sample.templates.filter(({ probability }) => probability < 1);
  const degrees = Math.max(1, drawn.length - (drawn[0]?.effects.length ?? 0));
  return studentTQuantile(0.5 + level / 2, degrees);
}

/** Estimated population mean of `values` and the variance of that estimate. */
function totalOf(sample: TemplateSample, values: readonly number[]): { value: number; variance: number } {
  const { population, templates, totals } = sample;
  const drawn = templates.flatMap((template, index) =>
    template.probability < 1 ? [{ ...template, score: values[index] as number }] : [],
  );
  const effects = drawn[0]?.effects.length ?? 0;
  const correction = drawn.length / Math.max(1, drawn.length - effects);
  const weights = drawn.map(({ probability }) => (1 - probability) * correction);
  const coefficients = regression(drawn, weights);
  const fitted = drawn.map(({ effects: own }) => product(own, coefficients));
  const weighted = templates.reduce((sum, { weight }, index) => sum + weight * (values[index] as number), 0);
  const shown = totals.map((_, column) =>
    drawn.reduce((sum, { weight, effects: own }) => sum + weight * (own[column] as number), 0),
  );
  const missing = totals.map((total, column) => total - (shown[column] as number));
  const value = (weighted + product(missing, coefficients)) / population;
  const variance = drawn.reduce((sum, { score, weight }, index) => {
    const residual = (score - (fitted[index] as number)) * weight;
    return sum + (weights[index] as number) * residual * residual;
  }, 0);
  return { value, variance: variance / population ** 2 };
}

/** Coefficients of the weighted least-squares regression of the scores on the main effects of the slots. */
function regression(
  drawn: readonly (SampledTemplate & { readonly score: number })[],
  weights: readonly number[],
): number[] {
  const size = drawn[0]?.effects.length ?? 0;
  const matrix = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0));
  drawn.forEach(({ effects, weight, score }, index) => {
    const importance = (weights[index] as number) * weight * weight;
    for (let row = 0; row < size; row += 1) {
      const target = matrix[row] as number[];
      const left = importance * (effects[row] as number);
      if (left === 0) continue;
      for (let column = 0; column < size; column += 1)
        target[column] = (target[column] as number) + left * (effects[column] as number);
      target[size] = (target[size] as number) + left * score;
    }
  });
  return solve(matrix, size);
}

function product(left: readonly number[], right: readonly number[]): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] as number), 0);
}

/** Solves a symmetric positive semidefinite system (right side in the last column); effects that cannot be told apart get 0. */
function solve(matrix: number[][], size: number): number[] {
  const largest = Math.max(...matrix.map((row, index) => Math.abs(row[index] as number)), 0);
  const usable: number[] = [];
  for (let pivot = 0; pivot < size; pivot += 1) {
    const row = matrix[pivot] as number[];
    const scale = row[pivot] as number;
    if (Math.abs(scale) <= 1e-10 * largest) continue;
    usable.push(pivot);
    for (let column = 0; column <= size; column += 1) row[column] = (row[column] as number) / scale;
    for (let other = 0; other < size; other += 1) {
      const factor = matrix[other]?.[pivot] as number;
      if (other === pivot || factor === 0) continue;
      const target = matrix[other] as number[];
      for (let column = 0; column <= size; column += 1)
        target[column] = (target[column] as number) - factor * (row[column] as number);
    }
  }
  return Array.from({ length: size }, (_, index) => (usable.includes(index) ? (matrix[index]?.[size] as number) : 0));
}
