import { AuditError } from '../core/errors.ts';
import type { Estimate } from '../core/estimates.ts';
import { compareText } from '../core/json.ts';
import { PROBE_FACTOR } from './analysis-options.ts';
import { kendallTauB, pearson, spearman } from './correlation.ts';
import { exactMean } from './exact-sum.ts';
import { type HumanReliability, humanReliability } from './human-reliability.ts';
import { bootstrapInterval, estimateOf, type IntervalOptions, undefinedEstimate } from './interval.ts';
import { type ConfigurationScores, preferenceCredits } from './preference-credits.ts';
import { drawResamples, type Resamples, type WeightMatrix, weightedRatios } from './prompt-bootstrap.ts';
import { meanOf } from './quantile.ts';
import { type RatingTable, sceneKey } from './rating-table.ts';
import type { ScoreTable } from './score-table.ts';

/** Agreement of one configuration of one evaluator with people. */
export interface ConfigurationAgreement {
  /** Empty for rows of the default configuration. */
  readonly factor: string;
  readonly level: string;
  readonly meanScore: number;
  /** Scenes with a score and a judgement. */
  readonly scenes: number;
  /** Share of generator pairs ordered as the majority of raters; a tied prediction gets no credit, pairs without a majority are left out. */
  readonly majority: Estimate;
  /** The same against every single strict preference. */
  readonly individual: Estimate;
  /** Three-way: better, worse or tied, ties of people included. */
  readonly withTies: Estimate;
  /** Over scenes, with the mean rating; null for preferences, and without spread. */
  readonly pearson: number | null;
  readonly spearman: number | null;
  readonly kendallTauB: number | null;
  /** Generator means against the consensus worths. */
  readonly generatorTauB: number | null;
}

export interface EvaluatorAgreement {
  readonly evaluator: string;
  readonly configurations: readonly ConfigurationAgreement[];
  /** Does the protocol that scores highest also agree best? */
  readonly scoresHighest: { readonly factor: string; readonly level: string };
  readonly agreesBest: { readonly factor: string; readonly level: string } | null;
  readonly same: boolean | null;
  /** Majority agreement of the best-agreeing configuration minus that of the highest-scoring, paired over prompts. Selected, so optimistic. */
  readonly gap: Estimate;
  /** Kendall's tau-b between mean score and majority agreement over configurations. */
  readonly scoreAgreementTauB: number | null;
}

export interface Agreement {
  readonly schema: 'parallax/agreement@1';
  readonly seed: number;
  readonly resamples: number;
  readonly level: number;
  readonly resampledUnit: string;
  readonly ratings: { readonly file: string; readonly kind: RatingTable['kind']; readonly raters: number };
  /** Prompts and generators found in both tables. */
  readonly prompts: number;
  readonly generators: readonly string[];
  readonly humans: HumanReliability;
  readonly evaluators: readonly EvaluatorAgreement[];
  readonly warnings: readonly string[];
}

export interface AgreeOptions {
  readonly seed: number;
  readonly resamples?: number | undefined;
  readonly level?: number | undefined;
  readonly interval?: 'percentile' | 'bca' | undefined;
  /** Cluster of each prompt; null or absent: prompts are resampled. */
  readonly clusters?: { readonly column: string; readonly of: ReadonlyMap<string, string> } | null | undefined;
}

/**
 * Agreement of every configuration of every evaluator with human judgements, and whether the configuration that scores highest also
 * agrees best. Needs no default configuration. Failed outcomes are left out of a configuration and counted in its `n`.
 *
 * @throws AuditError when the tables share no prompt, or fewer than two generators.
 */
