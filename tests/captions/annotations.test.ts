import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAnnotations } from '../../src/captions/annotations.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-annotations-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (text: string) => {
  const path = join(folder, 'annotations.csv');
  writeFileSync(path, text);
  return readAnnotations(path, new Set(['a', 'b']), 'annotations.csv');
};

describe('annotations', () => {
  test('an empty cell: not specified; a missing column: not annotated', () => {
    expect(read('prompt,objects,relations\na,sofa;lamp,lamp beside sofa\nb,bed,\n')).toEqual(
      new Map([
        ['a', new Set(['objects', 'counts', 'relations', 'colours'])],
        ['b', new Set(['objects', 'counts', 'colours'])],
      ]),
    );
    expect(read('prompt,objects,counts,relations,colours\na,,,,\n')).toEqual(new Map([['a', new Set()]]));
  });

  test.each([
    ['prompt,objects\nc,x\n', 'annotations.csv:2: unknown prompt "c"; expected an id of the prompt file'],
    ['prompt,objects\na,x\na,y\n', 'annotations.csv:3: prompt "a" stands twice; expected it once'],
    [
      'prompt,things\na,x\n',
      'annotations.csv:1: unknown column "things"; expected prompt, objects, counts, relations, colours',
    ],
  ])('%j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
