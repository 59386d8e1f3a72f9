import { z } from 'zod';
import { AuditError, quoted } from '../core/errors.ts';
import type { Image } from '../core/image.ts';
import type { Json } from '../core/json.ts';
import { RESAMPLE_CODES, type Resample, type Rgb, resize } from './resize.ts';

/** What happens to a picture before the vision tower; all of it is in the fingerprint. */
export interface Preprocessing {
  /** `shortest-edge`: aspect kept, then cropped; `squash`: both edges to `width` x `height`; `none`: taken as it is. */
  readonly resize: 'shortest-edge' | 'squash' | 'none';
  /** Size after resizing: the shortest edge in `width` and `height` alike, or the squashed size. */
  readonly width: number;
  readonly height: number;
  readonly resample: Resample;
  /** Centre crop in pixels; black where the picture is smaller. Null for none. */
  readonly crop: { readonly width: number; readonly height: number } | null;
  /** Factor of the 8-bit values (1/255), or 1 when the processor does not rescale. */
  readonly rescale: number;
  /** Per channel R, G, B: value = (rescaled - mean) / std. */
  readonly mean: readonly [number, number, number];
  readonly std: readonly [number, number, number];
}

const edge = z.number().int().min(1).max(4096);
const triple = z.tuple([z.number(), z.number(), z.number()]);
const sizeSchema = z.union([
  edge,
  z.looseObject({ shortest_edge: edge }),
  z.looseObject({ height: edge, width: edge }),
]);
const configSchema = z.looseObject({
  image_processor_type: z.string().optional(),
  feature_extractor_type: z.string().optional(),
  do_resize: z.boolean().optional(),
  size: sizeSchema.optional(),
  resample: z.number().int().optional(),
  do_center_crop: z.boolean().optional(),
  crop_size: z.union([edge, z.looseObject({ height: edge, width: edge })]).optional(),
  do_rescale: z.boolean().optional(),
  rescale_factor: z.number().positive().optional(),
  do_normalize: z.boolean().optional(),
  image_mean: z.union([triple, z.number()]).optional(),
  image_std: z.union([triple, z.number()]).optional(),
  // Jina CLIP writes its own keys.
  resize_mode: z.string().optional(),
  interpolation: z.string().optional(),
  mean: triple.optional(),
  std: triple.optional(),
});

/** Processors whose arithmetic is the one implemented here. Anything else would be a guess. */
const PROCESSORS =
  /^(CLIP|ChineseCLIP|Siglip|Siglip2|JinaCLIP|MobileCLIP|ViT|Bit|OpenCLIP|MetaCLIP)(ImageProcessor|FeatureExtractor)(Fast)?$/;

function both(size: number | { height: number; width: number }): { width: number; height: number } {
  return typeof size === 'number' ? { width: size, height: size } : { width: size.width, height: size.height };
}

/**
 * Reads `preprocessor_config.json` as the reference image processors do (Hugging Face CLIP and SigLIP, slow variants).
 *
 * @param squashByDefault true for SigLIP and ViT, whose plain `size` number means height and width.
 * @throws AuditError naming `where` for a value this implementation does not reproduce.
 */
export function parsePreprocessing(config: unknown, where: string, squashByDefault: boolean): Preprocessing {
  const parsed = configSchema.safeParse(config);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new AuditError(
      `${where}: invalid value at ${quoted(issue?.path.join('.') ?? '')}; expected a Hugging Face image processor configuration`,
    );
  }
  const options = parsed.data;
  const processor = options.image_processor_type ?? options.feature_extractor_type;
  if (processor !== undefined && !PROCESSORS.test(processor))
    throw new AuditError(
      `${where}: unsupported image processor ${quoted(processor)}; expected a CLIP, SigLIP or Jina CLIP processor (run this model as a command evaluator)`,
    );
  const jina = options.resize_mode !== undefined;
  if (jina && options.resize_mode !== 'shortest' && options.resize_mode !== 'squash')
    throw new AuditError(
      `${where}: unsupported resize_mode ${quoted(options.resize_mode)}; expected "shortest" or "squash"`,
    );
  const size = options.size ?? 224;
  const squash = jina
    ? options.resize_mode === 'squash'
    : typeof size === 'number'
      ? squashByDefault
      : !('shortest_edge' in size);
  const target =
    typeof size === 'object' && 'shortest_edge' in size
      ? both(size.shortest_edge as number)
      : both(size as number | { height: number; width: number });
  const crops = options.do_center_crop ?? (jina ? !squash : !squashByDefault);
  const normalises = options.do_normalize ?? true;
  const mean = options.image_mean ?? options.mean;
  const std = options.image_std ?? options.std;
  if (normalises && (mean === undefined || std === undefined))
    throw new AuditError(`${where}: missing "image_mean" or "image_std"; expected three numbers each (do_normalize)`);
  const spread = (value: number | readonly number[] | undefined, otherwise: number): [number, number, number] =>
    !normalises || value === undefined
      ? [otherwise, otherwise, otherwise]
      : typeof value === 'number'
        ? [value, value, value]
        : (value as [number, number, number]);
  const deviation = spread(std, 1);
  if (deviation.some((value) => !(value > 0)))
    throw new AuditError(`${where}: invalid "image_std" ${quoted(deviation)}; expected positive numbers`);
  return {
    resize: options.do_resize === false ? 'none' : squash ? 'squash' : 'shortest-edge',
    ...target,
    resample: resampleOf(options.resample, options.interpolation, where),
    crop: crops ? both(options.crop_size ?? target) : null,
    rescale: options.do_rescale === false ? 1 : (options.rescale_factor ?? 1 / 255),
    mean: spread(mean, 0),
    std: deviation,
  };
}

