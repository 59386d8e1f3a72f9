import { AuditError } from '../core/errors.ts';
import type { EvaluatorRole, Scale } from '../core/protocol.ts';
import { type AnalysisFactor, type AnalysisOptions, PROBE_FACTOR } from './analysis-options.ts';
import type { ScoreTable } from './score-table.ts';

/** A factor of one evaluator: which row of the cube holds each level. A level equal to the default points at c0's row. */
export interface CubeFactor {
  readonly factor: string;
  readonly shared: boolean;
  readonly kind: AnalysisFactor['kind'];
  readonly levels: readonly string[];
  readonly rows: Int32Array;
  /** Position of the default level; null when the factor has none. */
  readonly defaultIndex: number | null;
}

/**
 * All scores of one evaluator. `scores[(row * generators + generator) * prompts + prompt]` is the mean over scored repeats,
 * NaN when there is none; row 0 is c0. `planned` marks the cells that were to be scored.
 */
export interface ScoreCube {
  readonly evaluator: string;
  readonly role: EvaluatorRole;
  readonly scale: Scale | null;
  readonly imported: boolean;
  readonly generators: number;
  readonly prompts: number;
  readonly scores: Float64Array;
  readonly planned: Uint8Array;
  /** Rows that are configurations of their own (aliases left out); row 0 first. */
  readonly distinctRows: readonly number[];
  readonly factors: readonly CubeFactor[];
  /** 1e-12 of the largest score: differences up to it are float noise, so ties stay ties. */
  readonly tolerance: number;
}

/** Score of a cell, NaN when missing. */
export function scoreAt(cube: ScoreCube, row: number, generator: number, prompt: number): number {
  return cube.scores[(row * cube.generators + generator) * cube.prompts + prompt]!;
}

interface Layout {
  readonly factor: AnalysisFactor;
  /** First cube row of the factor's levels. */
  readonly first: number;
}

/**
 * Places every row of the table and resolves c0 (design section 8): rows with an empty factor, and the default level of every
 * factor without a base of its own. They must agree. A factor with `at` never supplies c0; its default level aliases the base.
 *
 * @throws AuditError for a factor, level, generator, prompt or evaluator the options do not know, for two different scores
 * of c0, and for a c0 without any score.
 */
export function buildCubes(table: ScoreTable, options: AnalysisOptions): ScoreCube[] {
  const layouts: Layout[] = [];
  let rows = 1;
  for (const factor of options.factors) {
    layouts.push({ factor, first: rows });
    rows += factor.levels.length;
  }
  const generators = options.generators.length;
  const prompts = options.prompts.length;
  const size = rows * generators * prompts;
  const place = placeOf(table, options, layouts);
  const filled = options.evaluators.map(() => ({
    sums: new Float64Array(size),
    counts: new Uint32Array(size),
    seen: new Uint8Array(size),
  }));
  for (const row of repeatOrder(table)) {
    const target = place(row);
    if (target === null) continue;
    const { sums, counts, seen } = filled[target.evaluator]!;
    seen[target.cell] = 1;
    const score = table.score[row]!;
    if (Number.isNaN(score)) continue;
    sums[target.cell]! += score;
    counts[target.cell]! += 1;
  }
  return options.evaluators.map((evaluator, index) => {
    const { sums, counts, seen } = filled[index]!;
    for (let cell = 0; cell < size; cell += 1)
      sums[cell] = counts[cell] === 0 ? Number.NaN : sums[cell]! / counts[cell]!;
    return finishCube(evaluator, sums, seen, layouts, options);
  });
}

/** Rows by repeat, so that means over repeats do not depend on the order of the file. */
function* repeatOrder(table: ScoreTable): Generator<number> {
  const largest = table.repeat.reduce((most, repeat) => Math.max(most, repeat), 0);
  if (largest === 0) for (let row = 0; row < table.rows; row += 1) yield row;
  else {
    const order = Uint32Array.from({ length: table.rows }, (_, row) => row);
    order.sort((a, b) => table.repeat[a]! - table.repeat[b]! || a - b);
    yield* order;
  }
}

/** Maps a table row to its cell; null for probes. */
function placeOf(table: ScoreTable, options: AnalysisOptions, layouts: readonly Layout[]) {
  const evaluators = positions(
    table.values.evaluator,
    options.evaluators.map(({ evaluator }) => evaluator),
  );
  const generators = positions(table.values.generator, options.generators);
  const prompts = positions(table.values.prompt, options.prompts);
  const layoutOf = table.values.factor.map((factor) => layouts.find((layout) => layout.factor.factor === factor));
  const levelOf = layouts.map((layout) => positions(table.values.level, layout.factor.levels));
  const width = options.generators.length * options.prompts.length;
  return (row: number): { evaluator: number; cell: number } | null => {
    const factor = table.ids.factor[row]!;
    const name = table.values.factor[factor]!;
    const refuse = (column: 'evaluator' | 'generator' | 'prompt' | 'factor' | 'level'): never => {
      throw new AuditError(
        `${table.files[table.file[row]!]}:${table.line[row]}: column ${column}: unknown ${column} "${table.values[column][table.ids[column][row]!]}"; expected one the manifest declares`,
      );
    };
    const evaluator = evaluators[table.ids.evaluator[row]!]!;
    if (evaluator < 0) refuse('evaluator');
    if (name === PROBE_FACTOR) return null;
    const generator = generators[table.ids.generator[row]!]!;
    if (generator < 0) refuse('generator');
    const prompt = prompts[table.ids.prompt[row]!]!;
    if (prompt < 0) refuse('prompt');
    let cubeRow = 0;
    if (name !== '') {
      const layout = layoutOf[factor];
      if (layout === undefined) return refuse('factor');
      const level = levelOf[layouts.indexOf(layout)]![table.ids.level[row]!]!;
      if (level < 0) refuse('level');
      cubeRow = layout.first + level;
    }
    return { evaluator, cell: cubeRow * width + generator * options.prompts.length + prompt };
  };
}

