import { readFileSync, statSync } from 'node:fs';
import { isNode, isPair, isScalar, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import type { z } from 'zod';
import { AuditError, messageOf, quoted } from './errors.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_DEPTH = 64;

/**
 * Reads a YAML (or JSON) file and validates it. Every problem is one line: `file:line:column: what; expected what`.
 *
 * @throws AuditError for an unreadable, oversized, malformed or invalid file; all of its problems, one a line, in `hint`.
 */
export function readYamlFile<Schema extends z.ZodType>(path: string, schema: Schema, shown = path): z.output<Schema> {
  return parseYaml(readText(path, shown), schema, shown);
}

function readText(path: string, shown: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES)
      throw new AuditError(`${shown}: file of ${size} bytes is too large; expected at most ${MAX_BYTES} bytes`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof AuditError) throw error;
    throw new AuditError(`${shown}: cannot read the file (${messageOf(error)}); expected a readable YAML file`, {
      code: 'MISSING_FILE',
    });
  }
}

/** As `readYamlFile`, from text. `shown` names the text in errors. */
export function parseYaml<Schema extends z.ZodType>(text: string, schema: Schema, shown: string): z.output<Schema> {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    uniqueKeys: true,
    strict: true,
    // Keys that are lists or maps are errors; without this the library turns them into text and warns on the terminal.
    stringKeys: true,
    logLevel: 'error',
  });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${shown}:${line}:${col}`;
  };
  const broken = document.errors[0];
  if (broken) throw new AuditError(`${at(broken.pos[0])}: ${firstLine(broken.message)}; expected valid YAML`);
  if (depthOf(document.contents) > MAX_DEPTH)
    throw new AuditError(`${shown}: nested more than ${MAX_DEPTH} levels deep; expected a flat file`);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new AuditError(`${shown}: ${messageOf(error)}; expected fewer aliases`);
  }
  const fault = valueFault(value);
  if (fault !== null) throw new AuditError(`${shown}: ${fault}`);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  // A mistyped key usually also leaves a required one missing: the key is the cause, so it is named first.
  const issues = [...result.error.issues].sort(
    (a, b) => Number(b.code === 'unrecognized_keys') - Number(a.code === 'unrecognized_keys'),
  );
  const problems = issues.flatMap((issue) => describe(issue, value, document.contents, at));
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const options = problems.length > 1 ? { hint: problems.slice(1, 20).join('\n') } : {};
  throw new AuditError(`${problems[0]}${more}`, { code: 'INVALID_INPUT', ...options });
}

/**
 * What no schema would say well: half a surrogate pair in a text (it has no UTF-8 form and no hash), or a list or map that is
 * an alias inside itself. Null for neither. Values shared by aliases are looked at once.
 */
function valueFault(value: unknown, above = new Set<unknown>(), sound = new Set<unknown>()): string | null {
  if (typeof value === 'string')
    return /\p{Surrogate}/u.test(value) ? `half a character in ${quoted(value)}; expected whole Unicode text` : null;
  if (value === null || typeof value !== 'object' || sound.has(value)) return null;
  if (above.has(value)) return 'an alias inside the value it names; expected a value that ends';
  above.add(value);
  for (const [key, item] of Object.entries(value)) {
    const fault = valueFault(key, above, sound) ?? valueFault(item, above, sound);
    if (fault !== null) return fault;
  }
  above.delete(value);
  sound.add(value);
  return null;
}

function firstLine(text: string): string {
  return (text.split('\n')[0] as string).replace(/ at line \d+, column \d+:?$/, '').replace(/:$/, '');
}

function depthOf(node: ParsedNode | null, depth = 0): number {
  if (depth > MAX_DEPTH || node === null || !('items' in node)) return depth;
  let deepest = depth;
  for (const item of node.items) {
    const child = isPair(item) ? item.value : item;
    deepest = Math.max(deepest, depthOf(child as ParsedNode | null, depth + 1));
  }
  return deepest;
}

function describe(
  issue: z.core.$ZodIssue,
  value: unknown,
  root: ParsedNode | null,
  at: (offset: number) => string,
): string[] {
  // A union's own message says nothing; the branch that got furthest says what is wrong.
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const best = [...issue.errors].sort((a, b) => reach(b) - reach(a))[0] ?? [];
    if (best.length > 0)
      return best.flatMap((inner) =>
        describe({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue, value, root, at),
      );
  }
  const where = issue.path.map(String).join('.');
  const prefix = where === '' ? '' : `${where}: `;
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const offset = keyOffset(root, [...issue.path, key]);
      return `${at(offset)}: ${prefix}unknown key ${quoted(key)}; expected only known keys`;
    });
  }
  if (issue.code === 'invalid_key') {
    const key = issue.path.at(-1);
    const what = expectation(issue.issues[0]?.message ?? 'another key');
    return [`${at(keyOffset(root, issue.path))}: invalid key ${quoted(key)}; ${what}`];
  }
  const found = dig(value, issue.path);
  const shownValue = found === undefined ? 'missing value' : `invalid value ${quoted(found)}`;
  return [`${at(offsetOf(root, issue.path))}: ${prefix}${shownValue}; ${expectation(issue.message)}`];
}

function reach(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length * 10 + (issue.code === 'unrecognized_keys' ? 5 : 0)));
}

function expectation(message: string): string {
  const text = message.replace(/^Invalid (input|option|string|key in record|number): ?/i, '');
  const trimmed = text === '' ? message : text;
  return /^expected/i.test(trimmed) ? trimmed.charAt(0).toLowerCase() + trimmed.slice(1) : `expected ${trimmed}`;
}

function dig(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const key of path) {
    if (current === null || typeof current !== 'object') return undefined;
    current = (current as Record<PropertyKey, unknown>)[key];
  }
  return current;
}

/** Offset of the deepest node of `path` that exists. */
function offsetOf(root: ParsedNode | null, path: readonly PropertyKey[]): number {
  let node: ParsedNode | null = root;
  let offset = root?.range?.[0] ?? 0;
  for (const key of path) {
    if (node === null || !('items' in node)) break;
    const child = childOf(node, key);
    if (child === null) break;
    node = child;
    offset = child.range?.[0] ?? offset;
  }
  return offset;
}

function keyOffset(root: ParsedNode | null, path: readonly PropertyKey[]): number {
  let node: ParsedNode | null = root;
  for (const key of path.slice(0, -1)) node = node && 'items' in node ? childOf(node, key) : null;
  const last = path.at(-1);
  for (const pair of node && 'items' in node ? node.items : []) {
    if (isPair(pair) && isScalar(pair.key) && String(pair.key.value) === String(last) && isNode(pair.key))
      return pair.key.range?.[0] ?? 0;
  }
  return offsetOf(root, path);
}

function childOf(node: ParsedNode, key: PropertyKey): ParsedNode | null {
  if (!('items' in node)) return null;
  if (typeof key === 'number') {
    const item = node.items[key];
    return isNode(item) ? (item as ParsedNode) : null;
  }
  for (const item of node.items) {
    if (isPair(item) && isScalar(item.key) && String(item.key.value) === String(key))
      return item.value as ParsedNode | null;
  }
  return null;
}
