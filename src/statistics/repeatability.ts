import type { Repeatability } from '../core/estimates.ts';
import { PROBE_FACTOR } from './analysis-options.ts';
import { kendallTauB, spearman } from './correlation.ts';
import { iccMean, iccSingle, meanSquares } from './icc.ts';
import { bootstrapInterval, estimateOf, type IntervalOptions, undefinedEstimate } from './interval.ts';
import type { Resamples, WeightMatrix } from './prompt-bootstrap.ts';
import { meanOf } from './quantile.ts';
import type { ScoreTable } from './score-table.ts';
import { uniqueTop } from './winners.ts';

/** Scored repeats of every cell of one evaluator; the key is `factor,level,generator,prompt` with c0 aliases resolved by the caller. */
export interface RepeatedCell {
  readonly factor: string;
  readonly level: string;
  readonly generator: number;
  readonly prompt: number;
  /** Score by repeat number. */
  readonly scores: ReadonlyMap<number, number>;
}

/** Cells of one evaluator with their repeats; empty when the table has none. */
export function repeatedCells(
  table: ScoreTable,
  evaluator: string,
  generators: readonly string[],
  prompts: readonly string[],
): RepeatedCell[] {
  if (!table.repeat.some((repeat) => repeat > 0)) return [];
  const own = table.values.evaluator.indexOf(evaluator);
  const generatorOf = new Map(generators.map((id, index) => [id, index]));
  const promptOf = new Map(prompts.map((id, index) => [id, index]));
  const cells = new Map<string, RepeatedCell & { scores: Map<number, number> }>();
  for (let row = 0; row < table.rows; row += 1) {
    if (table.ids.evaluator[row] !== own || Number.isNaN(table.score[row]!)) continue;
    const factor = table.values.factor[table.ids.factor[row]!]!;
    if (factor === PROBE_FACTOR) continue;
    const level = table.values.level[table.ids.level[row]!]!;
    const generator = generatorOf.get(table.values.generator[table.ids.generator[row]!]!);
    const prompt = promptOf.get(table.values.prompt[table.ids.prompt[row]!]!);
    if (generator === undefined || prompt === undefined) continue;
    const key = JSON.stringify([factor, level, generator, prompt]);
    const cell = cells.get(key) ?? { factor, level, generator, prompt, scores: new Map<number, number>() };
    cell.scores.set(table.repeat[row]!, table.score[row]!);
    cells.set(key, cell);
  }
  return [...cells].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cell]) => cell);
}

/**
 * The repeats of c0, one cell a scene: levels equal to the default are c0's own trials under another name, and counting them
 * again would count every scene several times. The row of c0 itself comes first, an alias stands in where it is missing.
 */
export function defaultCells(
  cells: readonly RepeatedCell[],
  isDefault: (factor: string, level: string) => boolean,
): RepeatedCell[] {
  const found = new Map<string, RepeatedCell>();
  for (const cell of cells) {
    const key = `${cell.generator} ${cell.prompt}`;
    const known = found.get(key);
    if (isDefault(cell.factor, cell.level) && (known === undefined || known.scores.size < cell.scores.size))
      found.set(key, cell);
  }
  return [...found.values()];
}

/** Mean sample variance between the repeats of a cell, over cells with at least two; null without any. */
export function repeatVariance(cells: readonly RepeatedCell[]): number | null {
  return meanOf(cells.flatMap(({ scores }) => (scores.size < 2 ? [] : [sampleVariance([...scores.values()])])));
}

/**
 * Noise share of a factor: the part of the mean within-scene variance that repeats alone would make,
 * (1 - 1/L) V_rep / R / Var_l, with L levels and R repeats a cell.
 */
export function noiseShare(levels: number, variance: number, repeats: number, withinScene: number): number | null {
  return withinScene > 0 ? ((1 - 1 / levels) * variance) / repeats / withinScene : null;
}

