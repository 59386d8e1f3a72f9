import type { EvaluatorEstimates, FactorEstimates, SlotEffects } from '../core/estimates.ts';
import { compareText } from '../core/json.ts';
import type { Ledger } from '../core/outcome.ts';
import type { Random } from '../core/random.ts';
import { type AnalysisOptions, PROBE_FACTOR } from './analysis-options.ts';
import { bestTemplate, templateMean } from './best-template.ts';
import { bestView } from './best-view.ts';
import { type BrightnessLevel, brightness } from './brightness.ts';
import { factorEstimates } from './factor-estimates.ts';
import { generatorScore, strataScores } from './generator-scores.ts';
import { type IntervalOptions, undefinedEstimate } from './interval.ts';
import { familyConfigurations, generatorMeans, type Margins, margins } from './margins.ts';
import { cubeMissing, type DefaultUse, defaultUse, type FactorUse, factorUse } from './missing.ts';
import { peakRho } from './peak-rho.ts';
import { contentAccuracy, doseResponses, type ProbeContext, probeDiscrimination } from './probe-discrimination.ts';
import type { ProbePair } from './probe-pairs.ts';
import type { Resamples } from './prompt-bootstrap.ts';
import { median, populationVariance } from './quantile.ts';
import { defaultCells, repeatability, repeatedCells } from './repeatability.ts';
import { rho } from './rho.ts';
import { rhoContext } from './rho-context.ts';
import { sceneSpread } from './scene-spread.ts';
import type { ScoreCube } from './score-cube.ts';
import type { ScoreTable } from './score-table.ts';
import { slotEffects } from './slot-effects.ts';
import { uniqueTop } from './winners.ts';
import { zeroSensitivity } from './zero-sensitivity.ts';

export interface EvaluatorInput {
  readonly cube: ScoreCube;
  readonly ledger: Ledger;
  readonly probes: ReadonlyMap<string, readonly ProbePair[]>;
  /** log2 luminance by lighting level. */
  readonly luminance: ReadonlyMap<string, number>;
  readonly table: ScoreTable;
  readonly options: AnalysisOptions;
  readonly resamples: Resamples;
  readonly random: Random;
}

/** Fields that need the simultaneous family. */
export type FamilyFields =
  | 'separablePairs'
  | 'strictPairs'
  | 'topGap'
  | 'bestSet'
  | 'envelopes'
  | 'reversals'
  | 'family';

/** One evaluator without its family fields, and what they are made from. */
export interface DescribedEvaluator {
  readonly cube: ScoreCube;
  readonly c0: DefaultUse;
  readonly family: Margins;
  readonly estimates: Omit<EvaluatorEstimates, FamilyFields>;
}

/** Everything of one evaluator that needs no other. */
export function analyzeEvaluator(input: EvaluatorInput): DescribedEvaluator {
  const { cube, options, resamples } = input;
  const interval: IntervalOptions = { level: options.level, method: options.interval };
  const c0 = defaultUse(cube, options.maxMissing);
  const matchedLevels = smallestFactor(cube);
  const context = rhoContext(cube, c0, resamples, interval, options.generators);
  const middle = median(cube.scores.filter((score, cell) => cube.planned[cell] === 1 && !Number.isNaN(score)));
  const repeated = repeatedCells(input.table, cube.evaluator, options.generators, options.prompts);
  const members = cube.factors.map((factor) => {
    const spread = sceneSpread(cube, factor, matchedLevels);
    const use = factorUse(cube, factor, spread, options.maxMissing);
    const parts = rho(spread, use.spreadWithheld, context);
    const base = { cube, options, use, spread, rho: parts, context, median: middle, matchedLevels, interval, repeated };
    return { use, parts, estimates: factorEstimates(base) };
  });
  const uses = members.map(({ use }) => use);
  const factors = members.map(({ estimates }) => estimates);
  const shared = factors.filter((factor) => factor.shared);
  const family = margins(cube, familyConfigurations(c0, uses));
  const template = uses.find((use) => use.factor.factor === 'template');
  const lighting = uses.find((use) => use.factor.factor === 'lighting');
  const estimates: DescribedEvaluator['estimates'] = {
    evaluator: cube.evaluator,
    role: cube.role,
    scale: cube.scale === null ? null : { ...cube.scale },
    ledger: input.ledger,
    missing: missingOf(cube, c0, uses, options.maxMissing),
    median: middle,
    generators: options.generators.map((generator, index) => ({
      generator,
      score: generatorScore(cube, index, c0.scoresWithheld, resamples, interval),
    })),
    strata: strataScores(cube, options, resamples, interval),
    factors,
    templateRho: templateRho(factors),
    peakRho: peakRho(
      members.map((member) => ({
        factor: member.estimates.factor,
        parts: member.parts,
        interaction: member.estimates.rhoInteraction,
      })),
      context,
    ),
    minKendallW: smallestW(shared),
    maxWinners: shared.reduce((most, factor) => Math.max(most, factor.winners.length), 0),
    winnersAll: winnersAll(cube, family, options.generators),
    bestView: bestView(cube, c0.scoresWithheld, resamples, interval),
    bestTemplate: bestTemplate(cube, template),
    ...probeFields(input, interval),
    slots: slotsOf(cube, template, options),
    brightness: brightness(brightnessLevels(cube, lighting, input.luminance), null, input.random.derive('brightness')),
    zeroSensitivity: cube.imported ? zeroSensitivity(cube, options.generators, matchedLevels) : null,
    repeatability: repeatability(
      defaultCells(repeated, (factor, level) => isDefault(options, factor, level)),
      cube.generators,
      cube.prompts,
      cube.tolerance,
      resamples,
      interval,
    ),
  };
  return { cube, c0, family, estimates };
}