function resampleOf(code: number | undefined, name: string | undefined, where: string): Resample {
  // Bicubic is the default of every processor of the list above.
  if (code === undefined && name === undefined) return 'bicubic';
  const found = Object.entries(RESAMPLE_CODES).find(([known, number]) =>
    code === undefined ? known === name : number === code,
  );
  if (found === undefined)
    throw new AuditError(
      `${where}: unknown resample ${quoted(code ?? name)}; expected ${Object.entries(RESAMPLE_CODES)
        .map(([known, number]) => `${number} (${known})`)
        .join(', ')}`,
    );
  return found[0] as Resample;
}

/** Height and width of the tensor, or null when they depend on the picture (`none`, or shortest edge without a crop). */
export function outputSize(preprocessing: Preprocessing): { width: number; height: number } | null {
  if (preprocessing.crop !== null) return preprocessing.crop;
  return preprocessing.resize === 'squash' ? { width: preprocessing.width, height: preprocessing.height } : null;
}

/** Resizes and crops; equal size is returned untouched. The long edge is truncated, as in the reference. */
export function resizeAndCrop(image: Rgb, preprocessing: Preprocessing): Rgb {
  let resized: Rgb = image;
  if (preprocessing.resize === 'squash')
    resized = resize(image, preprocessing.width, preprocessing.height, preprocessing.resample);
  else if (preprocessing.resize === 'shortest-edge') {
    const short = preprocessing.width;
    const wide = image.width > image.height;
    const long = Math.trunc((short * Math.max(image.width, image.height)) / Math.min(image.width, image.height));
    resized = resize(image, wide ? long : short, wide ? short : long, preprocessing.resample);
  }
  return preprocessing.crop === null
    ? resized
    : centreCrop(resized, preprocessing.crop.width, preprocessing.crop.height);
}

function centreCrop(image: Rgb, width: number, height: number): Rgb {
  if (image.width === width && image.height === height) return image;
  const data = new Uint8Array(width * height * 3);
  // When the picture is smaller the reference centres it on black with the odd pixel on the leading side.
  const padTop = Math.max(0, Math.ceil((height - image.height) / 2));
  const padLeft = Math.max(0, Math.ceil((width - image.width) / 2));
  const top = Math.max(0, Math.floor((image.height - height) / 2));
  const left = Math.max(0, Math.floor((image.width - width) / 2));
  const rows = Math.min(height, image.height);
  const columns = Math.min(width, image.width);
  for (let y = 0; y < rows; y += 1) {
    const from = ((top + y) * image.width + left) * 3;
    data.set(image.data.subarray(from, from + columns * 3), ((padTop + y) * width + padLeft) * 3);
  }
  return { width, height, data };
}

/** For each channel the float32 value of each of the 256 levels, rounded at the same steps as numpy rounds. */
export function normalisationTable(preprocessing: Preprocessing): Float32Array {
  const table = new Float32Array(3 * 256);
  for (let channel = 0; channel < 3; channel += 1) {
    const mean = Math.fround(preprocessing.mean[channel] as number);
    const std = Math.fround(preprocessing.std[channel] as number);
    for (let level = 0; level < 256; level += 1) {
      const rescaled = Math.fround(level * preprocessing.rescale);
      table[channel * 256 + level] = Math.fround(Math.fround(rescaled - mean) / std);
    }
  }
  return table;
}

/**
 * Writes one picture as planar float32 (channels R, G, B; rows top first) into `target` at `offset`.
 *
 * @returns the size written, for a caller that does not know it yet.
 */
export function writeTensor(image: Rgb, table: Float32Array, target: Float32Array, offset: number): void {
  const plane = image.width * image.height;
  const { data } = image;
  for (let channel = 0; channel < 3; channel += 1) {
    const start = offset + channel * plane;
    const row = channel * 256;
    for (let pixel = 0, at = channel; pixel < plane; pixel += 1, at += 3)
      target[start + pixel] = table[row + (data[at] as number)] as number;
  }
}

/** One picture as the tensor the vision tower reads: shape [3, height, width], float32. */
export function preprocess(
  image: Pick<Image, 'width' | 'height' | 'data'>,
  preprocessing: Preprocessing,
): { width: number; height: number; data: Float32Array } {
  const cropped = resizeAndCrop(image, preprocessing);
  const data = new Float32Array(3 * cropped.width * cropped.height);
  writeTensor(cropped, normalisationTable(preprocessing), data, 0);
  return { width: cropped.width, height: cropped.height, data };
}

/** The JSON that stands in the fingerprint. */
export function preprocessingFingerprint(preprocessing: Preprocessing): Json {
  return {
    resize: preprocessing.resize,
    size: preprocessing.resize === 'none' ? null : [preprocessing.width, preprocessing.height],
    resample: preprocessing.resample,
    antialias: true,
    crop: preprocessing.crop === null ? null : [preprocessing.crop.width, preprocessing.crop.height],
    rescale: preprocessing.rescale,
    mean: [...preprocessing.mean],
    std: [...preprocessing.std],
    layout: 'RGB, planar, float32',
  };
}
