import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AuditError, quoted } from '../core/errors.ts';
import { relativePath } from '../core/paths.ts';
import { exportTasks } from '../evaluators/tasks.ts';
import { auditTasks } from '../sweep/audit-tasks.ts';
import { loadAudit } from '../sweep/load-audit.ts';
import type { CommandContext } from './context.ts';
import { addRunOptions, loadOptionsOf, type RunFlags, storeOf } from './run-options.ts';

/** `parallax export`: tasks for another machine, or results in a form that other tools read. */
export function registerExport(program: Command, context: CommandContext): void {
  addRunOptions(program.command('export').description('write tasks for another machine, or results for other tools'))
    .argument('<kind>', 'tasks')
    .argument('<source>', 'audit file (tasks) or results folder')
    .requiredOption('--out <path>', 'folder to write to')
    .action(async (kind: string, source: string, flags: RunFlags & { out: string }, command: Command) => {
      if (kind !== 'tasks')
        throw new AuditError(`export: unknown kind ${quoted(kind)}; expected tasks`, { code: 'USAGE' });
      const evaluator = flags.evaluator?.[0];
      if (evaluator === undefined || flags.evaluator?.length !== 1)
        throw new AuditError('export tasks: missing --evaluator <id>; expected exactly one evaluator of the audit', {
          code: 'USAGE',
        });
      const loaded = await loadAudit(source, loadOptionsOf(flags));
      const { signal, log, onProgress } = context;
      const work = await auditTasks(
        loaded,
        evaluator,
        {
          store: storeOf(command, flags),
          ...(flags.renderer === undefined ? {} : { renderer: flags.renderer }),
          signal,
          log,
          onProgress,
        },
        true,
      );
      try {
        const out = resolve(flags.out);
        const written = await exportTasks(out, { audit: loaded.audit.content.name, evaluator }, work.tasks, signal);
        context.endProgress();
        context.print(
          `${relativePath(out)}: ${written.tasks} tasks with ${written.images} pictures for ${work.cells.length} cells`,
        );
        for (const [reason, count] of work.withheld) context.print(`left out: ${count} cells (${reason})`);
      } finally {
        await work.close();
      }
    });
}
