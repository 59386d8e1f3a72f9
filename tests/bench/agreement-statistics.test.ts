import { expect, test } from 'vitest';
import { agreement, type ScoredScene } from '../../bench/agreement-statistics.ts';

const GENERATORS = ['a', 'b', 'c', 'd'];

/** Scores of 6 prompts x 4 generators: a prompt's level and a generator's merit under Chromium, what `cycles` makes of them. */
function scenes(cycles: (prompt: number, generator: number) => number): ScoredScene[] {
  return Array.from({ length: 6 }, (_, prompt) =>
    GENERATORS.map((generator, rank) => ({
      prompt: `p${prompt}`,
      generator,
      chromium: 10 * prompt + rank,
      cycles: cycles(prompt, rank),
    })),
  ).flat();
}

const values = (found: ReturnType<typeof agreement>) =>
  Object.fromEntries(found.map(({ label, value }) => [label, value]));

test('a shift of brightness or scale changes no order: every measure is 1, with no width', () => {
  const found = agreement(scenes((prompt, rank) => 3 + 2 * (10 * prompt + rank)));
  for (const { value, lower, upper } of found)
    for (const measured of [value, lower, upper]) expect(measured).toBeCloseTo(1, 9);
});

test('agreement between prompts alone does not pass for agreement about scenes', () => {
  const found = values(agreement(scenes((prompt, rank) => 10 * prompt - rank)));
  expect(found["scenes: Spearman's rho"]).toBeGreaterThan(0.9);
  expect(found["scenes less prompt mean: Spearman's rho"]).toBeCloseTo(-1, 9);
  expect(found["generators: Kendall's tau-b"]).toBe(-1);
  expect(found['pairs of generators in one order, by prompt']).toBe(0);
});

test('two of six prompts turned round: two thirds of the pairs agree, and the interval is wide', () => {
  const found = agreement(scenes((prompt, rank) => 10 * prompt + (prompt < 2 ? -rank : rank)));
  const pairs = found.at(-1)!;
  expect(pairs.value).toBeCloseTo(2 / 3, 9);
  expect(pairs.lower).toBeLessThan(0.5);
  expect(pairs.upper).toBe(1);
  expect(agreement(scenes((prompt, rank) => 10 * prompt + (prompt < 2 ? -rank : rank)))).toEqual(found);
});

test('scores that do not differ are an error, not an agreement', () => {
  expect(() => agreement(scenes(() => 1))).toThrow('undefined; expected scores that differ');
});
