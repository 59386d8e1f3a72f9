import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import type { Image } from '../core/image.ts';
import { compareText, type Json, prettyJson } from '../core/json.ts';
import type { Outcome } from '../core/outcome.ts';
import { SCORE_COLUMNS } from '../core/score-columns.ts';
import type { Cell } from '../core/trial.ts';
import { writeWhole } from '../core/write-file.ts';
import { writePng } from './image-folder.ts';
import { readCsv, readOutcome } from './score-rows.ts';

/** One measurement to be made elsewhere. */
export interface Task {
  /** Trial key; the answer carries it back. */
  readonly task: string;
  /** The picture, loaded when it is written; absent for evaluators that read none. */
  readonly image?: { readonly key: string; load(): Promise<Image> };
  readonly caption?: string;
  /** Absolute folder of the frozen scene, for evaluators that read scenes. */
  readonly scene?: string;
  readonly parameters: Json;
  readonly repeat: number;
}

export interface TasksInfo {
  readonly audit: string;
  /** Id of the evaluator the tasks are for. */
  readonly evaluator: string;
}

export interface ExportedTasks {
  readonly tasks: number;
  readonly images: number;
}

/** Columns of an answers file; the first two are required. `evaluator` names what really scored. */
export const ANSWER_COLUMNS = ['task', 'score', 'status', 'reason', 'evaluator'] as const;

/**
 * Writes a self-contained folder that can be copied to another machine: `tasks.json` (what it is), `tasks.jsonl` (one line
 * a task: task, image, caption, scene, parameters, repeat) and `images/` (each distinct picture once, RGB PNG). Written
 * whole: `tasks.json` comes last.
 *
 * @throws AuditError when the folder holds something else or cannot be written.
 */
export async function exportTasks(
  folder: string,
  info: TasksInfo,
  tasks: Iterable<Task> | AsyncIterable<Task>,
  signal: AbortSignal,
): Promise<ExportedTasks> {
  const present = await readdir(folder).catch(() => [] as string[]);
  const foreign = present.filter((name) => !/^(tasks\.jsonl?|tasks\.jsonl\.part|images)$/.test(name));
  if (foreign.length > 0)
    throw new AuditError(
      `${folder}: holds other files (${foreign.slice(0, 3).join(', ')}); expected an empty or new folder for the tasks`,
    );
  const temporary = join(folder, 'tasks.jsonl.part');
  let lines: WriteStream | undefined;
  try {
    await rm(join(folder, 'tasks.json'), { force: true });
    await mkdir(join(folder, 'images'), { recursive: true });
    const stream = createWriteStream(temporary);
    lines = stream;
    const failed = new Promise<never>((_, reject) => stream.once('error', reject));
    failed.catch(() => {});
    const written = new Set<string>();
    let count = 0;
    for await (const task of tasks) {
      signal.throwIfAborted();
      const image = task.image === undefined ? undefined : `images/${sha256(task.image.key).slice(0, 32)}.png`;
      if (task.image !== undefined && image !== undefined && !written.has(image)) {
        await writePng(await task.image.load(), join(folder, image));
        written.add(image);
      }
      const { task: key, caption, scene, parameters, repeat } = task;
      const line = JSON.stringify({ task: key, image, caption, scene, parameters, repeat });
      if (!stream.write(`${line}\n`))
        await Promise.race([new Promise<void>((resolve) => stream.once('drain', resolve)), failed]);
      count += 1;
    }
    await Promise.race([new Promise<void>((resolve) => stream.end(resolve)), failed]);
    await rename(temporary, join(folder, 'tasks.jsonl'));
    writeWhole(
      join(folder, 'tasks.json'),
      prettyJson({ schema: 'parallax/tasks@1', ...info, tasks: count, images: written.size, answers: ANSWER_COLUMNS }),
    );
    return { tasks: count, images: written.size };
  } catch (error) {
    // The stream opens its file in its own time: it has to be gone before the file can be.
    if (lines !== undefined && !lines.closed) {
      const stream = lines;
      await new Promise<void>((resolve) => {
        stream.once('close', resolve);
        stream.destroy();
      });
    }
    await rm(temporary, { force: true }).catch(() => {});
    const { code } = error as { code?: unknown };
    if (error instanceof AuditError || signal.aborted || typeof code !== 'string') throw error;
    throw new AuditError(
      `${folder}: cannot write (${messageOf(error, 160)}); expected a writable folder with free space`,
      {
        code: 'ENVIRONMENT',
        cause: error,
      },
    );
  }
}

