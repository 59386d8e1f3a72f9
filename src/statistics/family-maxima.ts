import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type BandTask, bandKernel } from './band-kernel.ts';
import { type BandMaxima, bandMaxima, setWeights, ZERO_ERROR } from './band-maxima.ts';
import { clusterMaxima } from './cluster-maxima.ts';
import type { ContrastMatrix } from './contrast-matrix.ts';
import type { Resamples } from './prompt-bootstrap.ts';
import { FILTER_PROMPTS, filterError, GROUP, simdFilter } from './simd-filter.ts';

/** Multiply-adds under which the plain computation is quick enough, and the filter alone quick enough for one thread. */
const SMALL = 2e7;
const ONE_THREAD = 2e9;
const PAGE = 65_536;

export interface FamilyMaximaOptions {
  /** Threads at most. The maxima do not depend on it. */
  readonly workers: number;
  /** `published` alone leaves the studentised maxima at 0 (benchmarks). */
  readonly bands?: 'both' | 'published';
  /** Uses the filter, and as many threads as asked for, whatever the family and the machine (tests). */
  readonly always?: boolean;
}

/** Maxima of both bands over the family, in the quickest exact way: equal to `bandMaxima` to the last bit. */
export async function familyMaxima(
  matrix: ContrastMatrix,
  resamples: Resamples,
  options: FamilyMaximaOptions,
): Promise<BandMaxima & { computed: number }> {
  const { rows, columns } = resamples.bootstrap;
  const work = matrix.count * rows * columns;
  const all = matrix.inBand.reduce((sum, flag) => sum + flag, 0) * rows;
  if (resamples.unit !== 'prompt') return { ...clusterMaxima(matrix, resamples), computed: all };
  const memoryNeeded = 4 * (rows * columns + 1.1 * matrix.count * columns);
  if ((work < SMALL && options.always !== true) || columns > FILTER_PROMPTS || memoryNeeded > 3e9)
    return { ...bandMaxima(matrix, resamples.bootstrap), computed: all };
  const threads =
    work < ONE_THREAD && options.always !== true
      ? 1
      : Math.max(1, Math.min(options.workers, options.always === true ? rows : availableParallelism(), rows));
  const tasks = bandTasks(matrix, resamples, threads, options.bands ?? 'both');
  if (threads === 1) bandKernel(tasks[0]!);
  else await Promise.all(tasks.map(inWorker));
  const [{ studentised, published, computed }] = tasks as [BandTask];
  return {
    studentised: Float64Array.from(studentised),
    published: Float64Array.from(published),
    computed: computed.reduce((sum, count) => sum + count, 0),
  };
}

/** Lays weights and directions out for the filter, in memory all threads share. */
function bandTasks(
  matrix: ContrastMatrix,
  resamples: Resamples,
  threads: number,
  bands: BandTask['bands'],
): BandTask[] {
  const { rows, columns, data } = resamples.bootstrap;
  const { order, setStart } = bySet(matrix);
  const weightsAt = 0;
  const directionsAt = 16 * Math.ceil((rows * columns * 4) / 16);
  const listsAt = directionsAt + order.length * columns * 4;
  const pages = Math.ceil((listsAt + threads * 256) / PAGE);
  const { WebAssembly: wasm } = globalThis as unknown as {
    WebAssembly: { Memory: new (limits: object) => { readonly buffer: SharedArrayBuffer } };
  };
  const memory = new wasm.Memory({ initial: pages, maximum: PAGE, shared: true });
  const floats = new Float32Array(memory.buffer);
  floats.set(data, weightsAt / 4);
  for (const [place, id] of order.entries()) {
    const at = directionsAt / 4 + (place - (place % GROUP)) * columns + (place % GROUP);
    for (let prompt = 0; prompt < columns; prompt += 1)
      floats[at + prompt * GROUP] = matrix.directions[id * columns + prompt]!;
  }
  const base = {
    columns,
    rows,
    weights: sharedCopy(data),
    directions: matrix.directions,
    order,
    setStart,
    setSize: sharedCopy(Float64Array.from(matrix.sets, (prompts) => prompts.length)),
    totals: sharedCopy(setWeights(matrix, resamples.bootstrap)),
    group: GROUP,
    code: simdFilter(columns, { studentised: bands === 'both' }),
    memory,
    weightsAt,
    directionsAt,
    error: filterError(columns),
    bands,
    zero: ZERO_ERROR,
    studentised: sharedCopy(new Float64Array(rows)),
    published: sharedCopy(new Float64Array(rows)),
    computed: sharedCopy(new Float64Array(threads)),
  };
  return Array.from({ length: threads }, (_, thread) => ({
    ...base,
    thread,
    listAt: listsAt + thread * 256,
    from: Math.floor((thread * rows) / threads),
    to: Math.floor(((thread + 1) * rows) / threads),
  }));
}

/** The band's contrasts set by set, each set filled up to whole groups with its last contrast. */
function bySet(matrix: ContrastMatrix): { order: Uint32Array; setStart: Uint32Array } {
  const lists = matrix.sets.map((): number[] => []);
  for (let id = 0; id < matrix.count; id += 1) if (matrix.inBand[id] === 1) lists[matrix.set[id]!]!.push(id);
  const setStart = [0];
  for (const list of lists) {
    while (list.length % GROUP !== 0) list.push(list.at(-1)!);
    setStart.push(setStart.at(-1)! + list.length);
  }
  const shared = (values: readonly number[]) => {
    const array = new Uint32Array(new SharedArrayBuffer(4 * values.length));
    array.set(values);
    return array;
  };
  return { order: shared(lists.flat()), setStart: shared(setStart) };
}

/**
 * Runs a task in a thread. The kernel goes as text because a worker cannot load TypeScript under a test runner, and a path to a
 * compiled file would differ between the package, a bundle and the sources; the function uses nothing outside itself.
 */
function inWorker(task: BandTask): Promise<void> {
  const source = `const { parentPort, workerData } = require('node:worker_threads');
const kernel = ${bandKernel.toString()};
kernel(workerData);
parentPort.postMessage('done');`;
  return new Promise((resolve, reject) => {
    const worker = new Worker(source, { eval: true, workerData: task });
    worker.once('message', () => {
      resolve();
      void worker.terminate();
    });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (code !== 0) reject(new Error(`band worker ended with exit code ${code}`));
    });
  });
}

function sharedCopy(values: Float64Array): Float64Array {
  const copy = new Float64Array(new SharedArrayBuffer(8 * values.length));
  copy.set(values);
  return copy;
}
