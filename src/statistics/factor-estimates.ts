import { type FactorEstimates, isMeasured } from '../core/estimates.ts';
import type { AnalysisOptions } from './analysis-options.ts';
import { dispersion } from './dispersion.ts';
import { rhoInteraction } from './interaction.ts';
import { descriptive, type IntervalOptions, undefinedEstimate } from './interval.ts';
import { kendallW } from './kendall-w.ts';
import { generatorMeans } from './margins.ts';
import type { FactorUse } from './missing.ts';
import { meanOf } from './quantile.ts';
import { noiseShare, type RepeatedCell, repeatVariance } from './repeatability.ts';
import { leaveOneSpan, type RhoContext, type RhoParts } from './rho.ts';
import { type SceneSpread, sceneSpread } from './scene-spread.ts';
import type { ScoreCube } from './score-cube.ts';
import { uniqueTop, winners } from './winners.ts';

/**
 * The named subset of caption forms people use: dispersion over them stands beside that over all templates. Texts as they stand in
 * a grammar, `{prompt}` included.
 */
export const COMMON_CAPTION_FORMS: readonly string[] = [
  '{prompt}',
  'a photo of {prompt}',
  'an image of {prompt}',
  'a picture of {prompt}',
  'a rendering of {prompt}',
  'a top-down view of {prompt}',
  'a top-down rendering of {prompt}',
  'a top-down rendering of a virtual scene: {prompt}',
];

export interface FactorInput {
  readonly cube: ScoreCube;
  readonly options: AnalysisOptions;
  readonly use: FactorUse;
  readonly spread: SceneSpread;
  readonly rho: RhoParts;
  readonly context: RhoContext;
  /** Median score of the evaluator. */
  readonly median: number | null;
  readonly matchedLevels: number;
  readonly interval: IntervalOptions;
  /** Cells with their repeats; empty without repeats. */
  readonly repeated: readonly RepeatedCell[];
}

/** All estimates of one factor for one evaluator. */
export function factorEstimates(input: FactorInput): FactorEstimates {
  const { cube, options, use, spread, context } = input;
  const { factor } = use;
  const means = use.levels.map((level) => generatorMeans(cube, factor.rows[level]!, use.commonPrompts));
  const open = use.contrastsWithheld === null;
  const { tops, tied } = open ? winners(means, cube.tolerance) : { tops: [], tied: 0 };
  const concordance = open ? kendallW(means, cube.tolerance) : { undefinedBecause: use.contrastsWithheld! };
  const excluded = cube.prompts - use.commonPrompts.length;
  return {
    factor: factor.factor,
    levels: factor.shared ? factor.levels.length : spread.levels,
    shared: factor.shared,
    defaultLevel: factor.defaultIndex === null ? null : factor.levels[factor.defaultIndex]!,
    dispersion: lowerBound(
      dispersion(spread, use.spreadWithheld, {
        resamples: context.resamples,
        interval: input.interval,
        median: input.median,
        matchedLevels: input.matchedLevels,
        commonForms: commonForms(input),
      }),
      options.factors.find((declared) => declared.factor === factor.factor)?.sampled === true,
    ),
    rho: input.rho.rho,
    rhoCorrected: input.rho.corrected,
    rhoInteraction: rhoInteraction(cube, factor, use.levels, use.commonPrompts, use.contrastsWithheld, context),
    rhoLeaveOneGenerator: leaveOneSpan(input.rho.leaveOne),
    leaveOneGenerator: input.rho.leaveOne,
    kendallW:
      'value' in concordance
        ? descriptive(concordance.value, use.commonPrompts.length, excluded)
        : undefinedEstimate(concordance.undefinedBecause, use.commonPrompts.length, excluded),
    winners: tops.map((top) => options.generators[top]!),
    tiedLevels: tied,
    prompts: use.commonPrompts.length,
    missing: {
      cells: use.cells,
      scenes: { planned: use.scenes.planned, lost: use.scenes.missing, share: use.scenes.share },
      prompts: { planned: use.prompts.planned, lost: use.prompts.missing, share: use.prompts.share },
      spreadWithheld: use.spreadWithheld,
      contrastsWithheld: use.contrastsWithheld,
      removedLevels: use.removed.map(({ level }) => factor.levels[level]!),
    },
    noiseShare: noiseShareOf(input),
    perLevel: factor.shared
      ? factor.levels.map((level, position) => {
          const kept = use.levels.indexOf(position);
          const own = kept < 0 || !open ? null : means[kept]!;
          const top = own === null ? null : uniqueTop(own, cube.tolerance);
          return {
            level,
            means: options.generators.map((_, generator) => own?.[generator] ?? null),
            winner: top === null ? null : options.generators[top]!,
            missing: use.levelMissing[position]!,
            removed: kept < 0,
          };
        })
      : [],
  };
}

/** A range over a sample of the levels is never more than that over all. */
function lowerBound(estimate: FactorEstimates['dispersion'], isSampled: boolean): FactorEstimates['dispersion'] {
  return isSampled && isMeasured(estimate) ? { ...estimate, bound: 'lower' } : estimate;
}

function commonForms({ cube, use, options, matchedLevels }: FactorInput) {
  if (use.factor.factor !== 'template' || use.spreadWithheld !== null) return null;
  const ids = options.templates.filter(({ text }) => COMMON_CAPTION_FORMS.includes(text)).map(({ id }) => id);
  const levels = use.factor.levels.flatMap((level, position) => (ids.includes(level) ? [position] : []));
  if (levels.length < 2) return null;
  return {
    templates: levels.map((level) => use.factor.levels[level]!),
    spread: sceneSpread(cube, use.factor, matchedLevels, levels),
  };
}

/** The part of the factor's within-scene variance that repeats alone would make; null without repeats. */
function noiseShareOf({ use, spread, repeated }: FactorInput): FactorEstimates['noiseShare'] {
  if (repeated.length === 0) return null;
  const own = repeated.filter(({ factor }) => factor === use.factor.factor);
  const variance = repeatVariance(own);
  if (variance === null) return undefinedEstimate('no cell of this factor was repeated', 0);
  const repeats = meanOf(own.map(({ scores }) => scores.size))!;
  const within = meanOf(spread.variance.filter((value) => !Number.isNaN(value)));
  const share = within === null ? null : noiseShare(spread.levels, variance, repeats, within);
  return share === null
    ? undefinedEstimate('no variance within scenes', own.length)
    : descriptive(share, own.length, 0, 'repeat variance');
}
