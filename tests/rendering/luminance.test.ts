import { expect, test } from 'vitest';
import { blankness } from '../../src/rendering/blankness.ts';
import { foregroundLuminance } from '../../src/rendering/luminance.ts';

const of = (...pixels: [number, number, number, number][]) => ({
  width: pixels.length,
  height: 1,
  data: Uint8Array.from(pixels.flat()),
});

test('luminance is linear, weighted by alpha, and ignores what is transparent', () => {
  expect(foregroundLuminance(of([255, 255, 255, 255], [0, 0, 0, 0]))).toBeCloseTo(1, 12);
  expect(foregroundLuminance(of([255, 0, 0, 255]))).toBeCloseTo(0.2126, 12);
  expect(foregroundLuminance(of([255, 255, 255, 51], [0, 0, 0, 204]))).toBeCloseTo(0.2, 12);
  expect(foregroundLuminance(of([188, 188, 188, 255]))).toBeCloseTo(0.5029, 3);
  expect(foregroundLuminance(of([9, 9, 9, 0]))).toBeNull();
});

test('transparent and one-coloured pictures are blank', () => {
  expect(blankness(of([1, 2, 3, 0], [4, 5, 6, 0]))).toBe('blank picture: every pixel is transparent');
  expect(blankness(of([1, 2, 3, 255], [1, 2, 3, 255]))).toBe('blank picture: every pixel has the same colour');
  expect(blankness(of([1, 2, 3, 0], [1, 2, 3, 255]))).toBeNull();
});
