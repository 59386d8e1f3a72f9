import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../src/core/hash.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import type { JointEvaluator } from '../../src/evaluators/evaluator.ts';
import { askStage } from '../../src/sweep/ask-stage.ts';
import type { Ask } from '../../src/sweep/cells.ts';
import { ImageFolder } from '../../src/sweep/image-folder.ts';
import { PictureLoader } from '../../src/sweep/picture-loader.ts';
import { Store } from '../../src/sweep/store.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-ask-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ANSWERS: Record<string, Outcome> = {
  good: { status: 'scored', value: 3 },
  odd: { status: 'skipped', reason: 'says nothing about such rooms' },
  bad: { status: 'failed', reason: 'out of memory' },
};
const asks = Object.keys(ANSWERS).map(
  (text): Ask => ({
    trial: sha256(text),
    image: null,
    images: [],
    scene: null,
    caption: { key: sha256(text), text },
    parameters: {},
    repeat: 0,
  }),
);

/** An evaluator that answers by the caption, and counts how often each was asked. */
function evaluator(more: Partial<JointEvaluator>): JointEvaluator & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    id: 'mine',
    kind: 'joint',
    fingerprint: {},
    environment: {},
    role: 'alignment',
    scale: { name: 'x', min: null, max: null },
    reads: { image: false, caption: true, scene: false },
    batch: 2,
    async *score(requests) {
      for (const { key, caption = '' } of requests) {
        asked.push(caption);
        yield [key, ANSWERS[caption] as Outcome];
      }
    },
    async close() {},
    ...more,
  };
}

async function askTwice(name: string, more: Partial<JointEvaluator>): Promise<{ asked: string[]; stored: string[] }> {
  const store = await Store.open(join(folder, `${name}.duckdb`));
  const own = evaluator(more);
  try {
    const pictures = await PictureLoader.over(store, new ImageFolder(join(folder, 'images')), []);
    for (let run = 0; run < 2; run += 1)
      await askStage({
        store,
        evaluator: async () => own,
        instrument: sha256('instrument'),
        id: own.id,
        asks,
        pictures,
        signal: new AbortController().signal,
        onProgress: () => {},
      });
    const stored = await store.outcomes(asks.map(({ trial }) => trial));
    return { asked: own.asked.sort(), stored: [...stored.values()].map(({ status }) => status).sort() };
  } finally {
    await store.close();
  }
}

test.each([
  ['quick', {}],
  ['costly', { costly: true }],
])("a %s program's own skipped answer is kept like any other, and not asked again", async (name, more) => {
  expect(await askTwice(name, more)).toEqual({
    asked: ['bad', 'good', 'odd'],
    stored: ['failed', 'scored', 'skipped'],
  });
});

test('what the evaluator calls unasked is not stored, and asked by the next run', async () => {
  const unasked = (outcome: Outcome) => outcome.status === 'skipped';
  expect(await askTwice('budget', { costly: true, unasked })).toEqual({
    asked: ['bad', 'good', 'odd', 'odd'],
    stored: ['failed', 'scored'],
  });
});
