import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { analyzeResults } from '../cards/analyze-results.ts';
import { AuditError, quoted } from '../core/errors.ts';
import type { Estimates } from '../core/estimates.ts';
import { prettyJson } from '../core/json.ts';
import { writeWhole } from '../core/write-file.ts';
import { optionsFromTable } from '../statistics/analysis-options.ts';
import { analyze } from '../statistics/analyze.ts';
import { readScoreTable } from '../statistics/score-table.ts';
import type { CommandContext } from './context.ts';
import { checkGates, gateOption } from './gate.ts';
import { configurationOption, list, numberBetween, oneOf, wholeNumber } from './options.ts';
import { addRunOptions, type RunFlags } from './run-options.ts';
import { summaryText } from './summary-text.ts';
import { sweepAudit } from './work.ts';

interface AnalyzeFlags extends RunFlags {
  readonly c0?: Record<string, string>;
  readonly unshared?: string[];
  readonly quality?: string[];
  readonly strata?: string;
  readonly cluster?: string;
  readonly seed?: number;
  readonly resamples?: number;
  readonly level?: number;
  readonly band?: 'studentised' | 'published';
  readonly family?: 'audit' | 'evaluator';
  readonly interval?: 'percentile' | 'bca';
  readonly maxMissing?: number;
  readonly lenient?: boolean;
  readonly partial?: boolean;
  readonly workers?: number;
  readonly json?: boolean;
  readonly out?: string;
  readonly failOn?: string[];
}

/** `parallax analyze`: every statistic of a score table, a results folder, or an audit that is still running. */
export function registerAnalyze(program: Command, context: CommandContext): void {
  addRunOptions(
    program.command('analyze').description('compute every statistic from a score table or a results folder'),
  )
    .argument('<tables...>', 'score tables (CSV), a results folder, or an audit file with --partial')
    .option(
      '--c0 <levels>',
      'the default configuration of a bare table: factor=level,factor=level',
      configurationOption,
    )
    .option('--unshared <factors>', 'factors whose levels belong to one prompt (paraphrase)', list)
    .option('--quality <evaluators>', 'prompt-free quality controls: left out of alignment counts', list)
    .option('--strata <column>', 'also report each stratum of this column (source)')
    .option('--cluster <column>', 'resample clusters of prompts named by this column')
    .option('--seed <n>', 'seed of the resamples (default 0; a results folder has its own)', wholeNumber(0))
    .option('--resamples <n>', 'bootstrap resamples', wholeNumber(100))
    .option('--level <p>', 'confidence level', numberBetween(0.5, 0.9999))
    .option('--band <form>', 'studentised (default) or published', oneOf('studentised', 'published'))
    .option('--family <scope>', 'one simultaneous family an audit, or one an evaluator', oneOf('audit', 'evaluator'))
    .option('--interval <kind>', 'percentile (default) or bca', oneOf('percentile', 'bca'))
    .option(
      '--max-missing <share>',
      'largest share of missing outcomes before estimates are withheld',
      numberBetween(0, 1),
    )
    .option('--lenient', 'ignore unknown columns of a table')
    .option('--partial', 'export and analyze what the store holds so far; stamps DRAFT on card and report')
    .option('--workers <n>', 'threads; results do not depend on it', wholeNumber(1))
    .option('--json', 'print estimates.json')
    .option('--out <file>', 'also write estimates.json to this file')
    .option('--fail-on <rule>', 'exit 100 when the rule holds, e.g. peakRho>1 (repeatable)', gateOption, [] as string[])
    .action(async (paths: string[], flags: AnalyzeFlags, command: Command) => {
      const estimates = await estimatesOf(paths, flags, command, context);
      if (flags.out !== undefined) writeWhole(flags.out, prettyJson(estimates));
      context.print(flags.json === true ? prettyJson(estimates) : summaryText(estimates));
      checkGates(estimates, flags.failOn ?? []);
    });
}

async function estimatesOf(
  paths: string[],
  flags: AnalyzeFlags,
  command: Command,
  context: CommandContext,
): Promise<Estimates> {
  const first = paths[0] as string;
  if (!existsSync(first))
    throw new AuditError(`${first}: no such file; expected a score table, a results folder or an audit file`, {
      code: 'MISSING_FILE',
    });
  if (/\.ya?ml$/.test(first)) {
    const { loaded } = await sweepAudit(first, flags, command, context, 'export', {
      partial: flags.partial === true,
    });
    return await analyzeResults(loaded.audit.results, flags);
  }
  if (statSync(first).isDirectory()) {
    if (!existsSync(join(first, 'manifest.json')))
      throw new AuditError(`${quoted(first)}: no manifest.json; expected a results folder of \`parallax run\``, {
        code: 'MISSING_FILE',
      });
    return await analyzeResults(first, flags);
  }
  const table = await readScoreTable(paths, { strict: flags.lenient !== true });
  const { c0 = {}, seed = 0, ...settings } = flags;
  return await analyze(table, optionsFromTable(table, { ...settings, c0, seed }));
}
