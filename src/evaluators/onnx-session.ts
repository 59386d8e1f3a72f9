import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { CLIPTextModelWithProjection, env, LogLevel, Tensor } from '@huggingface/transformers';
import PQueue from 'p-queue';
import { AuditError, messageOf } from '../core/errors.ts';
import { fromHalf, toHalf } from './half.ts';
import { DTYPE_SUFFIX, type Dtype } from './model-files.ts';

/** A float32 or int64 tensor on its way in or out of a graph. */
export type Data = Float32Array | BigInt64Array;
export interface Feed {
  readonly data: Data;
  readonly dims: readonly number[];
}
export interface Result {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

interface OrtTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: unknown;
  dispose(): void;
}
interface OrtValueMetadata {
  readonly name: string;
  readonly isTensor: boolean;
  readonly type?: string;
  readonly shape?: readonly (number | string)[];
}
/** The part of an onnxruntime session that is used here. */
interface OrtSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly OrtValueMetadata[];
  run(feeds: Record<string, unknown>, fetches: readonly string[]): Promise<Record<string, OrtTensor>>;
  release(): Promise<void>;
}

/** One loaded graph; runs wait in line so that no more than `lanes` are in the air at once. */
export interface OnnxSession {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Fixed sizes of an input, null where the graph leaves them open. */
  inputShape(name: string): (number | null)[];
  run(feeds: Readonly<Record<string, Feed>>, outputs: readonly string[], signal: AbortSignal): Promise<Result[]>;
  close(): Promise<void>;
}

export interface SessionOptions {
  /** Name of the graph without dtype suffix: `text_model`, `vision_model`, `model`. */
  readonly graph: string;
  readonly dtype: Dtype;
  readonly device: string;
  /** Threads inside one run. */
  readonly threads: number;
  /** Runs at once. */
  readonly lanes: number;
  readonly external: boolean;
}

/** Bytes of weights from which on a model is worth all cores inside one operator. */
export const LARGE_MODEL = 32e6;

/**
 * Threads inside a run and runs at once. A small graph gains nothing from threads inside an operator, so it gets one and
 * whole batches run side by side; a large one gets all cores, one batch after the other.
 */
export function schedule(weightBytes: number, threads: number | undefined): { threads: number; lanes: number } {
  const cores = availableParallelism();
  if (threads !== undefined) return { threads, lanes: 1 };
  return weightBytes < LARGE_MODEL ? { threads: 1, lanes: Math.min(cores, 4) } : { threads: cores, lanes: 1 };
}

/** Versions that could change a number: the runtime and the libraries round it. */
export function runtimeVersions(): { transformers: string; onnxruntime: string } {
  const require = createRequire(import.meta.url);
  // transformers.js pins its own onnxruntime; asking from its folder finds that one.
  const inner = createRequire(require.resolve('@huggingface/transformers'));
  const version = (load: NodeJS.Require, name: string): string =>
    String((load(`${name}/package.json`) as { version: string }).version);
  let onnxruntime = 'unknown';
  try {
    onnxruntime = version(inner, 'onnxruntime-node');
  } catch {
    // A package without an open package.json: the transformers version still pins it.
  }
  return { transformers: env.version ?? 'unknown', onnxruntime };
}

/**
 * Loads one ONNX graph of a checked folder through transformers.js, which picks the file by dtype and the execution
 * provider by device. Inference then talks to the session itself: no padding, no processor, no copy in between.
 *
 * @throws AuditError when the graph or the execution provider cannot be loaded.
 */
export async function openSession(folder: string, options: SessionOptions, shown: string): Promise<OnnxSession> {
  env.allowRemoteModels = false;
  const before = env.logLevel;
  env.logLevel = LogLevel.ERROR;
  let session: OrtSession;
  try {
    const model = await CLIPTextModelWithProjection.from_pretrained(folder, {
      model_file_name: options.graph,
      dtype: options.dtype,
      device: options.device as 'cpu',
      local_files_only: true,
      use_external_data_format: options.external,
      session_options: { intraOpNumThreads: options.threads, interOpNumThreads: 1, executionMode: 'sequential' },
    });
    session = (model as unknown as { sessions: { model: OrtSession } }).sessions.model;
  } catch (error) {
    const file = `onnx/${options.graph}${DTYPE_SUFFIX[options.dtype]}.onnx`;
    throw new AuditError(
      `${shown}/${file}: cannot be loaded on device "${options.device}" (${messageOf(error, 200)}); expected an ONNX graph and an installed execution provider`,
      { code: 'ENVIRONMENT', cause: error, hint: 'docs/evaluators.md, "Devices"' },
    );
  } finally {
    env.logLevel = before;
  }
  const queue = new PQueue({ concurrency: options.lanes });
  const metadata = new Map(session.inputMetadata.map((input) => [input.name, input]));
  return {
    inputs: session.inputNames,
    outputs: session.outputNames,
    inputShape: (name) => (metadata.get(name)?.shape ?? []).map((size) => (typeof size === 'number' ? size : null)),
    run: (feeds, outputs, signal) =>
      queue.add(
        async () => {
          const tensors = Object.fromEntries(
            Object.entries(feeds).map(([name, feed]) => [name, tensorOf(feed, metadata.get(name)?.type)]),
          );
          const answer = await session.run(tensors, outputs);
          return outputs.map((name) => {
            const tensor = answer[name] as OrtTensor;
            return { data: asFloat32(tensor), dims: tensor.dims };
          });
        },
        { signal },
      ),
    async close() {
      queue.clear();
      await queue.onIdle();
      await session.release();
    },
  };
}

function tensorOf(feed: Feed, type: string | undefined): unknown {
  const wrap = (kind: string, data: unknown): unknown =>
    (new Tensor(kind as 'float32', data as Float32Array, [...feed.dims]) as unknown as { ort_tensor: unknown })
      .ort_tensor;
  if (feed.data instanceof BigInt64Array)
    return type === 'int32' ? wrap('int32', Int32Array.from(feed.data, Number)) : wrap('int64', feed.data);
  return type === 'float16' ? wrap('float16', Uint16Array.from(feed.data, toHalf)) : wrap('float32', feed.data);
}

function asFloat32(tensor: OrtTensor): Float32Array {
  if (tensor.type === 'float16') return Float32Array.from(tensor.data as Uint16Array, fromHalf);
  return tensor.data as Float32Array;
}