export function agree(scores: ScoreTable, ratings: RatingTable, options: AgreeOptions): Agreement {
  const generators = ratings.generators.filter((generator) => scores.values.generator.includes(generator));
  const prompts = ratings.prompts.filter((prompt) => scores.values.prompt.includes(prompt));
  if (prompts.length === 0)
    throw new AuditError(
      `${ratings.file}: no prompt of ${scores.files.join(', ')}; expected the same prompt ids in both`,
    );
  if (generators.length < 2)
    throw new AuditError(
      `${ratings.file}: fewer than two generators of ${scores.files.join(', ')}; expected ids such as ${scores.values.generator.slice(0, 5).join(', ')}`,
    );
  const resampleCount = options.resamples ?? 2000;
  const interval: IntervalOptions = { level: options.level ?? 0.95, method: options.interval ?? 'percentile' };
  const resamples = drawResamples(options.seed, prompts, resampleCount, options.clusters ?? null);
  const humans = humanReliability(ratings, prompts, resamples, interval);
  const context: Context = { ratings, generators, prompts, resamples, interval, humans };
  const configurations = configurationScores(scores, generators, prompts);
  const warnings: string[] = [];
  const strangers = ratings.generators.length - generators.length + ratings.prompts.length - prompts.length;
  if (strangers > 0)
    warnings.push(`${strangers} generators or prompts of ${ratings.file} have no score and are left out`);
  return {
    schema: 'parallax/agreement@1',
    seed: options.seed,
    resamples: resampleCount,
    level: interval.level,
    resampledUnit: resamples.unit,
    ratings: { file: ratings.file, kind: ratings.kind, raters: ratings.raters.length },
    prompts: prompts.length,
    generators,
    humans,
    evaluators: scores.values.evaluator.flatMap((evaluator) => {
      const own = configurations.filter((one) => one.evaluator === evaluator);
      return own.length === 0 ? [] : [evaluatorAgreement(evaluator, own, context)];
    }),
    warnings,
  };
}

interface Context {
  readonly ratings: RatingTable;
  readonly generators: readonly string[];
  readonly prompts: readonly string[];
  readonly resamples: Resamples;
  readonly interval: IntervalOptions;
  readonly humans: HumanReliability;
}

/** Mean over scored repeats of every configuration the table holds, probes left out. */
function configurationScores(
  table: ScoreTable,
  generators: readonly string[],
  prompts: readonly string[],
): ConfigurationScores[] {
  const found = new Map<string, ConfigurationScores & { counts: Uint32Array }>();
  const generatorOf = new Map(generators.map((id, index) => [id, index]));
  const promptOf = new Map(prompts.map((id, index) => [id, index]));
  const order = Array.from({ length: table.rows }, (_, row) => row).sort((a, b) => table.repeat[a]! - table.repeat[b]!);
  for (const row of order) {
    const factor = table.values.factor[table.ids.factor[row]!]!;
    if (factor === PROBE_FACTOR || Number.isNaN(table.score[row]!)) continue;
    const evaluator = table.values.evaluator[table.ids.evaluator[row]!]!;
    const level = table.values.level[table.ids.level[row]!]!;
    const generator = generatorOf.get(table.values.generator[table.ids.generator[row]!]!);
    const prompt = promptOf.get(table.values.prompt[table.ids.prompt[row]!]!);
    if (generator === undefined || prompt === undefined) continue;
    const key = JSON.stringify([evaluator, factor, level]);
    let own = found.get(key);
    if (own === undefined) {
      const size = generators.length * prompts.length;
      own = { evaluator, factor, level, scores: new Float64Array(size), counts: new Uint32Array(size) };
      found.set(key, own);
    }
    own.scores[generator * prompts.length + prompt]! += table.score[row]!;
    own.counts[generator * prompts.length + prompt]! += 1;
  }
  return [...found.values()]
    .map(({ counts, ...own }) => ({
      ...own,
      scores: own.scores.map((sum, cell) => (counts[cell] === 0 ? Number.NaN : sum / counts[cell]!)),
    }))
    .sort(
      (a, b) =>
        compareText(a.evaluator, b.evaluator) || compareText(a.factor, b.factor) || compareText(a.level, b.level),
    );
}

