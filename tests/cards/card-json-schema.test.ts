import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { cardJsonSchema } from '../../src/cards/card-json-schema.ts';
import { prettyJson } from '../../src/core/json.ts';
import { type ResultsFixture, resultsFixture } from './fixture.ts';

let fixture: ResultsFixture;
beforeAll(async () => {
  fixture = await resultsFixture();
});
afterAll(() => fixture.remove());

/** As a reader of the published file gets it. */
const published = () => JSON.parse(JSON.stringify(cardJsonSchema())) as Record<string, unknown>;

test('the published schema is current (vitest -u writes it)', async () => {
  await expect(prettyJson(published())).toMatchFileSnapshot('../../cards/schema/card.schema.json');
});

test('a card satisfies the published schema, and a card with a stray or missing key does not', () => {
  const schema = z.fromJSONSchema(published() as Parameters<typeof z.fromJSONSchema>[0]);
  const card = JSON.parse(JSON.stringify(fixture.card)) as Record<string, unknown>;
  expect(schema.safeParse(card).error).toBeUndefined();
  expect(schema.safeParse({ ...card, stray: 1 }).success).toBe(false);
  const { evidenceHash: _hash, ...without } = card;
  expect(schema.safeParse(without).success).toBe(false);
  expect(schema.safeParse({ ...card, evidenceHash: 'short' }).success).toBe(false);
});
