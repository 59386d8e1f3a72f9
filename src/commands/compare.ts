import { resolve } from 'node:path';
import type { Command } from 'commander';
import { prettyJson } from '../core/json.ts';
import { relativePath } from '../core/paths.ts';
import { writeWhole } from '../core/write-file.ts';
import { compareAudits, comparisonText, readCompared } from '../reports/compare-audits.ts';
import type { CommandContext } from './context.ts';

/** `parallax compare`: several evaluators, or several versions of one, over several audits. */
export function registerCompare(program: Command, { print }: CommandContext): void {
  program
    .command('compare')
    .description('compare several audits: evaluators, or versions of one')
    .argument('<results...>', 'results folders')
    .option('--out <file>', 'also write an HTML page')
    .option('--json', 'print JSON')
    .action(async (folders: string[], flags: { out?: string; json?: boolean }) => {
      const audits = readCompared(folders);
      const comparison = compareAudits(audits);
      print(flags.json === true ? prettyJson(comparison) : comparisonText(comparison).join('\n'));
      if (flags.out === undefined) return;
      const { buildComparison } = await import('../reports/build-comparison.ts');
      writeWhole(resolve(flags.out), await buildComparison(audits));
      print(relativePath(resolve(flags.out)));
    });
}
