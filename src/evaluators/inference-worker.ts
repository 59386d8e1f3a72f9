import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A tensor as it travels between threads. */
export interface WireTensor {
  readonly type: 'float32' | 'float16' | 'int64' | 'int32';
  readonly data: Float32Array | Uint16Array | BigInt64Array | Int32Array;
  readonly dims: readonly number[];
}

/** What a worker says about a graph it opened. */
export interface OpenedGraph {
  readonly session: number;
  readonly inputs: readonly { name: string; type?: string; shape?: readonly (number | string)[] }[];
  readonly outputs: readonly string[];
}

/** One thread that runs graphs, one run at a time. */
export interface InferenceWorker {
  open(path: string, options: object): Promise<OpenedGraph>;
  run(
    session: number,
    feeds: Readonly<Record<string, WireTensor>>,
    outputs: readonly string[],
    handOver: readonly ArrayBuffer[],
  ): Promise<WireTensor[]>;
  close(session: number): Promise<void>;
}

/**
 * The thread's program, plain JavaScript: Node 20 starts no TypeScript in a worker, and the same code has to work from src/,
 * from dist/ and under the test runner. It opens, runs and releases sessions, and answers every message once.
 */
const PROGRAM = `
process.env.ORT_DISABLE_TELEMETRY = '1';
const { parentPort, workerData } = require('node:worker_threads');
const ort = require(workerData.runtime);
const sessions = new Map();
let last = 0;
const work = {
  async open({ path, options }) {
    const session = await ort.InferenceSession.create(path, options);
    last += 1;
    sessions.set(last, session);
    const inputs = session.inputMetadata.map(({ name, type, shape }) => ({ name, type, shape: shape && [...shape] }));
    return [{ session: last, inputs, outputs: [...session.outputNames] }, []];
  },
  async run({ session, feeds, outputs }) {
    const tensors = {};
    for (const [name, { type, data, dims }] of Object.entries(feeds)) tensors[name] = new ort.Tensor(type, data, dims);
    const answer = await sessions.get(session).run(tensors, outputs);
    // Copied out of the runtime's memory, then handed over.
    const results = outputs.map((name) => ({ type: answer[name].type, data: answer[name].data.slice(), dims: [...answer[name].dims] }));
    return [results, results.map(({ data }) => data.buffer)];
  },
  async close({ session }) {
    await sessions.get(session).release();
    sessions.delete(session);
    return [null, []];
  },
};
parentPort.on('message', async ({ id, kind, message }) => {
  try {
    const [result, handOver] = await work[kind](message);
    parentPort.postMessage({ id, result }, handOver);
  } catch (error) {
    parentPort.postMessage({ id, error: String((error && error.message) || error) });
  }
});
`;

/** The onnxruntime that transformers.js depends on, wherever the package manager put it. */
function runtimePath(): string {
  const here = createRequire(import.meta.url);
  return createRequire(here.resolve('@huggingface/transformers')).resolve('onnxruntime-node');
}

/** Version of that onnxruntime. */
export function onnxruntimeVersion(): string {
  for (let folder = dirname(runtimePath()); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
        name?: string;
        version?: string;
      };
      if (found.name === 'onnxruntime-node') return found.version ?? 'unknown';
    } catch {
      // Not the package's own folder yet.
    }
  }
  return 'unknown';
}

class RunningWorker implements InferenceWorker {
  readonly #thread: Worker;
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  #last = 0;
  #ended: Error | undefined;

  constructor() {
    this.#thread = new Worker(PROGRAM, { eval: true, workerData: { runtime: runtimePath() } });
    this.#thread.on('message', ({ id, result, error }: { id: number; result?: unknown; error?: string }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#thread.unref();
      if (error === undefined) waiting?.resolve(result);
      else waiting?.reject(new Error(error));
    });
    this.#thread.on('error', (error) => this.#fail(error));
    this.#thread.on('exit', () => this.#fail(new Error('the inference thread ended')));
    // An evaluator that is not closed must not keep the process alive; a message in the air does.
    this.#thread.unref();
  }

  #fail(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }

  #ask(kind: string, message: unknown, handOver: readonly ArrayBuffer[] = []): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#thread.ref();
      this.#waiting.set(id, { resolve, reject });
      this.#thread.postMessage({ id, kind, message }, [...handOver]);
    });
  }

  open(path: string, options: object): Promise<OpenedGraph> {
    return this.#ask('open', { path, options }) as Promise<OpenedGraph>;
  }

  run(
    session: number,
    feeds: Readonly<Record<string, WireTensor>>,
    outputs: readonly string[],
    handOver: readonly ArrayBuffer[],
  ): Promise<WireTensor[]> {
    return this.#ask('run', { session, feeds, outputs }, handOver) as Promise<WireTensor[]>;
  }

  async close(session: number): Promise<void> {
    await this.#ask('close', { session });
  }

  async end(): Promise<void> {
    await this.#thread.terminate();
  }
}

/** The process's inference threads, shared by all models: lane k of every model runs on thread k. */
const threads: { worker: RunningWorker; users: number }[] = [];

/** The first `count` inference threads, started when needed and ended when their last user releases them. */
export function acquireWorkers(count: number): { workers: readonly InferenceWorker[]; release(): Promise<void> } {
  while (threads.length < count) threads.push({ worker: new RunningWorker(), users: 0 });
  const used = threads.slice(0, count);
  for (const thread of used) thread.users += 1;
  let released = false;
  return {
    workers: used.map(({ worker }) => worker),
    async release() {
      if (released) return;
      released = true;
      for (const thread of used) thread.users -= 1;
      // Only from the end of the list, so that lane numbers stay what they are.
      const idle: RunningWorker[] = [];
      while (threads.length > 0 && threads[threads.length - 1]?.users === 0)
        idle.push((threads.pop() as (typeof threads)[number]).worker);
      await Promise.all(idle.map((worker) => worker.end()));
    },
  };
}
