import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { DTYPES } from '../core/evaluator-spec.ts';

export type Dtype = (typeof DTYPES)[number];

/** File name ending of each weight type in the Hugging Face ONNX layout. */
export const DTYPE_SUFFIX: Record<Dtype, string> = {
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  int8: '_int8',
  uint8: '_uint8',
  q4: '_q4',
  bnb4: '_bnb4',
  q4f16: '_q4f16',
};

/** `model_type` values whose layout is implemented and tested, and what is particular about each. */
export const FAMILIES = {
  clip: { context: 77, fixedLength: false, squash: false, lowerCase: false, projected: true },
  metaclip_2: { context: 77, fixedLength: false, squash: false, lowerCase: false, projected: true },
  chinese_clip: { context: 52, fixedLength: false, squash: false, lowerCase: false, projected: true },
  siglip: { context: 64, fixedLength: true, squash: true, lowerCase: true, projected: false },
  siglip2: { context: 64, fixedLength: true, squash: true, lowerCase: true, projected: false },
  jina_clip: { context: 8192, fixedLength: false, squash: false, lowerCase: false, projected: true },
} as const;
export type Family = keyof typeof FAMILIES;

/** Files of a checkpoint beside its weights. */
export const COMMON_FILES = [
  'config.json',
  'preprocessor_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
] as const;

/** One weight file, hashed, with what its operators say about the arithmetic inside. */
export interface WeightFile {
  /** Path inside the model folder, with "/" separators. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  /** Activations are quantised from the values of the whole batch: a score depends on its batch mates. */
  readonly dynamic: boolean;
  /** Weights are stored in fewer than 16 bits. */
  readonly quantised: boolean;
}

/** A checkpoint folder that was checked before anything of it was loaded. */
export interface ModelFiles {
  readonly folder: string;
  readonly family: Family;
  readonly config: z.infer<typeof configSchema>;
  /** `towers`: text_model and vision_model; `combined`: one graph for both. */
  readonly layout: 'towers' | 'combined';
  readonly weights: readonly WeightFile[];
  readonly preprocessor: unknown;
  /** Content of tokenizer.json. */
  readonly tokenizer: unknown;
  readonly tokenizerConfig: { readonly [key: string]: unknown };
  /** SHA-256 over tokenizer.json and tokenizer_config.json. */
  readonly tokenizerHash: string;
}

const towerSchema = z.looseObject({
  max_position_embeddings: z.number().int().positive().optional(),
  image_size: z.number().int().positive().optional(),
});
const configSchema = z.looseObject({
  model_type: z.string(),
  text_config: towerSchema.optional(),
  vision_config: towerSchema.optional(),
  /** Learned logit scale as Hugging Face stores the parameter (natural logarithm), where the exporter kept it. */
  logit_scale: z.number().optional(),
  logit_bias: z.number().optional(),
});

async function exists(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function readJson(folder: string, name: string, shown: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(join(folder, name), 'utf8');
  } catch (error) {
    throw new AuditError(
      `${shown}: missing file "${name}"; expected a checkpoint in Hugging Face layout (config.json, preprocessor_config.json, tokenizer.json, tokenizer_config.json, onnx/)`,
      { code: 'MISSING_FILE', cause: error },
    );
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AuditError(`${shown}/${name}: invalid JSON (${messageOf(error, 120)}); expected a JSON file`, {
      cause: error,
    });
  }
}

/** Operators that quantise activations at run time, and those that only unpack small weights. */
const DYNAMIC = ['DynamicQuantizeLinear', 'DynamicQuantizeMatMul', 'MatMulIntegerToFloat', 'DynamicQuantizeLSTM'];
const QUANTISED = [
  ...DYNAMIC,
  'MatMulInteger',
  'ConvInteger',
  'QLinearMatMul',
  'QLinearConv',
  'DequantizeLinear',
  'MatMulNBits',
  'MatMulBnb4',
  'GatherBlockQuantized',
];

interface Scan {
  sha256: string;
  dynamic: boolean;
  quantised: boolean;
}
const scanned = new Map<string, Scan>();

/** Hashes a file once per (path, size, modification time) and looks for operator names on the way. */
async function scan(path: string): Promise<Scan & { bytes: number }> {
  const info = await stat(path);
  const key = `${path}\u0000${info.size}\u0000${info.mtimeMs}`;
  const known = scanned.get(key);
  if (known !== undefined) return { ...known, bytes: info.size };
  const hash = createHash('sha256');
  let tail = '';
  const found = new Set<string>();
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer);
    const text = tail + (chunk as Buffer).toString('latin1');
    for (const operator of QUANTISED) if (!found.has(operator) && text.includes(operator)) found.add(operator);
    tail = text.slice(-32);
  }
  const result = {
    sha256: hash.digest('hex'),
    dynamic: DYNAMIC.some((operator) => found.has(operator)) || found.has('MatMulInteger') || found.has('ConvInteger'),
    quantised: found.size > 0,
  };
  scanned.set(key, result);
  return { ...result, bytes: info.size };
}

/** SHA-256 of a file, remembered while its size and modification time stay the same. */
export async function hashOnce(path: string): Promise<string> {
  return (await scan(path)).sha256;
}

async function weightFile(folder: string, name: string): Promise<WeightFile> {
  const { sha256, bytes, dynamic, quantised } = await scan(join(folder, name));
  return { name, sha256, bytes, dynamic, quantised };
}

