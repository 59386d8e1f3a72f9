import { arch } from 'node:os';
import { join } from 'node:path';
import { AuditError, messageOf } from '../core/errors.ts';
import type { DualEncoderSpec } from '../core/evaluator-spec.ts';
import type { Json } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import { embedCaptions, embedImages } from './embed.ts';
import type { DualEncoder } from './evaluator.ts';
import { COMMON_FILES, FAMILIES, findModelFiles, type ModelFiles } from './model-files.ts';
import { resolveModel } from './model-source.ts';
import { LARGE_MODEL, runtimeVersions, schedule } from './onnx-session.ts';
import { outputSize, type Preprocessing, parsePreprocessing, preprocessingFingerprint } from './preprocess.ts';
import { cosine, type LogitParameters, SCALE_LIMITS, scaleScore } from './similarity.ts';
import { type CaptionTokenizer, loadTokenizer } from './tokenize.ts';
import { openTowers, type Towers, type TowersOptions } from './towers.ts';

export interface DualEncoderContext {
  /** Folder that relative model paths start from (the audit file's). */
  readonly folder: string;
  readonly log: Log;
  readonly signal?: AbortSignal;
}

/** Weight types whose activations are quantised from the whole batch; their batch is 1, whatever was asked. */
const DYNAMIC_DTYPES = new Set(['q8', 'int8', 'uint8']);

/**
 * A CLIP- or SigLIP-family model as an evaluator: unit-length embeddings, score = function of their cosine.
 *
 * Everything about the checkpoint is checked before a weight is loaded. Captions run at their own length (SigLIP: padded to
 * its context), so no caption's numbers depend on what else is in the call.
 *
 * @throws AuditError (one line) when the checkpoint is incomplete, of an unknown family, or cannot score on the scale asked.
 */
export async function createDualEncoder(spec: DualEncoderSpec, context: DualEncoderContext): Promise<DualEncoder> {
  const { log } = context;
  const { folder, shown } = await resolveModel(spec, context);
  const files = await findModelFiles(folder, spec.dtype, shown);
  const family = FAMILIES[files.family];
  const preprocessing = parsePreprocessing(files.preprocessor, `${shown}/preprocessor_config.json`, family.squash);
  const size = outputSize(preprocessing);
  if (size === null)
    throw new AuditError(
      `${shown}/preprocessor_config.json: the input size depends on the picture; expected a crop or a fixed height and width`,
    );
  const dynamic = DYNAMIC_DTYPES.has(spec.dtype) || files.weights.some((file) => file.dynamic);
  const bytes = files.weights.reduce((sum, file) => sum + file.bytes, 0);
  const batch = dynamic ? 1 : runSize(spec, bytes);
  if (dynamic && spec.batch > 1)
    log.warn(
      `${spec.id}: ${spec.dtype} quantises activations over the whole batch, so every image and caption runs alone (batch 1)`,
    );
  const tokenizer = await loadTokenizer(files, shown);
  const plan = schedule(bytes, spec.threads);
  const towers = lazyTowers(files, { shown, dtype: spec.dtype, device: spec.device, ...plan, size, tokenizer });
  try {
    const logit = await logitParameters(files, towers, tokenizer, spec, shown);
    return assemble({ spec, files, preprocessing, tokenizer, towers, logit, batch });
  } catch (error) {
    await towers.close();
    throw error;
  }
}

/** Inputs a run. On a CPU a large model is fastest at about 8; smaller runs also let resizing overlap with inference. */
function runSize(spec: DualEncoderSpec, bytes: number): number {
  return spec.device === 'cpu' && bytes >= LARGE_MODEL ? Math.min(8, spec.batch) : spec.batch;
}

/** Towers whose graphs are opened, and tried once, at the first embedding: a run that finds all it needs in the store opens none. */
function lazyTowers(files: ModelFiles, options: TowersOptions): Towers {
  let opening: Promise<Towers> | undefined;
  const open = (): Promise<Towers> => {
    opening ??= (async () => {
      const towers = await openTowers(files, options);
      try {
        await checkOnce(towers, options.tokenizer, options.shown);
        return towers;
      } catch (error) {
        await towers.close();
        throw error;
      }
    })();
    return opening;
  };
  return {
    pixels: 3 * options.size.width * options.size.height,
    lanes: options.lanes,
    text: async (captions, signal) => (await open()).text(captions, signal),
    vision: async (pixels, count, signal) => (await open()).vision(pixels, count, signal),
    logits: async (first, second) => (await open()).logits(first, second),
    async close() {
      // A failed opening has closed what it opened and was reported where it was awaited.
      const towers = await opening?.catch(() => undefined);
      opening = Promise.reject(new AuditError(`${options.shown}: used after close; expected an open evaluator`));
      opening.catch(() => {});
      await towers?.close();
    },
  };
}

