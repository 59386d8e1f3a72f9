import { expect, test } from 'vitest';
import { analyzeMade, type MadeTable } from '../support/score-rows.ts';

/** One factor of two levels; scene (g, p) scores `base` at c0 and `moved` at the other level. */
const made = (scenes: readonly (readonly [number, number])[]): MadeTable => ({
  generators: 2,
  prompts: scenes.length / 2,
  factors: [{ factor: 'pitch', levels: ['90', '0'] }],
  score: ({ g, p, index }) => scenes[g * (scenes.length / 2) + p]![index]!,
});

async function dispersionOf(scenes: readonly (readonly [number, number])[]) {
  const estimates = await analyzeMade(made(scenes));
  return { ...estimates.evaluators[0]!.factors[0]!.dispersion, notes: estimates.warnings };
}

test('a dispersion that near-zero means inflate says so, with its robust companions', async () => {
  // Ratios 0.2 and 0.4 on sound scenes; 10 - (-9) over 0.5 = 38 where a score is negative; the last mean is negative.
  const { notes, ...dispersion } = await dispersionOf([
    [11, 9],
    [12, 8],
    [10, -9],
    [1, -3],
  ]);
  expect(dispersion).toMatchObject({
    value: (0.2 + 0.4 + 38) / 3,
    n: 3,
    excluded: 1,
    median: 0.4,
    notPositive: 1,
    negative: 1,
    lowMean: 1,
    withoutNearZero: { value: expect.closeTo(0.3, 12), scenes: 2 },
    inflated: true,
    points: { range: (2 + 4 + 19 + 4) / 4, sd: expect.closeTo(Math.sqrt((1 + 4 + 90.25 + 4) / 4), 12) },
  });
  expect('warnings' in dispersion && dispersion.warnings!.at(-1)).toBe(
    'means near zero inflate this average: 1 of 3 scenes score under 0 at some level or have a mean under 10% of the median score; without it the mean is 30.0% (2 scenes); the median scene moves by 40.0%; in score units the mean range is 7.25 and the SD 4.98',
  );
  expect(notes.at(-1)).toBe(
    'ev: means near zero inflate the dispersion of pitch (1287%, median scene 40%); read the median and the spread in score units',
  );
});

test('a scene near zero that hardly moves the average is counted and not warned of', async () => {
  const sound = Array.from({ length: 23 }, () => [11, 9] as const);
  const { notes, ...dispersion } = await dispersionOf([...sound, [0.11, 0.09]]);
  expect(dispersion).toMatchObject({ lowMean: 1, negative: 0, inflated: false, withoutNearZero: { scenes: 23 } });
  expect('warnings' in dispersion ? dispersion.warnings : []).not.toContainEqual(expect.stringContaining('near zero'));
  expect(notes.filter((note) => note.includes('near zero'))).toEqual([]);
});

test('without any sound scene there is no value to fall back on', async () => {
  const { notes: _, ...dispersion } = await dispersionOf([
    [10, -9],
    [5, -4],
    [8, -7],
    [6, -5],
  ]);
  expect(dispersion).toMatchObject({ negative: 4, inflated: true, withoutNearZero: { value: null, scenes: 0 } });
  expect('warnings' in dispersion && dispersion.warnings!.at(-1)).toContain('no scene is free of it');
});

test('strata are recorded with the column they came from', async () => {
  const table = made([
    [11, 9],
    [12, 8],
    [13, 8],
    [14, 9],
  ]);
  const of = new Map([
    ['p000', 'one'],
    ['p001', 'two'],
  ]);
  const estimates = await analyzeMade(table, {}, (options) => ({ ...options, strata: { column: 'source', of } }));
  expect(estimates.strataColumn).toBe('source');
  expect(estimates.evaluators[0]!.strata.map(({ stratum, prompts }) => [stratum, prompts])).toEqual([
    ['one', 1],
    ['two', 1],
  ]);
  expect((await analyzeMade(table)).strataColumn).toBeNull();
});
