import type { SceneSpread } from './scene-spread.ts';
import type { CubeFactor, ScoreCube } from './score-cube.ts';

export interface MissingShare {
  readonly planned: number;
  readonly missing: number;
  readonly share: number;
}

/** Which levels and prompts the comparisons of one factor rest on, and what the gates withhold. */
export interface FactorUse {
  readonly factor: CubeFactor;
  /** Positions of the levels kept; those with more than `maxMissing` missing are removed. */
  readonly levels: readonly number[];
  readonly removed: readonly { readonly level: number; readonly share: number }[];
  /** Missing share of every level. */
  readonly levelMissing: readonly number[];
  /** Prompts scored at every kept level and at c0 for all generators. */
  readonly commonPrompts: readonly number[];
  readonly cells: MissingShare;
  readonly scenes: MissingShare;
  readonly prompts: MissingShare;
  /** Why dispersion and rho are withheld; null when they are not. */
  readonly spreadWithheld: string | null;
  /** Why W, winners and contrasts are withheld. */
  readonly contrastsWithheld: string | null;
}

export interface DefaultUse {
  /** Prompts scored at c0 for all generators. */
  readonly commonPrompts: readonly number[];
  readonly cells: MissingShare;
  readonly prompts: MissingShare;
  /** Why scores at c0 are withheld. */
  readonly scoresWithheld: string | null;
  /** Why comparisons at c0 are withheld. */
  readonly contrastsWithheld: string | null;
}

/** Missing outcomes at c0. */
export function defaultUse(cube: ScoreCube, maxMissing: number): DefaultUse {
  const commonPrompts = promptsScored(cube, [0]);
  const cells = rowMissing(cube, [0]);
  const prompts = shareOf(cube.prompts, cube.prompts - commonPrompts.length);
  const scoresWithheld = gate('cells at c0', cells, maxMissing);
  return {
    commonPrompts,
    cells,
    prompts,
    scoresWithheld,
    contrastsWithheld:
      scoresWithheld ??
      gate('prompts at c0 (not scored for every generator)', prompts, maxMissing) ??
      (commonPrompts.length === 0 ? 'no prompt is scored at c0 for every generator' : null),
  };
}

/**
 * Missing outcomes of one factor. Missing cells and lost scenes are gated apart. For comparisons, levels missing more than
 * `maxMissing` are removed first; the rest share one prompt set.
 */
export function factorUse(cube: ScoreCube, factor: CubeFactor, spread: SceneSpread, maxMissing: number): FactorUse {
  const levelMissing = Array.from(factor.rows, (row) => rowMissing(cube, [row]).share);
  const kept: number[] = [];
  const removed: { level: number; share: number }[] = [];
  for (const [level, share] of levelMissing.entries())
    if (factor.shared && share > maxMissing) removed.push({ level, share });
    else kept.push(level);
  const cells = shareOf(spread.cells.planned, spread.cells.missing);
  const scenes = shareOf(spread.planned, spread.lost);
  const commonPrompts = factor.shared ? promptsScored(cube, [0, ...kept.map((level) => factor.rows[level]!)]) : [];
  const prompts = shareOf(cube.prompts, factor.shared ? cube.prompts - commonPrompts.length : 0);
  return {
    factor,
    levels: kept,
    removed,
    levelMissing,
    commonPrompts,
    cells,
    scenes,
    prompts,
    spreadWithheld: gate('cells', cells, maxMissing) ?? gate('scenes', scenes, maxMissing),
    contrastsWithheld: !factor.shared
      ? 'the levels are prompt-specific'
      : (gate('prompts (not scored at every level for every generator)', prompts, maxMissing) ??
        (commonPrompts.length === 0 ? 'no prompt is scored at every level for every generator' : null)),
  };
}

/** Missing share over all planned cells of all configurations, aliases counted once. */
export function cubeMissing(cube: ScoreCube): MissingShare {
  return rowMissing(cube, cube.distinctRows);
}

/** Prompts scored in all of `rows` for all generators. */
export function promptsScored(cube: ScoreCube, rows: readonly number[]): number[] {
  const common: number[] = [];
  for (let prompt = 0; prompt < cube.prompts; prompt += 1) {
    const scored = rows.every((row) => {
      for (let generator = 0; generator < cube.generators; generator += 1)
        if (Number.isNaN(cube.scores[(row * cube.generators + generator) * cube.prompts + prompt]!)) return false;
      return true;
    });
    if (scored) common.push(prompt);
  }
  return common;
}

function rowMissing(cube: ScoreCube, rows: readonly number[]): MissingShare {
  const width = cube.generators * cube.prompts;
  let planned = 0;
  let missing = 0;
  for (const row of rows)
    for (let cell = row * width; cell < (row + 1) * width; cell += 1) {
      if (cube.planned[cell] === 0) continue;
      planned += 1;
      if (Number.isNaN(cube.scores[cell]!)) missing += 1;
    }
  return shareOf(planned, missing);
}

export function shareOf(planned: number, missing: number): MissingShare {
  return { planned, missing, share: planned === 0 ? 0 : missing / planned };
}

function gate(what: string, missing: MissingShare, maxMissing: number): string | null {
  if (missing.share <= maxMissing) return null;
  const percent = (100 * missing.share).toFixed(1);
  return `withheld: ${missing.missing} of ${missing.planned} ${what} (${percent}%) are missing; at most ${100 * maxMissing}% may be`;
}
