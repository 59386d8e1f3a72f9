import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { Estimates } from '../core/estimates.ts';
import type { ConfigurationLedger, Judging } from '../core/judging-estimates.ts';
import type { Manifest, ManifestEvaluator } from '../core/manifest.ts';
import { OUTCOME_STATUSES, type OutcomeStatus } from '../core/outcome.ts';
import { settledConclusions } from '../protocol/settled.ts';
import { recordedSample } from '../protocol/slot-sample.ts';
import type { AnalysisOptions } from '../statistics/analysis-options.ts';
import { configurationLedgers } from '../statistics/configuration-ledger.ts';
import { type PairAnswer, pairwiseEstimates } from '../statistics/pairwise.ts';
import { drawResamples } from '../statistics/prompt-bootstrap.ts';
import type { ScoreTable } from '../statistics/score-table.ts';
import { type CellMeans, cellMeans } from './cell-means.ts';
import { sampledTemplates } from './sampled-templates.ts';

/**
 * Adds `judging` to the estimates of hosted judges, and of every evaluator whose templates are a sample.
 *
 * @throws AuditError when a table of pairs is missing or malformed.
 */
export async function withJudging(
  folder: string,
  manifest: Manifest,
  table: ScoreTable,
  estimates: Estimates,
  options: AnalysisOptions,
): Promise<Estimates> {
  const evaluators: Estimates['evaluators'] = [];
  for (const measured of estimates.evaluators) {
    const evaluator = manifest.evaluators.find(({ id }) => id === measured.evaluator);
    const template = templateFactor(manifest, measured.evaluator);
    if (evaluator === undefined || (evaluator.kind !== 'judge' && template?.sample === undefined)) {
      evaluators.push(measured);
      continue;
    }
    const means = cellMeans(table, measured.evaluator);
    const configurations = configurationLedgers(table, measured.evaluator).filter((row) => !isAlias(manifest, row));
    const judging: Judging = {
      configurations,
      settled: settledOf(manifest, evaluator, configurations, means, options),
      sample:
        template?.sample === undefined
          ? null
          : sampledTemplates(
              template.sample,
              recordedSample(manifest.protocol.grammar?.templates ?? [], template.sample.drawn),
              means,
              options,
            ),
      pairwise: await pairwiseOf(folder, evaluator, options),
    };
    evaluators.push({ ...measured, judging });
  }
  return { ...estimates, evaluators };
}

/** A level equal to the default is c0 under another name: its outcomes are counted there. */
function isAlias(manifest: Manifest, { factor, level }: ConfigurationLedger): boolean {
  const declared = manifest.protocol.factors.find((one) => one.factor === factor);
  return declared !== undefined && declared.at === null && declared.default === level;
}

/** The template factor, when it applies to an evaluator that reads captions. */
function templateFactor(manifest: Manifest, evaluator: string) {
  const reads = manifest.evaluators.find(({ id }) => id === evaluator)?.reads.caption === true;
  return manifest.protocol.factors.find(
    ({ factor, evaluators }) =>
      reads && factor === 'template' && (evaluators === null || evaluators.includes(evaluator)),
  );
}

function settledOf(
  manifest: Manifest,
  evaluator: ManifestEvaluator,
  configurations: readonly ConfigurationLedger[],
  means: CellMeans,
  { generators, prompts }: AnalysisOptions,
): Judging['settled'] {
  const shared = new Set(manifest.protocol.factors.filter((factor) => factor.shared).map(({ factor }) => factor));
  const planned = configurations.filter(({ factor }) => factor === '' || shared.has(factor));
  const withFailures = planned.filter((row) => row.skipped === 0 && !isComplete(row, means, generators, prompts));
  const sample = templateFactor(manifest, evaluator.id)?.sample;
  const unsampled = sample === undefined ? 0 : sample.of - sample.drawn.length;
  const found = settledConclusions(means.all(), {
    generators,
    prompts,
    planned,
    withFailures: withFailures.length,
    unsampled,
  });
  return {
    visited: found.visited,
    planned: found.planned,
    withFailures: withFailures.length,
    unsampled,
    winners: found.winners.map(({ generator, at }) => ({ generator, at: { ...at } })),
    winnerChanges: found.winnerChanges,
    notStrict: found.notStrict.map(({ pair: [m, n], above, below }) => ({
      pair: [m, n],
      above: { ...above },
      below: { ...below },
    })),
    openPairs: found.openPairs,
    statements: [...found.statements],
  };
}

function isComplete(
  { factor, level }: ConfigurationLedger,
  means: CellMeans,
  generators: readonly string[],
  prompts: readonly string[],
): boolean {
  return generators.every((generator) =>
    prompts.every((prompt) => means.get(factor, level, generator, prompt) !== null),
  );
}

async function pairwiseOf(
  folder: string,
  { pairs }: ManifestEvaluator,
  options: AnalysisOptions,
): Promise<Judging['pairwise']> {
  if (pairs === undefined) return null;
  const answers = await readPairs(join(folder, pairs));
  return pairwiseEstimates(answers, {
    generators: options.generators,
    prompts: options.prompts,
    resamples: drawResamples(options.seed, options.prompts, options.resamples, options.clusters),
    interval: { level: options.level, method: options.interval },
  });
}

async function readPairs(path: string): Promise<PairAnswer[]> {
  const answers: PairAnswer[] = [];
  let line = 1;
  try {
    const rows = createReadStream(path).pipe(parse({ columns: true, bom: true }));
    for await (const row of rows as AsyncIterable<Record<string, string>>) {
      line += 1;
      const status = row['status'] as OutcomeStatus;
      if (!OUTCOME_STATUSES.includes(status))
        throw new AuditError(
          `${path}:${line}: invalid status ${quoted(row['status'])}; expected one of ${OUTCOME_STATUSES.join(', ')}`,
        );
      const preferenceIn = (column: string): number | null => {
        const text = row[column] ?? '';
        if (text === '') return null;
        const value = Number(text);
        if (!(value >= 0 && value <= 1))
          throw new AuditError(
            `${path}:${line}: column ${column}: invalid preference ${quoted(text)}; expected 0 to 1`,
          );
        return value;
      };
      answers.push({
        first: row['first'] ?? '',
        second: row['second'] ?? '',
        prompt: row['prompt'] ?? '',
        atDefault: row['factor'] === '',
        given: preferenceIn('given'),
        swapped: preferenceIn('swapped'),
        preference: preferenceIn('preference'),
        status,
      });
    }
  } catch (error) {
    if (error instanceof AuditError) throw error;
    throw new AuditError(
      `${path}: cannot read the table of pairs (${messageOf(error)}); expected raw/<judge>-pairs.csv`,
      {
        code: 'MISSING_FILE',
      },
    );
  }
  return answers;
}
