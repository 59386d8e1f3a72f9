import { expect, test } from 'vitest';
import { adaptiveOrder, adaptiveRanks, cellName } from '../../src/protocol/adaptive-order.ts';
import type { Factor } from '../../src/protocol/factors.ts';
import { oneAtATime } from '../../src/protocol/one-at-a-time.ts';
import { type SeenScore, settledConclusions } from '../../src/protocol/settled.ts';

const factor = (name: string, levels: string[], level: string, at: Record<string, string> | null = null): Factor => ({
  factor: name,
  kind: 'render',
  levels,
  default: level,
  at,
  shared: true,
  evaluators: null,
  values: new Map(),
});
const c0 = { resolution: '512', lighting: 'city', background: 'grey-255', yaw: '0', pitch: '90' };
const planned = oneAtATime(c0, [
  factor('resolution', ['196', '224', '256', '512', '768', '1024'], '512'),
  factor('lighting', ['city', 'forest', 'night', 'studio', 'sunset'], 'city'),
  factor('background', ['grey-255', 'grey-0', 'grey-128', 'grey-65'], 'grey-255'),
  factor('yaw', ['0', '90', '180'], '0', { pitch: '45' }),
]);

test('c0 and its aliases, then the extremes, then the rest; nothing is dropped', () => {
  const steps = adaptiveOrder(planned);
  expect(steps.map(({ stage, configuration: { factor: name, level } }) => `${stage} ${name} ${level}`)).toEqual([
    '0  ',
    '0 resolution 512',
    '0 lighting city',
    '0 background grey-255',
    '1 resolution 196',
    '1 lighting forest',
    '1 background grey-0',
    '1 yaw 0',
    '1 resolution 1024',
    '1 lighting sunset',
    '1 background grey-128',
    '1 yaw 180',
    '2 resolution 768',
    '2 lighting night',
    '2 background grey-65',
    '2 yaw 90',
    '2 resolution 256',
    '2 lighting studio',
    '2 resolution 224',
  ]);
  expect(new Set(steps.map(({ configuration }) => configuration))).toEqual(new Set(planned));
  expect(adaptiveRanks(planned).get(cellName({ factor: 'yaw', level: '90' }))).toBe(15);
});

const places = [
  { factor: '', level: '' },
  { factor: 'lighting', level: 'night' },
  { factor: 'lighting', level: 'city' },
];
const rows = (place: { factor: string; level: string }, means: Record<string, number>): SeenScore[] =>
  Object.entries(means).flatMap(([generator, mean]) =>
    ['p1', 'p2'].map((prompt, index) => ({ generator, prompt, ...place, score: mean + (index === 0 ? 1 : -1) })),
  );
const options = { generators: ['b', 'a', 'c'], prompts: ['p1', 'p2'], planned: places };

test('a change of winner and a margin of both signs are settled by two configurations', () => {
  const [base, night, city] = places as [(typeof places)[0], (typeof places)[0], (typeof places)[0]];
  const first = settledConclusions(rows(base, { a: 30, b: 20, c: 10 }), options);
  expect(first).toMatchObject({ visited: 1, winnerChanges: false, notStrict: [], openPairs: 3 });
  expect(first.statements).toEqual([
    '1 of 3 configurations complete',
    'open: no change of winner seen yet',
    'open: 3 pairs',
  ]);
  const second = settledConclusions(
    [...rows(base, { a: 30, b: 20, c: 10 }), ...rows(night, { a: 20, b: 21, c: 10 })],
    options,
  );
  expect(second).toMatchObject({
    visited: 2,
    winners: [
      { generator: 'a', at: base },
      { generator: 'b', at: night },
    ],
    winnerChanges: true,
    notStrict: [{ pair: ['a', 'b'], above: base, below: night }],
    openPairs: 2,
  });
  // Later scores never take a settled statement back.
  const third = settledConclusions(
    [
      ...rows(base, { a: 30, b: 20, c: 10 }),
      ...rows(night, { a: 20, b: 21, c: 10 }),
      ...rows(city, { a: 9, b: 9, c: 9 }),
    ],
    options,
  );
  expect(third).toMatchObject({ visited: 3, winnerChanges: true, notStrict: second.notStrict });
});

test('an incomplete configuration and a tie settle nothing', () => {
  const [base, night] = places as [(typeof places)[0], (typeof places)[0]];
  const incomplete = [...rows(base, { a: 30, b: 20, c: 10 }), ...rows(night, { a: 20, b: 21, c: 10 }).slice(1)];
  expect(settledConclusions(incomplete, options)).toMatchObject({ visited: 1, winnerChanges: false });
  const tied = [...rows(base, { a: 30, b: 20, c: 10 }), ...rows(night, { a: 20, b: 20 + 1e-12, c: 10 })];
  expect(settledConclusions(tied, options)).toMatchObject({ visited: 2, winnerChanges: false, notStrict: [] });
});

test('when all is visited and nothing changed, that is settled too', () => {
  const all = places.flatMap((place) => rows(place, { a: 30, b: 20, c: 10 }));
  expect(settledConclusions(all, options).statements).toEqual([
    '3 of 3 configurations complete',
    'settled: the winner is the same in every configuration',
    'never with both signs: 3 pairs',
  ]);
});
