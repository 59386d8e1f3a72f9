/**
 * WebAssembly SIMD code that finds the contrasts which could raise a maximum. It works in single precision on a group of eight contrasts at
 * a time and only says which must be computed exactly; the caller widens the limits by `filterError`, so nothing that could
 * matter is missed.
 *
 * The code is generated for one number of prompts, the loop over prompts unrolled: per prompt one weight is spread over four lanes
 * and, for each of two quads of contrasts, part = w u, x += part, q += part u (four quads run out of registers).
 * A group passes when in some lane x^2 > fixed, x^2 > ratio q, or q < floor.
 *
 * Exported as `filter(weights, from, to, list, index, fixed, ratio, floor)`: addresses of the weights of one resample, of the first
 * group and of the end, of the list of passing groups, and the number of the first group; it returns the end of the list.
 * A group holds, prompt after prompt, the eight values of its contrasts. Memory is imported as `m.m`, shared.
 */
export function simdFilter(columns: number, options: { readonly studentised: boolean }): Uint8Array<ArrayBuffer> {
  if (columns < 1 || columns > FILTER_PROMPTS)
    throw new RangeError(`simdFilter requires 1 to ${FILTER_PROMPTS} prompts`);
  const functionBody = filterBody(columns, options.studentised);
  const section = (id: number, content: number[]) => [id, ...unsigned(content.length), ...content];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 8, I32, I32, I32, I32, I32, F32, F32, F32, 1, I32]),
    // Shared memory must state a maximum: all of the 65,536 pages there can be.
    ...section(2, [1, 1, 0x6d, 1, 0x6d, 2, 3, 1, ...unsigned(65_536)]),
    ...section(3, [1, 0]),
    ...section(7, [1, 6, ...Buffer.from('filter'), 0, 0]),
    ...section(10, [1, ...unsigned(functionBody.length), ...functionBody]),
  ]);
}

/** Contrasts of a group. */
export const GROUP = 8;

/** More prompts than this would make the unrolled code larger than an instruction cache. */
export const FILTER_PROMPTS = 400;

/**
 * Error of a single-precision sum over the prompts against the sum of the absolute values of its terms, generously: rounding of
 * the inputs, of two products and of the additions.
 */
export function filterError(columns: number): number {
  return (columns + 8) * 2 ** -23;
}

// Types, instructions and the binary format: WebAssembly core specification 2.0, section 5.
const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

const simd = (code: number) => [0xfd, ...unsigned(code)];
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const constant = (value: number) => [0x41, ...signed(value)];
const advance = (local: number, by: number) => [...get(local), ...constant(by), 0x6a, ...set(local)];
const LOOP = [0x03, 0x40];
const IF = [0x04, 0x40];
const END = 0x0b;
/** i32.store, i32.lt_u, br_if 0. */
const STORE = [0x36, 2, 0];
const BELOW = [0x49];
const REPEAT = [0x0d, 0];
/** f32x4 and v128 instructions. */
const ADD = simd(0xe4);
const MULTIPLY = simd(0xe6);
const GREATER = simd(0x44);
const LESS = simd(0x43);
const OR = simd(0x50);
const ANY = simd(0x53);
const SPLAT = simd(0x13);
const load = (offset: number) => [...simd(0x00), 4, ...unsigned(offset)];
const loadSplat = (offset: number) => [...simd(0x09), 2, ...unsigned(offset)];

function filterBody(columns: number, studentised: boolean): number[] {
  const [weight, from, to, out, index, fixed, ratio, floor] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [spread, u, part, limit, scale, least] = [8, 9, 10, 11, 12, 13];
  /** Sums of each quad: x, and q. */
  const quads = Array.from({ length: GROUP / 4 }, (_, quad) => ({ offset: quad * 16, x: 14 + quad, q: 16 + quad }));
  const zero = [...simd(0x0c), ...new Array<number>(16).fill(0)];
  const squares = (q: number) => [...get(part), ...get(u), ...MULTIPLY, ...get(q), ...ADD, ...set(q)];
  const quad = (offset: number, x: number, q: number) => [
    ...[...get(from), ...load(offset), ...tee(u), ...get(spread), ...MULTIPLY, ...tee(part)],
    ...[...get(x), ...ADD, ...set(x)],
    ...(studentised ? squares(q) : []),
  ];
  const prompts: number[] = [];
  for (let prompt = 0; prompt < columns; prompt += 1)
    prompts.push(
      ...[...get(weight), ...loadSplat(prompt * 4), ...set(spread)],
      ...quads.flatMap(({ offset, x, q }) => quad(prompt * GROUP * 4 + offset, x, q)),
    );
  /** Mask of the lanes of one quad that pass. */
  const passes = (x: number, q: number) => [
    ...[...get(x), ...get(x), ...MULTIPLY, ...tee(part), ...get(limit), ...GREATER],
    ...(studentised
      ? [
          ...[...get(part), ...get(scale), ...get(q), ...MULTIPLY, ...GREATER, ...OR],
          ...[...get(q), ...get(least), ...LESS, ...OR],
        ]
      : []),
  ];
  return [
    ...[1, 10, V128],
    ...[...get(fixed), ...SPLAT, ...set(limit)],
    ...[...get(ratio), ...SPLAT, ...set(scale)],
    ...[...get(floor), ...SPLAT, ...set(least)],
    ...LOOP,
    ...quads.flatMap(({ x, q }) => [...zero, ...set(x), ...zero, ...set(q)]),
    ...prompts,
    ...quads.flatMap(({ x, q }, quad) => [...passes(x, q), ...(quad > 0 ? OR : [])]),
    ...ANY,
    ...[...IF, ...get(out), ...get(index), ...STORE, ...advance(out, 4), END],
    ...advance(index, 1),
    ...advance(from, columns * GROUP * 4),
    ...[...get(from), ...get(to), ...BELOW, ...REPEAT, END],
    ...[...get(out), END],
  ];
}
