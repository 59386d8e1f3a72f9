import { expect, test } from 'vitest';
import { KIT_CATEGORIES } from '../../../src/scenes/kit/categories.ts';
import { buildCandidate, CATALOGUE_LOOKS, retrievalCatalogue } from '../../../src/scenes/kit/retrieval-catalogue.ts';
import { bounds } from './mesh-checks.ts';

test('a ranking of everything, own looks first, never the category itself last', () => {
  for (const category of KIT_CATEGORIES) {
    const ranking = retrievalCatalogue(category);
    expect(new Set(ranking.map(({ id }) => id)).size).toBe(KIT_CATEGORIES.length * CATALOGUE_LOOKS);
    expect(ranking.slice(0, CATALOGUE_LOOKS).map((candidate) => candidate.category)).toEqual(
      Array(CATALOGUE_LOOKS).fill(category),
    );
    const matches = ranking.map(({ match }) => match);
    expect(matches).toEqual([...matches].sort((a, b) => b - a));
    expect(ranking.at(-1)?.category).not.toBe(category);
    expect(retrievalCatalogue(category)).toEqual(ranking);
  }
});

test('what follows a chair is a seat, what ends the list is none', () => {
  const ranking = retrievalCatalogue('chair');
  expect(['stool', 'office-chair', 'bench']).toContain(ranking[CATALOGUE_LOOKS]?.category);
  const last = ranking.at(-1);
  expect(['chair', 'stool', 'office-chair', 'bench', 'armchair']).not.toContain(last?.category);
  const { low, high } = bounds(buildCandidate(last as NonNullable<typeof last>, [0.5, 0.9, 0.5]));
  expect([...low, ...high].map((side) => Math.round(side * 1e5) / 1e5 + 0)).toEqual([-0.25, 0, -0.25, 0.25, 0.9, 0.25]);
});
