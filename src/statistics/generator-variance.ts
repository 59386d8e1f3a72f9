import type { WeightMatrix } from './prompt-bootstrap.ts';
import { populationVariance } from './quantile.ts';
import { type ScoreCube, scoreAt } from './score-cube.ts';

/** The denominators of rho in every resample, and on the data as they are (row 0 of unit weights). */
export interface GeneratorVariance {
  /** Population variance over generators of the mean over prompts. */
  readonly plain: Float64Array;
  /** What prompt noise alone contributes to it: (tr C - 1'C1/G) / G, C the covariance of the generator means. NaN with one prompt. */
  readonly noise: Float64Array;
}

/**
 * Between-generator variance at c0 over `prompts` (those scored for every generator), in every resample. Values at or under
 * the squared tolerance are 0: the means are equal up to float noise.
 */
export function generatorVariance(
  cube: ScoreCube,
  prompts: readonly number[],
  weights: WeightMatrix,
  generators: readonly number[] = Array.from({ length: cube.generators }, (_, index) => index),
): GeneratorVariance {
  const count = generators.length;
  const used = prompts.length;
  const scores = new Float64Array(count * used);
  for (const [position, generator] of generators.entries())
    for (const [index, prompt] of prompts.entries())
      scores[position * used + index] = scoreAt(cube, 0, generator, prompt);
  const plain = new Float64Array(weights.rows);
  const noise = new Float64Array(weights.rows);
  const means = new Float64Array(count);
  const floor = cube.tolerance ** 2;
  for (let row = 0; row < weights.rows; row += 1) {
    const from = row * weights.columns;
    let total = 0;
    means.fill(0);
    for (let index = 0; index < used; index += 1) {
      const weight = weights.data[from + prompts[index]!]!;
      if (weight === 0) continue;
      total += weight;
      for (let position = 0; position < count; position += 1)
        means[position]! += weight * scores[position * used + index]!;
    }
    if (total === 0) {
      plain[row] = Number.NaN;
      noise[row] = Number.NaN;
      continue;
    }
    for (let position = 0; position < count; position += 1) means[position]! /= total;
    const variance = populationVariance(means);
    plain[row] = variance <= floor ? 0 : variance;
    noise[row] = used < 2 ? Number.NaN : promptNoise(scores, means, weights.data, from, prompts, total);
  }
  return { plain, noise };
}

/** (tr C - 1'C1/G) / G with C_mn = sum w (x_m - mean_m)(x_n - mean_n) / (N (N - 1)); 0 when one was drawn. */
function promptNoise(
  scores: Float64Array,
  means: Float64Array,
  weights: Float64Array,
  from: number,
  prompts: readonly number[],
  total: number,
): number {
  const count = means.length;
  const used = prompts.length;
  let trace = 0;
  let all = 0;
  for (let index = 0; index < used; index += 1) {
    const weight = weights[from + prompts[index]!]!;
    if (weight === 0) continue;
    let sum = 0;
    for (let position = 0; position < count; position += 1) {
      const deviation = scores[position * used + index]! - means[position]!;
      trace += weight * deviation * deviation;
      sum += deviation;
    }
    all += weight * sum * sum;
  }
  if (total <= 1) return 0;
  return (trace - all / count) / (count * total * (total - 1));
}
