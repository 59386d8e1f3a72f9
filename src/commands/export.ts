import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { EXPORT_KINDS, exportKind } from '../cards/exports/export-kind.ts';
import { AuditError } from '../core/errors.ts';
import { relativePath } from '../core/paths.ts';
import { exportTasks } from '../evaluators/tasks.ts';
import { auditTasks } from '../sweep/audit-tasks.ts';
import { loadAudit } from '../sweep/load-audit.ts';
import type { CommandContext } from './context.ts';
import { addRunOptions, loadOptionsOf, type RunFlags, storeOf } from './run-options.ts';

interface ExportFlags {
  readonly out: string;
  readonly license?: string;
  readonly url?: string;
  readonly creator?: string;
  readonly dataset?: string;
  readonly date?: string;
}

/** `parallax export`: tasks for another machine, or results in a form that other tools read. */
export function registerExport(program: Command, context: CommandContext): void {
  addRunOptions(program.command('export').description('write tasks for another machine, or results for other tools'))
    .argument('<kind>', `tasks, or one of ${EXPORT_KINDS.join(', ')}`)
    .argument('<source>', 'audit file (tasks) or results folder')
    .requiredOption('--out <path>', 'folder to write to')
    .option('--license <id>', 'licence of the exported data')
    .option('--url <address>', 'where the results are published')
    .option('--creator <name>', 'who made them')
    .option('--dataset <id>', 'dataset id of the hub entry')
    .option('--date <yyyy-mm-dd>', 'date of the evaluation')
    .action(async (kind: string, source: string, flags: RunFlags & ExportFlags, command: Command) => {
      if (kind !== 'tasks') {
        const { license, url, creator, dataset, date } = flags;
        const details = { license, url, creator, dataset, date };
        const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
        const { files, notes } = await exportKind(kind, source, resolve(flags.out), given);
        for (const note of notes) context.log.warn(note);
        for (const file of files) context.print(relativePath(join(resolve(flags.out), file)));
        return;
      }
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
