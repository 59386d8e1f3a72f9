import { join } from 'node:path';
import type { Command } from 'commander';
import { analyzeResults } from '../cards/analyze-results.ts';
import { buildCard } from '../cards/build-card.ts';
import { writeCardFiles } from '../cards/write-card-files.ts';
import { relativePath } from '../core/paths.ts';
import { writeReport } from '../reports/write-report.ts';
import type { CommandContext } from './context.ts';
import { checkGates, gateOption } from './gate.ts';
import { addRunOptions, type RunFlags } from './run-options.ts';
import { summaryText } from './summary-text.ts';
import { sweepAudit, sweepText } from './work.ts';

/** `parallax run`: probes, pictures, outcomes, statistics, card and report; whatever is done already is not repeated. */
export function registerRun(program: Command, context: CommandContext): void {
  addRunOptions(program.command('run').description('do everything: render, score, analyze, card, report'))
    .argument('<audit>', 'audit file')
    .option('--fail-on <rule>', 'exit 100 when the rule holds, e.g. peakRho>1 (repeatable)', gateOption, [] as string[])
    .action(async (file: string, flags: RunFlags & { failOn?: string[] }, command: Command) => {
      const { loaded, result } = await sweepAudit(file, flags, command, context, 'export');
      context.print(sweepText(result).join('\n'));
      const folder = loaded.audit.results;
      const estimates = await analyzeResults(folder);
      context.signal.throwIfAborted();
      const card = buildCard(result.manifest as NonNullable<typeof result.manifest>, estimates);
      writeCardFiles(folder, card);
      await writeReport(folder);
      context.print(summaryText(estimates));
      for (const { evaluator, cardId } of card.evaluators) context.print(`${evaluator}: card ${cardId}`);
      context.print(
        `card    ${relativePath(join(folder, 'card.json'))}\nreport  ${relativePath(join(folder, 'report.html'))}`,
      );
      checkGates(estimates, flags.failOn ?? []);
    });
}
