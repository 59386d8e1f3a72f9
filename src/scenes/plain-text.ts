/**
 * Text out of a foreign file on one line: control characters, direction marks and halves of surrogate pairs (which no JSON
 * can be hashed with) become spaces or replacement characters; cut to `limit` characters.
 */
export function plainText(text: string, limit: number): string {
  const line = text
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\p{Cs}/gu, '\ufffd')
    .trim();
  return line.length > limit ? `${[...line.slice(0, limit - 1)].join('').replace(/\p{Cs}/gu, '')}…` : line;
}
