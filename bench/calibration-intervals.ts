import { bootstrapInterval, type Interval, undefinedEstimate } from '../src/statistics/interval.ts';
import { peakRho } from '../src/statistics/peak-rho.ts';
import { drawResamples, weightedRatios } from '../src/statistics/prompt-bootstrap.ts';
import { rho } from '../src/statistics/rho.ts';
import { rhoContext } from '../src/statistics/rho-context.ts';
import { sceneSpread } from '../src/statistics/scene-spread.ts';
import type { CubeFactor } from '../src/statistics/score-cube.ts';
import {
  drawDifference,
  emptyCube,
  every,
  GENERATORS,
  normalsOf,
  promptIds,
  SHAPES,
  type Shape,
} from './calibration-data.ts';

/** How many simulated intervals held the truth, lay wholly above it (`above`) and wholly below it (`below`). */
export interface Coverage {
  readonly runs: number;
  readonly above: number;
  readonly below: number;
}

export type IntervalMethod = 'percentile' | 'bca';
export const METHODS: readonly IntervalMethod[] = ['percentile', 'bca'];

export interface Size {
  readonly seed: number;
  readonly runs: number;
  readonly resamples: number;
}

class Counter {
  #runs = 0;
  #above = 0;
  #below = 0;

  add({ lower, upper }: Pick<Interval, 'lower' | 'upper'>, truth: number): void {
    this.#runs += 1;
    if (lower !== null && lower > truth) this.#above += 1;
    else if (upper !== null && upper < truth) this.#below += 1;
  }

  coverage(): Coverage {
    return { runs: this.#runs, above: this.#above, below: this.#below };
  }
}

/** Coverage of both intervals of a margin of mean 0 for each shape; the shapes share their resamples. */
export function marginCoverage(prompts: number, size: Size): Record<Shape, Record<IntervalMethod, Coverage>> {
  const ids = promptIds(prompts);
  const ones = new Float64Array(prompts).fill(1);
  const draws = SHAPES.map((shape) => ({
    shape,
    normal: normalsOf(size.seed, 'margin', shape, prompts),
    counters: { percentile: new Counter(), bca: new Counter() },
  }));
  for (let run = 0; run < size.runs; run += 1) {
    const resamples = drawResamples(size.seed + run, ids, size.resamples);
    for (const { shape, normal, counters } of draws) {
      const values = Float64Array.from(ids, () => drawDifference(shape, normal));
      const mean = values.reduce((sum, value) => sum + value, 0) / prompts;
      const replicates = weightedRatios(resamples.bootstrap, values, ones);
      const jackknife = () => weightedRatios(resamples.jackknife, values, ones);
      for (const method of METHODS)
        counters[method].add(bootstrapInterval(mean, replicates, jackknife, { level: 0.95, method }), 0);
    }
  }
  return Object.fromEntries(
    draws.map(({ shape, counters }) => [
      shape,
      { percentile: counters.percentile.coverage(), bca: counters.bca.coverage() },
    ]),
  ) as Record<Shape, Record<IntervalMethod, Coverage>>;
}

export interface RhoCoverage {
  readonly plain: Coverage;
  readonly bca: Coverage;
  readonly corrected: Coverage;
  /** Runs in which the corrected form was undefined: prompt noise alone explains the generators' variance. */
  readonly correctedUndefined: number;
  /** Peak of four factors that all have this rho, selected anew in each resample. */
  readonly peak: Coverage;
  /** The same with the factor held at the observed peak. */
  readonly peakFixed: Coverage;
  /** Median over the runs of the estimates. */
  readonly medians: { readonly plain: number; readonly corrected: number | null; readonly peak: number };
}

const LEVELS = 8;
const FACTORS = 4;

/**
 * Coverage of the intervals of rho. Six equally spaced generators and four factors of eight levels; a score is generator + scene + level
 * noise, both of variance 1, so the mean variance within a scene is 7/8 and the spacing follows from the true rho, which is that over
 * all the prompts there could be. The first level is c0 and common to the factors.
 */
export function rhoCoverage(truth: number, prompts: number, size: Size): RhoCoverage {
  const ids = promptIds(prompts);
  const normal = normalsOf(size.seed, 'rho', truth, prompts);
  const names = every(GENERATORS).map(String);
  const step = Math.sqrt((1 - 1 / LEVELS) / truth / ((GENERATORS ** 2 - 1) / 12));
  const factors = every(FACTORS).map(
    (factor): CubeFactor => ({
      factor: `f${factor}`,
      shared: true,
      kind: null,
      levels: every(LEVELS).map(String),
      rows: Int32Array.from(every(LEVELS), (level) => (level === 0 ? 0 : factor * (LEVELS - 1) + level)),
      defaultIndex: 0,
    }),
  );
  const rows = 1 + FACTORS * (LEVELS - 1);
  const counters = { plain: new Counter(), bca: new Counter(), corrected: new Counter() };
  const peaks = { peak: new Counter(), peakFixed: new Counter() };
  const values = { plain: [] as number[], corrected: [] as number[], peak: [] as number[] };
  for (let run = 0; run < size.runs; run += 1) {
    const cube = emptyCube(rows, prompts);
    for (let g = 0; g < GENERATORS; g += 1)
      for (let p = 0; p < prompts; p += 1) {
        const scene = 30 + step * g + normal();
        for (let row = 0; row < rows; row += 1) cube.scores[(row * GENERATORS + g) * prompts + p] = scene + normal();
      }
    const resamples = drawResamples(size.seed + run, ids, size.resamples);
    const c0 = { commonPrompts: every(prompts), contrastsWithheld: null };
    const context = rhoContext(cube, c0, resamples, { level: 0.95, method: 'percentile' }, names);
    const spreads = factors.map((factor) => sceneSpread(cube, factor, 2));
    const parts = spreads.map((spread) => rho(spread, null, context));
    const [first] = parts;
    const bca = rho(spreads[0]!, null, { ...context, interval: { level: 0.95, method: 'bca' } });
    for (const [estimate, counter, list] of [
      [first!.rho, counters.plain, values.plain],
      [bca.rho, counters.bca, []],
      [first!.corrected, counters.corrected, values.corrected],
    ] as const) {
      if (estimate.value === null) continue;
      counter.add(estimate, truth);
      (list as number[]).push(estimate.value);
    }
    const interaction = undefinedEstimate('not simulated');
    const peak = peakRho(
      parts.map((one, factor) => ({ factor: `f${factor}`, parts: one, interaction })),
      context,
    );
    if (peak.value === null || peak.fixedFactor === null) continue;
    peaks.peak.add(peak, truth);
    peaks.peakFixed.add(peak.fixedFactor, truth);
    values.peak.push(peak.value);
  }
  const corrected = counters.corrected.coverage();
  return {
    plain: counters.plain.coverage(),
    bca: counters.bca.coverage(),
    corrected,
    correctedUndefined: size.runs - corrected.runs,
    peak: peaks.peak.coverage(),
    peakFixed: peaks.peakFixed.coverage(),
    medians: {
      plain: middle(values.plain)!,
      corrected: middle(values.corrected),
      peak: middle(values.peak)!,
    },
  };
}

function middle(values: readonly number[]): number | null {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}
