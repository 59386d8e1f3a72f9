import { Random } from '../src/core/random.ts';
import type { ScoreCube } from '../src/statistics/score-cube.ts';
import { normalSource } from './stats-data.ts';

/** Distribution of the prompt differences behind a margin; each has mean 0. */
export type Shape = 'normal' | 'skewed' | 'tied';
export const SHAPES: readonly Shape[] = ['normal', 'skewed', 'tied'];

/** Truths a whole audit is simulated from; in none of them does any generator differ from another. */
export type NullModel = 'independent' | 'correlated' | 'skewed' | 'tied';
export const NULL_MODELS: readonly NullModel[] = ['independent', 'correlated', 'skewed', 'tied'];

/** Generators of a simulated audit: 15 pairs, as in the published family. */
export const GENERATORS = 6;
/** Share of a score's variance that all configurations of a scene have in common, in the correlated model. */
export const COMMON_SHARE = 0.8;

/** Normal draws of one named cell of the calibration: cells do not depend on each other or on their order. */
export function normalsOf(seed: number, ...names: (string | number)[]): () => number {
  return normalSource(new Random(seed, 'calibration', ...names).integer(2 ** 32));
}

export const promptIds = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `p${String(index).padStart(4, '0')}`);
export const every = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Exponential with mean 1, less 1 (skewness 2): half the squared length of two normals is exponential. */
function exponential(normal: () => number): number {
  return (normal() ** 2 + normal() ** 2) / 2 - 1;
}

/** Upper 15% point of the standard normal. */
const STEP = 1.0364333894937898;

/** -1, 0 or 1 with probabilities 0.15, 0.7 and 0.15. */
function threeSteps(normal: () => number): number {
  const z = normal();
  return z < -STEP ? -1 : z > STEP ? 1 : 0;
}

/** One prompt difference: standard normal, exponential less 1, or three steps. */
export function drawDifference(shape: Shape, normal: () => number): number {
  return shape === 'normal' ? normal() : shape === 'skewed' ? exponential(normal) : threeSteps(normal);
}

/** A cube of zeros: rows x six generators x prompts, everything planned. */
export function emptyCube(rows: number, prompts: number): ScoreCube {
  const size = rows * GENERATORS * prompts;
  return {
    evaluator: 'simulated',
    role: 'alignment',
    scale: null,
    imported: true,
    generators: GENERATORS,
    prompts,
    scores: new Float64Array(size),
    planned: new Uint8Array(size).fill(1),
    distinctRows: every(rows),
    factors: [],
    tolerance: 1e-11,
  };
}

/**
 * An audit in which no generator differs. Skewed: generators have tails on alternate sides, since a difference of two equal skewed
 * scores would be symmetric.
 */
export function nullCube(model: NullModel, rows: number, prompts: number, normal: () => number): ScoreCube {
  const cube = emptyCube(rows, prompts);
  const width = GENERATORS * prompts;
  const common = Float64Array.from({ length: width }, () => Math.sqrt(COMMON_SHARE) * normal());
  const own = Math.sqrt(1 - COMMON_SHARE);
  for (let cell = 0; cell < cube.scores.length; cell += 1) {
    const generator = Math.floor((cell % width) / prompts);
    cube.scores[cell] =
      model === 'independent'
        ? normal()
        : model === 'correlated'
          ? common[cell % width]! + own * normal()
          : model === 'skewed'
            ? (generator % 2 === 0 ? 1 : -1) * exponential(normal)
            : threeSteps(normal);
  }
  return cube;
}
