import type { Command } from 'commander';
import { readResults } from '../cards/read-results.ts';
import { prettyJson } from '../core/json.ts';
import type { CommandContext } from './context.ts';
import { summaryText } from './summary-text.ts';

/** `parallax summary`: the headline counts of a results folder, each with the rows it was taken over. */
export function registerSummary(program: Command, { print }: CommandContext): void {
  program
    .command('summary')
    .description('print the headline counts of a results folder')
    .argument('<results>', 'results folder')
    .option('--json', 'print JSON')
    .action((folder: string, flags: { json?: boolean }) => {
      const { estimates } = readResults(folder);
      if (flags.json === true) print(prettyJson(estimates.summary));
      else {
        print(summaryText(estimates));
        for (const { name, value, of, rows } of estimates.summary)
          print(`${name}: ${value === null ? 'undefined' : value}${of === null ? '' : ` of ${of}`} (${rows} rows)`);
      }
    });
}
