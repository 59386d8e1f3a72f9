import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromHalf, toHalf } from '../../src/evaluators/half.ts';

test.each([
  [0, 0x0000],
  [-0, 0x8000],
  [1, 0x3c00],
  [-2, 0xc000],
  [65504, 0x7bff],
  [65520, 0x7c00],
  [2 ** -14, 0x0400],
  [2 ** -24, 0x0001],
  [2 ** -25, 0x0000],
  [2 ** -25 * 1.5, 0x0001],
  // Ties go to the even neighbour: 2049 -> 2048, 2051 -> 2052.
  [2049, 0x6800],
  [2051, 0x6802],
  [1 / 3, 0x3555],
  [Number.POSITIVE_INFINITY, 0x7c00],
] as const)('%d is 0x%x in binary16', (value, bits) => {
  expect(toHalf(value)).toBe(bits);
});

test('all 65,536 patterns come back', () => {
  for (let bits = 0; bits < 65536; bits += 1) {
    const value = fromHalf(bits);
    if (Number.isNaN(value)) expect(Number.isNaN(fromHalf(toHalf(value)))).toBe(true);
    else expect(toHalf(value)).toBe(bits);
  }
});

test('rounding is to the nearest', () => {
  fc.assert(
    fc.property(fc.float({ min: -65000, max: 65000, noNaN: true }), (value) => {
      const bits = toHalf(value);
      const error = Math.abs(fromHalf(bits) - value);
      for (const neighbour of [bits - 1, bits + 1])
        if ((neighbour & 0x7fff) < 0x7c00 && neighbour >= 0)
          expect(error).toBeLessThanOrEqual(Math.abs(fromHalf(neighbour) - value));
    }),
  );
});
