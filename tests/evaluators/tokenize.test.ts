import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AutoTokenizer } from '@huggingface/transformers';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitsAtSpaces } from '../../src/evaluators/encode-by-words.ts';
import { findModelFiles } from '../../src/evaluators/model-files.ts';
import { type CaptionTokenizer, loadTokenizer } from '../../src/evaluators/tokenize.ts';
import { EXPECTED, type ExpectedModel, MODELS } from './fixtures.ts';

const load = async (name: string): Promise<CaptionTokenizer> =>
  loadTokenizer(await findModelFiles(join(MODELS, name), 'fp32', name), name);

describe('token ids against tokenizers in plain Python (make_models.py)', () => {
  test.each(Object.entries(EXPECTED.models))('%s', async (name, expected: ExpectedModel) => {
    const tokenizer = await load(name);
    const tokens = EXPECTED.captions.map((caption) => tokenizer.tokenize(caption));
    expect(tokens.map(({ ids }) => ids)).toEqual(expected.ids);
    expect(tokens.map(({ coverage }) => coverage.total)).toEqual(expected.totals);
  });
});

test.each([
  ['clip', { context: 77, fixedLength: false, casePolicy: 'tokenizer' }],
  ['long-clip', { context: 248, fixedLength: false, casePolicy: 'tokenizer' }],
  ['siglip', { context: 64, fixedLength: true, casePolicy: 'tokenizer', padId: 1 }],
  ['siglip2', { context: 64, fixedLength: true, casePolicy: 'lowered', padId: 0 }],
])('%s states its context, padding and letter case', async (name, expected) => {
  expect(await load(name)).toMatchObject(expected);
});