/** A line of an answers file that cannot be used as it is. */
export interface StrayAnswer {
  readonly line: number;
  readonly task: string;
}

/** What came home. `answers` holds tasks answered exactly once. */
export interface Answers {
  readonly answers: ReadonlyMap<string, Outcome>;
  /** What the file says scored them; null when it has no such column. */
  readonly evaluator: string | null;
  /** Planned tasks without an answer, sorted. */
  readonly missing: readonly string[];
  /** Answers to tasks that are not planned. */
  readonly unknown: readonly StrayAnswer[];
  /** Second and further answers to one task; none of that task's answers is used. */
  readonly doubled: readonly StrayAnswer[];
}

/**
 * Reads an answers file (CSV: task, score, status, reason, evaluator) against the tasks that were planned.
 *
 * @throws AuditError naming file, line and column for a malformed row, or when two evaluators answer in one file.
 */
export function readAnswers(bytes: Uint8Array, shown: string, planned: ReadonlySet<string>): Answers {
  const answers = new Map<string, Outcome>();
  const seen = new Set<string>();
  const unknown: StrayAnswer[] = [];
  const doubled: StrayAnswer[] = [];
  let evaluator: string | null = null;
  for (const { line, cells } of readCsv(bytes, shown, ANSWER_COLUMNS, ANSWER_COLUMNS.slice(0, 2))) {
    const where = `${shown}:${line}`;
    const task = cells['task'] as string;
    if (task === '') throw new AuditError(`${where}: column "task": empty; expected the task of tasks.jsonl`);
    const outcome = readOutcome(cells, where);
    const by = cells['evaluator'] ?? '';
    if (by !== '' && evaluator !== null && by !== evaluator)
      throw new AuditError(
        `${where}: column "evaluator": ${quoted(by)} after ${quoted(evaluator)}; expected one evaluator a file`,
      );
    if (by !== '') evaluator = by;
    if (seen.has(task)) {
      doubled.push({ line, task });
      answers.delete(task);
    } else if (!planned.has(task)) unknown.push({ line, task });
    else answers.set(task, outcome);
    seen.add(task);
  }
  const missing = [...planned].filter((task) => !seen.has(task)).sort(compareText);
  return { answers, evaluator, missing, unknown, doubled };
}

/** The report in words, one line a fault, each kind cut after `limit` lines; empty when every task is answered once. */
export function describeAnswers(answers: Answers, shown: string, limit = 10): string[] {
  const list = (items: readonly string[], kind: string): string[] => [
    ...items.slice(0, limit),
    ...(items.length > limit ? [`${shown}: ${items.length - limit} more ${kind}`] : []),
  ];
  return [
    ...list(
      answers.unknown.map(
        ({ line, task }) => `${shown}:${line}: unknown task ${quoted(task)}; expected a task of this audit`,
      ),
      'unknown tasks',
    ),
    ...list(
      answers.doubled.map(
        ({ line, task }) =>
          `${shown}:${line}: task ${quoted(task)} is answered again; expected one answer a task (none of them is used)`,
      ),
      'doubled answers',
    ),
    ...list(
      answers.missing.map((task) => `${shown}: no answer to task ${quoted(task)}`),
      'tasks without an answer',
    ),
  ];
}

/**
 * Answers as a score table (design section 7) that joins an audit as a `scores` evaluator: one row a cell, in the order of
 * the cells. A cell whose task has no answer is `skipped`.
 */
export function answersTable(answers: Answers, cells: readonly Cell[], evaluator: string, source: string): string {
  const rows = cells.map((cell) => {
    const outcome: Outcome = answers.answers.get(cell.trial) ?? { status: 'skipped', reason: 'no answer came back' };
    const row: Record<(typeof SCORE_COLUMNS)[number], string> = {
      evaluator,
      generator: cell.generator,
      prompt: cell.prompt,
      factor: cell.factor,
      level: cell.level,
      score: outcome.status === 'scored' ? String(outcome.value) : '',
      status: outcome.status,
      reason: outcome.status === 'scored' ? '' : outcome.reason,
      scene: '',
      image: '',
      caption: '',
      repeat: String(cell.repeat),
      source,
    };
    return SCORE_COLUMNS.map((column) => csvCell(row[column])).join(',');
  });
  return `${[SCORE_COLUMNS.join(','), ...rows].join('\n')}\n`;
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
