import { describe, expect, test } from 'vitest';
import { type QualitySpec, qualitySpecSchema } from '../../src/core/evaluator-spec.ts';
import type { Image } from '../../src/core/image.ts';
import { silentLog } from '../../src/core/log.ts';
import { createDualEncoder } from '../../src/evaluators/dual-encoder.ts';
import { antonymShare, createQuality } from '../../src/evaluators/quality.ts';
import { cosine } from '../../src/evaluators/similarity.ts';
import { evaluatorContract, scoreAll } from './contract.ts';
import { EXPECTED, encoderSpec, MODELS, never, readPicture } from './fixtures.ts';

const spec = (more: Record<string, unknown> = {}): QualitySpec =>
  qualitySpecSchema.parse({ id: 'iqa', kind: 'quality', model: 'clip', ...more });
const context = { folder: MODELS, log: silentLog };
const pictures = (): Promise<Image[]> => Promise.all(EXPECTED.pictures.map(({ file }) => readPicture(file)));

evaluatorContract({
  name: 'quality (CLIP-IQA form)',
  open: () => createQuality(spec(), context),
  images: pictures,
  captions: ['not read'],
  folder: MODELS,
  tolerance: 1e-3,
  others: [
    {
      what: 'other antonyms',
      same: false,
      open: () => createQuality(spec({ pairs: [['Sharp photo.', 'Blurry photo.']] }), context),
    },
    { what: 'another model', same: false, open: () => createQuality(spec({ model: 'long-clip' }), context) },
    { what: 'another name', same: true, open: () => createQuality(spec({ id: 'control' }), context) },
  ],
});

describe('CLIP-IQA form', () => {
  test('the share is a two-way softmax of scaled cosines', () => {
    expect(antonymShare(0.3, 0.3, 100)).toBe(50);
    const [good, bad] = [0.26, 0.25];
    expect(antonymShare(good, bad, 100)).toBeCloseTo((100 * Math.exp(26)) / (Math.exp(26) + Math.exp(25)), 10);
    expect(antonymShare(bad, good, 100)).toBeCloseTo(100 - antonymShare(good, bad, 100), 10);
  });

  test('is a quality control that reads pictures only, the mean over its pairs', async () => {
    const pairs: [string, string][] = [
      ['Good photo.', 'Bad photo.'],
      ['Bright photo.', 'Dark photo.'],
    ];
    const quality = await createQuality(spec({ pairs }), context);
    expect(quality).toMatchObject({
      role: 'quality',
      reads: { image: true, caption: false, scene: false },
      scale: { name: 'softmax-share-100', min: 0, max: 100 },
    });
    const images = await pictures();
    const outcomes = [...(await scoreAll(quality, images, ['x'])).values()];
    await quality.close();
    const encoder = await createDualEncoder(encoderSpec('clip'), context);
    const vectors = (await encoder.embedImages(images, never)) as Float32Array[];
    const words = (await encoder.embedCaptions(pairs.flat(), never)) as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    await encoder.close();
    for (const [at, vector] of vectors.entries()) {
      const [a, b, c, d] = words.map((word) => cosine(vector, word)) as [number, number, number, number];
      const outcome = outcomes[at];
      expect(outcome?.status === 'scored' ? outcome.value : null).toBeCloseTo(
        (antonymShare(a, b, 100) + antonymShare(c, d, 100)) / 2,
        3,
      );
    }
  });
});
