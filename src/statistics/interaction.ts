import type { Estimate } from '../core/estimates.ts';
import { bootstrapInterval, estimateOf, undefinedEstimate } from './interval.ts';
import type { WeightMatrix } from './prompt-bootstrap.ts';
import { divide, type RhoContext, ZERO_VARIANCE } from './rho.ts';
import { type CubeFactor, type ScoreCube, scoreAt } from './score-cube.ts';

/**
 * rhoInteraction(f) = mean squared generator-by-level residual of the generator means / the between-generator variance at c0.
 * A shift common to all generators cancels in every margin; this is the part that can change a decision.
 *
 * The residual is linear in the prompts, so its mean square in a resample is w'Kw / (sum w)^2 with
 * K[p][q] = mean over (generator, level) of residual_p residual_q: N^2 work a resample instead of generators x levels x N.
 */
export function rhoInteraction(
  cube: ScoreCube,
  factor: CubeFactor,
  levels: readonly number[],
  prompts: readonly number[],
  withheld: string | null,
  context: RhoContext,
): Estimate {
  const denominator = context.data.plain[0] ?? Number.NaN;
  const reason =
    withheld ??
    context.undefinedBecause ??
    (!factor.shared ? 'the levels are prompt-specific' : levels.length < 2 ? 'fewer than two levels' : null) ??
    (prompts.length === 0 ? 'no prompt scored at every level for every generator' : null) ??
    (denominator > 0 ? null : ZERO_VARIANCE);
  const excluded = cube.prompts - prompts.length;
  if (reason !== null) return undefinedEstimate(reason, prompts.length, excluded);
  const kernel = residualKernel(cube, factor, levels, prompts);
  const floor = cube.tolerance ** 2;
  const meanSquare = (weights: WeightMatrix) => quadraticForms(kernel, prompts, weights, floor);
  const value = meanSquare(context.weights)[0]! / denominator;
  const replicates = meanSquare(context.resamples.bootstrap).map((above, row) =>
    divide(above, context.bootstrap.plain[row]!),
  );
  const jackknife = () =>
    meanSquare(context.resamples.jackknife).map((above, row) => divide(above, context.jackknife.plain[row]!));
  const interval = bootstrapInterval(value, replicates, jackknife, context.interval);
  return estimateOf(value, { n: prompts.length, excluded }, interval, context.resamples, context.interval);
}

/** K[p][q] over the used prompts, symmetric. */
function residualKernel(
  cube: ScoreCube,
  factor: CubeFactor,
  levels: readonly number[],
  prompts: readonly number[],
): Float64Array {
  const used = prompts.length;
  const width = cube.generators * levels.length;
  const residuals = new Float64Array(used * width);
  const byGenerator = new Float64Array(cube.generators);
  const byLevel = new Float64Array(levels.length);
  for (const [index, prompt] of prompts.entries()) {
    byGenerator.fill(0);
    byLevel.fill(0);
    let all = 0;
    for (let generator = 0; generator < cube.generators; generator += 1)
      for (const [position, level] of levels.entries()) {
        const score = scoreAt(cube, factor.rows[level]!, generator, prompt);
        byGenerator[generator]! += score / levels.length;
        byLevel[position]! += score / cube.generators;
        all += score / width;
      }
    for (let generator = 0; generator < cube.generators; generator += 1)
      for (const [position, level] of levels.entries())
        residuals[index * width + generator * levels.length + position] =
          scoreAt(cube, factor.rows[level]!, generator, prompt) - byGenerator[generator]! - byLevel[position]! + all;
  }
  const kernel = new Float64Array(used * used);
  for (let a = 0; a < used; a += 1)
    for (let b = 0; b <= a; b += 1) {
      let sum = 0;
      for (let cell = 0; cell < width; cell += 1) sum += residuals[a * width + cell]! * residuals[b * width + cell]!;
      kernel[a * used + b] = sum / width;
      kernel[b * used + a] = sum / width;
    }
  return kernel;
}

/** w'Kw / (sum w)^2 in every resample, 0 at or under `floor`; NaN when no used prompt was drawn. */
function quadraticForms(
  kernel: Float64Array,
  prompts: readonly number[],
  weights: WeightMatrix,
  floor: number,
): Float64Array {
  const used = prompts.length;
  const result = new Float64Array(weights.rows);
  const drawn = new Float64Array(used);
  for (let row = 0; row < weights.rows; row += 1) {
    let total = 0;
    for (let index = 0; index < used; index += 1) {
      drawn[index] = weights.data[row * weights.columns + prompts[index]!]!;
      total += drawn[index]!;
    }
    let form = 0;
    for (let a = 0; a < used; a += 1) {
      if (drawn[a] === 0) continue;
      let half = 0.5 * drawn[a]! * kernel[a * used + a]!;
      for (let b = 0; b < a; b += 1) half += drawn[b]! * kernel[a * used + b]!;
      form += 2 * drawn[a]! * half;
    }
    const square = total === 0 ? Number.NaN : form / total ** 2;
    result[row] = square <= floor ? 0 : square;
  }
  return result;
}
