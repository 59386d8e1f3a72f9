import type { ContrastMatrix } from './contrast-matrix.ts';
import type { WeightMatrix } from './prompt-bootstrap.ts';

/** Largest |t*| over the family in every resample, for both bands. */
export interface BandMaxima {
  readonly studentised: Float64Array;
  readonly published: Float64Array;
}

/** A remaining se* this small against the sum of squares is 0: every prompt drawn has the same difference. */
export const ZERO_ERROR = 1e-12;

/** Sum of the weights over every prompt set in every resample: `[set * rows + row]`. */
export function setWeights(matrix: Pick<ContrastMatrix, 'sets'>, weights: WeightMatrix): Float64Array {
  const totals = new Float64Array(matrix.sets.length * weights.rows);
  for (const [set, prompts] of matrix.sets.entries())
    for (let row = 0; row < weights.rows; row += 1) {
      let sum = 0;
      for (const prompt of prompts) sum += weights.data[row * weights.columns + prompt]!;
      totals[set * weights.rows + row] = sum;
    }
  return totals;
}

/**
 * The maxima, computed plainly: every contrast in every resample. With u the contrast's direction, n the sum of weights over its
 * set and N the size of the set:
 *
 * published   |t*| = |w.u| N / n                              (SE stays that of the data)
 * studentised |t*| = |w.u| / sqrt(sum(w u^2) - (w.u)^2 / n)   (se* recomputed; 0 counts as +infinity)
 */
export function bandMaxima(matrix: ContrastMatrix, weights: WeightMatrix): BandMaxima {
  const { count, columns, directions } = matrix;
  const totals = setWeights(matrix, weights);
  const studentised = new Float64Array(weights.rows);
  const published = new Float64Array(weights.rows);
  for (let row = 0; row < weights.rows; row += 1) {
    const from = row * columns;
    let largest = 0;
    let largestFixed = 0;
    for (let contrast = 0; contrast < count; contrast += 1) {
      if (matrix.inBand[contrast] === 0) continue;
      const start = contrast * columns;
      let product = 0;
      let squares = 0;
      for (let prompt = 0; prompt < columns; prompt += 1) {
        const part = weights.data[from + prompt]! * directions[start + prompt]!;
        product += part;
        squares += part * directions[start + prompt]!;
      }
      const set = matrix.set[contrast]!;
      const total = totals[set * weights.rows + row]!;
      const fixed = total === 0 ? Number.POSITIVE_INFINITY : (Math.abs(product) * matrix.sets[set]!.length) / total;
      if (fixed > largestFixed) largestFixed = fixed;
      const own = studentisedT(product, squares, total);
      if (own > largest) largest = own;
    }
    studentised[row] = largest;
    published[row] = largestFixed;
  }
  return { studentised, published };
}

/** |t*| with se* recomputed, from w.u, sum(w u^2) and n. */
export function studentisedT(product: number, squares: number, total: number): number {
  if (total === 0) return Number.POSITIVE_INFINITY;
  const spread = squares - (product * product) / total;
  if (spread <= ZERO_ERROR * squares) return Number.POSITIVE_INFINITY;
  return Math.abs(product) / Math.sqrt(spread);
}
