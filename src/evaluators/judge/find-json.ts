import type { Json } from '../../core/json.ts';

const MAX_DEPTH = 32;

/** A JSON object found inside a text. */
export interface FoundObject {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly value: { readonly [key: string]: Json };
  /** A key that stands twice in one object (JSON.parse would keep the last), or null. */
  readonly duplicateKey: string | null;
}

/** What `findObjects` saw: whole objects, and places that look like an object but are none. */
export interface FoundObjects {
  readonly objects: readonly FoundObject[];
  readonly malformed: readonly { readonly start: number; readonly problem: string }[];
}

/**
 * Every outermost JSON object (RFC 8259, at most 32 levels deep) in a text that may hold prose or code fences around it.
 * A `{` followed by a quote that does not open a whole object is reported as malformed and nothing inside it is used, so
 * a part of a broken answer never passes for the answer.
 */
export function findObjects(text: string): FoundObjects {
  const objects: FoundObject[] = [];
  const malformed: { start: number; problem: string }[] = [];
  let at = 0;
  while (true) {
    const start = text.indexOf('{', at);
    if (start < 0) break;
    const reader = new Reader(text, start);
    try {
      const value = reader.object(1) as { [key: string]: Json };
      objects.push({ start, end: reader.at, value, duplicateKey: reader.duplicateKey });
      at = reader.at;
    } catch (error) {
      if (!(error instanceof JsonProblem)) throw error;
      if (/^\s*["'“]/.test(text.slice(start + 1, start + 200))) {
        malformed.push({ start, problem: error.message });
        at = skipBraces(text, start);
      } else at = start + 1;
    }
  }
  return { objects, malformed };
}

/** First position behind the brace that closes the one at `start`, by counting; the end of the text when none does. */
function skipBraces(text: string, start: number): number {
  let open = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '{') open += 1;
    else if (text[at] === '}') {
      open -= 1;
      if (open === 0) return at + 1;
    }
  }
  return text.length;
}

class JsonProblem extends Error {}

class Reader {
  readonly text: string;
  at: number;
  duplicateKey: string | null = null;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  object(depth: number): Json {
    if (depth > MAX_DEPTH) throw new JsonProblem('nested too deep');
    const result: Record<string, Json> = Object.create(null);
    this.take('{');
    this.space();
    if (this.text[this.at] === '}') {
      this.at += 1;
      return { ...result };
    }
    while (true) {
      this.space();
      const key = this.string();
      if (Object.hasOwn(result, key)) this.duplicateKey ??= key;
      this.space();
      this.take(':');
      result[key] = this.value(depth);
      this.space();
      if (this.text[this.at] !== ',') break;
      this.at += 1;
    }
    this.take('}');
    return { ...result };
  }

  private array(depth: number): Json {
    if (depth > MAX_DEPTH) throw new JsonProblem('nested too deep');
    const result: Json[] = [];
    this.take('[');
    this.space();
    if (this.text[this.at] === ']') {
      this.at += 1;
      return result;
    }
    while (true) {
      result.push(this.value(depth));
      this.space();
      if (this.text[this.at] !== ',') break;
      this.at += 1;
    }
    this.take(']');
    return result;
  }

  private value(depth: number): Json {
    this.space();
    const next = this.text[this.at];
    if (next === '{') return this.object(depth + 1);
    if (next === '[') return this.array(depth + 1);
    if (next === '"') return this.string();
    const literal = /(?:true|false|null)\b|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y;
    literal.lastIndex = this.at;
    const match = literal.exec(this.text);
    if (match === null)
      throw new JsonProblem(`invalid JSON value ${JSON.stringify(this.text.slice(this.at, this.at + 12))}`);
    const value = JSON.parse(match[0]) as Json;
    if (typeof value === 'number' && !Number.isFinite(value)) throw new JsonProblem('a number too large for JSON');
    this.at += match[0].length;
    return value;
  }

  private string(): string {
    const pattern = /"(?:[^"\\]|\\.)*"/sy;
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match === null)
      throw new JsonProblem(`expected a string at ${JSON.stringify(this.text.slice(this.at, this.at + 12))}`);
    try {
      const value = JSON.parse(match[0]) as string;
      this.at += match[0].length;
      return value;
    } catch {
      throw new JsonProblem('invalid string');
    }
  }

  private take(character: string): void {
    if (this.text[this.at] !== character)
      throw new JsonProblem(`expected ${character} at ${JSON.stringify(this.text.slice(this.at, this.at + 12))}`);
    this.at += 1;
  }

  private space(): void {
    while (' \t\n\r'.includes(this.text[this.at] ?? 'x')) this.at += 1;
  }
}