function positions(values: readonly string[], known: readonly string[]): Int32Array {
  const index = new Map(known.map((value, position) => [value, position]));
  return Int32Array.from(values, (value) => index.get(value) ?? -1);
}

function finishCube(
  evaluator: AnalysisOptions['evaluators'][number],
  scores: Float64Array,
  seen: Uint8Array,
  layouts: readonly Layout[],
  options: AnalysisOptions,
): ScoreCube {
  const generators = options.generators.length;
  const prompts = options.prompts.length;
  const width = generators * prompts;
  const active = layouts.filter(({ factor, first }) => {
    const from = first * width;
    const rows = seen.subarray(from, from + factor.levels.length * width);
    return (factor.evaluators === null || factor.evaluators.includes(evaluator.evaluator)) && rows.includes(1);
  });
  const merge = mergeRows(evaluator.evaluator, scores, seen, options);
  for (const { factor, first } of active) {
    if (factor.at !== null || factor.defaultLevel === null) continue;
    const index = factor.levels.indexOf(factor.defaultLevel);
    if (index >= 0) merge(first + index, 0, `c0 (${factor.factor}=${factor.defaultLevel})`);
  }
  if (!seen.subarray(0, width).includes(1) && seen.includes(1))
    throw new AuditError(
      `score table: evaluator "${evaluator.evaluator}" has no row of the default configuration; expected rows with an empty factor or the default level of a factor`,
    );
  const factors = active.map(({ factor, first }) => {
    const rows = Int32Array.from(factor.levels, (_, level) => first + level);
    const index = factor.defaultLevel === null ? -1 : factor.levels.indexOf(factor.defaultLevel);
    if (index >= 0) {
      const target = factor.at === null ? 0 : baseRow(factor, active, options);
      if (target !== null) {
        if (target !== 0) merge(first + index, target, `base of ${factor.factor} (${factor.defaultLevel})`);
        rows[index] = target;
      }
    }
    return {
      factor: factor.factor,
      shared: factor.shared,
      kind: factor.kind,
      levels: factor.levels,
      rows,
      defaultIndex: index < 0 ? null : index,
    };
  });
  let largest = 0;
  for (const score of scores) if (Math.abs(score) > largest) largest = Math.abs(score);
  return {
    ...evaluator,
    generators,
    prompts,
    scores,
    planned: plannedCells(seen, factors, width),
    distinctRows: [...new Set([0, ...factors.flatMap((factor) => [...factor.rows])])].sort((a, b) => a - b),
    factors,
    tolerance: 1e-12 * largest,
  };
}

/** Copies one cube row onto another where that is empty; two different scores of one cell are an error. */
function mergeRows(evaluator: string, scores: Float64Array, seen: Uint8Array, options: AnalysisOptions) {
  const prompts = options.prompts.length;
  const width = options.generators.length * prompts;
  return (from: number, to: number, what: string): void => {
    for (let offset = 0; offset < width; offset += 1) {
      const source = from * width + offset;
      const target = to * width + offset;
      if (seen[source] === 0) continue;
      const a = scores[source]!;
      const b = scores[target]!;
      if (Number.isNaN(b)) scores[target] = a;
      else if (!Number.isNaN(a) && Math.abs(a - b) > 1e-9 * Math.max(Math.abs(a), Math.abs(b)))
        throw new AuditError(
          `score table: ${what} disagrees with another row of the same configuration for evaluator "${evaluator}", generator "${options.generators[Math.floor(offset / prompts)]}", prompt "${options.prompts[offset % prompts]}": "${a}" and "${b}"; expected one score`,
        );
      seen[target] = 1;
    }
  };
}

/** Row of the configuration a factor is swept at, when that is one level of one other factor; null otherwise. */
function baseRow(factor: AnalysisFactor, active: readonly Layout[], options: AnalysisOptions): number | null {
  const moved = Object.entries(factor.at ?? {}).filter(([name, level]) => options.c0[name] !== level);
  if (moved.length === 0) return 0;
  if (moved.length > 1) return null;
  const [name, level] = moved[0]!;
  const other = active.find((layout) => layout.factor.factor === name);
  const index = other?.factor.levels.indexOf(level) ?? -1;
  return other === undefined || index < 0 ? null : other.first + index;
}

/** Shared levels are planned for every scene; prompt-specific ones where the table has a row. */
function plannedCells(seen: Uint8Array, factors: readonly CubeFactor[], width: number): Uint8Array {
  const planned = new Uint8Array(seen.length);
  planned.fill(1, 0, width);
  for (const factor of factors)
    for (const row of factor.rows) {
      const from = row * width;
      if (factor.shared) planned.fill(1, from, from + width);
      else if (row !== 0) for (let cell = from; cell < from + width; cell += 1) if (seen[cell] === 1) planned[cell] = 1;
    }
  return planned;
}