/** Repeatability at c0 over the scenes that have every repeat. `cells` are those of c0. */
export function repeatability(
  cells: readonly RepeatedCell[],
  generators: number,
  prompts: number,
  tolerance: number,
  resamples: Resamples,
  options: IntervalOptions,
): Repeatability | null {
  const numbers = [...new Set(cells.flatMap(({ scores }) => [...scores.keys()]))].sort((a, b) => a - b);
  if (numbers.length < 2) return null;
  const complete = cells.filter(({ scores }) => numbers.every((number) => scores.has(number)));
  const rows = complete.map(({ scores }) => numbers.map((number) => scores.get(number)!));
  const columns = numbers.map((_, repeat) => rows.map((row) => row[repeat]!));
  // No complete cell measured no noise: that is unknown, not zero.
  const variance = complete.length === 0 ? null : repeatVariance(complete);
  const all = rows.map((row) => meanOf(row)!);
  const between = all.length < 2 ? 0 : sampleVariance(all);
  const icc = (of: typeof iccSingle): Repeatability['iccSingle'] => {
    const value = iccOf(rows, of);
    if (value === null) return undefinedEstimate('no variance between scenes or repeats', rows.length);
    const replicate = (weights: WeightMatrix) => iccReplicates(complete, rows, weights, of);
    const interval = bootstrapInterval(
      value,
      replicate(resamples.bootstrap),
      () => replicate(resamples.jackknife),
      options,
    );
    return estimateOf(value, { n: rows.length, excluded: cells.length - rows.length }, interval, resamples, options);
  };
  const pairwise = (statistic: (x: number[], y: number[]) => number | null) => {
    const values: number[] = [];
    for (let a = 0; a < columns.length; a += 1)
      for (let b = a + 1; b < columns.length; b += 1) {
        const value = statistic(columns[a]!, columns[b]!);
        if (value !== null) values.push(value);
      }
    return meanOf(values);
  };
  return {
    repeats: numbers.length,
    units: rows.length,
    repeatVariance: variance,
    meanSd: meanOf(rows.map((row) => Math.sqrt(sampleVariance(row)))),
    meanRange: meanOf(rows.map((row) => Math.max(...row) - Math.min(...row))),
    // The mean over R repeats still holds variance / R of it.
    varianceShare:
      variance !== null && between > 0
        ? Math.min(1, variance / (variance + Math.max(0, between - variance / numbers.length)))
        : null,
    iccSingle: icc(iccSingle),
    iccMean: icc(iccMean),
    spearman: pairwise(spearman),
    kendallTauB: pairwise(kendallTauB),
    winnerChanges: winnerChanges(complete, rows, numbers.length, generators, prompts, tolerance),
  };
}

function iccOf(rows: readonly number[][], of: typeof iccSingle): number | null {
  if (rows.length < 2) return null;
  const result = of(meanSquares(rows));
  return 'value' in result ? result.value : null;
}

/** ICC with every scene counted as often as its prompt was drawn. */
function iccReplicates(
  cells: readonly RepeatedCell[],
  rows: readonly number[][],
  weights: WeightMatrix,
  of: typeof iccSingle,
): Float64Array {
  const result = new Float64Array(weights.rows);
  const repeats = rows[0]?.length ?? 0;
  const means = rows.map((row) => meanOf(row)!);
  const inner = rows.map((row, index) => row.reduce((sum, value) => sum + (value - means[index]!) ** 2, 0));
  for (let row = 0; row < weights.rows; row += 1) {
    let total = 0;
    let sum = 0;
    let within = 0;
    for (const [index, cell] of cells.entries()) {
      const weight = weights.data[row * weights.columns + cell.prompt]!;
      total += weight;
      sum += weight * means[index]!;
      within += weight * inner[index]!;
    }
    const grand = sum / total;
    let between = 0;
    for (const [index, cell] of cells.entries())
      between += weights.data[row * weights.columns + cell.prompt]! * (means[index]! - grand) ** 2;
    const squares = {
      targets: total,
      raters: repeats,
      between: (repeats * between) / (total - 1),
      within: within / (total * (repeats - 1)),
      rater: 0,
      residual: 0,
    };
    const value = total < 2 ? null : of(squares);
    result[row] = value !== null && 'value' in value ? value.value : Number.NaN;
  }
  return result;
}

/** Repeats whose unique top generator is not that of the means; null when no prompt has every repeat of every generator. */
function winnerChanges(
  cells: readonly RepeatedCell[],
  rows: readonly number[][],
  repeats: number,
  generators: number,
  prompts: number,
  tolerance: number,
): number | null {
  const common = Array.from({ length: prompts }, (_, prompt) => cells.filter((cell) => cell.prompt === prompt)).filter(
    (list) => list.length === generators,
  );
  // Without a prompt that every generator has repeated, no winner was compared.
  if (common.length === 0) return null;
  const used = new Set(common.flat());
  const meansOf = (pick: (row: readonly number[]) => number) => {
    const means = new Float64Array(generators);
    for (const [index, cell] of cells.entries())
      if (used.has(cell)) means[cell.generator]! += pick(rows[index]!) / common.length;
    return means;
  };
  const top = uniqueTop(
    meansOf((row) => meanOf(row)!),
    tolerance,
  );
  let changes = 0;
  for (let repeat = 0; repeat < repeats; repeat += 1)
    if (
      uniqueTop(
        meansOf((row) => row[repeat]!),
        tolerance,
      ) !== top
    )
      changes += 1;
  return changes;
}

function sampleVariance(values: readonly number[]): number {
  const mean = meanOf(values)!;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}
