import type { Command } from 'commander';
import { AuditError } from '../core/errors.ts';
import type { CommandContext } from './context.ts';
import { addRunOptions, type RunFlags } from './run-options.ts';
import { sweepAudit, sweepText } from './work.ts';

/** `parallax render`: draws every picture of the plan that the store does not hold. */
export function registerRender(program: Command, context: CommandContext): void {
  addRunOptions(program.command('render').description('draw every picture of the plan that is not in the store'))
    .argument('<audit>', 'audit file')
    .action(async (file: string, flags: RunFlags, command: Command) => {
      const { result } = await sweepAudit(file, flags, command, context, 'render');
      const { all, perScene } = result.images;
      const images = `${perScene} distinct images of one scene, backgrounds included; ${all} with all scenes and probes`;
      context.print([...sweepText(result), images].join('\n'));
      if (result.renders.failed > 0 && result.renders.rendered + result.renders.reused === 0)
        throw new AuditError(`${file}: every picture failed; expected at least one`, {
          code: 'ENVIRONMENT',
          hint: 'Run `parallax doctor` to see what the renderer needs.',
        });
    });
}
