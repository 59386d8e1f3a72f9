import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { addRunOptions, type RunFlags } from './run-options.ts';
import { sweepAudit, sweepText } from './work.ts';

/** `parallax retry`: draws and asks again what failed, and nothing else. */
export function registerRetry(program: Command, context: CommandContext): void {
  addRunOptions(program.command('retry').description('ask recorded failures again; scored outcomes are never touched'))
    .argument('<audit>', 'audit file')
    .action(async (file: string, flags: RunFlags, command: Command) => {
      const { result } = await sweepAudit(file, flags, command, context, 'score', { retry: true });
      context.print(sweepText(result).join('\n'));
      context.print(`run \`parallax run ${file}\` to bring results, card and report up to date`);
    });
}
