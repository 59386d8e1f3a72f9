import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dualEncoderSpecSchema } from '../../src/core/evaluator-spec.ts';
import type { Image } from '../../src/core/image.ts';
import { silentLog } from '../../src/core/log.ts';
import { createDualEncoder } from '../../src/evaluators/dual-encoder.ts';
import type { DualEncoder } from '../../src/evaluators/evaluator.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'models', 'pocket');
const SIDE = 96;

interface HeldOut {
  choices: number;
  captions: string[];
  imageToText: number;
  textToImage: number;
  drops: number;
}
interface Figures {
  purpose: string;
  topOne: { imageToText: number; textToImage: number };
  drops: { removed: { share: number } };
}

function read<T>(...path: string[]): T {
  return JSON.parse(readFileSync(join(root, ...path), 'utf8')) as T;
}

const figures = read<Figures>('models', 'pocket', 'figures.json');
// Made by models/pocket/training/sample_held_out.py: the first held-out rooms, and each with one named object removed.
const heldOut = read<HeldOut>('tests', 'models', 'held-out.json');

describe('what pocket is claimed to do', () => {
  const rooms = heldOut.captions.length;
  let originals: Float32Array[];
  let removed: Float32Array[];
  let captions: Float32Array[];
  let encoder: DualEncoder;

  beforeAll(async () => {
    const { data, info } = await sharp(join(import.meta.dirname, 'held-out.png'))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([2 * SIDE, rooms * SIDE, 3]);
    const picture = (row: number, column: number): Image => {
      const pixels = new Uint8Array(3 * SIDE * SIDE);
      for (let y = 0; y < SIDE; y += 1) {
        const from = 3 * ((row * SIDE + y) * 2 * SIDE + column * SIDE);
        pixels.set(data.subarray(from, from + 3 * SIDE), 3 * SIDE * y);
      }
      return { key: `${row}/${column}`, width: SIDE, height: SIDE, data: pixels };
    };
    const spec = dualEncoderSpecSchema.parse({ id: 'pocket', kind: 'dual-encoder', model: folder });
    encoder = await createDualEncoder(spec, { folder, log: silentLog });
    const quiet = new AbortController().signal;
    const column = (k: number): Image[] => heldOut.captions.map((_, row) => picture(row, k));
    originals = (await encoder.embedImages(column(0), quiet)) as Float32Array[];
    removed = (await encoder.embedImages(column(1), quiet)) as Float32Array[];
    captions = (await encoder.embedCaptions(heldOut.captions, quiet)) as Float32Array[];
  });
  afterAll(() => encoder.close());

  const at = (list: readonly Float32Array[], index: number): Float32Array => list[index] as Float32Array;
  /** How often the own partner scores highest of its block. */
  const right = (own: readonly Float32Array[], others: readonly Float32Array[]): number => {
    let count = 0;
    for (let index = 0; index < rooms; index += 1) {
      const first = index - (index % heldOut.choices);
      const scores = Array.from({ length: heldOut.choices }, (_, k) =>
        encoder.combine(at(own, index), at(others, first + k)),
      );
      if (scores.indexOf(Math.max(...scores)) === index - first) count += 1;
    }
    return count;
  };
  const drops = (): number =>
    originals.filter(
      (image, row) => encoder.combine(image, at(captions, row)) > encoder.combine(at(removed, row), at(captions, row)),
    ).length;

  test('this runtime gets as many right as torch did, one near tie aside', () => {
    const found = [right(originals, captions), right(captions, originals), drops()];
    const torch = [heldOut.imageToText, heldOut.textToImage, heldOut.drops];
    expect(Math.max(...found.map((count, k) => Math.abs(count - (torch[k] as number))))).toBeLessThanOrEqual(1);
  });

  test('the published figures hold on these rooms, within what 64 of them can tell', () => {
    // Three standard errors of a share of 64 are at most 0.19.
    expect(Math.abs(right(originals, captions) / rooms - figures.topOne.imageToText)).toBeLessThan(0.19);
    expect(Math.abs(right(captions, originals) / rooms - figures.topOne.textToImage)).toBeLessThan(0.19);
    expect(Math.abs(drops() / rooms - figures.drops.removed.share)).toBeLessThan(0.19);
  });
});

test('pocket is small, and says what it is for', () => {
  const bytes = ['text_model.onnx', 'vision_model.onnx'].map((name) => statSync(join(folder, 'onnx', name)).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(8_000_000);
  expect(figures.purpose).toContain('demonstration and tests');
});

test('the README quotes the figures as they were measured', () => {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
  const row = (start: string): string | undefined => readme.split('\n').find((line) => line.startsWith(`| ${start}`));
  expect(row('Right caption among 32')).toContain(percent(figures.topOne.imageToText));
  expect(row('Right picture among 32')).toContain(percent(figures.topOne.textToImage));
  expect(row('Score drops when a named object is removed')).toContain(percent(figures.drops.removed.share));
});