/** Large graphs keep their weights beside them: `x.onnx_data`, `x.onnx_data_1`, ... or `x.onnx.data`. */
async function externalData(folder: string, name: string): Promise<string[]> {
  const found: string[] = [];
  if (await exists(join(folder, `${name}.data`))) found.push(`${name}.data`);
  for (let part = 0; part < 100; part += 1) {
    const candidate = part === 0 ? `${name}_data` : `${name}_data_${part}`;
    if (!(await exists(join(folder, candidate)))) break;
    found.push(candidate);
  }
  return found;
}

async function otherDtypes(folder: string, base: string, asked: Dtype): Promise<string[]> {
  const found: string[] = [];
  for (const [dtype, suffix] of Object.entries(DTYPE_SUFFIX))
    if (dtype !== asked && (await exists(join(folder, 'onnx', `${base}${suffix}.onnx`)))) found.push(dtype);
  return found;
}

async function graphNames(
  folder: string,
  dtype: Dtype,
  shown: string,
): Promise<{ layout: 'towers' | 'combined'; names: string[] }> {
  const suffix = DTYPE_SUFFIX[dtype];
  const path = (base: string): string => `onnx/${base}${suffix}.onnx`;
  const has = async (base: string): Promise<boolean> => exists(join(folder, path(base)));
  const text = await has('text_model');
  const vision = await has('vision_model');
  if (text && vision) return { layout: 'towers', names: [path('text_model'), path('vision_model')] };
  if (await has('model')) return { layout: 'combined', names: [path('model')] };
  const present = [
    ...new Set([
      ...(await otherDtypes(folder, 'text_model', dtype)),
      ...(await otherDtypes(folder, 'vision_model', dtype)),
      ...(await otherDtypes(folder, 'model', dtype)),
    ]),
  ];
  if (text || vision) {
    const missing = path(text ? 'vision_model' : 'text_model');
    throw new AuditError(
      `${shown}: missing file "${missing}" for dtype "${dtype}"; expected text_model and vision_model of one dtype, or model${suffix}.onnx`,
      { code: 'MISSING_FILE' },
    );
  }
  throw new AuditError(
    `${shown}: missing ${dtype} weights "${path('text_model')}" and "${path('vision_model')}" (or "${path('model')}")${
      present.length > 0
        ? `; only ${present.join(', ')} present: expected fp32 files, or "dtype: ${present[0]}" in the audit file, which is another evaluator`
        : '; expected ONNX files in the folder onnx/'
    }`.replace('expected fp32 files', `expected ${dtype} files`),
    { code: 'MISSING_FILE' },
  );
}

/**
 * Locates and checks every file of a checkpoint before anything is loaded, and hashes the weights that will be.
 *
 * @param folder absolute folder in Hugging Face layout.
 * @param shown how messages name the folder.
 * @throws AuditError (one line) for a missing file, an unknown family, weights of another type than asked for.
 */
export async function findModelFiles(folder: string, dtype: Dtype, shown: string): Promise<ModelFiles> {
  const isFolder = await stat(folder).then(
    (info) => info.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new AuditError(
      `${shown}: missing model folder ${quoted(folder)}; expected a folder in Hugging Face layout, or a hub id such as "Xenova/clip-vit-base-patch32"`,
      { code: 'MISSING_FILE' },
    );
  const config = configSchema.safeParse(await readJson(folder, 'config.json', shown));
  if (!config.success)
    throw new AuditError(
      `${shown}/config.json: invalid value at ${quoted(config.error.issues[0]?.path.join('.') ?? '')}; expected a Hugging Face model configuration with "model_type"`,
    );
  const family = config.data.model_type;
  if (!Object.hasOwn(FAMILIES, family))
    throw new AuditError(
      `${shown}/config.json: unknown model_type ${quoted(family)}; expected one of ${Object.keys(FAMILIES).join(', ')} (any other model runs as a command evaluator)`,
    );
  const preprocessor = await readJson(folder, 'preprocessor_config.json', shown);
  const tokenizer = z
    .looseObject({ model: z.looseObject({ type: z.string().optional() }) })
    .safeParse(await readJson(folder, 'tokenizer.json', shown));
  if (!tokenizer.success)
    throw new AuditError(
      `${shown}/tokenizer.json: invalid tokenizer; expected a Hugging Face "fast" tokenizer file with a "model"`,
    );
  const tokenizerConfig = z
    .record(z.string(), z.unknown())
    .safeParse(await readJson(folder, 'tokenizer_config.json', shown));
  if (!tokenizerConfig.success)
    throw new AuditError(`${shown}/tokenizer_config.json: invalid value; expected a JSON object`);
  const { layout, names } = await graphNames(folder, dtype, shown);
  const weights: WeightFile[] = [];
  for (const name of names) {
    const file = await weightFile(folder, name);
    if (file.quantised && (dtype === 'fp32' || dtype === 'fp16'))
      throw new AuditError(
        `${shown}/${name}: quantised weights under dtype "${dtype}"; expected a ${dtype} file, or "dtype: q8" with the file named *_quantized.onnx`,
      );
    weights.push(file);
    for (const data of await externalData(folder, name)) weights.push(await weightFile(folder, data));
  }
  const tokenizerHash = createHash('sha256')
    .update(await hashOnce(join(folder, 'tokenizer.json')))
    .update(await hashOnce(join(folder, 'tokenizer_config.json')))
    .digest('hex');
  return {
    folder,
    family: family as Family,
    config: config.data,
    layout,
    weights,
    preprocessor,
    tokenizer: tokenizer.data,
    tokenizerConfig: tokenizerConfig.data,
    tokenizerHash,
  };
}
