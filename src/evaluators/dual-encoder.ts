import { arch } from 'node:os';
import { join } from 'node:path';
import { AuditError, isAbort, messageOf } from '../core/errors.ts';
import type { DualEncoderSpec } from '../core/evaluator-spec.ts';
import type { Image } from '../core/image.ts';
import type { Json } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Failure } from '../core/outcome.ts';
import type { DualEncoder } from './evaluator.ts';
import { imageFault } from './image-fault.ts';
import { COMMON_FILES, FAMILIES, findModelFiles, type ModelFiles } from './model-files.ts';
import { resolveModel } from './model-source.ts';
import { LARGE_MODEL, runtimeVersions, schedule } from './onnx-session.ts';
import {
  outputSize,
  type Preprocessing,
  parsePreprocessing,
  preprocess,
  preprocessingFingerprint,
} from './preprocess.ts';
import { cosine, type LogitParameters, SCALE_LIMITS, scaleScore, unitLength } from './similarity.ts';
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
  if (scale !== undefined) return { scale: Math.exp(scale), bias: bias ?? 0 };
  const measured = await towers.logits(tokenizer.tokenize('a chair').ids, tokenizer.tokenize('two red lamps').ids);
  if (measured !== null) return measured;
  throw new AuditError(
    `${shown}/config.json: missing "logit_scale"; expected the learned parameter (natural logarithm, with "logit_bias" for SigLIP) for scale "${spec.scale}"`,
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

function failure(reason: string): Failure {
  return { status: 'failed', reason };
}

function assemble(parts: Parts): DualEncoder {
  const { spec, preprocessing, tokenizer, towers, logit, batch } = parts;
  const finish = (vector: Float32Array): Float32Array | Failure =>
    unitLength(vector) ?? failure('the embedding is zero or not finite');

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
    async embedImages(images, signal) {
      const results: (Float32Array | Failure)[] = new Array(images.length);
      const valid = images.flatMap((image, index) => {
        const fault = imageFault(image);
        if (fault === null) return [index];
        results[index] = failure(fault);
        return [];
      });
      const runs: Promise<void>[] = [];
      for (let start = 0; start < valid.length; start += batch) {
        signal.throwIfAborted();
        const members = valid.slice(start, start + batch);
        const pixels = new Float32Array(members.length * towers.pixels);
        for (const [slot, index] of members.entries()) {
          pixels.set(preprocess(images[index] as Image, preprocessing).data, slot * towers.pixels);
          // Resizing is synchronous: let finished runs report and cancellation arrive between pictures.
          await new Promise(setImmediate);
        }
        runs.push(collect(members, results, () => towers.vision(pixels, members.length, signal), finish));
        // The next batch is resized while this one runs; no more than two wait, so memory stays bounded.
        if (runs.length > towers.lanes) await runs[runs.length - 1 - towers.lanes];
      }
      await settle(runs);
      return results;
    },
    async embedCaptions(captions, signal) {
      const results: (Float32Array | Failure)[] = new Array(captions.length);
      const runs: Promise<void>[] = [];
      // Captions of one length share a call; the same token ids are run once.
      const waiting = new Map<number, { ids: readonly number[]; members: number[] }[]>();
      const known = new Map<string, { ids: readonly number[]; members: number[] }>();
      const flush = async (length: number): Promise<void> => {
        const group = waiting.get(length) ?? [];
        waiting.delete(length);
        if (group.length === 0) return;
        for (const item of group) known.delete(item.ids.join());
        runs.push(
          (async () => {
            const outcome = await attempt(() =>
              towers.text(
                group.map((item) => item.ids),
                signal,
              ),
            );
            for (const [slot, item] of group.entries())
              for (const index of item.members)
                results[index] = Array.isArray(outcome) ? finish(outcome[slot] as Float32Array) : outcome;
          })(),
        );
        if (runs.length > towers.lanes) await runs[runs.length - 1 - towers.lanes];
      };
      for (const [index, caption] of captions.entries()) {
        signal.throwIfAborted();
        const { ids } = tokenizer.tokenize(caption);
        const key = ids.join();
        const same = known.get(key);
        if (same !== undefined) {
          same.members.push(index);
          continue;
        }
        const item = { ids, members: [index] };
        known.set(key, item);
        const length = tokenizer.fixedLength ? tokenizer.context : ids.length;
        const group = waiting.get(length) ?? [];
        group.push(item);
        waiting.set(length, group);
        if (group.length >= batch) await flush(length);
        if (index % 64 === 63) await new Promise(setImmediate);
      }
      for (const length of [...waiting.keys()].sort((a, b) => a - b)) await flush(length);
      await settle(runs);
      return results;
    },
    combine: (image, caption) => scaleScore(cosine(image, caption), spec.scale, logit),
    coverage: (captions) => captions.map((caption) => tokenizer.tokenize(caption).coverage),
    close: () => towers.close(),
  };
}

/** The result of a run, or the failure that every member of it ends in; an abort is thrown on. */
async function attempt<T>(run: () => Promise<T>): Promise<T | Failure> {
  try {
    return await run();
  } catch (error) {
    // A model that cannot be opened is the user's to mend, not one failed measurement after another.
    if (isAbort(error) || error instanceof AuditError) throw error;
    return failure(`inference failed: ${messageOf(error, 200)}`);
  }
}

async function collect(
  members: readonly number[],
  results: (Float32Array | Failure)[],
  run: () => Promise<Float32Array[]>,
  finish: (vector: Float32Array) => Float32Array | Failure,
): Promise<void> {
  const outcome = await attempt(run);
  for (const [slot, index] of members.entries())
    results[index] = Array.isArray(outcome) ? finish(outcome[slot] as Float32Array) : outcome;
}

/** Waits for all, then throws the first rejection: nothing keeps running behind a cancelled call. */
async function settle(runs: readonly Promise<void>[]): Promise<void> {
  const settled = await Promise.allSettled(runs);
  const rejected = settled.find((result) => result.status === 'rejected');
  if (rejected !== undefined) throw rejected.reason;
}
