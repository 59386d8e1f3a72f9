import { expect, test } from 'vitest';
import { describeObjects, plural, rewriteObjects } from '../../../src/scenes/policies/describe-objects.ts';

test('objects are counted in the order in which they first come', () => {
  expect(describeObjects('bedroom', ['double_bed', 'nightstand', 'nightstand', 'pendant lamp'])).toBe(
    'A bedroom with a double bed, two nightstands and a pendant lamp.',
  );
  expect(describeObjects('Living_Room', ['armchair'])).toBe('A living room with an armchair.');
  expect(describeObjects('', Array(13).fill('shelf'))).toBe('A room with 13 shelves.');
  expect(describeObjects('office', ['L-shaped sofa', 'ottoman', 'uniform rack'])).toBe(
    'An office with an L-shaped sofa, an ottoman and a uniform rack.',
  );
  expect(describeObjects('bedroom', [])).toBe('An empty bedroom.');
});

test('rewrites say the same in another order', () => {
  expect(rewriteObjects('bedroom', ['double bed', 'lamp', 'lamp'])).toEqual([
    ['in-room', 'There are a double bed and two lamps in this bedroom.'],
    ['furnished', 'The bedroom is furnished with two lamps and a double bed.'],
  ]);
  expect(rewriteObjects('bedroom', ['lamp'])).toEqual([
    ['in-room', 'There is a lamp in this bedroom.'],
    ['furnished', 'The bedroom is furnished with a lamp.'],
  ]);
  expect(rewriteObjects('bedroom', [])).toEqual([]);
});

test.for([
  ['bookshelf', 'bookshelves'],
  ['bench', 'benches'],
  ['vase with flowers', 'vases with flowers'],
  ['chest of drawers', 'chests of drawers'],
  ['couch', 'couches'],
  ['vanity', 'vanities'],
  ['toy', 'toys'],
  ['books', 'books'],
] as const)('%s, %s', ([one, many]) => {
  expect(plural(one)).toBe(many);
});
