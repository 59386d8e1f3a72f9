import type { Estimate, EvaluatorEstimates } from '../core/estimates.ts';
import { compareText } from '../core/json.ts';
import type { AnalysisOptions } from './analysis-options.ts';
import { exactMean } from './exact-sum.ts';
import { bootstrapInterval, estimateOf, type IntervalOptions, undefinedEstimate } from './interval.ts';
import { generatorMeans } from './margins.ts';
import { defaultUse, factorUse } from './missing.ts';
import { peakRho } from './peak-rho.ts';
import { type Resamples, type WeightMatrix, weightedRatios } from './prompt-bootstrap.ts';
import { rho } from './rho.ts';
import { rhoContext } from './rho-context.ts';
import { sceneSpread } from './scene-spread.ts';
import { type ScoreCube, scoreAt } from './score-cube.ts';
import { uniqueTop } from './winners.ts';

/** Mean score of one generator at c0 over its scored prompts. */
export function generatorScore(
  cube: ScoreCube,
  generator: number,
  withheld: string | null,
  resamples: Resamples,
  options: IntervalOptions,
): Estimate {
  const sums = new Float64Array(cube.prompts);
  const counts = new Float64Array(cube.prompts);
  const scored: number[] = [];
  for (let prompt = 0; prompt < cube.prompts; prompt += 1) {
    const score = scoreAt(cube, 0, generator, prompt);
    if (Number.isNaN(score)) continue;
    sums[prompt] = score;
    counts[prompt] = 1;
    scored.push(score);
  }
  const excluded = cube.prompts - scored.length;
  if (withheld !== null) return undefinedEstimate(withheld, scored.length, excluded);
  if (scored.length === 0) return undefinedEstimate('no scored prompt at c0', 0, excluded);
  const replicate = (weights: WeightMatrix) => weightedRatios(weights, sums, counts);
  const value = exactMean(scored);
  const interval = bootstrapInterval(
    value,
    replicate(resamples.bootstrap),
    () => replicate(resamples.jackknife),
    options,
  );
  return estimateOf(value, { n: scored.length, excluded }, interval, resamples, options);
}

/** Generator scores, winner and peak rho within every stratum of prompts; the resamples are those of the audit. */
export function strataScores(
  cube: ScoreCube,
  options: AnalysisOptions,
  resamples: Resamples,
  interval: IntervalOptions,
): EvaluatorEstimates['strata'] {
  const strata = options.strata;
  if (strata === null) return [];
  const names = [...new Set(options.prompts.map((prompt) => strata.of.get(prompt) ?? ''))].sort(compareText);
  return names.map((stratum) => {
    const prompts = options.prompts.flatMap((prompt, index) =>
      (strata.of.get(prompt) ?? '') === stratum ? [index] : [],
    );
    const part = promptSubset(cube, prompts);
    const drawn: Resamples = {
      ...resamples,
      units: new Set(prompts.map((prompt) => resamples.clusterOf[prompt])).size,
      bootstrap: columnSubset(resamples.bootstrap, prompts),
      jackknife: columnSubset(resamples.jackknife, prompts),
    };
    const c0 = defaultUse(part, options.maxMissing);
    const context = rhoContext(part, c0, drawn, interval, options.generators);
    const candidates = part.factors.map((factor) => {
      const spread = sceneSpread(part, factor, 2);
      const use = factorUse(part, factor, spread, options.maxMissing);
      return {
        factor: factor.factor,
        parts: rho(spread, use.spreadWithheld, context),
        interaction: undefinedEstimate('not estimated within strata'),
      };
    });
    const {
      leaveOneGenerator: _span,
      leaveOneFactors: _factors,
      fixedFactor: _fixed,
      selected: _selected,
      corrected: _corrected,
      interaction: _interaction,
      ...peak
    } = peakRho(candidates, context);
    const top =
      c0.contrastsWithheld === null ? uniqueTop(generatorMeans(part, 0, c0.commonPrompts), part.tolerance) : null;
    return {
      stratum,
      prompts: prompts.length,
      generators: options.generators.map((generator, index) => ({
        generator,
        score: generatorScore(part, index, c0.scoresWithheld, drawn, interval),
      })),
      winner: top === null ? null : options.generators[top]!,
      peakRho: peak,
    };
  });
}

function promptSubset(cube: ScoreCube, prompts: readonly number[]): ScoreCube {
  const rows = (cube.scores.length / cube.prompts) | 0;
  const scores = new Float64Array(rows * prompts.length);
  const planned = new Uint8Array(rows * prompts.length);
  for (let row = 0; row < rows; row += 1)
    for (const [index, prompt] of prompts.entries()) {
      scores[row * prompts.length + index] = cube.scores[row * cube.prompts + prompt]!;
      planned[row * prompts.length + index] = cube.planned[row * cube.prompts + prompt]!;
    }
  return { ...cube, prompts: prompts.length, scores, planned };
}

function columnSubset({ rows, columns, data }: WeightMatrix, kept: readonly number[]): WeightMatrix {
  const subset = new Float64Array(rows * kept.length);
  for (let row = 0; row < rows; row += 1)
    for (const [index, column] of kept.entries()) subset[row * kept.length + index] = data[row * columns + column]!;
  return { rows, columns: kept.length, data: subset };
}
