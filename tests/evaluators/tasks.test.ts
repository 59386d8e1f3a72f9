import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandSpecSchema, scoresSpecSchema } from '../../src/core/evaluator-spec.ts';
import { silentLog } from '../../src/core/log.ts';
import type { Cell } from '../../src/core/trial.ts';
import { createCommand } from '../../src/evaluators/command.ts';
import { createScores } from '../../src/evaluators/scores.ts';
import { answersTable, describeAnswers, exportTasks, readAnswers, type Task } from '../../src/evaluators/tasks.ts';
import { scoreAll } from './contract.ts';
import { EXPECTED, never, readPicture } from './fixtures.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples', 'command');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-tasks-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const CAPTIONS = ['a red lamp', 'a room, "blue"\nand green'];
const tasks = (): Task[] =>
  EXPECTED.pictures.flatMap(({ file }) =>
    CAPTIONS.map((caption, index) => ({
      task: `${file}-${index}`,
      image: { key: file, load: () => readPicture(file) },
      caption,
      parameters: {},
      repeat: 0,
    })),
  );
const info = { audit: 'demo', evaluator: 'pocket' };

test('out, scored elsewhere, home again: the same numbers as the same program asked here', async () => {
  const out = join(folder, 'tasks');
  expect(await exportTasks(out, info, tasks(), never)).toEqual({ tasks: 8, images: 4 });
  expect(readdirSync(out).sort()).toEqual(['images', 'tasks.json', 'tasks.jsonl']);
  const csv = execFileSync('python3', [join(EXAMPLES, 'score_tasks.py'), out]);
  const planned = new Set(tasks().map(({ task }) => task));
  const home = readAnswers(csv, 'scores.csv', planned);
  expect(home).toMatchObject({ evaluator: 'colour-example-1.0.0', missing: [], unknown: [], doubled: [] });
  expect(describeAnswers(home, 'scores.csv')).toEqual([]);

  const program = await createCommand(
    commandSpecSchema.parse({ id: 'here', kind: 'command', run: ['python3', join(EXAMPLES, 'python_example.py')] }),
    { folder, log: silentLog },
  );
  const images = await Promise.all(EXPECTED.pictures.map(({ file }) => readPicture(file)));
  const here = await scoreAll(program, images, CAPTIONS);
  await program.close();
  for (const { task, image, caption } of tasks())
    expect(home.answers.get(task)).toEqual(here.get(`${image?.key} | ${caption}`));
});

test('parts cover the whole once', async () => {
  const out = join(folder, 'tasks');
  await exportTasks(out, info, tasks(), never);
  const parts = [1, 2, 3].map((part) =>
    execFileSync('python3', [join(EXAMPLES, 'score_tasks.py'), out, '--part', `${part}/3`]).toString(),
  );
  const joined = parts.map((text, at) => (at === 0 ? text : text.slice(text.indexOf('\n') + 1))).join('');
  expect(readAnswers(Buffer.from(joined), 'x', new Set(tasks().map(({ task }) => task)))).toMatchObject({
    missing: [],
    unknown: [],
    doubled: [],
  });
});

describe('exportTasks', () => {
  test('refuses a folder that holds something else', async () => {
    writeFileSync(join(folder, 'thesis.tex'), '');
    await expect(exportTasks(folder, info, tasks(), never)).rejects.toThrow('holds other files (thesis.tex)');
    expect(readdirSync(folder)).toEqual(['thesis.tex']);
  });

  test('a cancelled export leaves no tasks.json that claims to be whole', async () => {
    const out = join(folder, 'tasks');
    await exportTasks(out, info, tasks(), never);
    await expect(exportTasks(out, info, tasks(), AbortSignal.abort())).rejects.toThrow();
    expect(existsSync(join(out, 'tasks.json'))).toBe(false);
    expect(existsSync(join(out, 'tasks.jsonl.part'))).toBe(false);
  });

  test('exporting again gives the same bytes', async () => {
    const out = join(folder, 'tasks');
    await exportTasks(out, info, tasks(), never);
    const before = readFileSync(join(out, 'tasks.jsonl'));
    await exportTasks(out, info, tasks(), never);
    expect(readFileSync(join(out, 'tasks.jsonl'))).toEqual(before);
  });
});

describe('readAnswers', () => {
  const planned = new Set(['a', 'b', 'c', 'd']);
  const read = (text: string) => readAnswers(Buffer.from(text), 's.csv', planned);

  test('names what is missing, doubled and unknown, and uses neither of two answers', () => {
    const home = read('task,score,status,reason\na,1,,\nb,2,,\nz,9,,\nb,3,,\nd,,failed,out of memory\n');
    expect(home).toEqual({
      answers: new Map([
        ['a', { status: 'scored', value: 1 }],
        ['d', { status: 'failed', reason: 'out of memory' }],
      ]),
      evaluator: null,
      missing: ['c'],
      unknown: [{ line: 4, task: 'z' }],
      doubled: [{ line: 5, task: 'b' }],
    });
    expect(describeAnswers(home, 's.csv')).toEqual([
      's.csv:4: unknown task "z"; expected a task of this audit',
      's.csv:5: task "b" is answered again; expected one answer a task (none of them is used)',
      's.csv: no answer to task "c"',
    ]);
  });

  test('long lists are cut and counted', () => {
    const many = new Set(Array.from({ length: 25 }, (_, index) => `t${index}`));
    const lines = describeAnswers(readAnswers(Buffer.from('task,score\n'), 's.csv', many), 's.csv', 3);
    expect(lines).toHaveLength(4);
    expect(lines[3]).toBe('s.csv: 22 more tasks without an answer');
  });

  test.each([
    ['task,score\na,nan\n', 's.csv:2: column "score": invalid number "nan"'],
    ['task,score\n,1\n', 's.csv:2: column "task": empty'],
    ['task,score,evaluator\na,1,x\nb,1,y\n', 's.csv:3: column "evaluator": "y" after "x"'],
    ['task\na\n', 's.csv:1: missing column "score"'],
  ])('refuses %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});

test('answers become a score table that joins an audit', async () => {
  const home = readAnswers(
    Buffer.from('task,score,status,reason\nk1,0.5,,\nk2,,failed,"no, it\nbroke"\n'),
    's.csv',
    new Set(['k1', 'k2', 'k3']),
  );
  const cell = (factor: string, level: string, trial: string): Cell => ({
    evaluator: 'planned',
    generator: 'g',
    prompt: 'p',
    factor,
    level,
    repeat: 0,
    trial,
  });
  const cells = [cell('', '', 'k1'), cell('pitch', '45', 'k2'), cell('yaw', '90', 'k3'), cell('pitch', '90', 'k1')];
  writeFileSync(join(folder, 'mine.csv'), answersTable(home, cells, 'mine', 's.csv'));
  const scores = await createScores(scoresSpecSchema.parse({ id: 'mine', kind: 'scores', file: 'mine.csv' }), {
    folder,
  });
  expect(cells.map((item) => scores.lookup(item))).toEqual([
    { status: 'scored', value: 0.5 },
    { status: 'failed', reason: 'no, it\nbroke' },
    { status: 'skipped', reason: 'no answer came back' },
    { status: 'scored', value: 0.5 },
  ]);
});
