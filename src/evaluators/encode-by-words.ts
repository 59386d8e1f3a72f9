import { z } from 'zod';

/** Words whose tokens are remembered. */
const REMEMBERED_WORDS = 50_000;

/** Letters, digits and signs on both sides of every kind of white space. */
const SPACED = [' ', '\t', '\n', '\r\n', '\u00a0', '\u2003', '\u3000']
  .flatMap((space) =>
    ['a', '1', '.', "'", 'é', '日', '🛋'].map((sign) => `${space}${sign}${space}${sign}${sign}${space}'s${sign}`),
  )
  .join('');

const tokenizerSchema = z.looseObject({
  normalizer: z.looseObject({ type: z.string(), normalizers: z.array(z.looseObject({ type: z.string() })).optional() }),
  pre_tokenizer: z.looseObject({
    type: z.literal('Sequence'),
    pretokenizers: z.tuple([
      z.looseObject({
        type: z.literal('Split'),
        pattern: z.strictObject({ Regex: z.string() }),
        behavior: z.literal('Removed'),
        invert: z.literal(true),
      }),
      z.looseObject({ type: z.literal('ByteLevel'), add_prefix_space: z.literal(false) }),
    ]),
  }),
  model: z.looseObject({ type: z.literal('BPE'), end_of_word_suffix: z.string().min(1) }),
});

/**
 * True when the tokens of a text are the tokens of its words, one after the other: the CLIP form, whose splitting pattern
 * matches no white space and looks at no neighbour, with normalisers that work within a word. Then each word is worked out once.
 */
export function splitsAtSpaces(tokenizer: unknown): boolean {
  const parsed = tokenizerSchema.safeParse(tokenizer);
  if (!parsed.success) return false;
  const { normalizer, pre_tokenizer: preTokenizer } = parsed.data;
  const normalizers = (normalizer.normalizers ?? [normalizer]).map(({ type }) => type);
  if (!normalizers.every((type) => ['NFC', 'Replace', 'Lowercase'].includes(type))) return false;
  const pattern = preTokenizer.pretokenizers[0].pattern.Regex;
  if (/\(\?[=!<]|\\[bB]|\^(?!\\s)|\$/.test(pattern.replaceAll('[^', '['))) return false;
  try {
    return [...SPACED.matchAll(new RegExp(pattern, 'gu'))].every(([match]) => !/\s/u.test(match));
  } catch {
    return false;
  }
}

/**
 * An encoder that works word by word with a memory, for tokenizers that pass {@link splitsAtSpaces}.
 *
 * @param whole encodes a text with its start and end token; asked for the empty text only.
 * @param content encodes a text without them.
 */
export function encodeByWords(
  whole: (text: string) => number[],
  content: (text: string) => number[],
): (text: string) => number[] {
  const frame = whole('');
  const [start, end] = [frame.slice(0, frame.length >> 1), frame.slice(frame.length >> 1)];
  const words = new Map<string, number[]>();
  return (text) => {
    const ids = [...start];
    for (const word of text.split(/\s+/u)) {
      if (word === '') continue;
      let found = words.get(word);
      if (found === undefined) {
        found = content(word);
        if (words.size >= REMEMBERED_WORDS) words.clear();
        words.set(word, found);
      }
      for (const id of found) ids.push(id);
    }
    for (const id of end) ids.push(id);
    return ids;
  };
}
