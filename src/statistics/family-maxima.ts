import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { bandGroups } from './band-groups.ts';
import { type BandTask, bandKernel } from './band-kernel.ts';
import { type BandMaxima, bandMaxima, ZERO_ERROR } from './band-maxima.ts';
import { clusterMaxima } from './cluster-maxima.ts';
import type { ContrastMatrix } from './contrast-matrix.ts';
import type { Resamples } from './prompt-bootstrap.ts';

/** Multiply-adds under which the plain computation is at least as fast as pruning, and pruning alone as threads. */
const SMALL = 2e8;
const ONE_THREAD = 2e9;

export interface FamilyMaximaOptions {
  /** Threads at most. The maxima do not depend on it. */
  readonly workers: number;
  /** Factor of a contrast, so that the levels of a large one are searched together. */
  readonly factorOf: (evaluator: number, configuration: number) => string;
  /** Forces pruning for small families too (tests). */
  readonly prune?: boolean;
}

/** Maxima of both bands over the family, in the quickest exact way: equal to `bandMaxima` to the last bit. */
export async function familyMaxima(
  matrix: ContrastMatrix,
  resamples: Resamples,
  options: FamilyMaximaOptions,
): Promise<BandMaxima & { computed: number }> {
  const work = matrix.count * resamples.bootstrap.rows * matrix.columns;
  const all = matrix.inBand.reduce((sum, flag) => sum + flag, 0) * resamples.bootstrap.rows;
  if (resamples.unit !== 'prompt') return { ...clusterMaxima(matrix, resamples), computed: all };
  if (work < SMALL && options.prune !== true) return { ...bandMaxima(matrix, resamples.bootstrap), computed: all };
  const { rows, columns, data } = resamples.bootstrap;
  const weights = sharedCopy(data);
  const mask = new Uint8Array(new SharedArrayBuffer(matrix.sets.length * columns));
  for (const [set, prompts] of matrix.sets.entries()) for (const prompt of prompts) mask[set * columns + prompt] = 1;
  const threads =
    work < ONE_THREAD && options.prune !== true
      ? 1
      : Math.max(1, Math.min(options.workers, availableParallelism(), rows));
  const base = {
    columns,
    weights,
    groups: bandGroups(matrix, options.factorOf),
    mask,
    setSize: sharedCopy(Float64Array.from(matrix.sets, (prompts) => prompts.length)),
    zero: ZERO_ERROR,
    studentised: sharedCopy(new Float64Array(rows)),
    published: sharedCopy(new Float64Array(rows)),
    computed: sharedCopy(new Float64Array(threads)),
  };
  const tasks: BandTask[] = Array.from({ length: threads }, (_, thread) => ({
    ...base,
    thread,
    from: Math.floor((thread * rows) / threads),
    to: Math.floor(((thread + 1) * rows) / threads),
  }));
  if (threads === 1) bandKernel(tasks[0]!);
  else await Promise.all(tasks.map(inWorker));
  return {
    studentised: Float64Array.from(base.studentised),
    published: Float64Array.from(base.published),
    computed: base.computed.reduce((sum, count) => sum + count, 0),
  };
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
