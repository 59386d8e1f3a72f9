import { contrastMatrix } from '../src/statistics/contrast-matrix.ts';
import { familyMaxima } from '../src/statistics/family-maxima.ts';
import { margins } from '../src/statistics/margins.ts';
import { PointwiseIntervals } from '../src/statistics/pointwise.ts';
import { drawResamples } from '../src/statistics/prompt-bootstrap.ts';
import { pointwiseReversals, type ReversalSearch, simultaneousReversals } from '../src/statistics/reversals.ts';
import type { ScoreCube } from '../src/statistics/score-cube.ts';
import { type Band, simultaneousBand } from '../src/statistics/simultaneous-band.ts';
import { every, GENERATORS, type NullModel, normalsOf, nullCube, promptIds } from './calibration-data.ts';
import type { Size } from './calibration-intervals.ts';

export const BANDS = ['studentised', 'published'] as const;
export type BandName = (typeof BANDS)[number];
/** Audits in which something happened, by band. */
export type BandCounts = Record<BandName, number>;

/** c0 and seven factors of levels: how the rows of a simulated audit are named. */
const FACTORS = 7;
const PAIRS = (GENERATORS * (GENERATORS - 1)) / 2;

interface Searched {
  readonly search: ReversalSearch;
  readonly intervals: PointwiseIntervals;
  readonly bands: Record<BandName, Band>;
  /** Largest |t| over the band's contrasts. */
  readonly largest: number;
}

/** One simulated audit through the very functions `analyze` uses. */
async function searchAudit(cube: ScoreCube, resampleSeed: number, resampleCount: number): Promise<Searched> {
  const resamples = drawResamples(resampleSeed, promptIds(cube.prompts), resampleCount);
  const prompts = every(cube.prompts);
  const family = margins(
    cube,
    cube.distinctRows.map((row) => ({
      factor: row === 0 ? '' : `f${(row - 1) % FACTORS}`,
      level: String(row),
      row,
      prompts,
      withheld: null,
    })),
  );
  const matrix = contrastMatrix([cube], [family], cube.prompts);
  const maxima = await familyMaxima(matrix, resamples, { workers: 1 });
  let largest = 0;
  for (let id = 0; id < matrix.count; id += 1)
    if (matrix.inBand[id] === 1) largest = Math.max(largest, Math.abs(matrix.estimate[id]!) / matrix.error[id]!);
  return {
    search: { matrix, evaluator: 0, family, generators: every(GENERATORS).map(String) },
    intervals: new PointwiseIntervals(matrix, resamples, { level: 0.95, method: 'percentile' }),
    bands: {
      studentised: simultaneousBand(maxima.studentised, 0.95),
      published: simultaneousBand(maxima.published, 0.95),
    },
    largest,
  };
}

const critical = (band: Band): number => band.criticalValue ?? Number.POSITIVE_INFINITY;
const none = (): BandCounts => ({ studentised: 0, published: 0 });

export interface FamilyWise {
  readonly errors: BandCounts;
  readonly runs: number;
  /** Contrasts of a family, and the mean number in the band. */
  readonly contrasts: number;
  readonly inBand: number;
  /** Median critical value. */
  readonly criticalValue: Record<BandName, number | null>;
}

/** Family-wise error: audits without any difference in which a band calls at least one contrast different from zero. */
export async function familyWiseError(
  model: NullModel,
  prompts: number,
  rows: number,
  size: Size,
): Promise<FamilyWise> {
  const normal = normalsOf(size.seed, 'family', model, prompts, rows);
  const errors = none();
  const values: Record<BandName, number[]> = { studentised: [], published: [] };
  let inBand = 0;
  for (let run = 0; run < size.runs; run += 1) {
    const { search, bands, largest } = await searchAudit(
      nullCube(model, rows, prompts, normal),
      size.seed + run,
      size.resamples,
    );
    inBand += search.matrix.inBand.reduce((sum, flag) => sum + flag, 0);
    for (const band of BANDS) {
      values[band].push(critical(bands[band]));
      if (largest > critical(bands[band])) errors[band] += 1;
    }
  }
  const middle = (list: number[]) => {
    const value = list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!;
    return Number.isFinite(value) ? value : null;
  };
  return {
    errors,
    runs: size.runs,
    contrasts: rows * PAIRS,
    inBand: inBand / size.runs,
    criticalValue: { studentised: middle(values.studentised), published: middle(values.published) },
  };
}

