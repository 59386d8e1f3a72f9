import type { CubeFactor, ScoreCube } from './score-cube.ts';

/**
 * Spread of one factor within every scene, scene = generator * prompts + prompt. A scene counts when at least 95% of its own
 * planned levels are scored; NaN otherwise.
 */
export interface SceneSpread {
  readonly generators: number;
  readonly prompts: number;
  readonly mean: Float64Array;
  readonly smallest: Float64Array;
  /** Population variance over the scored levels. */
  readonly variance: Float64Array;
  readonly range: Float64Array;
  /** Expected range over random subsets of `matchedLevels` levels (exact, from the order statistics). */
  readonly matchedRange: Float64Array;
  /** 1 when every planned level is scored. */
  readonly complete: Uint8Array;
  readonly planned: number;
  readonly lost: number;
  readonly cells: { readonly planned: number; readonly missing: number };
  /** Levels of the scene that has most. */
  readonly levels: number;
}

/** Share of a scene's planned levels that must be scored. */
export const SCENE_SHARE = 0.95;

/** Computes the spread of `factor`; `levels` restricts it to some of its levels (positions). */
export function sceneSpread(
  cube: ScoreCube,
  factor: CubeFactor,
  matchedLevels: number,
  levels: readonly number[] = [...factor.rows.keys()],
): SceneSpread {
  const scenes = cube.generators * cube.prompts;
  const mean = new Float64Array(scenes).fill(Number.NaN);
  const smallest = new Float64Array(scenes).fill(Number.NaN);
  const variance = new Float64Array(scenes).fill(Number.NaN);
  const range = new Float64Array(scenes).fill(Number.NaN);
  const matchedRange = new Float64Array(scenes).fill(Number.NaN);
  const complete = new Uint8Array(scenes);
  const counts = { planned: 0, missing: 0 };
  let planned = 0;
  let lost = 0;
  let most = 0;
  const held = new Float64Array(levels.length);
  for (let scene = 0; scene < scenes; scene += 1) {
    let wanted = 0;
    let scored = 0;
    for (const level of levels) {
      const cell = factor.rows[level]! * scenes + scene;
      if (cube.planned[cell] === 0) continue;
      wanted += 1;
      const score = cube.scores[cell]!;
      if (Number.isNaN(score)) continue;
      held[scored] = score;
      scored += 1;
    }
    counts.planned += wanted;
    counts.missing += wanted - scored;
    most = Math.max(most, wanted);
    if (wanted === 0) continue;
    planned += 1;
    if (scored === wanted) complete[scene] = 1;
    if (scored < SCENE_SHARE * wanted || scored === 0) {
      lost += 1;
      continue;
    }
    const values = held.subarray(0, scored).sort();
    let sum = 0;
    for (const value of values) sum += value;
    const centre = sum / scored;
    let squares = 0;
    for (const value of values) squares += (value - centre) ** 2;
    mean[scene] = centre;
    smallest[scene] = values[0]!;
    range[scene] = values[scored - 1]! - values[0]!;
    variance[scene] = range[scene] === 0 ? 0 : squares / scored;
    matchedRange[scene] = expectedRange(values, Math.min(matchedLevels, scored));
  }
  return {
    generators: cube.generators,
    prompts: cube.prompts,
    mean,
    smallest,
    variance,
    range,
    matchedRange,
    complete,
    planned,
    lost,
    cells: counts,
    levels: most,
  };
}

/**
 * Expected range of a random subset of `size` of the ascending values: E[max] = sum x_(i) C(i-1, size-1) / C(n, size), and
 * E[min] by symmetry.
 */
export function expectedRange(ascending: ArrayLike<number>, size: number): number {
  const n = ascending.length;
  if (size < 1 || size > n) throw new RangeError(`expectedRange: invalid subset size "${size}"; expected 1 to ${n}`);
  // P(the largest of the subset is x_(i)), from the top: size/n, then times (i - size + 1) / i going down.
  let probability = size / n;
  let sum = 0;
  for (let top = n - 1; top >= size - 1; top -= 1) {
    sum += probability * (ascending[top]! - ascending[n - 1 - top]!);
    probability *= (top - size + 1) / top;
  }
  return sum;
}
