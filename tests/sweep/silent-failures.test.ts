import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkGates } from '../../src/commands/gate.ts';
import type { Estimates } from '../../src/core/estimates.ts';
import { sha256 } from '../../src/core/hash.ts';
import { buildPlan, type PlannedCell, templateOf } from '../../src/protocol/plan.ts';
import { drawResamples } from '../../src/statistics/prompt-bootstrap.ts';
import { repeatability } from '../../src/statistics/repeatability.ts';
import { type AskingEvaluator, resolveCells, type SceneReference } from '../../src/sweep/cells.ts';
import { loadAudit } from '../../src/sweep/load-audit.ts';
import { Store } from '../../src/sweep/store.ts';

/** Places where something that was not measured could have passed for a number, or for success. */
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-silent-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const AUDIT = `schema: parallax/audit@1
name: tiny
seed: 0
evaluators:
  - {id: one, kind: dual-encoder, model: pocket}
`;
async function load(more: string) {
  const file = join(folder, 'audit.yaml');
  writeFileSync(file, AUDIT + more);
  return await loadAudit(file, { withoutScenes: true });
}

test('repeats of which no cell has all are unknown noise, not zero noise', () => {
  const cells = [0, 1, 2].map((prompt) => ({
    factor: '',
    level: '',
    generator: 0,
    prompt,
    scores: new Map([[prompt % 2, 5]]),
  }));
  const resamples = drawResamples(1, ['a', 'b', 'c'], 100, null);
  const found = repeatability(cells, 1, 3, 0, resamples, { level: 0.95, method: 'percentile' });
  expect([found?.units, found?.repeatVariance, found?.meanSd, found?.meanRange, found?.varianceShare]).toEqual([
    0,
    null,
    null,
    null,
    null,
  ]);
});

test('an undefined metric cannot clear a gate', () => {
  const estimates = {
    evaluators: [{ evaluator: 'e', role: 'alignment', peakRho: { value: null } }],
  } as unknown as Estimates;
  expect(() => checkGates(estimates, ['peakRho>1'])).toThrow('e has no peakRho (undefined or withheld)');
});

test('merging lets a score replace a failure, and never a failure a score', async () => {
  const [a, b] = [join(folder, 'a.duckdb'), join(folder, 'b.duckdb')];
  const failure = { status: 'failed', reason: 'time-out' } as const;
  const score = { status: 'scored', value: 2 } as const;
  for (const [path, first, second] of [
    [a, failure, score],
    [b, score, failure],
  ] as const) {
    const store = await Store.open(path);
    await store.putOutcomes([
      { trial: sha256('1'), outcome: first },
      { trial: sha256('2'), outcome: second },
    ]);
    const vector = path === a ? null : Float32Array.from([1]);
    await store.putEmbeddings(sha256('i'), 'image', [
      { key: sha256('x'), status: vector === null ? 'failed' : 'scored', reason: vector === null ? 'bad' : '', vector },
    ]);
    await store.close();
  }
  const store = await Store.open(a);
  await store.merge(b);
  expect(await store.outcomes([sha256('1'), sha256('2')])).toEqual(
    new Map([
      [sha256('1'), score],
      [sha256('2'), score],
    ]),
  );
  expect((await store.embeddings(sha256('i'), 'image', [sha256('x')])).get(sha256('x'))?.status).toBe('scored');
  await store.close();
});

describe('without a grammar', () => {
  test('only the default template exists; another is refused, not worded as the default', async () => {
    await expect(load('default: {template: a-photo-of}\n')).rejects.toThrow(
      'unknown template "a-photo-of" without a grammar',
    );
    const { plan } = await load('');
    expect(templateOf(plan, 'a-top-down-view-of').text).toBe('a top-down view of {prompt}');
  });

  test('the wrong-prompt control really takes the other caption', async () => {
    const { plan } = await load('');
    const prompt = (id: string) => ({ id, text: `the ${id}`, source: '', paraphrases: new Map<string, string>() });
    const own = buildPlan({ ...plan, prompts: [prompt('bath'), prompt('attic')], generators: ['g'] });
    const scene: SceneReference = { hash: 'f'.repeat(64), load: () => Promise.reject(new Error('not read here')) };
    const evaluator: AskingEvaluator = {
      id: 'one',
      instrument: 'i',
      reads: { image: false, caption: true, scene: false },
      repeats: 1,
      ensemble: null,
    };
    const sceneOf = (_g: string, _p: string, _probe: PlannedCell['probe']) => ({ scene, captionOf: prompt('attic') });
    const cells = resolveCells(own, evaluator, 'g', prompt('bath'), { hash: 'r', includesBackground: false }, sceneOf);
    expect(cells[0]?.asks[0]?.caption?.text).toBe('a top-down view of the attic');
  });
});

test.each([
  ['views', '["45/0", "45"]', 'invalid pose "45"; expected pitch/yaw such as 45/90'],
  ['views', '["45/0", "95/0"]', 'invalid pose "95/0"'],
  ['templates', '["raw", "a-phto-of"]', 'unknown template "raw"'],
])('an ensemble over %s of %s is refused before anything is spent', async (over, members, message) => {
  await expect(load(`  - {id: two, kind: ensemble, of: one, over: ${over}, members: ${members}}\n`)).rejects.toThrow(
    message,
  );
});
