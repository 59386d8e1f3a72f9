import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { normalSource, simulatedCube, simulatedFamily } from '../../bench/stats-data.ts';
import { bandMaxima } from '../../src/statistics/band-maxima.ts';
import { type ContrastMatrix, contrastMatrix } from '../../src/statistics/contrast-matrix.ts';
import { familyMaxima } from '../../src/statistics/family-maxima.ts';
import { margins } from '../../src/statistics/margins.ts';
import { drawResamples } from '../../src/statistics/prompt-bootstrap.ts';
import { quantileSorted } from '../../src/statistics/quantile.ts';
import type { ScoreCube } from '../../src/statistics/score-cube.ts';
import { adjustedP, simultaneousBand } from '../../src/statistics/simultaneous-band.ts';
import { promptId } from '../support/score-rows.ts';

const promptIds = (count: number) => Array.from({ length: count }, (_, index) => promptId(index));
const every = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A cube of independent scores: rows x generators x prompts. */
function cubeOf(
  rows: number,
  generators: number,
  prompts: number,
  draw: (row: number, g: number) => number,
): ScoreCube {
  const scores = new Float64Array(rows * generators * prompts);
  for (let row = 0; row < rows; row += 1)
    for (let g = 0; g < generators; g += 1)
      for (let p = 0; p < prompts; p += 1) scores[(row * generators + g) * prompts + p] = draw(row, g);
  return {
    evaluator: 'ev',
    role: 'alignment',
    scale: null,
    imported: true,
    generators,
    prompts,
    scores,
    planned: new Uint8Array(scores.length).fill(1),
    distinctRows: every(rows),
    factors: [],
    tolerance: 1e-12 * scores.reduce((most, score) => Math.max(most, Math.abs(score)), 0),
  };
}

/** The family of all rows of a cube; `sets` gives the prompts of a row. */
function matrixOf(cube: ScoreCube, sets: (row: number) => number[] = () => every(cube.prompts)): ContrastMatrix {
  const family = margins(
    cube,
    cube.distinctRows.map((row) => ({ factor: 'f', level: String(row), row, prompts: sets(row), withheld: null })),
  );
  return contrastMatrix([cube], [family], cube.prompts);
}

describe('the filter', () => {
  const pruned = { workers: 1, always: true };

  test('gives the maxima of the plain computation, to the last bit, for any number of threads', async () => {
    const cube = simulatedCube(3, { evaluators: 1, generators: 4, prompts: 50 }, { render: 0.7, slot: 0.2, own: 0.1 });
    const family = simulatedFamily(cube);
    const matrix = contrastMatrix([cube], [family], 50);
    const resamples = drawResamples(11, promptIds(50), 150);
    const plain = bandMaxima(matrix, resamples.bootstrap);
    const one = await familyMaxima(matrix, resamples, pruned);
    expect({ studentised: one.studentised, published: one.published }).toEqual(plain);
    // However the 150 resamples fall into parts.
    for (const workers of [2, 3, 7]) {
      const parts = await familyMaxima(matrix, resamples, { workers, always: true });
      expect({ studentised: parts.studentised, published: parts.published }).toEqual(plain);
      expect(parts.computed).toBe(one.computed);
    }
    // And it rules out: fewer than one contrast in five was computed.
    expect(one.computed).toBeLessThan(0.2 * matrix.count * 150);
  });

  test('holds for scores without structure, for ties, and for prompt sets of several sizes', async () => {
    const normal = normalSource(5);
    const loose = cubeOf(60, 3, 30, () => normal());
    const tied = cubeOf(60, 3, 30, () => Math.round(normal()));
    const resamples = drawResamples(2, promptIds(30), 120);
    for (const matrix of [
      matrixOf(loose),
      matrixOf(tied),
      matrixOf(loose, (row) => every(30).filter((prompt) => row < 20 || prompt % 7 !== row % 2)),
    ]) {
      const plain = bandMaxima(matrix, resamples.bootstrap);
      const fast = await familyMaxima(matrix, resamples, pruned);
      expect({ studentised: fast.studentised, published: fast.published }).toEqual(plain);
    }
  });

  test('keeps infinite maxima: a resample in which a standard error is 0', async () => {
    // Twelve prompts off the mode of forty: some resamples draw only the mode.
    const cube = cubeOf(45, 2, 40, () => 0);
    const normal = normalSource(6);
    for (let row = 0; row < 45; row += 1)
      for (let p = 0; p < 40; p += 1) cube.scores[row * 80 + p] = p < 11 ? 1 + 0.01 * normal() : 1;
    const matrix = matrixOf({ ...cube, tolerance: 1e-12 });
    const weights = new Float64Array(3 * 40);
    weights.fill(1, 0, 40);
    weights[40 + 20] = 40;
    weights.fill(2, 80 + 20, 120);
    const resamples = { ...drawResamples(1, promptIds(40), 3), bootstrap: { rows: 3, columns: 40, data: weights } };
    const plain = bandMaxima(matrix, resamples.bootstrap);
    expect(plain.studentised[1]).toBe(Number.POSITIVE_INFINITY);
    const fast = await familyMaxima(matrix, resamples, pruned);
    expect({ studentised: fast.studentised, published: fast.published }).toEqual(plain);
  });
});