function evaluatorAgreement(
  evaluator: string,
  configurations: readonly ConfigurationScores[],
  context: Context,
): EvaluatorAgreement {
  const measured = configurations.map((one) => measureConfiguration(one, context));
  const name = ({ factor, level }: ConfigurationScores) => ({ factor, level });
  let highest = 0;
  let best = -1;
  for (const [index, { agreement }] of measured.entries()) {
    if (agreement.meanScore > measured[highest]!.agreement.meanScore) highest = index;
    const value = agreement.majority.value;
    if (value !== null && (best < 0 || value > measured[best]!.agreement.majority.value!)) best = index;
  }
  const known = measured.filter(({ agreement }) => agreement.majority.value !== null);
  return {
    evaluator,
    configurations: measured.map(({ agreement }) => agreement),
    scoresHighest: name(configurations[highest]!),
    agreesBest: best < 0 ? null : name(configurations[best]!),
    // A configuration that agrees exactly as well is no better.
    same: best < 0 ? null : measured[best]!.agreement.majority.value === measured[highest]!.agreement.majority.value,
    gap: gapOf(measured[best], measured[highest]!, context),
    scoreAgreementTauB: kendallTauB(
      known.map(({ agreement }) => agreement.meanScore),
      known.map(({ agreement }) => agreement.majority.value!),
    ),
  };
}

interface Measured {
  readonly agreement: ConfigurationAgreement;
  readonly majority: { readonly sums: Float64Array; readonly counts: Float64Array };
}

function measureConfiguration(configuration: ConfigurationScores, context: Context): Measured {
  const { ratings, generators, prompts, resamples, interval, humans } = context;
  const { scores } = configuration;
  const credits = preferenceCredits(configuration, ratings.preferences, generators, prompts);
  const estimate = ({ sums, counts }: { sums: Float64Array; counts: Float64Array }): Estimate => {
    const n = counts.reduce((sum, count) => sum + count, 0);
    if (n === 0) return undefinedEstimate('no judged pair with both scores', 0);
    const value = sums.reduce((sum, credit) => sum + credit, 0) / n;
    const replicate = (weights: WeightMatrix) => weightedRatios(weights, sums, counts);
    const made = bootstrapInterval(
      value,
      replicate(resamples.bootstrap),
      () => replicate(resamples.jackknife),
      interval,
    );
    return estimateOf(value, { n }, made, resamples, interval);
  };
  const x: number[] = [];
  const y: number[] = [];
  for (const [g, generator] of generators.entries())
    for (const [p, prompt] of prompts.entries()) {
      const score = scores[g * prompts.length + p]!;
      const list = ratings.ratings.get(sceneKey(generator, prompt));
      if (Number.isNaN(score) || list === undefined) continue;
      x.push(score);
      y.push(meanOf(list.map(({ rating }) => rating))!);
    }
  const means = generators.map((_, g) =>
    exactMean(
      [...scores.subarray(g * prompts.length, (g + 1) * prompts.length)].filter((score) => !Number.isNaN(score)),
    ),
  );
  const worths = generators.map(
    (generator) => humans.consensus.find((one) => one.generator === generator)?.worth ?? Number.NaN,
  );
  const scored = scores.filter((score) => !Number.isNaN(score));
  return {
    majority: credits.majority,
    agreement: {
      factor: configuration.factor,
      level: configuration.level,
      meanScore: exactMean(scored),
      scenes: ratings.kind === 'ratings' ? x.length : scored.length,
      majority: estimate(credits.majority),
      individual: estimate(credits.individual),
      withTies: estimate(credits.withTies),
      pearson: pearson(x, y),
      spearman: x.length < 2 ? null : spearman(x, y),
      kendallTauB: kendallTauB(x, y),
      generatorTauB: [...means, ...worths].some(Number.isNaN) ? null : kendallTauB(means, worths),
    },
  };
}

function gapOf(best: Measured | undefined, highest: Measured, { resamples, interval }: Context): Estimate {
  if (best === undefined || highest.agreement.majority.value === null)
    return undefinedEstimate('no judged pair with both scores');
  const value = best.agreement.majority.value! - highest.agreement.majority.value;
  const replicate = (weights: WeightMatrix) => {
    const own = weightedRatios(weights, best.majority.sums, best.majority.counts);
    const other = weightedRatios(weights, highest.majority.sums, highest.majority.counts);
    return own.map((share, row) => share - other[row]!);
  };
  const made = bootstrapInterval(value, replicate(resamples.bootstrap), () => replicate(resamples.jackknife), interval);
  return estimateOf(value, { n: best.agreement.majority.n ?? 0 }, made, resamples, interval);
}
