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
