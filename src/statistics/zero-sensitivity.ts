import type { EvaluatorEstimates } from '../core/estimates.ts';
import { perPrompt, sceneRatios } from './dispersion.ts';
import { marginBounds } from './envelopes.ts';
import { generatorVariance } from './generator-variance.ts';
import { kendallW } from './kendall-w.ts';
import { generatorMeans, margin, pairsOf } from './margins.ts';
import { promptsScored } from './missing.ts';
import { unitWeights } from './prompt-bootstrap.ts';
import { meanOf } from './quantile.ts';
import { sceneSpread } from './scene-spread.ts';
import type { ScoreCube } from './score-cube.ts';

/**
 * What stored zeros could hide in an imported table: each may be a failure. Margins at c0: exact limits with every zero anywhere
 * within the scale; everything else recomputed with the zeros missing (without gates: this is a sensitivity, not an estimate).
 * Null when there is no zero.
 */
export function zeroSensitivity(
  cube: ScoreCube,
  generators: readonly string[],
  matchedLevels: number,
): EvaluatorEstimates['zeroSensitivity'] {
  const width = cube.generators * cube.prompts;
  const isZero = (score: number) => score === 0;
  let zeros = 0;
  for (const row of cube.distinctRows)
    for (let cell = row * width; cell < (row + 1) * width; cell += 1) if (isZero(cube.scores[cell]!)) zeros += 1;
  if (zeros === 0) return null;
  const atDefault = cube.scores.subarray(0, width).filter(isZero).length;
  const without: ScoreCube = { ...cube, scores: cube.scores.map((score) => (isZero(score) ? Number.NaN : score)) };
  const prompts = promptsScored(without, [0]);
  const limits = cube.scale;
  const denominator = generatorVariance(without, prompts, unitWeights(cube.prompts)).plain[0]!;
  return {
    zeros,
    atDefault,
    margins: pairsOf(cube.generators).map(([m, n]) => {
      const bounds =
        limits === null || limits.min === null || limits.max === null
          ? null
          : marginBounds(
              cube,
              0,
              m,
              n,
              { min: limits.min, max: limits.max },
              (score) => isZero(score) || Number.isNaN(score),
            );
      const rest = margin(without, 0, m, n, prompts);
      return {
        pair: [generators[m]!, generators[n]!] as [string, string],
        lower: bounds?.[0] ?? null,
        upper: bounds?.[1] ?? null,
        withoutZeros: Number.isNaN(rest) ? null : rest,
      };
    }),
    recomputed: without.factors.map((factor) => {
      const spread = sceneSpread(without, factor, matchedLevels);
      const { sums, counts } = perPrompt(spread, spread.variance);
      const scenes = counts.reduce((total, count) => total + count, 0);
      const numerator = scenes === 0 ? null : sums.reduce((total, sum) => total + sum, 0) / scenes;
      const common = factor.shared ? promptsScored(without, [0, ...factor.rows]) : [];
      const w =
        common.length === 0
          ? null
          : kendallW(
              [...factor.rows].map((row) => generatorMeans(without, row, common)),
              cube.tolerance,
            );
      return {
        factor: factor.factor,
        dispersion: meanOf(sceneRatios(spread, spread.range).filter((ratio) => !Number.isNaN(ratio))),
        rho: numerator === null || !(denominator > 0) ? null : numerator / denominator,
        kendallW: w !== null && 'value' in w ? w.value : null,
      };
    }),
  };
}
