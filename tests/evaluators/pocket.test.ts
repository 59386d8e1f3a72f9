import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Image } from '../../src/core/image.ts';
import { silentLog } from '../../src/core/log.ts';
import { createDualEncoder } from '../../src/evaluators/dual-encoder.ts';
import type { DualEncoder } from '../../src/evaluators/evaluator.ts';
import { findModelFiles } from '../../src/evaluators/model-files.ts';
import { unitLength } from '../../src/evaluators/similarity.ts';
import { loadTokenizer } from '../../src/evaluators/tokenize.ts';
import { encoderSpec, largestDifference, never } from './fixtures.ts';

const folder = join(import.meta.dirname, '..', '..', 'models', 'pocket');

interface Reference {
  captions: { text: string; ids: number[]; embedding: number[] }[];
  images: { file: string; size: number; embeddings: number[][] };
}

// The shipped model against what torch gave when it was exported (models/pocket/training/export.py).
describe.skipIf(!existsSync(join(folder, 'reference.json')))('pocket against torch', () => {
  let reference: Reference;
  let encoder: DualEncoder;
  beforeAll(async () => {
    reference = JSON.parse(readFileSync(join(folder, 'reference.json'), 'utf8')) as Reference;
    encoder = await createDualEncoder(encoderSpec('pocket', { model: folder }), { folder, log: silentLog });
  });
  afterAll(() => encoder.close());

  const unit = (values: number[]): Float32Array => unitLength(Float32Array.from(values)) as Float32Array;

  test('token ids are the same', async () => {
    const tokenizer = await loadTokenizer(await findModelFiles(folder, 'fp32', 'pocket'), 'pocket');
    expect(reference.captions.map(({ text }) => tokenizer.tokenize(text).ids)).toEqual(
      reference.captions.map(({ ids }) => ids),
    );
  });

  test('captions agree to 1e-4', async () => {
    const found = (await encoder.embedCaptions(
      reference.captions.map(({ text }) => text),
      never,
    )) as Float32Array[];
    const differences = found.map((vector, at) =>
      largestDifference(vector, unit(reference.captions[at]?.embedding ?? [])),
    );
    expect(Math.max(...differences)).toBeLessThan(1e-4);
  });

  test('pictures agree to 1e-4', async () => {
    const { file, size, embeddings } = reference.images;
    const { data, info } = await sharp(join(folder, file)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([size, size * embeddings.length, 3]);
    const bytes = size * size * 3;
    const images: Image[] = embeddings.map((_, at) => ({
      key: `${at}`,
      width: size,
      height: size,
      data: new Uint8Array(data.subarray(at * bytes, (at + 1) * bytes)),
    }));
    const found = (await encoder.embedImages(images, never)) as Float32Array[];
    expect(Math.max(...found.map((vector, at) => largestDifference(vector, unit(embeddings[at] ?? []))))).toBeLessThan(
      1e-4,
    );
  });
});
