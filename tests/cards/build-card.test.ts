import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildCard } from '../../src/cards/build-card.ts';
import { cardSchema } from '../../src/core/card.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import { type ResultsFixture, resultsFixture } from './fixture.ts';

let fixture: ResultsFixture;
beforeAll(async () => {
  fixture = await resultsFixture();
});
afterAll(() => fixture.remove());

const clone = (manifest: Manifest) => JSON.parse(JSON.stringify(manifest)) as Manifest;

test('the card holds every evaluator in order, and reads back from its file', () => {
  expect(fixture.card.evaluators.map((entry) => entry.evaluator)).toEqual(['pocket', 'steady', 'sharpness']);
  expect(cardSchema.parse(JSON.parse(readFileSync(join(fixture.folder, 'card.json'), 'utf8')))).toEqual(fixture.card);
});

test('a section that was not measured says why', () => {
  const sections = Object.fromEntries(
    Object.entries(fixture.card.evaluators[2]!.evidence).map(([name, section = { status: 'absent', reason: '' }]) => [
      name,
      section.status === 'measured' ? 'measured' : `${section.status}: ${section.reason}`,
    ]),
  );
  expect(sections).toEqual({
    ledger: 'measured',
    missing: 'measured',
    scores: 'measured',
    stability: 'measured',
    envelopes: 'measured',
    separability: 'measured',
    reversals: 'measured',
    inflation: 'measured',
    probes: 'measured',
    slotEffects: 'not-run: no caption grammar with slots was swept for this evaluator',
    brightness: 'measured',
    tokenCoverage: 'not-run: this evaluator reads no caption',
    noiseFloor: 'measured',
    repeatability: 'not-run: every cell was scored once',
    zeroSensitivity: 'not-run: no stored zero had to be read as a possible failure',
  });
});

test('another machine changes neither IDs nor evidence hash', () => {
  const manifest = clone(fixture.manifest);
  const elsewhere: Manifest = {
    ...manifest,
    packages: { three: '0.1.0' },
    source: { revision: 'f00', dirty: true },
    protocol: {
      ...manifest.protocol,
      renderer: { ...manifest.protocol.renderer!, environment: { gl: 'another driver' } },
    },
    evaluators: manifest.evaluators.map((entry) => ({ ...entry, environment: { provider: 'cuda' } })),
    // The same inputs, lying elsewhere.
    inputs: [...manifest.inputs].reverse().map((record) => ({ ...record, path: `../elsewhere/${record.path}` })),
  };
  const there = buildCard(elsewhere, fixture.estimates);
  expect(there.evidenceHash).toBe(fixture.card.evidenceHash);
  expect(there.evaluators).toEqual(fixture.card.evaluators);
  expect(there.environment).not.toEqual(fixture.card.environment);
});

test('another byte in a raw file or a scene changes the evidence hash and no ID', () => {
  const ids = fixture.card.evaluators.map((entry) => entry.cardId);
  for (const list of ['files', 'inputs'] as const) {
    const manifest = clone(fixture.manifest);
    (manifest[list][0] as { sha256: string }).sha256 = '0'.repeat(64);
    const card = buildCard(manifest, fixture.estimates);
    expect(card.evidenceHash).not.toBe(fixture.card.evidenceHash);
    expect(card.evaluators.map((entry) => entry.cardId)).toEqual(ids);
  }
});

test('missing outcomes withhold the estimates, and the card says how many', async () => {
  const failing = await resultsFixture({ failing: 0.3 });
  try {
    const { evidence } = failing.card.evaluators[0]!;
    expect(evidence.ledger.status).toBe('measured');
    expect(evidence.stability).toEqual({
      status: 'withheld',
      reason: expect.stringMatching(/^\d+ of \d+ cells.* \(\d+\.\d%\) are missing; at most 5% may be$/),
    });
    expect(evidence.scores.status).toBe('withheld');
  } finally {
    failing.remove();
  }
});

test('a gate withholds what rests on the missing outcomes, and nothing else', async () => {
  const failing = await resultsFixture({ failing: 0.5, failingIn: 'lighting' });
  try {
    const { evidence } = failing.card.evaluators[0]!;
    const statuses = [evidence.scores, evidence.stability, evidence.separability, evidence.envelopes].map(
      ({ status }) => status,
    );
    expect(statuses).toEqual(['measured', 'measured', 'measured', 'measured']);
    const factors = evidence.stability.status === 'measured' ? evidence.stability.value.factors : [];
    const valued = Object.fromEntries(factors.map(({ factor, dispersion }) => [factor, dispersion.value !== null]));
    expect(valued).toMatchObject({ lighting: false, pitch: true, template: true });
  } finally {
    failing.remove();
  }
});

test('nothing scored: every number is withheld with the reason', async () => {
  const failing = await resultsFixture({ failing: 1, probes: false });
  try {
    const { evidence } = failing.card.evaluators[0]!;
    expect(evidence.stability).toEqual({
      status: 'withheld',
      reason: expect.stringMatching(/^none of \d+ planned outcomes was scored$/),
    });
  } finally {
    failing.remove();
  }
});

test('one generator: nothing about pairs is claimed', async () => {
  const single = await resultsFixture({ generators: ['alone'] });
  try {
    const { evidence } = single.card.evaluators[0]!;
    const none = { status: 'not-run', reason: 'one generator: there is no pair to compare' };
    expect([evidence.envelopes, evidence.separability, evidence.reversals]).toEqual([none, none, none]);
  } finally {
    single.remove();
  }
});
