import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { AuditError, messageOf } from '../core/errors.ts';
import { recordedPath, relativePath } from '../core/paths.ts';
import { writeWhole } from '../core/write-file.ts';
import { answersTable, describeAnswers, readAnswers } from '../evaluators/tasks.ts';
import { auditTasks } from '../sweep/audit-tasks.ts';
import { loadAudit } from '../sweep/load-audit.ts';
import type { CommandContext } from './context.ts';
import { addRunOptions, loadOptionsOf, type RunFlags, storeOf } from './run-options.ts';

/** `parallax ingest`: brings answers to exported tasks home as a score table that joins the audit. */
export function registerIngest(program: Command, context: CommandContext): void {
  addRunOptions(program.command('ingest').description('bring answers to exported tasks home as a score table'))
    .argument('<answers>', 'CSV: task,score[,status,reason,evaluator]')
    .requiredOption('--audit <file>', 'the audit the tasks came from')
    .option('--out <file>', 'the score table to write')
    .option('--strict', 'exit 1 when an answer is missing, doubled or unknown')
    .action(
      async (path: string, flags: RunFlags & { audit: string; out?: string; strict?: boolean }, command: Command) => {
        const loaded = await loadAudit(flags.audit, loadOptionsOf(flags));
        const { audit } = loaded;
        const asked =
          flags.evaluator?.[0] ??
          audit.content.evaluators.find(
            ({ kind, optional }) => !['scores', 'ensemble'].includes(kind) && optional !== true,
          )?.id;
        if (asked === undefined)
          throw new AuditError(`${flags.audit}: no evaluator that asks tasks; expected --evaluator <id>`, {
            code: 'USAGE',
          });
        const { signal, log, onProgress } = context;
        const work = await auditTasks(
          loaded,
          asked,
          { store: storeOf(command, flags), signal, log, onProgress },
          false,
        );
        try {
          let bytes: Uint8Array;
          try {
            bytes = readFileSync(path);
          } catch (error) {
            throw new AuditError(`${path}: cannot be read (${messageOf(error)}); expected a CSV file of answers`, {
              code: 'MISSING_FILE',
            });
          }
          const answers = readAnswers(bytes, relativePath(path), work.planned);
          const faults = describeAnswers(answers, relativePath(path));
          for (const fault of faults) context.log.warn(fault);
          if (answers.answers.size === 0)
            throw new AuditError(
              `${path}: none of ${work.planned.size} tasks of ${asked} is answered; expected answers to \`parallax export tasks\``,
            );
          const name = (answers.evaluator ?? basename(path).replace(/\.csv$/, '')).replace(/[^A-Za-z0-9._-]/g, '-');
          const target = resolve(flags.out ?? join(audit.results, 'ingested', `${name}.csv`));
          writeWhole(target, answersTable(answers, work.cells, name, ''));
          context.endProgress();
          context.print(
            [
              `${answers.answers.size} of ${work.planned.size} tasks answered; ${answers.missing.length} missing, ${answers.doubled.length} doubled, ${answers.unknown.length} unknown`,
              `${relativePath(target)}: ${work.cells.length} rows of evaluator ${name}`,
              `add it to the audit: - {id: ${name}, kind: scores, file: ${recordedPath(target, audit.folder)}}`,
            ].join('\n'),
          );
          if (flags.strict === true && faults.length > 0)
            throw new AuditError(`${path}: ${faults.length} faults, first: ${faults[0]}; expected one answer a task`);
        } finally {
          await work.close();
        }
      },
    );
}
