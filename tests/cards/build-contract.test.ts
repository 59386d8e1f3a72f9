import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildContract, cardIdOf } from '../../src/cards/build-contract.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import { type ResultsFixture, resultsFixture } from './fixture.ts';

let fixture: ResultsFixture;
beforeAll(async () => {
  fixture = await resultsFixture();
});
afterAll(() => fixture.remove());

/** The manifest as plain data that a test may change; JSON values are left opaque. */
type Writable<T> = T;

/** Card ID of an evaluator after a change to the manifest. */
function idAfter(change: (manifest: Writable<Manifest>) => void, evaluator = 'pocket'): string {
  const manifest = structuredClone(fixture.manifest) as Writable<Manifest>;
  change(manifest);
  return cardIdOf(buildContract(manifest as Manifest, evaluator)).cardId;
}

test('a card ID is ecc- and 12 hex digits of the digest', () => {
  const { cardId, digest } = cardIdOf(buildContract(fixture.manifest, 'pocket'));
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  expect(cardId).toBe(`ecc-${digest.slice(0, 12)}`);
});

test('what belongs to the data or the machine does not change the ID', () => {
  const same = idAfter(() => {});
  const changes: Record<string, (manifest: Writable<Manifest>) => void> = {
    'audit name': (manifest) => (manifest.audit.name = 'another'),
    seed: (manifest) => (manifest.seed = 99),
    'statistics settings': (manifest) => (manifest.statistics.band = 'published'),
    'renderer environment': (manifest) => (manifest.protocol.renderer!.environment = { gl: 'another GPU' }),
    'evaluator environment': (manifest) => (manifest.evaluators[0]!.environment = { provider: 'cuda' }),
    packages: (manifest) => (manifest.packages = { three: '9.9.9' }),
    source: (manifest) => (manifest.source = null),
    prompts: (manifest) => (manifest.prompts = manifest.prompts.slice(1)),
    generators: (manifest) => (manifest.generators = ['someone-else']),
    probes: (manifest) => (manifest.protocol.probes = []),
    'order of levels': (manifest) => manifest.protocol.factors.map((factor) => factor.levels.reverse()),
    'order of factors': (manifest) => manifest.protocol.factors.reverse(),
    'grammar file name': (manifest) => (manifest.protocol.grammar!.name = 'renamed'),
    'prompt-specific levels': (manifest) =>
      (manifest.protocol.factors.find((factor) => !factor.shared)!.levels = ['original', 'other']),
    'a factor of another evaluator': (manifest) =>
      manifest.protocol.factors.push({
        factor: 'strictness',
        kind: 'evaluator',
        levels: ['0.1', '0.2'],
        default: '0.1',
        at: null,
        shared: true,
        evaluators: ['steady'],
      }),
  };
  expect(Object.fromEntries(Object.entries(changes).map(([name, change]) => [name, idAfter(change)]))).toEqual(
    Object.fromEntries(Object.keys(changes).map((name) => [name, same])),
  );
});

test('the local name of an evaluator does not change the ID', () => {
  const renamed = structuredClone(fixture.manifest) as Writable<Manifest>;
  renamed.evaluators[0]!.id = 'my-pocket';
  expect(cardIdOf(buildContract(renamed as Manifest, 'my-pocket'))).toEqual(
    cardIdOf(buildContract(fixture.manifest, 'pocket')),
  );
});

test('every part of the protocol changes the ID', () => {
  const changes: Record<string, (manifest: Writable<Manifest>) => void> = {
    weights: (manifest) => (manifest.evaluators[0]!.fingerprint = { weights: 'other' }),
    scale: (manifest) => (manifest.evaluators[0]!.scale.name = 'cosine'),
    kind: (manifest) => (manifest.evaluators[0]!.kind = 'judge'),
    role: (manifest) => (manifest.evaluators[0]!.role = 'quality'),
    renderer: (manifest) => (manifest.protocol.renderer!.fingerprint = { renderer: 'blender' }),
    camera: (manifest) => (manifest.protocol.c0['pitch'] = '45'),
    lighting: (manifest) => (manifest.protocol.c0['lighting'] = 'night'),
    background: (manifest) => (manifest.protocol.c0['background'] = 'grey-0'),
    'default template': (manifest) => (manifest.protocol.c0['template'] = 'raw'),
    grammar: (manifest) => (manifest.protocol.grammar!.sha256 = '0'.repeat(64)),
    design: (manifest) => (manifest.protocol.design = 'factorial'),
    'a level more': (manifest) => manifest.protocol.factors[0]!.levels.push('1024'),
    'a factor less': (manifest) => manifest.protocol.factors.shift(),
    'the base of a factor': (manifest) =>
      (manifest.protocol.factors.find((factor) => factor.at !== null)!.at = { pitch: '30' }),
  };
  const ids = Object.entries(changes).map(([name, change]) => [name, idAfter(change)] as const);
  expect(new Set([idAfter(() => {}), ...ids.map(([, id]) => id)]).size).toBe(ids.length + 1);
});

test('an evaluator that reads no image has no view, and keeps its ID when only the camera changes', () => {
  const blind = (manifest: Writable<Manifest>) => {
    manifest.evaluators[0]!.reads = { image: false, caption: true, scene: true };
  };
  const contract = buildContract(
    (() => {
      const manifest = structuredClone(fixture.manifest) as Writable<Manifest>;
      blind(manifest);
      return manifest as Manifest;
    })(),
    'pocket',
  );
  expect([contract.renderer, contract.view, contract.aggregation]).toEqual([null, null, 'none']);
  expect(contract.configurations.factors.map((factor) => factor.factor)).toEqual(['paraphrase', 'template']);
  expect(
    idAfter((manifest) => {
      blind(manifest);
      manifest.protocol.c0['pitch'] = '45';
      manifest.protocol.renderer!.fingerprint = { renderer: 'blender' };
    }),
  ).toBe(idAfter(blind));
});

test('an unknown evaluator is named', () => {
  expect(() => buildContract(fixture.manifest, 'nobody')).toThrow(
    'manifest: unknown evaluator "nobody"; expected one of pocket, steady, sharpness',
  );
});
