import { AuditError } from '../core/errors.ts';
import { type Estimates, estimatesSchema } from '../core/estimates.ts';
import { Random } from '../core/random.ts';
import type { AnalysisOptions } from './analysis-options.ts';
import { analyzeEvaluator, type EvaluatorInput } from './analyze-evaluator.ts';
import { analyzeFamilies } from './analyze-family.ts';
import { averageBrightness } from './brightness.ts';
import { lightingLuminance } from './lighting-luminance.ts';
import { probePairs } from './probe-pairs.ts';
import { drawResamples } from './prompt-bootstrap.ts';
import { buildCubes } from './score-cube.ts';
import type { ScoreTable } from './score-table.ts';
import { averageSlots } from './slot-effects.ts';
import { summarize } from './summary.ts';
import { tableLedger } from './table-ledger.ts';

/**
 * Every statistic of design section 8 from a score table. The same table, options and seed give the same estimates, whatever the
 * order of rows and the number of workers.
 *
 * @throws AuditError when the table is empty or does not fit the options (see `buildCubes`).
 */
export async function analyze(table: ScoreTable, options: AnalysisOptions): Promise<Estimates> {
  if (table.rows === 0) throw new AuditError(`${table.files.join(', ')}: no rows; expected at least one score`);
  const cubes = buildCubes(table, options);
  const ledgers = tableLedger(table, options);
  const probes = probePairs(table, options, cubes);
  const luminance = lightingLuminance(table, options);
  const resamples = drawResamples(options.seed, options.prompts, options.resamples, options.clusters);
  const random = new Random(options.seed, 'statistics');
  const inputs: EvaluatorInput[] = cubes.map((cube, index) => ({
    cube,
    ledger: ledgers[index]!,
    probes: probes[index]!,
    luminance,
    table,
    options,
    resamples,
    random: random.derive('evaluator', cube.evaluator),
  }));
  const described = inputs.map(analyzeEvaluator);
  const families = await analyzeFamilies(described, options, resamples);
  const evaluators = described.map((one, index) => ({ ...one.estimates, ...families.evaluators[index]! }));
  const alignment = evaluators.filter(({ role }) => role === 'alignment');
  const estimates: Estimates = {
    schema: 'parallax/estimates@1',
    seed: options.seed,
    resamples: options.resamples,
    level: options.level,
    interval: options.interval,
    resampledUnit: resamples.unit,
    strataColumn: options.strata?.column ?? null,
    familyScope: options.family,
    maxMissing: options.maxMissing,
    c0: { ...options.c0 },
    generators: [...options.generators],
    prompts: [...options.prompts],
    family: families.audit,
    evaluators,
    averages: {
      evaluators: alignment.map(({ evaluator }) => evaluator),
      slots: averageSlots(alignment.map(({ slots }) => slots)),
      brightness: averageBrightness(
        alignment.map(({ brightness }) => brightness),
        random.derive('brightness'),
      ),
    },
    summary: summarize({ evaluators, generators: [...options.generators] }),
    warnings: [...warningsOf(options), ...inflatedDispersions(evaluators)],
  };
  return estimatesSchema.parse(estimates);
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function warningsOf(options: AnalysisOptions): string[] {
  const warnings: string[] = [];
  if (options.prompts.length < 20)
    warnings.push(
      `only ${counted(options.prompts.length, 'prompt')}: under 20 no reversal is called confirmed, and bootstrap intervals are too short`,
    );
  if (options.generators.length < 3)
    warnings.push(`only ${counted(options.generators.length, 'generator')}: leave-one-generator values need three`);
  return warnings;
}

/** Which dispersions near-zero means inflate, a line an evaluator: the numbers stand with the estimates. */
function inflatedDispersions(evaluators: Estimates['evaluators']): string[] {
  return evaluators.flatMap(({ evaluator, factors }) => {
    const named = factors.flatMap(({ factor, dispersion }) =>
      dispersion.value !== null && dispersion.inflated
        ? [
            `${factor} (${(100 * dispersion.value).toFixed(0)}%, median scene ${(100 * dispersion.median!).toFixed(0)}%)`,
          ]
        : [],
    );
    return named.length === 0
      ? []
      : [
          `${evaluator}: means near zero inflate the dispersion of ${named.join(', ')}; read the median and the spread in score units`,
        ];
  });
}
