/** A numeric, free-text or choice field the caller wants in the answer. */
export interface AskedField {
  readonly name: string;
  readonly kind: 'number' | 'text' | 'choice';
  readonly min: number;
  readonly max: number;
  readonly choices: readonly string[];
}

/** A request to the simulated judge, the same for every protocol. */
export interface Ask {
  readonly model: string;
  /** All text parts of the user's turn, joined by newlines. */
  readonly text: string;
  readonly images: readonly Uint8Array[];
  readonly fields: readonly AskedField[];
  readonly temperature: number | null;
  readonly maxTokens: number;
  /** Log-probabilities asked for an answer token; 0 for none. */
  readonly topLogprobs: number;
}

/** What the simulated judge answers, before a protocol wraps it. */
export interface Reply {
  readonly model: string;
  readonly text: string;
  readonly finish: 'stop' | 'length' | 'filter' | 'refusal';
  readonly choices: boolean;
  readonly usage: { readonly input: number; readonly output: number } | null;
  /** Top log-probabilities of the first answer token. */
  readonly logprobs: readonly { readonly token: string; readonly logprob: number }[] | null;
  /** Backend fingerprint (OpenAI) or nothing. */
  readonly fingerprint: string;
  readonly id: string;
}

/** Speaks one provider's protocol. */
export interface Protocol {
  readonly name: 'openai' | 'anthropic' | 'google';
  /** The model named by the path, or null when the path is not this protocol's. */
  matches(path: string): boolean;
  /** @throws Error when the body is not a request of this protocol. */
  read(path: string, body: unknown): Ask;
  write(reply: Reply): unknown;
  error(status: number, message: string): unknown;
}

/**
 * The fields of an answer, from the lines a rubric writes under its question: `"name": a number from 0 to 100`,
 * `"name": text`, `"name": one of "A", "B"`.
 */
export function askedFields(text: string): AskedField[] {
  const fields: AskedField[] = [];
  for (const line of text.split('\n')) {
    const number = /^\s*(?:-\s*)?"([A-Za-z][\w-]*)": a number from (-?[\d.]+) to (-?[\d.]+)/.exec(line);
    if (number)
      fields.push({
        name: number[1] as string,
        kind: 'number',
        min: Number(number[2]),
        max: Number(number[3]),
        choices: [],
      });
    const words = /^\s*(?:-\s*)?"([A-Za-z][\w-]*)": text/.exec(line);
    if (words) fields.push({ name: words[1] as string, kind: 'text', min: 0, max: 0, choices: [] });
    const choice = /^\s*(?:-\s*)?"([A-Za-z][\w-]*)": one of (.+)$/.exec(line);
    if (choice) {
      const choices = [...(choice[2] as string).matchAll(/"([^"]+)"/g)].map((match) => match[1] as string);
      fields.push({ name: choice[1] as string, kind: 'choice', min: 0, max: 0, choices });
    }
  }
  return fields;
}

/** A property of an untrusted value, or undefined. */
export function property(value: unknown, name: string | number): unknown {
  if (value === null || typeof value !== 'object') return undefined;
  return Object.hasOwn(value, name) ? (value as Record<string | number, unknown>)[name] : undefined;
}

/** Elements of an untrusted array; none when it is no array. */
export function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Bytes of base64 text (with or without a `data:` prefix). @throws Error when it is not text. */
export function base64Bytes(value: unknown): Uint8Array {
  if (typeof value !== 'string') throw new Error('image without base64 data');
  const comma = value.startsWith('data:') ? value.indexOf(',') + 1 : 0;
  return Buffer.from(value.slice(comma), 'base64');
}

/** A finite number, or the value given for its absence. */
export function numberOr<T>(value: unknown, absent: T): number | T {
  return typeof value === 'number' && Number.isFinite(value) ? value : absent;
}
