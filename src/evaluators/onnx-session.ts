import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { env } from '@huggingface/transformers';
import PQueue from 'p-queue';
import { AuditError, messageOf } from '../core/errors.ts';
import { fromHalf, toHalf } from './half.ts';
import { acquireWorkers, type InferenceWorker, onnxruntimeVersion, type WireTensor } from './inference-worker.ts';
import { DTYPE_SUFFIX, type Dtype } from './model-files.ts';

/** A float32 or int64 tensor on its way into a graph. */
export interface Feed {
  readonly data: Float32Array | BigInt64Array;
  readonly dims: readonly number[];
  /** The data is not needed again here: it is handed over instead of copied. */
  readonly handOver?: boolean;
}
export interface Result {
  readonly data: Float32Array;
  readonly dims: readonly number[];
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

/** Versions that could change a number: the runtime and the library round it. */
export function runtimeVersions(): { transformers: string; onnxruntime: string } {
  return { transformers: env.version ?? 'unknown', onnxruntime: onnxruntimeVersion() };
}

/**
 * Loads one ONNX graph of a checked folder with the onnxruntime that transformers.js brings, in worker threads: its
 * `run` holds up the thread that calls it, so only a worker lets resizing, tokenising and Ctrl+C go on meanwhile.
 *
 * @throws AuditError when the graph or the execution provider cannot be loaded.
 */
export async function openSession(folder: string, options: SessionOptions, shown: string): Promise<OnnxSession> {
  const file = `onnx/${options.graph}${DTYPE_SUFFIX[options.dtype]}.onnx`;
  const pool = acquireWorkers(options.lanes);
  const opened: { worker: InferenceWorker; session: number }[] = [];
  let metadata: Awaited<ReturnType<InferenceWorker['open']>> | undefined;
  try {
    for (const worker of pool.workers) {
      const answer = await worker.open(join(folder, file), {
        executionProviders: [options.device],
        intraOpNumThreads: options.threads,
        interOpNumThreads: 1,
        executionMode: 'sequential',
        logSeverityLevel: 3,
      });
      opened.push({ worker, session: answer.session });
      metadata = answer;
    }
    if (metadata === undefined) throw new RangeError('openSession requires at least one lane');
  } catch (error) {
    for (const { worker, session } of opened) await worker.close(session).catch(() => {});
    await pool.release();
    throw new AuditError(
      `${shown}/${file}: cannot be loaded on device "${options.device}" (${messageOf(error, 200)}); expected an ONNX graph and an installed execution provider`,
      { code: 'ENVIRONMENT', cause: error, hint: 'docs/evaluators.md, "Devices"' },
    );
  }
  const queue = new PQueue({ concurrency: opened.length });
  const idle = [...opened];
  const inputs = new Map(metadata.inputs.map((input) => [input.name, input]));
  let closed: Promise<void> | undefined;
  return {
    inputs: [...inputs.keys()],
    outputs: metadata.outputs,
    inputShape: (name) => (inputs.get(name)?.shape ?? []).map((size) => (typeof size === 'number' ? size : null)),
    run: (feeds, outputs, signal) =>
      queue.add(
        async () => {
          const lane = idle.pop() as (typeof opened)[number];
          try {
            const tensors: Record<string, WireTensor> = {};
            const handed: ArrayBuffer[] = [];
            for (const [name, feed] of Object.entries(feeds)) {
              const tensor = tensorOf(feed, inputs.get(name)?.type);
              tensors[name] = tensor;
              if (feed.handOver === true) handed.push(tensor.data.buffer as ArrayBuffer);
            }
            return (await lane.worker.run(lane.session, tensors, outputs, handed)).map(resultOf);
          } finally {
            idle.push(lane);
          }
        },
        { signal },
      ),
    close() {
      closed ??= (async () => {
        queue.clear();
        await queue.onIdle();
        for (const { worker, session } of opened) await worker.close(session).catch(() => {});
        await pool.release();
      })();
      return closed;
    },
  };
}

function tensorOf({ data, dims }: Feed, type: string | undefined): WireTensor {
  if (data instanceof BigInt64Array)
    return type === 'int32'
      ? { type: 'int32', data: Int32Array.from(data, Number), dims }
      : { type: 'int64', data, dims };
  return type === 'float16'
    ? { type: 'float16', data: Uint16Array.from(data, toHalf), dims }
    : { type: 'float32', data, dims };
}

function resultOf({ type, data, dims }: WireTensor): Result {
  return { data: type === 'float16' ? Float32Array.from(data as Uint16Array, fromHalf) : (data as Float32Array), dims };
}
