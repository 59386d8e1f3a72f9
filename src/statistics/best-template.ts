import type { EvaluatorEstimates } from '../core/estimates.ts';
import { averageRanks } from './average-ranks.ts';
import { exactMean } from './exact-sum.ts';
import type { FactorUse } from './missing.ts';
import type { ScoreCube } from './score-cube.ts';

/**
 * The template with the highest mean score (over the scenes of the factor's common prompts), its ratio to the default and the
 * default's rank, 1 for the best. Null when the factor was not swept, has no default, or is withheld.
 */
export function bestTemplate(cube: ScoreCube, use: FactorUse | undefined): EvaluatorEstimates['bestTemplate'] {
  if (use === undefined || use.contrastsWithheld !== null || use.factor.defaultIndex === null) return null;
  if (!use.levels.includes(use.factor.defaultIndex)) return null;
  const means = use.levels.map((level) => templateMean(cube, use.factor.rows[level]!, use.commonPrompts));
  const ranks = averageRanks(
    means.map((mean) => -mean),
    cube.tolerance,
  );
  const base = use.levels.indexOf(use.factor.defaultIndex);
  let best = base;
  for (const [index, mean] of means.entries()) if (mean > means[best]! + cube.tolerance) best = index;
  return {
    template: use.factor.levels[use.levels[best]!]!,
    ratio: means[base]! > 0 ? means[best]! / means[base]! : null,
    defaultRank: ranks[base]!,
    templates: means.length,
  };
}

/** Exactly rounded mean over all generators and the given prompts. */
export function templateMean(cube: ScoreCube, row: number, prompts: readonly number[]): number {
  const values: number[] = [];
  for (let generator = 0; generator < cube.generators; generator += 1)
    for (const prompt of prompts)
      values.push(cube.scores[(row * cube.generators + generator) * cube.prompts + prompt]!);
  return exactMean(values);
}