export interface Power {
  readonly runs: number;
  /** Audits that confirm the planted reversal of each size. */
  readonly found: readonly { readonly effect: number; readonly counts: BandCounts }[];
}

/**
 * Power against planted reversals: generator 0 leads generator 1 by `effect` standard deviations of a prompt difference at one level and
 * trails by as much at another of the same factor. All sizes are planted in one audit, at levels of their own; nothing else differs.
 */
export async function reversalPower(
  prompts: number,
  rows: number,
  effects: readonly number[],
  size: Size,
): Promise<Power> {
  const normal = normalsOf(size.seed, 'power', prompts, rows);
  const found = effects.map((effect) => ({ effect, counts: none() }));
  // Rows of factor k: 1 + k, 1 + k + FACTORS, ...
  const upRow = (index: number) => 1 + (index % FACTORS) + 2 * FACTORS * Math.floor(index / FACTORS);
  for (let run = 0; run < size.runs; run += 1) {
    const cube = nullCube('independent', rows, prompts, normal);
    // The difference of two unit normals has SD sqrt 2; half of the shift goes to either generator.
    for (const [index, effect] of effects.entries())
      for (const [row, sign] of [
        [upRow(index), 1],
        [upRow(index) + FACTORS, -1],
      ] as const)
        for (let p = 0; p < prompts; p += 1) {
          cube.scores[row * GENERATORS * prompts + p]! += (sign * effect) / Math.SQRT2;
          cube.scores[(row * GENERATORS + 1) * prompts + p]! -= (sign * effect) / Math.SQRT2;
        }
    const { search, bands } = await searchAudit(cube, size.seed + run, size.resamples);
    const t = (row: number) => {
      const id = search.matrix.index[0]![row * PAIRS]!;
      return search.matrix.estimate[id]! / search.matrix.error[id]!;
    };
    for (const [index, { counts }] of found.entries())
      for (const band of BANDS) {
        const c = critical(bands[band]);
        if (t(upRow(index)) > c && t(upRow(index) + FACTORS) < -c) counts[band] += 1;
      }
  }
  return { runs: size.runs, found };
}

/**
 * Truths without a reversal: nothing differs at all, with independent or correlated configurations; or, with correlated ones, generator
 * 0 leads everyone at every other level and ties at the rest.
 */
export type Unreversed = 'no difference, independent' | 'no difference, correlated' | 'lead or tie, correlated';
export const UNREVERSED: readonly Unreversed[] = [
  'no difference, independent',
  'no difference, correlated',
  'lead or tie, correlated',
];
/** Lead of generator 0, in standard deviations of a prompt difference. */
export const LEAD = 1.5;

export interface FalseReversals {
  readonly runs: number;
  /** Audits with at least one reversal called, though there is none. */
  readonly pointwise: number;
  readonly confirmed: BandCounts;
  /** Mean number of level pairs called by pointwise intervals. */
  readonly pointwiseCount: number;
}

/** False-positive rate of reversals, pointwise and confirmed. */
export async function falseReversals(
  truth: Unreversed,
  prompts: number,
  rows: number,
  size: Size,
): Promise<FalseReversals> {
  const normal = normalsOf(size.seed, 'reversals', truth, prompts, rows);
  const confirmed = none();
  let pointwise = 0;
  let total = 0;
  for (let run = 0; run < size.runs; run += 1) {
    const cube = nullCube(truth === 'no difference, independent' ? 'independent' : 'correlated', rows, prompts, normal);
    if (truth === 'lead or tie, correlated')
      for (let row = 0; row < rows; row += 2)
        for (let p = 0; p < prompts; p += 1) cube.scores[row * GENERATORS * prompts + p]! += LEAD * Math.SQRT2;
    const { search, intervals, bands } = await searchAudit(cube, size.seed + run, size.resamples);
    const called = pointwiseReversals(search, intervals).count;
    total += called;
    if (called > 0) pointwise += 1;
    for (const band of BANDS) if (simultaneousReversals(search, bands[band], prompts).count > 0) confirmed[band] += 1;
  }
  return { runs: size.runs, pointwise, confirmed, pointwiseCount: total / size.runs };
}
