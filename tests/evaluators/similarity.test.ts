import { expect, test } from 'vitest';
import { cosine, SCALE_LIMITS, scaleScore, unitLength } from '../../src/evaluators/similarity.ts';

test('unit length; a vector without a direction has none', () => {
  expect(unitLength(Float32Array.from([3, 4]))).toEqual(Float32Array.from([0.6, 0.8]));
  for (const values of [
    [0, 0],
    [Number.NaN, 1],
    [Number.POSITIVE_INFINITY, 1],
    [1e30, 1e30],
  ])
    expect(unitLength(Float32Array.from(values)) === null).toBe(values[0] !== 1e30);
});

test('the cosine never leaves [-1, 1] by rounding', () => {
  const vector = unitLength(Float32Array.from({ length: 999 }, (_, at) => Math.sin(at))) as Float32Array;
  expect(cosine(vector, vector)).toBeLessThanOrEqual(1);
  expect(cosine(vector, vector)).toBeGreaterThan(0.999999);
  expect(() => cosine(vector, vector.subarray(1))).toThrow('expected equal lengths');
});

test('scales: raw cosine x 100 without a clamp, logit, sigmoid', () => {
  // A per-pair clamp would give a mean of 0.2 here, a clamp of the mean 0.1: the raw scale is neither's business.
  expect([-0.2, 0.4].map((value) => scaleScore(value, 'cosine100', null))).toEqual([-20, 40]);
  expect(scaleScore(0.3, 'cosine', null)).toBe(0.3);
  expect(scaleScore(0.3, 'logit', { scale: 10, bias: -2 })).toBe(1);
  expect(scaleScore(0.3, 'sigmoid', { scale: 10, bias: -2 })).toBeCloseTo(1 / (1 + Math.exp(-1)), 12);
  expect(() => scaleScore(0.3, 'logit', null)).toThrow('no logit scale is known');
  expect(SCALE_LIMITS.sigmoid).toEqual({ name: 'sigmoid', min: 0, max: 1 });
});