describe('critical values', () => {
  const folder = join(import.meta.dirname, '..', 'reference');
  const r = JSON.parse(readFileSync(join(folder, 'values-r.json'), 'utf8')) as {
    tukey: { generators: number; critical: number };
    dunnett: { critical: number };
  };

  test("all pairs of independent generators: multcomp's Tukey value, both bands, at many prompts", () => {
    const normal = normalSource(21);
    const cube = cubeOf(1, r.tukey.generators, 1500, () => normal());
    const matrix = matrixOf(cube);
    const maxima = bandMaxima(matrix, drawResamples(3, promptIds(1500), 6000).bootstrap);
    for (const kind of ['studentised', 'published'] as const) {
      const band = simultaneousBand(maxima[kind], 0.95);
      expect(Math.abs(band.criticalValue! - r.tukey.critical)).toBeLessThan(0.06);
    }
  });

  test("comparisons with one generator: multcomp's Dunnett value", () => {
    const normal = normalSource(22);
    const cube = cubeOf(1, 4, 1500, () => normal());
    const matrix = matrixOf(cube);
    // Pairs 0-1, 0-2, 0-3 come first.
    const inBand = matrix.inBand.map((flag, id) => (id < 3 ? flag : 0));
    const maxima = bandMaxima({ ...matrix, inBand }, drawResamples(4, promptIds(1500), 6000).bootstrap);
    expect(Math.abs(simultaneousBand(maxima.studentised, 0.95).criticalValue! - r.dunnett.critical)).toBeLessThan(0.06);
  });

  test('the place of the critical value, and an adjusted p that agrees with the band', () => {
    const maxima = Float64Array.from({ length: 99 }, (_, index) => index + 1);
    const band = simultaneousBand(maxima, 0.95);
    expect(band.criticalValue).toBe(95);
    expect(adjustedP(band, 95.5)).toBe(5 / 100);
    expect(adjustedP(band, 95)).toBe(6 / 100);
    for (let t = 0.5; t < 110; t += 0.5) expect(adjustedP(band, t) <= 0.05 + 1e-12).toBe(t > band.criticalValue!);
    expect(simultaneousBand(new Float64Array(10).fill(1), 0.95)).toMatchObject({ criticalValue: null });
    expect(simultaneousBand(new Float64Array(100).fill(Number.POSITIVE_INFINITY), 0.95)).toMatchObject({
      criticalValue: null,
      undefinedBecause: expect.stringContaining('standard error is 0'),
    });
  });

  test("c is at least every contrast's own 95% quantile of |t*|", () => {
    const normal = normalSource(23);
    const cube = cubeOf(6, 3, 25, () => normal());
    const matrix = matrixOf(cube);
    const { bootstrap } = drawResamples(5, promptIds(25), 400);
    const band = simultaneousBand(bandMaxima(matrix, bootstrap).studentised, 0.95);
    for (let id = 0; id < matrix.count; id += 1) {
      const alone = bandMaxima(
        { ...matrix, inBand: matrix.inBand.map((_, other) => (other === id ? 1 : 0)) },
        bootstrap,
      );
      expect(band.criticalValue!).toBeGreaterThanOrEqual(quantileSorted(alone.studentised.sort(), 0.95));
    }
  });
});

describe('family-wise error under a global null of 2,010 contrasts', () => {
  /** Share of simulated audits in which the band calls some contrast different from zero. */
  function familyWise(prompts: number, audits: number): { studentised: number; published: number } {
    const normal = normalSource(prompts);
    const found = { studentised: 0, published: 0 };
    for (let audit = 0; audit < audits; audit += 1) {
      const matrix = matrixOf(cubeOf(134, 6, prompts, () => normal()));
      expect(matrix.count).toBe(2010);
      const maxima = bandMaxima(matrix, drawResamples(audit, promptIds(prompts), 199).bootstrap);
      for (const kind of ['studentised', 'published'] as const) {
        const critical = simultaneousBand(maxima[kind], 0.95).criticalValue!;
        let largest = 0;
        for (let id = 0; id < matrix.count; id += 1)
          largest = Math.max(largest, Math.abs(matrix.estimate[id]!) / matrix.error[id]!);
        if (largest > critical) found[kind] += 1;
      }
    }
    return { studentised: found.studentised / audits, published: found.published / audits };
  }

  // Binomial limits wide enough for 40 audits: 5% passes, 30% does not.
  test('N = 50: studentised holds, the published form does not', () => {
    const share = familyWise(50, 40);
    expect(share.studentised).toBeLessThanOrEqual(0.15);
    expect(share.published).toBeGreaterThanOrEqual(0.15);
  });

  test('N = 20: studentised is conservative, the published form nearly always wrong', () => {
    const share = familyWise(20, 40);
    expect(share.studentised).toBeLessThanOrEqual(0.1);
    expect(share.published).toBeGreaterThanOrEqual(0.7);
  });
});
