import { setWeights } from './band-maxima.ts';
import type { ContrastMatrix } from './contrast-matrix.ts';
import { bootstrapInterval, type Interval, type IntervalOptions, singleUnit } from './interval.ts';
import type { Resamples, WeightMatrix } from './prompt-bootstrap.ts';

/** Pointwise intervals of single contrasts, computed when asked for and kept. */
export class PointwiseIntervals {
  readonly #matrix: ContrastMatrix;
  readonly #resamples: Resamples;
  readonly #options: IntervalOptions;
  readonly #totals: Float64Array;
  readonly #known = new Map<number, Interval>();

  constructor(matrix: ContrastMatrix, resamples: Resamples, options: IntervalOptions) {
    this.#matrix = matrix;
    this.#resamples = resamples;
    this.#options = options;
    this.#totals = setWeights(matrix, resamples.bootstrap);
  }

  /** Interval of contrast `id`. */
  of(id: number): Interval {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const single = singleUnit(this.#resamples);
    if (single !== null) return single;
    const made = bootstrapInterval(
      this.#matrix.estimate[id]!,
      this.#means(id, this.#resamples.bootstrap, this.#totals),
      () => this.#means(id, this.#resamples.jackknife, setWeights(this.#matrix, this.#resamples.jackknife)),
      this.#options,
    );
    this.#known.set(id, made);
    return made;
  }

  /** 1 or -1 when the interval lies on that side of zero, else 0. Stops early when a percentile interval cannot exclude zero. */
  side(id: number): -1 | 0 | 1 {
    if (this.#options.method === 'percentile' && !this.#known.has(id) && this.#crosses(id)) return 0;
    const { lower, upper } = this.of(id);
    return lower !== null && lower > 0 ? 1 : upper !== null && upper < 0 ? -1 : 0;
  }

  /** True once so many resamples lie at or beyond zero, on both sides, that both limits must: an exact early stop. */
  #crosses(id: number): boolean {
    const { bootstrap } = this.#resamples;
    const { columns, directions, estimate, scale, set, tolerance } = this.#matrix;
    const tail = (1 - this.#options.level) / 2;
    const enough = Math.ceil((bootstrap.rows - 1) * tail) + 1;
    const start = id * columns;
    const from = set[id]! * bootstrap.rows;
    let down = 0;
    let up = 0;
    for (let row = 0; row < bootstrap.rows; row += 1) {
      let product = 0;
      for (let prompt = 0; prompt < columns; prompt += 1)
        product += bootstrap.data[row * columns + prompt]! * directions[start + prompt]!;
      const mean = estimate[id]! + (scale[id]! * product) / this.#totals[from + row]!;
      if (mean <= tolerance[id]!) down += 1;
      if (mean >= -tolerance[id]!) up += 1;
      if (down >= enough && up >= enough) return true;
    }
    return false;
  }

  /** Mean difference in every resample; float noise around 0 is 0, so that a limit at 0 does not exclude it. */
  #means(id: number, weights: WeightMatrix, totals: Float64Array): Float64Array {
    const { columns, directions, estimate, scale, set, tolerance } = this.#matrix;
    const start = id * columns;
    const from = set[id]! * weights.rows;
    const result = new Float64Array(weights.rows);
    for (let row = 0; row < weights.rows; row += 1) {
      let product = 0;
      for (let prompt = 0; prompt < columns; prompt += 1)
        product += weights.data[row * columns + prompt]! * directions[start + prompt]!;
      const total = totals[from + row]!;
      const mean = estimate[id]! + (scale[id]! * product) / total;
      result[row] = total === 0 ? Number.NaN : Math.abs(mean) <= tolerance[id]! ? 0 : mean;
    }
    return result;
  }
}
