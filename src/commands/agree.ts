import type { Command } from 'commander';
import type { Estimate } from '../core/estimates.ts';
import { prettyJson } from '../core/json.ts';
import { type Agreement, agree } from '../statistics/agree.ts';
import { readRatingTable } from '../statistics/rating-table.ts';
import { readScoreTable } from '../statistics/score-table.ts';
import type { CommandContext } from './context.ts';
import { numberBetween, oneOf, wholeNumber } from './options.ts';

interface AgreeFlags {
  readonly seed: number;
  readonly resamples?: number;
  readonly level?: number;
  readonly interval?: 'percentile' | 'bca';
  readonly lenient?: boolean;
  readonly json?: boolean;
}

/** `parallax agree`: agreement of every configuration with people. */
export function registerAgree(program: Command, { print }: CommandContext): void {
  program
    .command('agree')
    .description('compare scores with human judgements, configuration by configuration')
    .argument('<scores>', 'score table')
    .argument('<ratings>', 'CSV: generator,prompt,rater,rating or prompt,first,second,rater,choice')
    .option('--seed <n>', 'seed of the resamples', wholeNumber(0), 0)
    .option('--resamples <n>', 'bootstrap resamples (default 2000)', wholeNumber(100))
    .option('--level <p>', 'confidence level', numberBetween(0.5, 0.9999))
    .option('--interval <kind>', 'percentile or bca', oneOf('percentile', 'bca'))
    .option('--lenient', 'ignore unknown columns of the score table')
    .option('--json', 'print JSON')
    .action(async (scoresPath: string, ratingsPath: string, flags: AgreeFlags) => {
      const scores = await readScoreTable(scoresPath, { strict: flags.lenient !== true });
      const agreement = agree(scores, await readRatingTable(ratingsPath), flags);
      print(flags.json === true ? prettyJson(agreement) : agreementText(agreement));
    });
}

function agreementText(agreement: Agreement): string {
  const share = (estimate: Estimate) =>
    estimate.value === null
      ? `undefined (${estimate.undefinedBecause})`
      : `${(100 * estimate.value).toFixed(1)}%${estimate.lower === null || estimate.upper === null ? '' : ` [${(100 * estimate.lower).toFixed(1)}, ${(100 * estimate.upper).toFixed(1)}]`}`;
  const at = ({ factor, level }: { factor: string; level: string }) => (factor === '' ? 'c0' : `${factor}=${level}`);
  const lines = [
    `${agreement.ratings.file}: ${agreement.ratings.raters} raters, ${agreement.prompts} prompts, generators ${agreement.generators.join(', ')}`,
  ];
  for (const evaluator of agreement.evaluators) {
    lines.push(evaluator.evaluator);
    for (const row of evaluator.configurations)
      lines.push(
        `  ${at(row).padEnd(28)} mean ${row.meanScore.toFixed(3)}  majority ${share(row.majority)}  tau-b ${row.kendallTauB === null ? '-' : row.kendallTauB.toFixed(3)}`,
      );
    lines.push(
      `  scores highest: ${at(evaluator.scoresHighest)}; agrees best: ${evaluator.agreesBest === null ? 'undefined' : at(evaluator.agreesBest)}${evaluator.same === false ? `, by ${share(evaluator.gap)} of the pairs (picked as the best, so optimistic)` : ''}`,
    );
  }
  for (const warning of agreement.warnings) lines.push(`note: ${warning}`);
  return lines.join('\n');
}
