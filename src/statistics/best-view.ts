import type { EvaluatorEstimates } from '../core/estimates.ts';
import { bootstrapInterval, estimateOf, type IntervalOptions, undefinedEstimate } from './interval.ts';
import type { Resamples, WeightMatrix } from './prompt-bootstrap.ts';
import type { ScoreCube } from './score-cube.ts';

/** Factors whose levels are camera poses. */
const POSE_FACTORS = ['pitch', 'yaw'];

/**
 * Best-view inflation: median over scenes of (largest score over c0 and all pitch and yaw poses) / (score at c0), scenes with a
 * positive score at c0 only.
 */
export function bestView(
  cube: ScoreCube,
  withheld: string | null,
  resamples: Resamples,
  options: IntervalOptions,
): EvaluatorEstimates['bestView'] {
  const rows = new Set([0]);
  for (const factor of cube.factors)
    if (POSE_FACTORS.includes(factor.factor)) for (const row of factor.rows) rows.add(row);
  const scenes = cube.generators * cube.prompts;
  const ratios: { ratio: number; prompt: number }[] = [];
  let notPositive = 0;
  let scored = 0;
  for (let scene = 0; scene < scenes; scene += 1) {
    const base = cube.scores[scene]!;
    if (Number.isNaN(base)) continue;
    scored += 1;
    if (base <= 0) {
      notPositive += 1;
      continue;
    }
    let best = base;
    for (const row of rows) {
      const score = cube.scores[row * scenes + scene]!;
      if (score > best) best = score;
    }
    ratios.push({ ratio: best / base, prompt: scene % cube.prompts });
  }
  const companions = { poses: rows.size, notPositive };
  const reason =
    withheld ??
    (rows.size < 2
      ? 'neither pitch nor yaw was swept'
      : ratios.length === 0
        ? 'no scene with a positive score at c0'
        : null);
  const excluded = scenes - ratios.length;
  if (reason !== null || scored === 0)
    return { ...undefinedEstimate(reason ?? 'nothing scored', ratios.length, excluded), ...companions };
  ratios.sort((a, b) => a.ratio - b.ratio);
  const replicate = (weights: WeightMatrix) => weightedMedians(ratios, weights);
  const value = weightedMedians(ratios, {
    rows: 1,
    columns: cube.prompts,
    data: new Float64Array(cube.prompts).fill(1),
  })[0]!;
  const interval = bootstrapInterval(
    value,
    replicate(resamples.bootstrap),
    () => replicate(resamples.jackknife),
    options,
  );
  return { ...estimateOf(value, { n: ratios.length, excluded }, interval, resamples, options), ...companions };
}

/** Median of the ascending values, each repeated as often as its prompt was drawn; NaN when nothing was. */
function weightedMedians(ascending: readonly { ratio: number; prompt: number }[], weights: WeightMatrix): Float64Array {
  const { rows, columns, data } = weights;
  const result = new Float64Array(rows);
  const prompts = Uint32Array.from(ascending, ({ prompt }) => prompt);
  const ratios = Float64Array.from(ascending, ({ ratio }) => ratio);
  for (let row = 0; row < rows; row += 1) {
    const from = row * columns;
    let total = 0;
    for (let index = 0; index < prompts.length; index += 1) total += data[from + prompts[index]!]!;
    const low = Math.floor((total - 1) / 2);
    const high = Math.floor(total / 2);
    let before = 0;
    let first = Number.NaN;
    let second = Number.NaN;
    for (let index = 0; index < prompts.length && total > 0; index += 1) {
      before += data[from + prompts[index]!]!;
      if (Number.isNaN(first) && before > low) first = ratios[index]!;
      if (before > high) {
        second = ratios[index]!;
        break;
      }
    }
    result[row] = (first + second) / 2;
  }
  return result;
}