describe('captions over the context', () => {
  const long = (tail: string): string => `a bedroom with ${'a red chair and '.repeat(40)}${tail}`;

  test.each(['clip', 'long-clip', 'siglip', 'siglip2'])(
    '%s keeps the end token and counts what is lost',
    async (name) => {
      const tokenizer = await load(name);
      const end = tokenizer.tokenize('a chair').ids.at(-1);
      const { ids, coverage } = tokenizer.tokenize(long('x').repeat(3));
      expect(ids).toHaveLength(tokenizer.context);
      expect(ids.at(-1)).toBe(end);
      expect(coverage.used).toBe(tokenizer.context);
      expect(coverage.total).toBeGreaterThan(tokenizer.context);
    },
  );

  test('captions that differ only beyond the cut are the same to the model', async () => {
    const tokenizer = await load('clip');
    const [first, second, other] = [long('lamp'), long('a wardrobe'), long('lamp').replace('red', 'blue')].map(
      (caption) => tokenizer.tokenize(caption),
    );
    expect(first?.ids).toEqual(second?.ids);
    expect(first?.coverage.seen).toBe(second?.coverage.seen);
    expect(first?.coverage.seen).not.toBe(other?.coverage.seen);
  });

  test.each(['clip', 'long-clip', 'siglip', 'siglip2'])(
    '%s: the characters before the cut give the same tokens',
    async (name) => {
      const tokenizer = await load(name);
      for (const caption of [long('x').repeat(3), `Ünïted, the ROOM's — ${long('y').repeat(3)}`]) {
        const { ids, coverage } = tokenizer.tokenize(caption);
        const read = caption.slice(0, coverage.characters);
        const again = tokenizer.tokenize(read).ids;
        // The cut may fall inside a word, whose first half alone is spelled with other tokens: all but the last ones agree.
        const agree = ids.findIndex((id, at) => id !== again[at]);
        expect(agree === -1 ? ids.length : agree).toBeGreaterThanOrEqual(ids.length - 6);
        expect(Math.abs(again.length - ids.length)).toBeLessThanOrEqual(6);
      }
    },
  );

  test('nothing is cut from a caption that fits', async () => {
    const tokenizer = await load('clip');
    expect(tokenizer.tokenize('a red lamp').coverage).toEqual({
      total: 5,
      used: 5,
      characters: 10,
      seen: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});

describe('word by word', () => {
  const json = (model: string): Record<string, unknown> =>
    JSON.parse(readFileSync(join(MODELS, model, 'tokenizer.json'), 'utf8')) as Record<string, unknown>;

  test('only where the tokens of a text are those of its words', () => {
    const clip = json('clip');
    expect(splitsAtSpaces(clip)).toBe(true);
    expect(splitsAtSpaces(json('siglip'))).toBe(false);
    expect(splitsAtSpaces(json('siglip2'))).toBe(false);
    const withPattern = (Regex: string) => {
      const [split, bytes] = (clip['pre_tokenizer'] as { pretokenizers: object[] }).pretokenizers;
      return { ...clip, pre_tokenizer: { type: 'Sequence', pretokenizers: [{ ...split, pattern: { Regex } }, bytes] } };
    };
    for (const pattern of [
      ' ?\\p{L}+',
      '\\p{L}+(?= )',
      '(?<! )\\p{L}+',
      '\\b\\p{L}+',
      '^\\p{L}+',
      '\\p{L}+$',
      '\\s+|\\p{L}+',
      '(',
    ])
      expect(splitsAtSpaces(withPattern(pattern)), pattern).toBe(false);
  });

  test('gives what the stock tokenizer gives for the whole text', async () => {
    const tokenizer = await load('clip');
    const stock = await AutoTokenizer.from_pretrained(join(MODELS, 'clip'), { local_files_only: true });
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(
              ' ',
              '  ',
              '\t',
              '\n',
              '\u00a0',
              '\u3000',
              "'s",
              "'",
              '’',
              '.',
              ', ',
              '-',
              '3',
              'ΑΣ',
              'İ',
              'e\u0301',
              '\u0301',
              '🛋️',
            ),
            fc.constantFrom('red', 'Lamp', 'ROOM', "isn't", 'bed'),
            fc.string({ unit: 'binary', maxLength: 6 }),
          ),
          { maxLength: 14 },
        ),
        (parts) => {
          const text = parts.join('');
          const expected = stock.encode(text);
          fc.pre(expected.length <= 77);
          expect(tokenizer.tokenize(text).ids).toEqual(expected);
        },
      ),
      { numRuns: 500, seed: 7 },
    );
  });
});

const studyPrompts = join(import.meta.dirname, '..', '..', '..', 'shared', 'corpus', 'prompts', 'study-prompts.csv');

describe.skipIf(!existsSync(studyPrompts))('the prompts of the published study', () => {
  const prompts = existsSync(studyPrompts)
    ? (parse(readFileSync(studyPrompts), { columns: true, bom: true }) as { id: string; text: string }[])
    : [];

  test('no prompt fits a CLIP text tower, and a longer wrapper loses prompt words', async () => {
    const tokenizer = await load('clip');
    expect(prompts).toHaveLength(50);
    const short = 'a top-down view of ';
    const longer = 'a top-down rendering of a virtual scene: ';
    for (const { text } of prompts) {
      const [bare, one, two] = ['', short, longer].map((wrapper) => {
        const { coverage } = tokenizer.tokenize(wrapper + text);
        expect(coverage.used).toBe(77);
        expect(coverage.total).toBeGreaterThan(77);
        return coverage.characters - wrapper.length;
      }) as [number, number, number];
      expect(bare).toBeGreaterThan(one);
      expect(one).toBeGreaterThan(two);
    }
  });

  test('two prompts that differ only beyond the cut are one to the model', async () => {
    const tokenizer = await load('clip');
    const text = prompts[0]?.text as string;
    const { coverage } = tokenizer.tokenize(text);
    const changed = `${text.slice(0, coverage.characters + 40)} nothing else at all.`;
    expect(tokenizer.tokenize(changed).coverage.seen).toBe(coverage.seen);
  });
});