/** Level count of the factor with fewest levels, at least 2. */
function smallestFactor(cube: ScoreCube): number {
  const counts = cube.factors.map(({ levels }) => levels.length).filter((count) => count >= 2);
  return counts.length === 0 ? 2 : Math.min(...counts);
}

function missingOf(
  cube: ScoreCube,
  c0: DefaultUse,
  uses: readonly FactorUse[],
  maxMissing: number,
): EvaluatorEstimates['missing'] {
  const cells = cubeMissing(cube);
  const scenes = { planned: c0.cells.planned, lost: c0.cells.missing, share: c0.cells.share };
  const tripped = [cells.share > maxMissing, scenes.share > maxMissing] as const;
  return {
    cells,
    scenes,
    maxMissing,
    gate: tripped[0] ? (tripped[1] ? 'both' : 'cells') : tripped[1] ? 'scenes' : 'passed',
    removedLevels: uses.flatMap((use) =>
      use.removed.map(({ level, share }) => ({ factor: use.factor.factor, level: use.factor.levels[level]!, share })),
    ),
  };
}

function templateRho(factors: readonly FactorEstimates[]): EvaluatorEstimates['templateRho'] {
  const template = factors.find(({ factor }) => factor === 'template');
  if (template === undefined) return undefinedEstimate('template was not swept');
  const { complete: _complete, ...estimate } = template.rho;
  return estimate;
}

function smallestW(shared: readonly FactorEstimates[]): EvaluatorEstimates['minKendallW'] {
  let least: FactorEstimates | null = null;
  for (const factor of shared)
    if (factor.kendallW.value !== null && (least === null || factor.kendallW.value < least.kendallW.value!))
      least = factor;
  if (least === null) {
    const first = shared[0]?.kendallW;
    const reason = first !== undefined && first.value === null ? first.undefinedBecause : 'no shared factor was swept';
    return { ...undefinedEstimate(reason), factor: null };
  }
  return { ...least.kendallW, factor: least.factor };
}

/** Distinct unique top generators over c0 and every shared level. */
function winnersAll(cube: ScoreCube, family: Margins, generators: readonly string[]): string[] {
  const tops = new Set<number>();
  for (const configuration of family.configurations) {
    if (configuration.withheld !== null) continue;
    const top = uniqueTop(generatorMeans(cube, configuration.row, configuration.prompts), cube.tolerance);
    if (top !== null) tops.add(top);
  }
  return [...tops].sort((a, b) => a - b).map((top) => generators[top]!);
}

function probeFields(
  { cube, options, probes, resamples }: EvaluatorInput,
  interval: IntervalOptions,
): Pick<EvaluatorEstimates, 'contentAccuracy' | 'probes' | 'doses'> {
  const scores = cube.scores.subarray(0, cube.generators * cube.prompts).filter((score) => !Number.isNaN(score));
  const deviation = Math.sqrt(populationVariance(scores));
  const context: ProbeContext = {
    resamples,
    interval,
    prompts: cube.prompts,
    tolerance: cube.tolerance,
    deviation: deviation > cube.tolerance ? deviation : null,
    zerosMayFail: cube.imported,
  };
  const results = [...probes]
    .sort(([a], [b]) => compareText(a, b))
    .map(([probe, pairs]) => {
      const declared = options.probes.find((one) => one.probe === probe);
      return probeDiscrimination(probe, pairs, declared, context);
    });
  const estimates = results.map((result) => result.estimates);
  return { contentAccuracy: contentAccuracy(results, context), probes: estimates, doses: doseResponses(estimates) };
}

function slotsOf(cube: ScoreCube, use: FactorUse | undefined, options: AnalysisOptions): SlotEffects[] {
  if (use === undefined || use.contrastsWithheld !== null || use.removed.length > 0) return [];
  const slots = new Map(options.templates.map((template) => [template.id, template.slots]));
  const scores = use.levels.flatMap((level) => {
    const template = use.factor.levels[level]!;
    const path = slots.get(template);
    if (path === undefined) return [];
    return [{ template, mean: templateMean(cube, use.factor.rows[level]!, use.commonPrompts), slots: path }];
  });
  return slotEffects(scores, cube.tolerance);
}

function brightnessLevels(
  cube: ScoreCube,
  use: FactorUse | undefined,
  luminance: ReadonlyMap<string, number>,
): BrightnessLevel[] {
  if (use === undefined || use.contrastsWithheld !== null) return [];
  const base = templateMean(cube, 0, use.commonPrompts);
  return use.levels.map((level) => {
    const mean = templateMean(cube, use.factor.rows[level]!, use.commonPrompts);
    return {
      level: use.factor.levels[level]!,
      log2Luminance: luminance.get(use.factor.levels[level]!) ?? null,
      shiftPercent: base > 0 ? (100 * (mean - base)) / base : null,
    };
  });
}

/** True for rows of c0: an empty factor, or the default level of a factor without a base of its own. */
function isDefault(options: AnalysisOptions, factor: string, level: string): boolean {
  if (factor === '') return true;
  if (factor === PROBE_FACTOR) return false;
  const known = options.factors.find((one) => one.factor === factor);
  return known !== undefined && known.at === null && known.defaultLevel === level;
}
