import type { Random } from '../../src/core/random.ts';

/** Values that have no business where they are put. */
const STRANGE: readonly unknown[] = [
  null,
  true,
  '',
  0,
  -1,
  1e-12,
  1e9,
  1e300,
  '../../../etc/passwd',
  '../secret',
  'inside',
  '=HYPERLINK("x")',
  '__proto__',
  'a\u0000b\u202e\n',
  '\ud800',
  'x'.repeat(5000),
  [],
  {},
  [null],
  [[[[[]]]]],
  { x: null, y: {}, z: [] },
  [1, 2],
  [0, 0, 0],
  Array.from({ length: 50 }, (_, index) => index),
];

type Holder = Record<string, unknown> | unknown[];

/** Every place inside a JSON value, as (holder, key). */
function places(value: unknown, found: [Holder, string | number][] = []): [Holder, string | number][] {
  if (value === null || typeof value !== 'object' || found.length > 20_000) return found;
  const entries = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value);
  for (const [key, item] of entries) {
    found.push([value as Holder, key]);
    places(item, found);
  }
  return found;
}

function put(holder: Holder, key: string | number, value: unknown): void {
  if (Array.isArray(holder)) holder[key as number] = value;
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

/** One damaged version of a JSON text: structure, values or raw bytes. */
export function mutateJson(text: string, random: Random): string {
  if (random.integer(5) === 0) return mutateText(text, random);
  const json: unknown = JSON.parse(text);
  const times = 1 + random.integer(4);
  for (let round = 0; round < times; round += 1) {
    const all = places(json);
    if (all.length === 0) break;
    const [holder, key] = random.pick(all);
    const [other, otherKey] = random.pick(all);
    const get = (from: Holder, at: string | number): unknown => (from as Record<string | number, unknown>)[at];
    switch (random.integer(7)) {
      case 0:
        if (Array.isArray(holder)) holder.splice(key as number, 1);
        else delete holder[key];
        break;
      case 1:
        put(holder, key, structuredClone(random.pick(STRANGE)));
        break;
      case 2:
        if (typeof get(holder, key) === 'number')
          put(holder, key, (get(holder, key) as number) * random.pick([-1, 0, 1000, 1e7, 1e-7]));
        else put(holder, key, structuredClone(random.pick(STRANGE)));
        break;
      case 3:
        // A copy, never the thing itself: JSON has no cycles.
        put(holder, key, structuredClone(get(other, otherKey)));
        break;
      case 4:
        if (Array.isArray(holder)) holder.push(structuredClone(get(holder, key)));
        else put(holder, `${String(key)}2`, structuredClone(get(holder, key)));
        break;
      case 5:
        if (typeof get(holder, key) === 'string') put(holder, key, Number(get(holder, key)) || 7);
        else if (typeof get(holder, key) === 'number') put(holder, key, String(get(holder, key)));
        else put(holder, key, null);
        break;
      default:
        if (!Array.isArray(holder))
          put(
            holder,
            random.pick(['id', 'position', 'rotation', 'size', 'parent', '__proto__', 'constructor']),
            structuredClone(random.pick(STRANGE)),
          );
    }
  }
  return JSON.stringify(json);
}

/** One damaged version of any text: cut short, bytes changed, parts repeated or exchanged, bare NaN and Infinity. */
export function mutateText(text: string, random: Random): string {
  const at = random.integer(Math.max(1, text.length));
  const to = Math.min(text.length, at + 1 + random.integer(200));
  switch (random.integer(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(to);
    case 2:
      return text.slice(0, to) + text.slice(at);
    case 3:
      return text.slice(0, at) + String.fromCharCode(random.integer(0xffff)) + text.slice(at + 1);
    case 4:
      return text.replace(/-?\d+(\.\d+)?/g, (number) =>
        random.integer(10) === 0 ? random.pick(['NaN', 'Infinity', '1e999', '-0', '']) : number,
      );
    default:
      return (
        text.slice(0, at) +
        random.pick(['{', ']', '"', '[['.repeat(500), '\\u0000', ',,', '<', '</link>']) +
        text.slice(at)
      );
  }
}

/** One damaged version of bytes: cut short, bytes changed. */
export function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  if (random.integer(4) === 0) return bytes.slice(0, random.integer(bytes.length + 1));
  const copy = bytes.slice();
  for (let round = 0; round < 1 + random.integer(8); round += 1)
    copy[random.integer(copy.length)] = random.integer(256);
  return copy;
}

/** Cells that have no business in a table. */
const STRANGE_CELLS: readonly string[] = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'NaN',
  'Infinity',
  '0x10',
  '=1+1',
  '@SUM(A1)',
  '../../../etc/passwd',
  '/etc/passwd',
  '../secret.png',
  'a/b',
  '..',
  '__proto__',
  'constructor',
  'a\u0000b',
  'x'.repeat(70_000),
  '"',
  'a\nb',
  '\u202e\ufeff',
  '1,5',
  'tie',
  'scored',
  'failed',
];

/** One damaged version of a CSV text: cells, rows and columns changed, or the text itself. */
export function mutateCsv(text: string, random: Random): string {
  if (random.integer(4) === 0) return mutateText(text, random);
  let rows = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split(','));
  const quote = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  for (let round = 0; round < 1 + random.integer(3); round += 1) {
    const row = random.pick(rows);
    const column = random.integer(Math.max(1, row.length));
    switch (random.integer(7)) {
      case 0:
      case 1:
        row[column] = quote(random.pick(STRANGE_CELLS));
        break;
      case 2:
        if (rows.length > 1) rows.splice(random.integer(rows.length), 1);
        break;
      case 3:
        rows.push([...row]);
        break;
      case 4:
        rows = rows.map((cells) => cells.filter((_, index) => index !== column));
        break;
      case 5:
        rows = rows.map((cells) => [...cells, cells[column] ?? '']);
        break;
      default:
        row[column] = random.pick(random.pick(rows).concat(''));
    }
    if (rows.length === 0) rows = [['']];
  }
  const end = random.pick(['\n', '\n', '\n', '\r\n', '\r']);
  return (random.integer(10) === 0 ? '\ufeff' : '') + rows.map((cells) => cells.join(',')).join(end) + end;
}

const encoder = new TextEncoder();

/** Text as bytes, now and then with bytes that are no UTF-8. */
export function textBytes(text: string, random: Random): Uint8Array {
  const bytes = encoder.encode(text);
  if (bytes.length === 0 || random.integer(12) !== 0) return bytes;
  const copy = bytes.slice();
  copy[random.integer(copy.length)] = 0x80 + random.integer(0x80);
  return copy;
}

/** One damaged version of a GLB: its JSON chunk changed as JSON with the container kept sound, or any of its bytes. */
export function mutateGlb(glb: Uint8Array, random: Random): Uint8Array {
  if (random.integer(3) === 0) return mutateBytes(glb, random);
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const length = view.getUint32(12, true);
  const json = new TextDecoder().decode(glb.subarray(20, 20 + length));
  const changed = encoder.encode(mutateJson(json, random));
  const padded = new Uint8Array(Math.ceil(changed.length / 4) * 4).fill(0x20);
  padded.set(changed);
  const rest = glb.subarray(20 + length);
  const made = new Uint8Array(20 + padded.length + rest.length);
  made.set(glb.subarray(0, 20));
  made.set(padded, 20);
  made.set(rest, 20 + padded.length);
  const written = new DataView(made.buffer);
  written.setUint32(8, made.length, true);
  written.setUint32(12, padded.length, true);
  return made;
}
