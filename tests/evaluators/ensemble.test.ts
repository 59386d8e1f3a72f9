import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EnsembleSpec, ensembleSpecSchema } from '../../src/core/evaluator-spec.ts';
import { canonicalJson } from '../../src/core/json.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { type Aggregate, aggregate, combineMembers, ensembleFingerprint } from '../../src/evaluators/ensemble.ts';

const scored = (value: number): Outcome => ({ status: 'scored', value });
const HOW: Aggregate[] = ['mean', 'median', 'max', 'trimmed-mean'];

describe('aggregate', () => {
  test.each([
    ['mean', [1, 2, 9, 4], 4],
    ['median', [1, 2, 9, 4], 3],
    ['median', [9, 1, 2], 2],
    ['max', [1, 2, 9, 4], 9],
    // Without 1 and 9: (2 + 4) / 2. By hand.
    ['trimmed-mean', [1, 2, 9, 4], 3],
    ['trimmed-mean', [5, -3, 100], 5],
  ] as const)('%s of %j is %d', (how, values, expected) => {
    expect(aggregate(how, [...values])).toBe(expected);
  });

  test('the order of members changes no digit, and every aggregate lies within its values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 3, maxLength: 12 }),
        fc.constantFrom(...HOW),
        (values, how) => {
          const value = aggregate(how, values);
          expect(aggregate(how, [...values].reverse())).toBe(value);
          expect(value).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
          expect(value).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
        },
      ),
    );
  });
});

describe('combineMembers', () => {
  test('scores when every member does', () => {
    expect(combineMembers('max', [scored(3), scored(7)])).toEqual(scored(7));
  });

  test('one missing member makes the ensemble missing, never an average of the others', () => {
    expect(combineMembers('mean', [scored(3), { status: 'refused', reason: 'policy' }, scored(5)])).toEqual({
      status: 'refused',
      reason: '1 of 3 members without a score (1 refused): policy',
    });
  });

  test('members missing for different causes: failed, each cause counted', () => {
    expect(
      combineMembers('mean', [
        { status: 'unparseable', reason: 'no number' },
        { status: 'refused', reason: 'policy' },
        { status: 'unparseable', reason: 'no number' },
      ]),
    ).toEqual({
      status: 'failed',
      reason: '3 of 3 members without a score (1 refused, 2 unparseable): no number',
    });
  });

  test('too few members', () => {
    expect(combineMembers('mean', [])).toEqual({ status: 'skipped', reason: 'the ensemble has no members' });
    expect(combineMembers('trimmed-mean', [scored(1), scored(2)]).status).toBe('skipped');
  });
});

test('the fingerprint holds the base, what is averaged and how; the order of members is not in it', () => {
  const spec = (more: Partial<EnsembleSpec> = {}): EnsembleSpec =>
    ensembleSpecSchema.parse({
      id: 'e',
      kind: 'ensemble',
      of: 'pocket',
      over: 'views',
      members: ['45/0', '45/90'],
      ...more,
    });
  const print = (more?: Partial<EnsembleSpec>, base: unknown = { weights: 'a' }): string =>
    canonicalJson(ensembleFingerprint(spec(more), base as never));
  const base = print();
  expect(print({ members: ['45/90', '45/0'] })).toBe(base);
  expect(print({ id: 'other' })).toBe(base);
  expect(print({ members: ['45/0', '45/180'] })).not.toBe(base);
  expect(print({ aggregate: 'median' })).not.toBe(base);
  expect(print({ over: 'templates' })).not.toBe(base);
  expect(print({}, { weights: 'b' })).not.toBe(base);
});
