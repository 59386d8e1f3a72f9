import { compareText } from '../core/json.ts';
import { Random } from '../core/random.ts';

/** Weights of the prompts, one row a resample: `data[row * columns + prompt]` is how often the prompt was drawn. */
export interface WeightMatrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float64Array;
}

/** One stream of resamples shared by every estimate of an audit, so that generators, evaluators and configurations stay aligned. */
export interface Resamples {
  /** `prompt`, or the column whose values are resampled as clusters. */
  readonly unit: string;
  /** Prompts, or clusters. */
  readonly units: number;
  /** Cluster of each prompt (its own index without clusters). */
  readonly clusterOf: Uint32Array;
  readonly bootstrap: WeightMatrix;
  /** Leave-one-unit-out weights, for BCa. */
  readonly jackknife: WeightMatrix;
}

/** Fewer clusters than this make a cluster bootstrap unreliable. */
export const FEW_CLUSTERS = 10;

/**
 * Draws `count` resamples of whole prompts (sorted by id) or whole clusters (sorted by name) with replacement.
 *
 * @throws RangeError without prompts.
 */
export function drawResamples(
  seed: number,
  prompts: readonly string[],
  count: number,
  clusters: { readonly column: string; readonly of: ReadonlyMap<string, string> } | null = null,
): Resamples {
  if (prompts.length === 0) throw new RangeError('drawResamples requires at least one prompt');
  const columns = prompts.length;
  const names =
    clusters === null ? [] : [...new Set(prompts.map((prompt) => clusters.of.get(prompt) ?? ''))].sort(compareText);
  const place = new Map(names.map((name, index) => [name, index]));
  const clusterOf = Uint32Array.from(prompts, (prompt, index) =>
    clusters === null ? index : place.get(clusters.of.get(prompt) ?? '')!,
  );
  const units = clusters === null ? columns : names.length;
  const random = new Random(seed, 'bootstrap', clusters === null ? 'prompts' : 'clusters');
  const bootstrap = new Float64Array(count * columns);
  const drawn = new Float64Array(units);
  for (let row = 0; row < count; row += 1) {
    drawn.fill(0);
    for (let draw = 0; draw < units; draw += 1) drawn[random.integer(units)]! += 1;
    for (let prompt = 0; prompt < columns; prompt += 1) bootstrap[row * columns + prompt] = drawn[clusterOf[prompt]!]!;
  }
  const jackknife = new Float64Array(units * columns);
  for (let unit = 0; unit < units; unit += 1)
    for (let prompt = 0; prompt < columns; prompt += 1)
      jackknife[unit * columns + prompt] = clusterOf[prompt] === unit ? 0 : 1;
  return {
    unit: clusters === null ? 'prompt' : clusters.column,
    units,
    clusterOf,
    bootstrap: { rows: count, columns, data: bootstrap },
    jackknife: { rows: units, columns, data: jackknife },
  };
}

/** One weight row of ones: the statistic on the data as they are. */
export function unitWeights(columns: number): WeightMatrix {
  return { rows: 1, columns, data: new Float64Array(columns).fill(1) };
}

/**
 * sum(w numerator) / sum(w denominator) in every resample; NaN where the denominator is 0 (nothing scored was drawn).
 * `numerator` and `denominator` hold one value a prompt.
 */
export function weightedRatios(
  weights: WeightMatrix,
  numerator: Float64Array,
  denominator: Float64Array,
): Float64Array {
  const { rows, columns, data } = weights;
  const result = new Float64Array(rows);
  for (let row = 0; row < rows; row += 1) {
    let above = 0;
    let below = 0;
    const from = row * columns;
    for (let prompt = 0; prompt < columns; prompt += 1) {
      const weight = data[from + prompt]!;
      above += weight * numerator[prompt]!;
      below += weight * denominator[prompt]!;
    }
    result[row] = below > 0 ? above / below : Number.NaN;
  }
  return result;
}
