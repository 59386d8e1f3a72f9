/** What one thread works on: the resamples `from` to `to`. Arrays and memory are shared, so nothing is copied. */
export interface BandTask {
  readonly from: number;
  readonly to: number;
  readonly columns: number;
  readonly weights: Float64Array;
  readonly directions: Float64Array;
  /** Contrast ids, set by set, each set filled up to whole groups with its last contrast. */
  readonly order: Uint32Array;
  /** First place in `order` of each set, sets + 1 entries. */
  readonly setStart: Uint32Array;
  readonly setSize: Float64Array;
  /** Sum of the weights over every set in every resample: `[set * rows + row]`. */
  readonly totals: Float64Array;
  readonly rows: number;
  /** Contrasts of a group of the filter. */
  readonly group: number;
  /** Code of the filter, its memory, and where in it weights, directions and this thread's list begin. */
  readonly code: Uint8Array;
  readonly memory: { readonly buffer: ArrayBufferLike };
  readonly weightsAt: number;
  readonly directionsAt: number;
  readonly listAt: number;
  /** Relative error of the filter's sums. */
  readonly error: number;
  readonly bands: 'both' | 'published';
  /** A remaining squared error up to this share of the squares is 0. */
  readonly zero: number;
  readonly studentised: Float64Array;
  readonly published: Float64Array;
  /** Contrasts computed exactly, one entry a thread. */
  readonly computed: Float64Array;
  readonly thread: number;
}

/**
 * Maxima of both bands for some resamples. A single-precision filter rules out groups of contrasts that cannot exceed the
 * maximum found so far, its errors allowed for; every other contrast is computed by the plain formula, in the plain order of
 * operations. So the maxima are those of the plain computation to the last bit.
 *
 * With w the weights and n their sum over the set, x = w.u and Q = sum(w u^2): published t = |x| N / n exceeds T when x^2 > (T n / N)^2;
 * studentised t = |x| / sqrt(Q - x^2/n) exceeds T when x^2 > tau^2 Q with tau^2 = T^2 / (1 + T^2/n). The error of x is at most
 * `error` |w|, of Q at most `error` Q. Where Q is so small that the error of x could decide, the contrast is computed.
 *
 * This function is sent to worker threads as text: it must not use anything from outside its own body.
 */
export function bandKernel(task: BandTask): void {
  const { from, to, columns, group, weights, directions, order, setStart, setSize, totals, zero, error } = task;
  /** Resamples worked on together, and contrasts: the latter stay in the cache for all of the former. */
  const block = 64;
  const chunk = 128;
  /** Share by which limits are lowered, far above the rounding of single-precision limits. */
  const margin = 1e-3;
  const list = new Uint32Array(task.memory.buffer, task.listAt, chunk / group);
  const { WebAssembly: wasm } = globalThis as unknown as {
    WebAssembly: {
      Module: new (bytes: Uint8Array) => object;
      Instance: new (module: object, imports: object) => { exports: { filter: (...values: number[]) => number } };
    };
  };
  const { filter } = new wasm.Instance(new wasm.Module(task.code), { m: { m: task.memory } }).exports;
  const studentised = task.bands === 'both';
  const norms = new Float64Array(block);
  let computed = 0;
  let largest = 0;
  let largestFixed = 0;

  function exact(start: number, first: number, last: number, total: number, size: number): void {
    computed += last - first;
    for (let place = first; place < last; place += 1) {
      const at = order[place]! * columns;
      let product = 0;
      let squares = 0;
      for (let prompt = 0; prompt < columns; prompt += 1) {
        const part = weights[start + prompt]! * directions[at + prompt]!;
        product += part;
        squares += part * directions[at + prompt]!;
      }
      const length = Math.abs(product);
      const fixed = total === 0 ? Number.POSITIVE_INFINITY : (length * size) / total;
      if (fixed > largestFixed) largestFixed = fixed;
      const spread = squares - (product * product) / total;
      const own = total === 0 || spread <= zero * squares ? Number.POSITIVE_INFINITY : length / Math.sqrt(spread);
      if (own > largest) largest = own;
    }
  }

  /** One resample against the contrasts `first` to `last` of a set. */
  function search(row: number, first: number, last: number, set: number, norm: number): void {
    const total = totals[set * task.rows + row]!;
    const size = setSize[set]!;
    const start = row * columns;
    let begin = first;
    // Without a maximum yet, or without weights, there is nothing to rule out.
    if (total === 0 || largest === 0 || largestFixed === 0) {
      begin = total === 0 ? last : first + group;
      exact(start, first, begin, total, size);
      if (begin === last) return;
      if (largest === 0 || largestFixed === 0) {
        exact(start, begin, last, total, size);
        return;
      }
    }
    const limit = Math.max(0, (largestFixed * total) / size - error * norm);
    const infinite = largest === Number.POSITIVE_INFINITY;
    const tauSquared = (largest * largest) / (1 + (largest * largest) / total);
    const uncertain = (4 * error * norm) / (Math.sqrt(tauSquared) * margin);
    const end = filter(
      task.weightsAt + start * 4,
      task.directionsAt + begin * columns * 4,
      task.directionsAt + last * columns * 4,
      task.listAt,
      begin / group,
      limit * limit * (1 - margin),
      infinite ? Number.POSITIVE_INFINITY : tauSquared * (1 - margin),
      infinite ? 0 : uncertain * uncertain,
    );
    const found = (end - task.listAt) / 4;
    for (let index = 0; index < found; index += 1)
      exact(start, list[index]! * group, (list[index]! + 1) * group, total, size);
  }

  for (let firstRow = from; firstRow < to; firstRow += block) {
    const lastRow = Math.min(to, firstRow + block);
    for (let row = firstRow; row < lastRow; row += 1) {
      let sum = 0;
      for (let prompt = 0; prompt < columns; prompt += 1) sum += weights[row * columns + prompt]! ** 2;
      norms[row - firstRow] = Math.sqrt(sum);
    }
    for (let set = 0; set < setSize.length; set += 1)
      for (let first = setStart[set]!; first < setStart[set + 1]!; first += chunk) {
        const last = Math.min(setStart[set + 1]!, first + chunk);
        for (let row = firstRow; row < lastRow; row += 1) {
          largest = studentised ? task.studentised[row]! : Number.POSITIVE_INFINITY;
          largestFixed = task.published[row]!;
          search(row, first, last, set, norms[row - firstRow]!);
          if (studentised) task.studentised[row] = largest;
          task.published[row] = largestFixed;
        }
      }
  }
  task.computed[task.thread]! += computed;
}
