import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { promptText, verdictSchema } from '../../src/evaluators/judge/compose-request.ts';
import { readRubric, shippedRubrics } from '../../src/evaluators/judge/read-rubric.ts';
import { askedFields } from '../../src/evaluators/judge-sim/ask.ts';

const folder = mkdtempSync(join(tmpdir(), 'rubric-'));
afterAll(() => rmSync(folder, { recursive: true }));

const GOOD = `schema: parallax/rubric@1
id: mine
version: 1
mode: direct
images: one
scale: {name: mine, min: 0, max: 5}
question: "How good is {caption}?"
fields: [{name: score, type: number, min: 0, max: 5}]
score: {score: 1}
`;
const write = (text: string) => {
  writeFileSync(join(folder, 'mine.yaml'), text);
  return () => readRubric('./mine.yaml', folder);
};

test('every shipped rubric is valid, named like its file, and asks for what it reads', () => {
  expect(shippedRubrics()).toEqual([
    'direct-0-100',
    'free-text-0-100',
    'pairwise',
    'semantic-orientation-overlap',
    'views-semantic-orientation-overlap',
    'yes-no',
  ]);
  for (const id of shippedRubrics()) {
    const rubric = readRubric(id);
    expect(rubric.id).toBe(id);
    const text = promptText(rubric, 'a $& room {caption}');
    expect(text).toContain('a $& room {caption}');
    if (rubric.freeText || rubric.mode === 'logprob') expect(verdictSchema(rubric)).toBeNull();
    else {
      expect(askedFields(text).map(({ name }) => name)).toEqual(rubric.fields.map(({ name }) => name));
      expect(verdictSchema(rubric)).toMatchObject({ required: rubric.fields.map(({ name }) => name) });
    }
  }
});

test('the hash is of the content: comments do not change it, a word of the question does', () => {
  const first = write(GOOD)();
  expect(write(`# a comment\n${GOOD}`)().sha256).toBe(first.sha256);
  expect(write(GOOD.replace('good', 'bad'))().sha256).not.toBe(first.sha256);
  expect(write(GOOD.replace('max: 5}\nquestion', 'max: 5}\nsystem: ""\nquestion'))().sha256).toBe(first.sha256);
});

test.each([
  [
    'an unknown key',
    GOOD.replace('images: one', 'images: one\ntemprature: 1'),
    /mine\.yaml:6:1: unknown key "temprature"/,
  ],
  ['an unknown mode', GOOD.replace('direct', 'guess'), /mine\.yaml:4:7: mode: invalid value "guess"/],
  ['two captions', GOOD.replace('{caption}', '{caption} {caption}'), /expected \{caption\} at most once/],
  [
    'no field',
    GOOD.replace(/fields: .*\nscore: .*\n/, ''),
    /mine\.yaml:1:1: score: missing value; expected exactly one number field/,
  ],
  ['a score of no field', GOOD.replace('score: {score: 1}', 'score: {other: 1}'), /expected only number fields: score/],
  [
    'an upside-down range',
    GOOD.replace('min: 0, max: 5}]', 'min: 5, max: 0}]'),
    /expected min below max in field score/,
  ],
  ['pairwise without a choice', GOOD.replace('direct', 'pairwise'), /expected exactly one choice field/],
  ['logprob without answers', GOOD.replace('direct', 'logprob'), /expected the words for and against/],
])('%s is an error with a place', (_name, text, message) => {
  expect(write(text)).toThrow(message);
});

test('an unknown id names those there are; a missing path is an error', () => {
  expect(() => readRubric('direct')).toThrow(
    'rubric: unknown rubric "direct"; expected one of direct-0-100, free-text-0-100, pairwise, semantic-orientation-overlap, views-semantic-orientation-overlap, yes-no, or a path to a .yaml file',
  );
  expect(() => readRubric('./none.yaml', folder)).toThrow('./none.yaml: cannot read the file');
});
