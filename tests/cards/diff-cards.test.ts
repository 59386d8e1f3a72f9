import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCard } from '../../src/cards/build-card.ts';
import { diffCards, diffText } from '../../src/cards/diff-cards.ts';
import type { Card } from '../../src/core/card.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import { type ResultsFixture, resultsFixture } from './fixture.ts';

let fixture: ResultsFixture;
beforeAll(async () => {
  fixture = await resultsFixture();
});
afterAll(() => fixture.remove());

function changed(change: (manifest: Manifest) => void): Card {
  const manifest = structuredClone(fixture.manifest);
  change(manifest);
  return buildCard(manifest, fixture.estimates);
}
const verdicts = (card: Card) => diffCards(fixture.card, card).evaluators.map((entry) => entry.comparability);

test('a card and itself: same contracts, same evidence, nothing to say', () => {
  const diff = diffCards(fixture.card, fixture.card);
  expect(
    diff.evaluators.map(({ comparability, differences, caveats }) => ({ comparability, differences, caveats })),
  ).toEqual(Array.from({ length: 3 }, () => ({ comparability: 'same contract', differences: [], caveats: [] })));
  expect([diff.onlyA, diff.onlyB, diff.sameEvidence]).toEqual([[], [], true]);
});

test('another camera: not comparable, and how much that factor moves the score', () => {
  const diff = diffCards(
    fixture.card,
    changed((manifest) => {
      manifest.protocol.c0['pitch'] = '45';
    }),
  );
  const first = diff.evaluators[0]!;
  expect(first.comparability).toBe('not comparable');
  expect(first.differences).toEqual([{ path: 'view.pitch', a: '90', b: '45', decisive: true }]);
  expect(first.caveats).toEqual([
    expect.stringMatching(/^pitch alone spreads a scene’s score by \d+\.\d% \[.*\] under ecc-/),
  ]);
});

test('another declared set: comparable with caveats, a factor more or less is one difference', () => {
  const more = changed((manifest) => manifest.protocol.factors[0]!.levels.push('1024'));
  expect(verdicts(more)).toEqual(Array.from({ length: 3 }, () => 'comparable with caveats'));
  const less = diffCards(
    fixture.card,
    changed((manifest) => manifest.protocol.factors.splice(1, 1)),
  );
  expect(less.evaluators[0]!.differences).toEqual([
    { path: 'configurations.factors.focal', a: expect.objectContaining({ factor: 'focal' }), b: null, decisive: false },
  ]);
});

test('a renamed default template with the same words is a caveat, other words are decisive', () => {
  const renamed = changed((manifest) => {
    const template = manifest.protocol.grammar!.templates.find(({ id }) => id === 'a-top-down-view-of')!;
    template.id = 'view-from-above';
    manifest.protocol.c0['template'] = 'view-from-above';
    manifest.protocol.grammar!.sha256 = '1'.repeat(64);
  });
  expect(verdicts(renamed)).toEqual(['comparable with caveats', 'comparable with caveats', 'same contract']);
  const reworded = changed((manifest) => {
    manifest.protocol.grammar!.templates.find(({ id }) => id === 'a-top-down-view-of')!.text = 'see {prompt}';
  });
  expect(verdicts(reworded)).toEqual(['not comparable', 'not comparable', 'same contract']);
});

test('other weights, another scale: not comparable', () => {
  const card = changed((manifest) => {
    manifest.evaluators[0]!.fingerprint = { weights: 'other' };
    manifest.evaluators[1]!.scale.max = 1;
  });
  expect(verdicts(card)).toEqual(['not comparable', 'not comparable', 'same contract']);
});

test('the same contract on other prompts, a draft: said', () => {
  const card = changed((manifest) => {
    manifest.draft = true;
    manifest.prompts = manifest.prompts.slice(1);
  });
  const diff = diffCards(fixture.card, card);
  expect(diff.evaluators[0]).toMatchObject({
    comparability: 'same contract',
    caveats: [
      'the second card is a draft: no number there is final',
      'scores are means over different prompts (4 and 3)',
    ],
  });
  expect(diff.sameEvidence).toBe(false);
});

test('evaluators pair by contract before name, and what is left over is named', () => {
  const card = structuredClone(fixture.card);
  card.evaluators.reverse();
  card.evaluators[2]!.evaluator = 'renamed-pocket';
  card.evaluators.splice(1, 1);
  const diff = diffCards(fixture.card, card);
  expect(diff.evaluators.map(({ a, b }) => [a.evaluator, b.evaluator])).toEqual([
    ['pocket', 'renamed-pocket'],
    ['sharpness', 'sharpness'],
  ]);
  expect([diff.onlyA, diff.onlyB]).toEqual([['steady'], []]);
  expect(diffText(diff)).toEqual([
    expect.stringMatching(/^pocket and renamed-pocket: same contract \(ecc-[0-9a-f]{12}\): scores compare$/),
    expect.stringMatching(/^sharpness: same contract/),
    'only in the first: steady',
    'evidence: the same',
  ]);
});
