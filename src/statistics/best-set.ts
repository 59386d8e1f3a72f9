import { studentisedT } from './band-maxima.ts';
import type { WeightMatrix } from './prompt-bootstrap.ts';
import { type ScoreCube, scoreAt } from './score-cube.ts';

/**
 * Multiple comparisons with the best at c0 (Hsu 1996, unknown best by test inversion): generator i stays in the set unless some
 * other generator j beats it, max_j (mean_j - mean_i) / SE_ji > c_i, where c_i is the ceil(level (B+1))-th smallest resample
 * maximum of the one-sided studentised differences to i. The set holds the best generator with about the stated level.
 *
 * @returns positions of the generators that cannot be ruled out, ascending.
 */
export function bestSet(
  cube: ScoreCube,
  prompts: readonly number[],
  margin: (m: number, n: number) => number,
  weights: WeightMatrix,
  level: number,
): number[] {
  const generators = Array.from({ length: cube.generators }, (_, index) => index);
  if (generators.length < 2 || prompts.length < 2) return generators;
  return generators.filter((item) => {
    const maxima = new Float64Array(weights.rows).fill(Number.NEGATIVE_INFINITY);
    let observed = Number.NEGATIVE_INFINITY;
    for (const other of generators) {
      if (other === item) continue;
      const mean = margin(other, item);
      const deviations = Float64Array.from(
        prompts,
        (prompt) => scoreAt(cube, 0, other, prompt) - scoreAt(cube, 0, item, prompt) - mean,
      );
      const scale = Math.sqrt(deviations.reduce((sum, deviation) => sum + deviation * deviation, 0));
      if (scale / prompts.length <= cube.tolerance) {
        // A constant difference has no error: it decides by itself.
        observed = Math.max(observed, mean > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
        continue;
      }
      observed = Math.max(observed, (mean * prompts.length) / scale);
      for (let row = 0; row < weights.rows; row += 1) {
        let product = 0;
        let squares = 0;
        let total = 0;
        for (const [index, prompt] of prompts.entries()) {
          const weight = weights.data[row * weights.columns + prompt]!;
          product += (weight * deviations[index]!) / scale;
          squares += weight * (deviations[index]! / scale) ** 2;
          total += weight;
        }
        const size = studentisedT(product, squares, total);
        const t = product > 0 || size === Number.POSITIVE_INFINITY ? size : -size;
        if (t > maxima[row]!) maxima[row] = t;
      }
    }
    const sorted = maxima.sort();
    const place = Math.ceil(level * (sorted.length + 1) - 1e-9);
    const critical = place > sorted.length ? Number.POSITIVE_INFINITY : sorted[place - 1]!;
    return !(observed > Math.max(critical, 0));
  });
}
