import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import sharp from 'sharp';
import { readAnnotations } from '../../src/captions/annotations.ts';
import { readPrompts } from '../../src/captions/prompts.ts';
import { canonicalJson } from '../../src/core/json.ts';
import { createScores } from '../../src/evaluators/scores.ts';
import { answersTable, describeAnswers, readAnswers } from '../../src/evaluators/tasks.ts';
import { createFilesRenderer } from '../../src/rendering/files.ts';
import { readCatalogue } from '../../src/scenes/catalogue.ts';
import { readPromptSet } from '../../src/scenes/prompt-set.ts';
import { agree } from '../../src/statistics/agree.ts';
import { optionsFromTable } from '../../src/statistics/analysis-options.ts';
import { analyze } from '../../src/statistics/analyze.ts';
import { readRatingTable } from '../../src/statistics/rating-table.ts';
import { readScoreTable } from '../../src/statistics/score-table.ts';
import { FIXTURES } from '../scenes/reference-room.ts';
import { type FuzzKind, requireLine, verdictOf } from './fuzz-kind.ts';
import { mutateCsv, mutateJson, textBytes } from './mutate.ts';

/** A file that is damaged and read. */
interface TableKind {
  readonly name: string;
  /** File name -> good content. */
  readonly files: Readonly<Record<string, string>>;
  /** Called once, before anything is read. */
  readonly before?: (folder: string) => Promise<void> | void;
  /** Reads the damaged file; throws `AuditError` to refuse it. */
  readonly read: (path: string, folder: string) => unknown;
}

function tableKind({ name, files, before, read }: TableKind): FuzzKind {
  return {
    name,
    async prepare(folder) {
      await before?.(folder);
      const good = Object.entries(files);
      return {
        make(random) {
          const [file, text] = random.pick(good);
          const mutated = file.endsWith('.json') ? mutateJson(text, random) : mutateCsv(text, random);
          return { name: file, bytes: textBytes(mutated, random) };
        },
        check(input) {
          const path = join(folder, input.name);
          writeFileSync(path, input.bytes);
          return verdictOf(() => read(path, folder));
        },
      };
    },
  };
}

const generators = ['alder', 'birch', 'cedar'];
const prompts = ['p0', 'p1', 'p2', 'p3'];
const scoreLines = generators.flatMap((generator, g) =>
  prompts.flatMap((prompt, p) => [
    ...['90', '45', '30'].map(
      (level, l) => `e,${generator},${prompt},pitch,${level},${20 + g + p / 2 + l * (g - 1)},scored,,0`,
    ),
    `e,${generator},${prompt},probe,scrambled,${19 + g},scored,,0`,
    `e,${generator},${prompt},yaw,90,,failed,time-out,0`,
  ]),
);
const SCORES = `evaluator,generator,prompt,factor,level,score,status,reason,repeat\n${scoreLines.join('\n')}\n`;
const RATINGS = `generator,prompt,rater,rating\n${generators
  .flatMap((generator, g) =>
    prompts.flatMap((prompt) => ['r1', 'r2'].map((rater) => `${generator},${prompt},${rater},${g + 1}`)),
  )
  .join('\n')}\n`;
const PAIRS = `prompt,first,second,rater,choice\n${prompts.map((prompt) => `${prompt},alder,birch,r1,${prompt === 'p0' ? 'tie' : 'alder'}`).join('\n')}\n`;
const PROMPTS = `id,text,source\n${prompts.map((prompt) => `${prompt},"a room, number ${prompt}",made up`).join('\n')}\n`;

