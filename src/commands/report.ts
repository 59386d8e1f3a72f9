import type { Command } from 'commander';
import { relativePath } from '../core/paths.ts';
import { writeReport } from '../reports/write-report.ts';
import type { CommandContext } from './context.ts';

/** `parallax report`: the HTML report of a results folder, from its files alone. */
export function registerReport(program: Command, { print }: CommandContext): void {
  program
    .command('report')
    .description('write the HTML report of a results folder')
    .argument('<results>', 'results folder')
    .action(async (folder: string) => {
      print(relativePath(await writeReport(folder)));
    });
}
