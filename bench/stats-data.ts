import type { Margins } from '../src/statistics/margins.ts';
import { pairsOf } from '../src/statistics/margins.ts';
import type { ScoreCube } from '../src/statistics/score-cube.ts';

/** Size of a simulated audit; the defaults are the published family. */
export interface AuditSize {
  readonly evaluators: number;
  readonly generators: number;
  readonly prompts: number;
}

/** Factors of the reference audit: number of levels, and the slots of the template grammar. */
export const RENDER_LEVELS = [9, 7, 8, 10, 7, 8];
const TEMPLATE_SLOTS = [3, 5, 2, 3, 4];
export const TEMPLATES = 337;

/** Fast normal draws for simulated data (mulberry32 and Box-Muller); results never rest on it. */
export function normalSource(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Shares of a scene's variance: what every configuration has in common, what a level or slot choice adds, what is its own. */
export interface DataShares {
  readonly render: number;
  readonly slot: number;
  readonly own: number;
}

/**
 * Scores of one evaluator on the reference audit: generator and prompt effects, a scene effect common to all configurations, render
 * levels that move scenes in their own way, templates that move them by their slot choices (as an inner product with a
 * shifted caption does) plus a part of their own.
 */
export function simulatedCube(evaluator: number, size: AuditSize, shares: DataShares): ScoreCube {
  const normal = normalSource(1000 + evaluator);
  const { generators, prompts } = size;
  const width = generators * prompts;
  const levels = RENDER_LEVELS.reduce((sum, count) => sum + count, 0);
  const rows = 1 + levels + TEMPLATES;
  const field = () => Float64Array.from({ length: width }, normal);
  const base = field();
  const generatorEffect = Float64Array.from({ length: generators }, () => 0.3 * normal());
  const promptEffect = Float64Array.from({ length: prompts }, normal);
  for (let cell = 0; cell < width; cell += 1)
    base[cell]! += generatorEffect[Math.floor(cell / prompts)]! + promptEffect[cell % prompts]!;
  const scores = new Float64Array(rows * width);
  const write = (row: number, parts: readonly { field: Float64Array; weight: number }[]) => {
    for (let cell = 0; cell < width; cell += 1) {
      let score = 25 + base[cell]! + shares.own * normal();
      for (const part of parts) score += part.weight * part.field[cell]!;
      scores[row * width + cell] = Math.round(score * 1e6) / 1e6;
    }
  };
  write(0, []);
  for (let level = 0; level < levels; level += 1) write(1 + level, [{ field: field(), weight: shares.render }]);
  const slots = TEMPLATE_SLOTS.map((choices) => Array.from({ length: choices }, field));
  for (let template = 0; template < TEMPLATES; template += 1) {
    let rest = template;
    const parts = slots.map((choices) => {
      const choice = rest % choices.length;
      rest = Math.floor(rest / choices.length);
      return { field: choices[choice]!, weight: shares.slot };
    });
    write(1 + levels + template, parts);
  }
  let largest = 0;
  for (const score of scores) largest = Math.max(largest, Math.abs(score));
  return {
    evaluator: `evaluator-${evaluator}`,
    role: 'alignment',
    scale: null,
    imported: true,
    generators,
    prompts,
    scores,
    planned: new Uint8Array(scores.length).fill(1),
    distinctRows: Array.from({ length: rows }, (_, row) => row),
    factors: [],
    tolerance: 1e-12 * largest,
  };
}

/** The whole family of a cube: every row a configuration of its own. */
export function simulatedFamily(cube: ScoreCube): Margins {
  const prompts = Array.from({ length: cube.prompts }, (_, prompt) => prompt);
  const pairs = pairsOf(cube.generators);
  const configurations = cube.distinctRows.map((row) => ({
    factor: row === 0 ? '' : row <= 49 ? 'render' : 'template',
    level: String(row),
    row,
    prompts,
    withheld: null,
  }));
  const margins = new Float64Array(configurations.length * pairs.length);
  for (const [index, { row }] of configurations.entries())
    for (const [position, [m, n]] of pairs.entries()) {
      let sum = 0;
      for (const prompt of prompts)
        sum +=
          cube.scores[(row * cube.generators + m) * cube.prompts + prompt]! -
          cube.scores[(row * cube.generators + n) * cube.prompts + prompt]!;
      margins[index * pairs.length + position] = sum / prompts.length;
    }
  return { configurations, pairs, margins };
}
