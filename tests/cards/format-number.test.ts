import { expect, test } from 'vitest';
import { formatCount, formatEstimate, formatInterval, formatNumber, plural } from '../../src/cards/format-number.ts';
import type { Estimate } from '../../src/core/estimates.ts';

const estimate = { value: 1.234, lower: 0.5, upper: 2, level: 0.95, method: 'percentile', n: 20, excluded: 0 };

test.each([
  [0, {}, '0.00'],
  [-1.5, {}, '−1.50'],
  [1234567.891, {}, '1.23e6'],
  [12345.6, {}, '12,345.60'],
  [0.1234, { percent: true }, '12.3%'],
  [0.5, { signed: true }, '+0.50'],
  [0, { signed: true }, '0.00'],
  [0.0001, {}, '≈0'],
  [-0.0001, { percent: true }, '≈0%'],
  [null, {}, '–'],
  [3, { digits: 0 }, '3'],
])('%j %j reads %s', (value, format, expected) => {
  expect(formatNumber(value, format)).toBe(expected);
});

test('an estimate reads with its interval, without one, unbounded, undefined or withheld', () => {
  const cases: Estimate[] = [
    estimate,
    { ...estimate, lower: null, upper: null },
    { ...estimate, upper: null, unbounded: true },
    { value: null, undefinedBecause: 'one generator' },
    { value: null, undefinedBecause: 'withheld: 8% missing' },
  ];
  expect(cases.map((item) => formatEstimate(item))).toEqual([
    '1.23 [0.50, 2.00]',
    '1.23',
    '1.23 [0.50, unbounded]',
    'undefined: one generator',
    'withheld: 8% missing',
  ]);
  expect(formatInterval(cases[3] as Estimate)).toBeNull();
});

test('counts are grouped and plurals agree', () => {
  expect([formatCount(110295), formatCount(-5), plural(1, 'pair'), plural(0, 'pair'), plural(1000, 'pair')]).toEqual([
    '110,295',
    '−5',
    '1 pair',
    '0 pairs',
    '1,000 pairs',
  ]);
});
