import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import { type DualEncoderSpec, dualEncoderSpecSchema } from '../../src/core/evaluator-spec.ts';
import type { Image } from '../../src/core/image.ts';

/** Folder of the tiny random-weight checkpoints (make_models.py writes it). */
export const MODELS = join(import.meta.dirname, '..', 'fixtures', 'models');

export interface ExpectedModel {
  readonly ids: number[][];
  readonly totals: number[];
  readonly captions: number[][];
  readonly images: number[][];
  readonly logit?: { scale: number; bias: number };
}

/** What torch, PIL, numpy and plain-Python tokenizers give for the same weights. */
export const EXPECTED = JSON.parse(readFileSync(join(MODELS, 'expected.json'), 'utf8')) as {
  pictures: { file: string; width: number; height: number }[];
  captions: string[];
  models: Record<string, ExpectedModel>;
};

/** A dual-encoder entry with the schema's own defaults. */
export function encoderSpec(model: string, more: Record<string, unknown> = {}): DualEncoderSpec {
  return dualEncoderSpecSchema.parse({ id: basename(model), kind: 'dual-encoder', model, ...more });
}

export async function readPicture(file: string): Promise<Image> {
  const { data, info } = await sharp(join(MODELS, file)).raw().toBuffer({ resolveWithObject: true });
  return { key: file, width: info.width, height: info.height, data: new Uint8Array(data) };
}

export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  for (let index = 0; index < a.length; index += 1)
    largest = Math.max(largest, Math.abs((a[index] as number) - (b[index] as number)));
  return largest;
}

export const never = new AbortController().signal;
