import type { AnalysisOptions } from './analysis-options.ts';
import { PROBE_FACTOR } from './analysis-options.ts';
import type { ScoreCube } from './score-cube.ts';
import type { ScoreTable } from './score-table.ts';

/** A degraded scene against its original at c0; a score is NaN when it is missing. */
export interface ProbePair {
  readonly generator: number;
  readonly prompt: number;
  readonly original: number;
  readonly degraded: number;
}

/**
 * Pairs of every probe of every evaluator: `result[evaluator].get(probe)`. Each repeat of a probe is a degraded scene of its own
 * and makes its own pair; generators and prompts the analysis does not know are left out.
 */
export function probePairs(
  table: ScoreTable,
  options: AnalysisOptions,
  cubes: readonly ScoreCube[],
): ReadonlyMap<string, ProbePair[]>[] {
  const result = cubes.map(() => new Map<string, ProbePair[]>());
  const factor = table.values.factor.indexOf(PROBE_FACTOR);
  if (factor < 0) return result;
  const evaluators = new Map(cubes.map(({ evaluator }, index) => [evaluator, index]));
  const generators = new Map(options.generators.map((id, index) => [id, index]));
  const prompts = new Map(options.prompts.map((id, index) => [id, index]));
  const rows: number[] = [];
  for (let row = 0; row < table.rows; row += 1) if (table.ids.factor[row] === factor) rows.push(row);
  const { generator, prompt, level } = table.ids;
  // Pairs in a fixed order: bootstrap sums must not depend on the order of the file.
  rows.sort(
    (a, b) =>
      level[a]! - level[b]! ||
      generator[a]! - generator[b]! ||
      prompt[a]! - prompt[b]! ||
      table.repeat[a]! - table.repeat[b]!,
  );
  for (const row of rows) {
    const evaluator = evaluators.get(table.values.evaluator[table.ids.evaluator[row]!]!);
    const g = generators.get(table.values.generator[generator[row]!]!);
    const p = prompts.get(table.values.prompt[prompt[row]!]!);
    if (evaluator === undefined || g === undefined || p === undefined) continue;
    const cube = cubes[evaluator]!;
    const probe = table.values.level[level[row]!]!;
    const list = result[evaluator]!.get(probe) ?? [];
    list.push({ generator: g, prompt: p, original: cube.scores[g * cube.prompts + p]!, degraded: table.score[row]! });
    result[evaluator]!.set(probe, list);
  }
  return result;
}
