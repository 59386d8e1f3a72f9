import { afterAll, beforeAll, expect, test } from 'vitest';
import { methodsText } from '../../src/cards/methods-text.ts';
import type { Card } from '../../src/core/card.ts';
import { type ResultsFixture, resultsFixture } from './fixture.ts';

let fixture: ResultsFixture;
beforeAll(async () => {
  fixture = await resultsFixture();
});
afterAll(() => fixture.remove());

test('every card ID, the data, the view, the factors and the statistics are in it', () => {
  const card: Card = structuredClone(fixture.card);
  card.statistics.criticalValue = 4.5;
  const text = methodsText(card);
  for (const { cardId } of fixture.card.evaluators) expect(text).toContain(cardId);
  expect(text).toContain(
    'We audited 3 evaluators on 16 frozen scenes of 4 generators (functional, grid, scatter, sparse) for 4 prompts (4 from made-up).',
  );
  expect(text).toContain('a pitch of 90 degrees (top-down)');
  expect(text).toContain('yaw (8 levels at pitch 45)');
  expect(text).toContain('paraphrase (the levels of each prompt)');
  expect(text).toContain('95% percentile bootstrap intervals (100 resamples of whole prompts, seed 7)');
  expect(text).toContain(
    'over 432 contrasts with a studentised simultaneous bootstrap band (critical value 4.50); none is called confirmed',
  );
  expect(text).toContain('6 of 16 captions were longer');
  expect(text).not.toMatch(/undefined|null|NaN|\[object/);
});

test('nothing is claimed that was not measured', () => {
  const card: Card = structuredClone(fixture.card);
  card.draft = true;
  card.statistics.criticalValue = null;
  for (const entry of card.evaluators) {
    entry.contract.view = null;
    entry.contract.caption = null;
    entry.contract.configurations.factors = [];
    entry.evidence.tokenCoverage = { status: 'not-run', reason: 'no text tower' };
  }
  const text = methodsText(card);
  expect(text).toMatch(/^DRAFT/);
  expect(text).not.toMatch(/rendered by default|default caption|moved|band|tokens/);
});
