import type { Margins } from './margins.ts';
import { type ScoreCube, scoreAt } from './score-cube.ts';

/** Fewer prompts than this off the modal difference and a contrast leaves the family: its resamples are mostly one value. */
export const OFF_MODE = 10;

/** Why a contrast of the searched family is not in the band. */
export type LeftOut = 'degenerate' | 'excluded' | 'withheld';

/**
 * The simultaneous family as unit vectors in prompt space. Contrast k has differences d (one a prompt of its set), mean
 * `estimate[k]`, root sum of squared deviations `scale[k]`, and direction u = (d - mean) / scale, 0 outside the set. In a resample
 * with weights w and n = sum of w over the set, mean* - mean = scale (w.u) / n.
 */
export interface ContrastMatrix {
  readonly count: number;
  readonly columns: number;
  readonly directions: Float64Array;
  readonly estimate: Float64Array;
  readonly scale: Float64Array;
  /** SE = scale / n; with clusters sqrt(sum over clusters of (sum of deviations)^2) / n. */
  readonly error: Float64Array;
  /** Means up to this are float noise around 0. */
  readonly tolerance: Float64Array;
  readonly set: Uint32Array;
  /** Prompt sets, as prompt positions. */
  readonly sets: readonly (readonly number[])[];
  /** 1 for members of the band; degenerate and excluded contrasts (0) still have pointwise intervals. */
  readonly inBand: Uint8Array;
  readonly evaluator: Uint32Array;
  readonly configuration: Uint32Array;
  readonly pair: Uint32Array;
  /** For evaluator e: contrast of [configuration * pairs + pair], -1 when withheld. */
  readonly index: readonly Int32Array[];
  readonly leftOut: readonly { evaluator: number; configuration: number; pair: number; because: LeftOut }[];
  /** Members of the searched family, aliases of one configuration included. */
  readonly searched: number;
}

/** Builds the family of some evaluators; equal (configuration row, prompt set, pair) are one contrast. */
export function contrastMatrix(
  cubes: readonly ScoreCube[],
  families: readonly Margins[],
  columns: number,
  clusterOf: Uint32Array | null = null,
): ContrastMatrix {
  const directions: Float64Array[] = [];
  const parts = { estimate: [] as number[], scale: [] as number[], error: [] as number[], set: [] as number[] };
  const inBand: number[] = [];
  const owner = { evaluator: [] as number[], configuration: [] as number[], pair: [] as number[] };
  const sets: (readonly number[])[] = [];
  const setIds = new Map<string, number>();
  const leftOut: { evaluator: number; configuration: number; pair: number; because: LeftOut }[] = [];
  let searched = 0;
  const index = families.map((family, evaluator) => {
    const cube = cubes[evaluator]!;
    const known = new Map<string, number>();
    const places = new Int32Array(family.configurations.length * family.pairs.length).fill(-1);
    for (const [configuration, member] of family.configurations.entries()) {
      const text = member.prompts.join(',');
      const set = setIds.get(text) ?? sets.push(member.prompts) - 1;
      setIds.set(text, set);
      for (const [pair, [m, n]] of family.pairs.entries()) {
        searched += 1;
        const place = configuration * family.pairs.length + pair;
        const skip = (because: LeftOut) => leftOut.push({ evaluator, configuration, pair, because });
        if (member.withheld !== null) {
          skip('withheld');
          continue;
        }
        const key = `${member.row},${set},${pair}`;
        const alias = known.get(key);
        if (alias !== undefined) {
          places[place] = alias;
          if (inBand[alias] === 0) skip(parts.scale[alias] === 0 ? 'degenerate' : 'excluded');
          continue;
        }
        const made = direction(cube, member.row, m, n, member.prompts, family.margins[place]!, columns);
        if (made.because !== null) skip(made.because);
        inBand.push(made.because === null ? 1 : 0);
        const id = directions.length;
        known.set(key, id);
        places[place] = id;
        directions.push(made.unit);
        parts.estimate.push(family.margins[place]!);
        parts.scale.push(made.scale);
        parts.error.push((made.scale * spreadOf(made.unit, clusterOf)) / member.prompts.length);
        parts.set.push(set);
        owner.evaluator.push(evaluator);
        owner.configuration.push(configuration);
        owner.pair.push(pair);
      }
    }
    return places;
  });
  const count = directions.length;
  const flat = new Float64Array(new SharedArrayBuffer(8 * count * columns));
  for (const [id, unit] of directions.entries()) flat.set(unit, id * columns);
  return {
    count,
    columns,
    directions: flat,
    estimate: Float64Array.from(parts.estimate),
    scale: Float64Array.from(parts.scale),
    error: Float64Array.from(parts.error),
    tolerance: Float64Array.from(owner.evaluator, (evaluator) => cubes[evaluator]!.tolerance),
    set: Uint32Array.from(parts.set),
    sets,
    inBand: Uint8Array.from(inBand),
    evaluator: Uint32Array.from(owner.evaluator),
    configuration: Uint32Array.from(owner.configuration),
    pair: Uint32Array.from(owner.pair),
    index,
    leftOut,
    searched,
  };
}

function direction(
  cube: ScoreCube,
  row: number,
  m: number,
  n: number,
  prompts: readonly number[],
  mean: number,
  columns: number,
): { unit: Float64Array; scale: number; because: 'degenerate' | 'excluded' | null } {
  const unit = new Float64Array(columns);
  let squares = 0;
  for (const prompt of prompts) {
    const deviation = scoreAt(cube, row, m, prompt) - scoreAt(cube, row, n, prompt) - mean;
    unit[prompt] = deviation;
    squares += deviation * deviation;
  }
  const scale = Math.sqrt(squares);
  // A constant difference: no direction, no error.
  if (scale / prompts.length <= cube.tolerance) return { unit: unit.fill(0), scale: 0, because: 'degenerate' };
  const offMode = prompts.length - modalCount(unit, prompts, cube.tolerance);
  for (const prompt of prompts) unit[prompt]! /= scale;
  return { unit, scale, because: offMode < OFF_MODE ? 'excluded' : null };
}

/** Length of a direction, summed within clusters first; 1 without clusters. */
function spreadOf(unit: Float64Array, clusterOf: Uint32Array | null): number {
  if (clusterOf === null) return 1;
  const sums = new Map<number, number>();
  for (const [prompt, value] of unit.entries())
    sums.set(clusterOf[prompt]!, (sums.get(clusterOf[prompt]!) ?? 0) + value);
  return Math.sqrt([...sums.values()].reduce((total, sum) => total + sum * sum, 0));
}

/** How many prompts share the most frequent value, float noise apart. */
function modalCount(values: Float64Array, prompts: readonly number[], tolerance: number): number {
  const sorted = Float64Array.from(prompts, (prompt) => values[prompt]!).sort();
  let most = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1;
    while (end < sorted.length && sorted[end]! - sorted[end - 1]! <= tolerance) end += 1;
    most = Math.max(most, end - start);
    start = end;
  }
  return most;
}
