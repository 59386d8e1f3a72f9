import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Image } from '../../src/core/image.ts';
import { silentLog } from '../../src/core/log.ts';
import { Random } from '../../src/core/random.ts';
import { createDualEncoder } from '../../src/evaluators/dual-encoder.ts';
import type { DualEncoder } from '../../src/evaluators/evaluator.ts';
import { embeddedModelFolder } from '../../src/evaluators/model-source.ts';
import { openSession } from '../../src/evaluators/onnx-session.ts';
import { encoderSpec, largestDifference, MODELS, never } from './fixtures.ts';

const open: DualEncoder[] = [];
afterAll(async () => {
  for (const encoder of open) await encoder.close();
});

async function encoder(model: string, more: Record<string, unknown>): Promise<DualEncoder> {
  const made = await createDualEncoder(encoderSpec(model, { scale: 'cosine', ...more }), {
    folder: MODELS,
    log: silentLog,
  });
  open.push(made);
  return made;
}

const random = new Random(11, 'precision');
const images: Image[] = Array.from({ length: 9 }, (_, at) => ({
  key: `${at}`,
  width: 40 + at,
  height: 47,
  data: Uint8Array.from({ length: 3 * (40 + at) * 47 }, () => random.integer(256)),
}));
const words = ['a', 'red', 'lamp', 'bed', 'beside', 'the', 'table,', 'two', 'chairs', 'plant'];
const captions = Array.from({ length: 40 }, () =>
  Array.from({ length: 1 + random.integer(30) }, () => random.pick(words)).join(' '),
);

/** Every image with every caption, in the order of `images` and `captions` whatever order they were embedded in. */
async function cosines(model: DualEncoder, order: 'given' | 'reversed'): Promise<number[]> {
  const turned = <T>(items: readonly T[]): T[] => (order === 'given' ? [...items] : [...items].reverse());
  const left = turned((await model.embedImages(turned(images), never)) as Float32Array[]);
  const right = turned((await model.embedCaptions(turned(captions), never)) as Float32Array[]);
  return left.flatMap((image) => right.map((caption) => model.combine(image, caption)));
}

describe('fp32 scores do not depend on batch, threads or order beyond 1e-5', () => {
  const pocket = existsSync(join(embeddedModelFolder(), 'config.json')) ? ['pocket'] : [];
  test.each(['clip', 'clip-combined', 'siglip', 'long-clip', ...pocket])('%s', async (model) => {
    const reference = await cosines(await encoder(model, { batch: 1, threads: 1 }), 'given');
    const others = [
      await cosines(await encoder(model, { batch: 7, threads: 1 }), 'given'),
      await cosines(await encoder(model, { batch: 32, threads: 2 }), 'reversed'),
      await cosines(await encoder(model, { batch: 32 }), 'reversed'),
    ];
    expect(Math.max(...others.map((other) => largestDifference(reference, other)))).toBeLessThan(1e-5);
    expect(new Set(reference.map((value) => value.toFixed(4))).size).toBeGreaterThan(100);
  });
});

test('dynamic int8 in a batch does depend on its neighbours, which is why it runs alone', async () => {
  const session = await openSession(
    join(MODELS, 'clip'),
    { graph: 'text_model', dtype: 'q8', device: 'cpu', threads: 1, lanes: 1 },
    'clip',
  );
  const rows = [
    [1, 20, 30, 40],
    [5, 99, 2, 300],
  ];
  const run = async (ids: number[][]): Promise<Float32Array> => {
    const feed = { data: BigInt64Array.from(ids.flat(), BigInt), dims: [ids.length, 4] };
    const [result] = await session.run({ input_ids: feed }, ['text_embeds'], never);
    return (result?.data ?? new Float32Array()).slice(0, 12);
  };
  const alone = await run(rows.slice(0, 1));
  expect(await run(rows.slice(0, 1))).toEqual(alone);
  expect(largestDifference(await run(rows), alone)).toBeGreaterThan(1e-4);
  await session.close();
});
