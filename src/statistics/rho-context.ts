import { generatorVariance } from './generator-variance.ts';
import type { IntervalOptions } from './interval.ts';
import type { DefaultUse } from './missing.ts';
import { type Resamples, unitWeights } from './prompt-bootstrap.ts';
import type { RhoContext } from './rho.ts';
import type { ScoreCube } from './score-cube.ts';

/** The denominators of rho for one evaluator, in every form they are needed. */
export function rhoContext(
  cube: ScoreCube,
  c0: Pick<DefaultUse, 'commonPrompts' | 'contrastsWithheld'>,
  resamples: Resamples,
  interval: IntervalOptions,
  generators: readonly string[],
): RhoContext {
  const weights = unitWeights(cube.prompts);
  const of = (rows: typeof weights) => generatorVariance(cube, c0.commonPrompts, rows);
  const all = generators.map((_, index) => index);
  return {
    resamples,
    interval,
    generators,
    weights,
    data: of(weights),
    bootstrap: of(resamples.bootstrap),
    jackknife: of(resamples.jackknife),
    withoutGenerator: all.map(
      (left) =>
        generatorVariance(
          cube,
          c0.commonPrompts,
          weights,
          all.filter((index) => index !== left),
        ).plain[0]!,
    ),
    undefinedBecause: c0.contrastsWithheld ?? (generators.length < 2 ? 'fewer than two generators' : null),
  };
}
