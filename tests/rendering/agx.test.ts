import { expect, test } from 'vitest';
import { agx, decodeSrgb, encodeSrgb } from '../../src/rendering/agx.ts';

const bytes = (colour: readonly [number, number, number]) => agx(colour).map((value) => Math.round(255 * value));

test('matches the look-up table Blender ships on grey and on a saturated blue', () => {
  // Read from AgX_Base_sRGB: 0.18 -> 117..118, 0.05 -> 57, (.03,.09,.21) -> 31,87,126.
  expect(Math.abs(bytes([0.18, 0.18, 0.18])[1]! - 117.5)).toBeLessThanOrEqual(1);
  expect(Math.abs(bytes([0.05, 0.05, 0.05])[1]! - 57)).toBeLessThanOrEqual(1);
  // The weakest channel of a saturated colour is where a closed formula strays furthest (largest difference known: 16.6).
  const blue = bytes([0.03, 0.09, 0.21]);
  expect(Math.abs(blue[0]! - 31)).toBeLessThanOrEqual(12);
  expect(Math.abs(blue[1]! - 87)).toBeLessThanOrEqual(2);
  expect(Math.abs(blue[2]! - 126)).toBeLessThanOrEqual(2);
});

test('is black at zero, neutral on greys, rising, and never leaves 0..1', () => {
  expect(bytes([0, 0, 0])).toEqual([0, 0, 0]);
  let before = -1;
  for (let stop = -10; stop <= 8; stop += 0.25) {
    const [r, g, b] = agx([2 ** stop, 2 ** stop, 2 ** stop]);
    expect(Math.max(r, g, b) - Math.min(r, g, b)).toBeLessThan(0.004);
    expect(g).toBeGreaterThanOrEqual(before);
    expect(g).toBeLessThanOrEqual(1);
    before = g;
  }
  expect(agx([-1, 5, 1e6]).every((value) => value >= 0 && value <= 1)).toBe(true);
});

test('sRGB encoding and decoding are inverse', () => {
  for (let value = 0; value <= 255; value += 1)
    expect(Math.round(255 * encodeSrgb(decodeSrgb(value / 255)))).toBe(value);
});
