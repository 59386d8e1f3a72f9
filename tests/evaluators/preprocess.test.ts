import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isFailure } from '../../src/core/outcome.ts';
import { opaqueRgb, readImageFile } from '../../src/core/read-image.ts';
import { outputSize, parsePreprocessing, preprocess } from '../../src/evaluators/preprocess.ts';

interface Reference {
  configs: Record<string, Record<string, unknown>>;
  cases: {
    file: string;
    background: [number, number, number] | null;
    failure?: string;
    tensors?: Record<string, { sha256: string; samples: number[] }>;
  }[];
}

const folder = join(import.meta.dirname, '..', 'fixtures', 'images');
const reference = JSON.parse(readFileSync(join(folder, 'reference.json'), 'utf8')) as Reference;
const clip = reference.configs['clip-224'] as Record<string, unknown>;

describe('tensors against Pillow and numpy (make_images.py)', () => {
  const cases = reference.cases.filter((item) => item.tensors !== undefined);

  test('at least twenty pictures of odd sizes are compared', () => {
    expect(cases.length).toBeGreaterThanOrEqual(20);
  });

  test.each(cases.map((item) => [item.file, item] as const))('%s', async (file, item) => {
    const decoded = await readImageFile(join(folder, file));
    if (isFailure(decoded)) throw new Error(decoded.reason);
    const rgb = opaqueRgb(decoded, item.background);
    if (isFailure(rgb)) throw new Error(rgb.reason);
    for (const [name, config] of Object.entries(reference.configs)) {
      const { data } = preprocess(rgb, parsePreprocessing(config, name, name.startsWith('siglip')));
      const expected = item.tensors?.[name] as { sha256: string; samples: number[] };
      const step = Math.floor(data.length / 64);
      const samples = Array.from({ length: 64 }, (_, index) => data[index * step] as number);
      // The samples say how far off it is; the hash says that nothing is off at all.
      expect(Math.max(...samples.map((value, at) => Math.abs(value - (expected.samples[at] as number))))).toBe(0);
      expect(createHash('sha256').update(new Uint8Array(data.buffer)).digest('hex'), `${file} ${name}`).toBe(
        expected.sha256,
      );
    }
  });
});

describe('parsePreprocessing', () => {
  test('reads the current CLIP form', () => {
    expect(parsePreprocessing(clip, 'x', false)).toEqual({
      resize: 'shortest-edge',
      width: 224,
      height: 224,
      resample: 'bicubic',
      crop: { width: 224, height: 224 },
      rescale: 1 / 255,
      mean: [0.48145466, 0.4578275, 0.40821073],
      std: [0.26862954, 0.26130258, 0.27577711],
    });
  });

  test('reads the first CLIP form (numbers for sizes, no rescale keys) as the same', () => {
    const old = {
      crop_size: 224,
      do_center_crop: true,
      do_normalize: true,
      do_resize: true,
      feature_extractor_type: 'CLIPFeatureExtractor',
      image_mean: clip['image_mean'],
      image_std: clip['image_std'],
      resample: 3,
      size: 224,
    };
    expect(parsePreprocessing(old, 'x', false)).toEqual(parsePreprocessing(clip, 'x', false));
  });

  test('SigLIP squashes and does not crop', () => {
    const parsed = parsePreprocessing(reference.configs['siglip2-224'], 'x', true);
    expect(parsed).toEqual({
      resize: 'squash',
      width: 224,
      height: 224,
      resample: 'bilinear',
      crop: null,
      rescale: 1 / 255,
      mean: [0.5, 0.5, 0.5],
      std: [0.5, 0.5, 0.5],
    });
    expect(outputSize(parsed)).toEqual({ width: 224, height: 224 });
  });

  test.each([
    [{ ...clip, image_processor_type: 'Siglip3ImageProcessor' }, 'unsupported image processor "Siglip3ImageProcessor"'],
    [{ ...clip, resample: 9 }, 'unknown resample "9"'],
    [{ ...clip, image_mean: undefined }, 'missing "image_mean" or "image_std"'],
    [{ ...clip, image_std: [0, 1, 1] }, 'invalid "image_std"'],
    [{ ...clip, size: { longest_edge: 224 } }, 'invalid value at "size"'],
    [{ ...clip, size: 1e9 }, 'invalid value at "size"'],
    [{ resize_mode: 'longest', size: 224, mean: [0, 0, 0], std: [1, 1, 1] }, 'unsupported resize_mode "longest"'],
    ['text', 'expected a Hugging Face image processor configuration'],
  ])('refuses what it would not reproduce: %j', (config, message) => {
    expect(() => parsePreprocessing(config, 'models/x/preprocessor_config.json', false)).toThrow(message as string);
  });
});

test('a picture smaller than the crop is centred on black, odd pixel first', () => {
  const white = { width: 3, height: 1, data: new Uint8Array(9).fill(255) };
  const { data } = preprocess(white, {
    resize: 'none',
    width: 6,
    height: 4,
    resample: 'bicubic',
    crop: { width: 6, height: 4 },
    rescale: 1 / 255,
    mean: [0, 0, 0],
    std: [1, 1, 1],
  });
  // numpy and ceil((6 - 3) / 2) = 2 columns, ceil((4 - 1) / 2) = 2 rows before the picture.
  expect([...data.subarray(0, 24)]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]);
});
