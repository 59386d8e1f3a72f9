import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { normalSource, simulatedCube } from '../../bench/stats-data.ts';
import { bandMaxima } from '../../src/statistics/band-maxima.ts';
import { clusterMaxima } from '../../src/statistics/cluster-maxima.ts';
import { contrastMatrix } from '../../src/statistics/contrast-matrix.ts';
import { margins } from '../../src/statistics/margins.ts';
import { drawResamples } from '../../src/statistics/prompt-bootstrap.ts';
import { simultaneousBand } from '../../src/statistics/simultaneous-band.ts';
import { analyzeMade, promptId } from '../support/score-rows.ts';

const folder = join(import.meta.dirname, '..', 'reference');
const scipy = JSON.parse(readFileSync(join(folder, 'values.json'), 'utf8')) as {
  rho: {
    scores: number[][][];
    rho: number;
    corrected: number;
    interaction: number;
    leaveOne: number[];
    dispersion: number;
    w: number;
  };
};
const r = JSON.parse(readFileSync(join(folder, 'values-r.json'), 'utf8')) as {
  sweep: { generators: number; configurations: number; correlation: number; critical: number };
};
const every = (count: number) => Array.from({ length: count }, (_, index) => index);

test('rho in all its forms, dispersion and W are those of numpy and scipy, through the whole analysis', async () => {
  const { scores, ...wanted } = scipy.rho;
  const estimates = await analyzeMade({
    generators: scores.length,
    prompts: scores[0]!.length,
    factors: [{ factor: 'light', levels: scores[0]![0]!.map((_, level) => `l${level}`) }],
    score: ({ g, p, index }) => scores[g]![p]![index]!,
  });
  const [factor] = estimates.evaluators[0]!.factors;
  for (const [value, expected] of [
    [factor!.rho.value, wanted.rho],
    [factor!.rhoCorrected.value, wanted.corrected],
    [factor!.rhoInteraction.value, wanted.interaction],
    [factor!.dispersion.value, wanted.dispersion],
    [factor!.kendallW.value, wanted.w],
    ...factor!.leaveOneGenerator.map(({ rho }, index) => [rho, wanted.leaveOne[index]!] as const),
  ] as const)
    expect(value! / expected).toBeCloseTo(1, 10);
  expect(factor!.leaveOneGenerator.length).toBe(5);
  expect(estimates.evaluators[0]!.peakRho.value).toBe(factor!.rho.value);
});

test("a sweep of correlated configurations: both bands' critical values are multcomp's for that linear model", () => {
  const { generators, configurations, correlation, critical } = r.sweep;
  const prompts = 1500;
  const normal = normalSource(31);
  const scores = new Float64Array(configurations * generators * prompts);
  for (let cell = 0; cell < generators * prompts; cell += 1) {
    const common = Math.sqrt(correlation) * normal();
    for (let row = 0; row < configurations; row += 1)
      scores[row * generators * prompts + cell] = common + Math.sqrt(1 - correlation) * normal();
  }
  const cube = {
    ...simulatedCube(1, { evaluators: 1, generators, prompts: 2 }, { render: 0, slot: 0, own: 0 }),
    prompts,
    scores,
    planned: new Uint8Array(scores.length).fill(1),
    distinctRows: every(configurations),
  };
  const family = margins(
    cube,
    every(configurations).map((row) => ({
      factor: 'f',
      level: `l${row}`,
      row,
      prompts: every(prompts),
      withheld: null,
    })),
  );
  const matrix = contrastMatrix([cube], [family], prompts);
  expect(matrix.count).toBe((configurations * generators * (generators - 1)) / 2);
  const maxima = bandMaxima(matrix, drawResamples(6, every(prompts).map(promptId), 6000).bootstrap);
  for (const kind of ['studentised', 'published'] as const)
    expect(Math.abs(simultaneousBand(maxima[kind], 0.95).criticalValue! - critical)).toBeLessThan(0.06);
});

test('clusters: the maxima by definition, and those of prompts when each is a cluster of its own', () => {
  const normal = normalSource(32);
  const prompts = 24;
  const scores = Float64Array.from({ length: 3 * 3 * prompts }, () => normal());
  const cube = {
    ...simulatedCube(1, { evaluators: 1, generators: 3, prompts: 2 }, { render: 0, slot: 0, own: 0 }),
    prompts,
    scores,
    planned: new Uint8Array(scores.length).fill(1),
    distinctRows: every(3),
    tolerance: 1e-12,
  };
  const ids = every(prompts).map(promptId);
  const family = margins(
    cube,
    every(3).map((row) => ({ factor: 'f', level: `l${row}`, row, prompts: every(prompts), withheld: null })),
  );
  // One prompt a cluster.
  const single = drawResamples(7, ids, 200, { column: 'source', of: new Map(ids.map((id) => [id, id])) });
  const own = contrastMatrix([cube], [family], prompts, single.clusterOf);
  const [clustered, plain] = [clusterMaxima(own, single), bandMaxima(own, single.bootstrap)];
  for (const kind of ['studentised', 'published'] as const)
    for (const [row, value] of clustered[kind].entries()) expect(value / plain[kind][row]!).toBeCloseTo(1, 9);
  // Eight clusters of unequal size: mean* and the cluster-robust se* straight from the differences.
  const of = new Map(ids.map((id, index) => [id, `c${Math.floor(Math.sqrt(index * 2.5))}`]));
  const drawn = drawResamples(8, ids, 100, { column: 'source', of });
  const matrix = contrastMatrix([cube], [family], prompts, drawn.clusterOf);
  const maxima = clusterMaxima(matrix, drawn);
  const names = [...new Set(ids.map((id) => of.get(id)!))].sort();
  expect([drawn.unit, drawn.units]).toEqual(['source', names.length]);
  const robust = (differences: number[], weights: number[]) => {
    const n = weights.reduce((sum, weight) => sum + weight, 0);
    const mean = differences.reduce((sum, value, index) => sum + weights[index]! * value, 0) / n;
    let squares = 0;
    for (const name of names) {
      const members = every(prompts).filter((index) => of.get(ids[index]!) === name);
      const times = weights[members[0]!]!;
      const sum = members.reduce((total, index) => total + differences[index]! - mean, 0);
      squares += times * sum * sum;
    }
    return { mean, error: Math.sqrt(squares) / n };
  };
  for (let row = 0; row < 100; row += 1) {
    const weights = [...drawn.bootstrap.data.subarray(row * prompts, (row + 1) * prompts)];
    const wanted = { studentised: 0, published: 0 };
    for (let configuration = 0; configuration < 3; configuration += 1)
      for (const [m, n] of family.pairs) {
        const at = (g: number, p: number) => scores[(configuration * 3 + g) * prompts + p]!;
        const differences = every(prompts).map((p) => at(m, p) - at(n, p));
        const data = robust(
          differences,
          differences.map(() => 1),
        );
        const resample = robust(differences, weights);
        const shift = Math.abs(resample.mean - data.mean);
        wanted.studentised = Math.max(wanted.studentised, shift / resample.error);
        wanted.published = Math.max(wanted.published, shift / data.error);
      }
    expect(maxima.studentised[row]! / wanted.studentised).toBeCloseTo(1, 8);
    expect(maxima.published[row]! / wanted.published).toBeCloseTo(1, 8);
  }
});