/** Tables that users bring. */
export const TABLE_KINDS: readonly FuzzKind[] = [
  tableKind({
    name: 'score table',
    files: { 'scores.csv': SCORES },
    async read(path) {
      const table = await readScoreTable(path);
      const options = optionsFromTable(table, { c0: { pitch: '90' }, seed: 1, resamples: 100, workers: 1 });
      canonicalJson(await analyze(table, options));
    },
  }),
  tableKind({
    name: 'scores evaluator',
    files: { 'scores.csv': SCORES },
    async read(_path, folder) {
      await createScores({ id: 'e', kind: 'scores', file: 'scores.csv' } as Parameters<typeof createScores>[0], {
        folder,
      });
    },
  }),
  tableKind({
    name: 'rating table',
    files: { 'ratings.csv': RATINGS, 'pairs.csv': PAIRS },
    async before(folder) {
      writeFileSync(join(folder, 'scores.csv'), SCORES);
    },
    async read(path, folder) {
      const ratings = await readRatingTable(path);
      const scores = await readScoreTable(join(folder, 'scores.csv'));
      canonicalJson(agree(scores, ratings, { seed: 1, resamples: 100 } as Parameters<typeof agree>[2]));
    },
  }),
  tableKind({
    name: 'prompt table',
    files: { 'prompts.csv': PROMPTS },
    read: (path) => readPrompts(path, null),
  }),
  tableKind({
    name: 'paraphrase table',
    files: {
      'paraphrases.csv': `prompt,level,text\n${prompts.map((prompt) => `${prompt},shorter,room ${prompt}`).join('\n')}\n`,
    },
    before: (folder) => writeFileSync(join(folder, 'prompts.csv'), PROMPTS),
    read: (path, folder) => readPrompts(join(folder, 'prompts.csv'), path),
  }),
  tableKind({
    name: 'annotation table',
    files: { 'annotations.csv': 'prompt,objects,counts\np0,bed;lamp,two beds\np1,,\np2,desk,\n' },
    read: (path) => readAnnotations(path, new Set(prompts)),
  }),
  tableKind({
    name: 'prompt set',
    files: {
      'prompts.csv': readFileSync(join(FIXTURES, 'prompts', 'prompts.csv'), 'utf8'),
      'prompts.json': readFileSync(join(FIXTURES, 'prompts', 'prompts.json'), 'utf8'),
    },
    read: (path) => readPromptSet(path),
  }),
  tableKind({
    name: 'asset catalogue',
    files: {
      'assets.csv': readFileSync(join(FIXTURES, 'assets.csv'), 'utf8'),
      'annotations.json': JSON.stringify({
        a1: {
          category: 'bed',
          yRotOffset: 90,
          thor_metadata: { assetMetadata: { boundingBox: { x: 1, y: 2, z: 3 } } },
        },
        a2: {
          category: 'lamp',
          assetMetadata: { boundingBox: { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } } },
        },
      }),
      'model_info.json': JSON.stringify([
        { model_id: 'm1', category: 'Sofa', 'super-category': 'Seat' },
        { model_id: 'm2', category: null },
      ]),
    },
    async read(path) {
      for (const { label, size, frontYaw } of (await readCatalogue([path])).values()) {
        if (label !== null) requireLine(`the label ${label}`);
        if (size?.some((side) => !(side > 0 && Number.isFinite(side))))
          throw new Error(`impossible size ${size.join()}`);
        if (frontYaw !== null && !Number.isFinite(frontYaw)) throw new Error('impossible turn');
      }
    },
  }),
  tableKind({
    name: 'answers to tasks',
    files: {
      'answers.csv': `task,score,status,reason,evaluator\n${prompts.map((prompt, index) => `${prompt},${index},,,mine`).join('\n')}\n`,
    },
    read(path) {
      const answers = readAnswers(readFileSync(path), 'answers.csv', new Set(prompts));
      for (const fault of describeAnswers(answers, 'answers.csv')) requireLine(fault);
      const cell = { evaluator: 'e', generator: 'g', factor: '', level: '', repeat: 0 };
      answersTable(
        answers,
        prompts.map((prompt) => ({ ...cell, prompt, trial: prompt })),
        'mine',
        '',
      );
    },
  }),
  tableKind({
    name: 'picture table',
    files: {
      'pictures.csv':
        'generator,prompt,factor,level,path\ng,p0,,,one.png\ng,p1,,,two.png\ng,p0,pitch,45,deep/three.png\n',
    },
    async before(folder) {
      const inside = join(folder, 'pictures');
      mkdirSync(join(inside, 'deep'), { recursive: true });
      for (const [index, path] of [
        'pictures/one.png',
        'pictures/two.png',
        'pictures/deep/three.png',
        'secret.png',
      ].entries())
        await sharp({ create: { width: 8 + index, height: 8, channels: 3, background: '#336699' } })
          .png()
          .toFile(join(folder, path));
    },
    async read(path, folder) {
      const c0 = { resolution: 8, focal: 50, lighting: 'city', background: 'grey-255', pitch: 90, yaw: 0 };
      const levels = [
        { factor: '', level: '', configuration: c0 },
        { factor: 'pitch', level: '45', configuration: { ...c0, pitch: 45 } },
      ];
      const table = join(folder, 'pictures', 'pictures.csv');
      writeFileSync(table, readFileSync(path));
      const renderer = await createFilesRenderer({ table: 'pictures/pictures.csv' }, folder, levels, 'audit.yaml');
      const { count } = renderer.fingerprint as { count: number };
      await renderer.close();
      if (count > 3 * generators.length) throw new Error(`${count} pictures; expected those of the table`);
      const [header, ...rows] = parseCsv(readFileSync(path), { bom: true, skip_empty_lines: true });
      const column = header?.indexOf('path') ?? -1;
      if (rows.some((row) => row[column]?.startsWith('../')))
        throw new Error('path escape: a table that names ../secret.png was read');
    },
  }),
];
