import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { addRunOptions, type RunFlags } from './run-options.ts';
import { sweepAudit, sweepText } from './work.ts';

/** `parallax score`: asks every outcome that is missing, drawing missing pictures first. */
export function registerScore(program: Command, context: CommandContext): void {
  addRunOptions(
    program.command('score').description('ask every outcome that is not in the store (draws missing pictures first)'),
  )
    .argument('<audit>', 'audit file')
    .action(async (file: string, flags: RunFlags, command: Command) => {
      const { result } = await sweepAudit(file, flags, command, context, 'score');
      context.print(sweepText(result).join('\n'));
    });
}
