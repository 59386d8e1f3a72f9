import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Image } from '../../src/core/image.ts';
import { silentLog } from '../../src/core/log.ts';
import { createDualEncoder } from '../../src/evaluators/dual-encoder.ts';
import type { DualEncoder } from '../../src/evaluators/evaluator.ts';
import { evaluatorContract } from './contract.ts';
import {
  EXPECTED,
  type ExpectedModel,
  encoderSpec,
  largestDifference,
  MODELS,
  never,
  readPicture,
} from './fixtures.ts';

const root = mkdtempSync(join(tmpdir(), 'parallax-dual-encoder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const open = (model: string, more: Record<string, unknown> = {}): Promise<DualEncoder> =>
  createDualEncoder(encoderSpec(model, more), { folder: MODELS, log: silentLog });
const pictures = (): Promise<Image[]> => Promise.all(EXPECTED.pictures.map(({ file }) => readPicture(file)));

/** A copy of the clip checkpoint with one file changed. */
function variant(name: string, file: string, change: (text: string) => string): string {
  const folder = join(root, name);
  cpSync(join(MODELS, 'clip'), folder, { recursive: true });
  writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
  return folder;
}

const CONTRACT_CAPTIONS = [
  ...EXPECTED.captions.slice(0, 5),
  EXPECTED.captions[6] as string,
  EXPECTED.captions[7] as string,
];

for (const model of Object.keys(EXPECTED.models))
  evaluatorContract({
    name: `dual-encoder ${model}`,
    open: (batch) => open(model, { batch }),
    images: pictures,
    captions: CONTRACT_CAPTIONS,
    folder: MODELS,
    // fp32 on cosine x 100: 1e-5 of a cosine is 1e-3 here.
    tolerance: 1e-4,
    others: [
      { what: 'cosine scale', same: false, open: () => open(model, { scale: 'cosine' }) },
      { what: 'threads', same: true, open: () => open(model, { threads: 2 }) },
      ...(model === 'clip'
        ? [
            { what: 'fp16 files', same: false, open: () => open(model, { dtype: 'fp16' }) },
            { what: 'q8 files', same: false, open: () => open(model, { dtype: 'q8' }) },
            { what: 'another checkpoint', same: false, open: () => open('mobile-clip') },
            { what: 'another place', same: true, open: () => open(variant('moved', 'config.json', (text) => text)) },
            {
              what: 'another resampling filter',
              same: false,
              open: () =>
                open(
                  variant('filter', 'preprocessor_config.json', (text) => text.replace('"resample":3', '"resample":2')),
                ),
            },
            {
              what: 'another context length',
              same: false,
              open: () =>
                open(
                  variant('context', 'tokenizer_config.json', (text) =>
                    text.replace('"model_max_length":77', '"model_max_length":40'),
                  ),
                ),
            },
          ]
        : []),
    ],
  });

describe('embeddings against torch (make_models.py)', () => {
  test.each(Object.entries(EXPECTED.models))('%s, to 1e-6', async (model, expected) => {
    const encoder = await open(model);
    try {
      const captions = (await encoder.embedCaptions(EXPECTED.captions, never)) as Float32Array[];
      const images = (await encoder.embedImages(await pictures(), never)) as Float32Array[];
      const differences = [
        ...captions.map((vector, at) => largestDifference(vector, expected.captions[at] as number[])),
        ...images.map((vector, at) => largestDifference(vector, expected.images[at] as number[])),
      ];
      expect(Math.max(...differences)).toBeLessThan(1e-6);
      for (const vector of [...captions, ...images])
        expect(vector.reduce((sum, value) => sum + value * value, 0)).toBeCloseTo(1, 6);
    } finally {
      await encoder.close();
    }
  });

  test('16 bits in, inside and out: near the 32-bit values, and another evaluator', async () => {
    const half = await open('clip', { dtype: 'fp16' });
    try {
      const captions = (await half.embedCaptions(EXPECTED.captions, never)) as Float32Array[];
      const images = (await half.embedImages(await pictures(), never)) as Float32Array[];
      const expected = EXPECTED.models['clip'] as ExpectedModel;
      const differences = [
        ...captions.map((vector, at) => largestDifference(vector, expected.captions[at] as number[])),
        ...images.map((vector, at) => largestDifference(vector, expected.images[at] as number[])),
      ];
      expect(Math.max(...differences)).toBeGreaterThan(1e-6);
      expect(Math.max(...differences)).toBeLessThan(2e-3);
    } finally {
      await half.close();
    }
  });
});

describe('scales', () => {
  test.each(['clip-combined', 'siglip-combined'])(
    '%s: logit and sigmoid as the graph itself computes them',
    async (model) => {
      const { logit } = EXPECTED.models[model] as { logit: { scale: number; bias: number } };
      const expected = EXPECTED.models[model] as ExpectedModel;
      const byScale: Record<string, number> = {};
      for (const scale of ['cosine', 'cosine100', 'logit', 'sigmoid']) {
        const encoder = await open(model, { scale });
        const [image] = await encoder.embedImages(await pictures(), never);
        const [caption] = await encoder.embedCaptions(EXPECTED.captions, never);
        byScale[scale] = encoder.combine(image as Float32Array, caption as Float32Array);
        await encoder.close();
      }
      const exact = (expected.images[0] as number[]).reduce(
        (sum, value, at) => sum + value * (expected.captions[0]?.[at] as number),
        0,
      );
      expect(byScale['cosine']).toBeCloseTo(exact, 6);
      expect(byScale['cosine100']).toBeCloseTo(100 * exact, 4);
      // Scale and bias are read off float32 logits: four digits.
      expect(byScale['logit']).toBeCloseTo(logit.scale * exact + logit.bias, 2);
      expect(byScale['sigmoid']).toBeCloseTo(1 / (1 + Math.exp(-(logit.scale * exact + logit.bias))), 3);
    },
  );

  test('two towers without a stored logit scale cannot give one', async () => {
    await expect(open('clip', { scale: 'sigmoid' })).rejects.toThrow(
      'clip/config.json: missing "logit_scale"; expected the learned parameter (natural logarithm, with "logit_bias" for SigLIP) for scale "sigmoid"',
    );
  });

  test('a logit scale in config.json is used', async () => {
    const folder = variant('logit', 'config.json', (text) =>
      text.replace('{', '{"logit_scale":4.6052,"logit_bias":-1,'),
    );
    const encoder = await open(folder, { scale: 'logit' });
    const unit = Float32Array.from([1, 0]);
    expect(encoder.combine(unit, unit)).toBeCloseTo(Math.exp(4.6052) - 1, 6);
    await encoder.close();
  });

  test('a negative cosine stays negative: nothing is clipped at zero', async () => {
    const encoder = await open('clip');
    expect(encoder.combine(Float32Array.from([1, 0]), Float32Array.from([-1, 0]))).toBe(-100);
    await encoder.close();
  });
});

describe('SigLIP', () => {
  test('an input is never shorter than the 64 tokens it was trained on', async () => {
    // The reference pads to 64; without padding the same weights give another vector (checked in make_models.py's way of pooling).
    const encoder = await open('siglip');
    const [vector] = await encoder.embedCaptions(['a red lamp'], never);
    expect(largestDifference(vector as Float32Array, EXPECTED.models['siglip']?.captions[0] as number[])).toBeLessThan(
      1e-6,
    );
    expect(encoder.fingerprint).toMatchObject({ text: { padding: { length: 64, id: 1 } } });
    await encoder.close();
  });

  test.each(['siglip', 'siglip2'])('%s: letter case does not matter', async (model) => {
    const encoder = await open(model);
    const [lower, upper] = await encoder.embedCaptions(['a red lamp', 'A Red LAMP'], never);
    expect(upper).toEqual(lower);
    await encoder.close();
  });
});

describe('dynamic int8', () => {
  test('runs alone whatever batch was asked for, so neighbours change nothing', async () => {
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (line: string) => void warnings.push(line) };
    const encoder = await createDualEncoder(encoderSpec('clip', { dtype: 'q8', batch: 16 }), { folder: MODELS, log });
    expect(warnings).toEqual([
      'clip: q8 quantises activations over the whole batch, so every image and caption runs alone (batch 1)',
    ]);
    const [alone] = await encoder.embedCaptions(['a red lamp'], never);
    const beside = await encoder.embedCaptions(['two beds', 'a red lamp', 'a sofa', 'the red rug'], never);
    expect(beside[1]).toEqual(alone);
    const images = await pictures();
    const [imageAlone] = await encoder.embedImages(images.slice(1, 2), never);
    expect((await encoder.embedImages(images, never))[1]).toEqual(imageAlone);
    await encoder.close();
  });
});

describe('calls', () => {
  test('the graphs are opened at the first embedding only', async () => {
    const folder = variant('lazy', 'config.json', (text) => text);
    writeFileSync(join(folder, 'onnx', 'text_model.onnx'), 'not a graph');
    const encoder = await open(folder);
    expect(encoder.coverage(['a red lamp'])).toHaveLength(1);
    expect(encoder.combine(Float32Array.from([1, 0]), Float32Array.from([1, 0]))).toBe(100);
    await expect(encoder.embedCaptions(['a red lamp'], never)).rejects.toThrow('cannot be loaded');
    await encoder.close();
  });

  test('equal captions in one call are one vector, in the order asked', async () => {
    const encoder = await open('clip');
    const captions = ['b', 'a red lamp', 'b', 'a sofa and a rug', 'a red lamp'];
    const vectors = (await encoder.embedCaptions(captions, never)) as Float32Array[];
    expect(vectors[0]).toEqual(vectors[2]);
    expect(vectors[1]).toEqual(vectors[4]);
    const alone = await Promise.all(
      captions.map(async (caption) => (await encoder.embedCaptions([caption], never))[0]),
    );
    for (const [at, vector] of vectors.entries())
      expect(largestDifference(vector, alone[at] as Float32Array)).toBeLessThan(1e-6);
    await encoder.close();
  });

  test('no inputs, no outputs', async () => {
    const encoder = await open('clip');
    expect(await encoder.embedCaptions([], never)).toEqual([]);
    expect(await encoder.embedImages([], never)).toEqual([]);
    await encoder.close();
  });

  test('a picture without pixels or far too elongated is a failure', async () => {
    const encoder = await open('clip');
    const strip = (width: number, height: number): Image => ({
      key: 'k',
      width,
      height,
      data: new Uint8Array(3 * width * height),
    });
    expect(await encoder.embedImages([strip(0, 4), strip(2000, 2)], never)).toEqual([
      { status: 'failed', reason: 'the image has no pixels (0 x 4)' },
      { status: 'failed', reason: 'the image is 2000 x 2; too elongated' },
    ]);
    await encoder.close();
  });

  test('a closed evaluator says so', async () => {
    const encoder = await open('clip');
    await encoder.embedCaptions(['a'], never);
    await encoder.close();
    await expect(encoder.embedCaptions(['a'], never)).rejects.toThrow('used after close');
  });
});
