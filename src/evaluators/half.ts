const scratchFloat = new Float32Array(1);
const scratchBits = new Uint32Array(scratchFloat.buffer);

/** IEEE 754 binary16 bits of a number, rounded to nearest even. Node 20 has no Float16Array. */
export function toHalf(value: number): number {
  scratchFloat[0] = value;
  const bits = scratchBits[0] as number;
  const sign = (bits >>> 16) & 0x8000;
  const exponent = (bits >>> 23) & 0xff;
  const fraction = bits & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (fraction === 0 ? 0 : 0x200);
  const shifted = exponent - 127 + 15;
  if (shifted >= 31) return sign | 0x7c00;
  const significand = shifted <= 0 ? fraction | 0x800000 : fraction;
  const drop = shifted <= 0 ? 14 - shifted : 13;
  if (drop > 24) return sign;
  const kept = significand >>> drop;
  const rest = significand & ((1 << drop) - 1);
  const half = 1 << (drop - 1);
  const up = rest > half || (rest === half && (kept & 1) === 1) ? 1 : 0;
  // A carry out of the fraction moves into the exponent, which is what rounding up to the next power of two means.
  return sign | ((shifted <= 0 ? 0 : shifted << 10) + kept + up);
}

/** The number binary16 bits stand for. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