/** One caption and one grey picture through both towers: wrong graphs fail here, with a name, not in the middle of a sweep. */
async function checkOnce(towers: Towers, tokenizer: CaptionTokenizer, shown: string): Promise<void> {
  const quiet = new AbortController().signal;
  let image: Float32Array;
  let caption: Float32Array;
  try {
    caption = (await towers.text([tokenizer.tokenize('a chair').ids], quiet))[0] as Float32Array;
    image = (await towers.vision(new Float32Array(towers.pixels), 1, quiet))[0] as Float32Array;
  } catch (error) {
    if (error instanceof AuditError) throw error;
    throw new AuditError(
      `${shown}: a trial run failed (${messageOf(error, 200)}); expected graphs that fit this tokenizer and preprocessor`,
      { cause: error },
    );
  }
  if (image.length !== caption.length)
    throw new AuditError(
      `${shown}: image embeddings have ${image.length} numbers and caption embeddings ${caption.length}; expected two towers of one model, with their projections`,
    );
}

/** The model's own logit scale and bias: read off a combined graph's logits, or from config.json; null when unknown. */
async function logitParameters(
  files: ModelFiles,
  towers: Towers,
  tokenizer: CaptionTokenizer,
  spec: DualEncoderSpec,
  shown: string,
): Promise<LogitParameters | null> {
  if (spec.scale !== 'logit' && spec.scale !== 'sigmoid') return null;
  const { logit_scale: scale, logit_bias: bias } = files.config;
  // CLIP has no bias; SigLIP learned one, and without it every probability would be wrong.
  const hasBias = files.family.startsWith('siglip');
  if (scale !== undefined && (bias !== undefined || !hasBias)) return { scale: Math.exp(scale), bias: bias ?? 0 };
  const measured = await towers.logits(tokenizer.tokenize('a chair').ids, tokenizer.tokenize('two red lamps').ids);
  if (measured !== null) return measured;
  throw new AuditError(
    `${shown}/config.json: missing "${scale === undefined ? 'logit_scale' : 'logit_bias'}"; expected the learned parameter (natural logarithm, with "logit_bias" for SigLIP) for scale "${spec.scale}"`,
  );
}

interface Parts {
  spec: DualEncoderSpec;
  files: ModelFiles;
  preprocessing: Preprocessing;
  tokenizer: CaptionTokenizer;
  towers: Towers;
  logit: LogitParameters | null;
  batch: number;
}

function fingerprintOf({ spec, files, preprocessing, tokenizer, logit }: Parts): Json {
  return {
    kind: 'dual-encoder',
    family: files.family,
    layout: files.layout,
    dtype: spec.dtype,
    weights: files.weights.map(({ name, sha256 }) => ({ file: name, sha256 })),
    preprocessing: preprocessingFingerprint(preprocessing),
    text: {
      tokenizer: files.tokenizerHash,
      context: tokenizer.context,
      padding: tokenizer.fixedLength ? { length: tokenizer.context, id: tokenizer.padId } : 'none',
      truncation: 'end token kept',
      letterCase: tokenizer.casePolicy,
    },
    scale: logit === null ? { name: spec.scale } : { name: spec.scale, factor: logit.scale, bias: logit.bias },
  };
}

/** Every file the numbers rest on, for the manifest. */
function modelPaths(files: ModelFiles): NonNullable<DualEncoder['files']> {
  return [...COMMON_FILES, ...files.weights.map(({ name }) => name)].map((name) => ({
    path: join(files.folder, name),
    role: 'model' as const,
  }));
}

function assemble(parts: Parts): DualEncoder {
  const { spec, preprocessing, tokenizer, towers, logit, batch } = parts;
  return {
    id: spec.id,
    kind: 'dual-encoder',
    role: spec.role ?? 'alignment',
    fingerprint: fingerprintOf(parts),
    environment: { provider: spec.device, architecture: arch(), ...runtimeVersions() },
    scale: SCALE_LIMITS[spec.scale],
    reads: { image: true, caption: true, scene: false },
    batch: spec.batch,
    files: modelPaths(parts.files),
    embedImages: (images, signal) => embedImages(images, { preprocessing, towers, batch }, signal),
    embedCaptions: (captions, signal) => embedCaptions(captions, { tokenizer, towers, batch }, signal),
    combine: (image, caption) => scaleScore(cosine(image, caption), spec.scale, logit),
    coverage: (captions) => captions.map((caption) => tokenizer.tokenize(caption).coverage),
    close: () => towers.close(),
  };
}
