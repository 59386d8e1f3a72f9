import { type BandMaxima, setWeights, ZERO_ERROR } from './band-maxima.ts';
import type { ContrastMatrix } from './contrast-matrix.ts';
import type { Resamples } from './prompt-bootstrap.ts';

/**
 * Maxima of both bands when clusters of prompts are resampled. With D_c the sum of the directions of a cluster's prompts, n_c their
 * number and k_c how often the cluster was drawn: mean* - mean = delta = sum(k D) / n in units of the scale, and the cluster-robust
 * se*^2 = sum k (D - n_c delta)^2 / n^2.
 */
export function clusterMaxima(matrix: ContrastMatrix, resamples: Resamples): BandMaxima {
  const { bootstrap, clusterOf, units } = resamples;
  const { columns, directions } = matrix;
  const totals = setWeights(matrix, bootstrap);
  const drawn = drawnClusters(resamples);
  const sizes = matrix.sets.map((prompts) => {
    const counts = new Float64Array(units);
    for (const prompt of prompts) counts[clusterOf[prompt]!]! += 1;
    return counts;
  });
  const studentised = new Float64Array(bootstrap.rows);
  const published = new Float64Array(bootstrap.rows);
  const sums = new Float64Array(units);
  for (let contrast = 0; contrast < matrix.count; contrast += 1) {
    if (matrix.inBand[contrast] === 0) continue;
    sums.fill(0);
    for (let prompt = 0; prompt < columns; prompt += 1)
      sums[clusterOf[prompt]!]! += directions[contrast * columns + prompt]!;
    const set = matrix.set[contrast]!;
    const size = sizes[set]!;
    const fixedError = matrix.error[contrast]! / matrix.scale[contrast]!;
    for (let row = 0; row < bootstrap.rows; row += 1) {
      let product = 0;
      let squares = 0;
      let mixed = 0;
      let counts = 0;
      for (let cluster = 0; cluster < units; cluster += 1) {
        const times = drawn[row * units + cluster]!;
        if (times === 0) continue;
        const sum = sums[cluster]!;
        product += times * sum;
        squares += times * sum * sum;
        mixed += times * size[cluster]! * sum;
        counts += times * size[cluster]! * size[cluster]!;
      }
      const total = totals[set * bootstrap.rows + row]!;
      const shift = product / total;
      const spread = squares - 2 * shift * mixed + shift * shift * counts;
      const degenerate = total === 0 || spread <= ZERO_ERROR * squares;
      const own = degenerate ? Number.POSITIVE_INFINITY : Math.abs(product) / Math.sqrt(spread);
      const fixed = total === 0 ? Number.POSITIVE_INFINITY : Math.abs(shift) / fixedError;
      if (own > studentised[row]!) studentised[row] = own;
      if (fixed > published[row]!) published[row] = fixed;
    }
  }
  return { studentised, published };
}

/** How often each cluster was drawn: the weight of any of its prompts. */
function drawnClusters({ bootstrap, clusterOf, units }: Resamples): Float64Array {
  const drawn = new Float64Array(bootstrap.rows * units);
  for (let row = 0; row < bootstrap.rows; row += 1)
    for (let prompt = 0; prompt < bootstrap.columns; prompt += 1)
      drawn[row * units + clusterOf[prompt]!] = bootstrap.data[row * bootstrap.columns + prompt]!;
  return drawn;
}
