import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalSource } from '../../bench/stats-data.ts';
import type { Estimates, EvaluatorEstimates } from '../../src/core/estimates.ts';
import { optionsFromTable } from '../../src/statistics/analysis-options.ts';
import { analyze } from '../../src/statistics/analyze.ts';
import { bandMaxima } from '../../src/statistics/band-maxima.ts';
import { contrastMatrix } from '../../src/statistics/contrast-matrix.ts';
import { margins } from '../../src/statistics/margins.ts';
import { drawResamples } from '../../src/statistics/prompt-bootstrap.ts';
import { type ScoreRow, scoreTableOf } from '../../src/statistics/score-table.ts';
import { simultaneousBand } from '../../src/statistics/simultaneous-band.ts';
import { promptId } from '../support/score-rows.ts';

/** A small table of whole-number scores: sums are exact, so ties and invariances hold to the last digit where they should. */
interface Table {
  readonly generators: number;
  readonly prompts: number;
  /** Levels of the factors `f0` and `f1`; the first is c0. */
  readonly levels: readonly [number, number];
  readonly seed: number;
}

const tables = fc.record({
  generators: fc.integer({ min: 2, max: 4 }),
  prompts: fc.integer({ min: 3, max: 8 }),
  levels: fc.tuple(fc.integer({ min: 2, max: 4 }), fc.integer({ min: 2, max: 3 })),
  seed: fc.integer({ min: 0, max: 1e6 }),
});
const RUNS = { numRuns: 20 };

interface Names {
  readonly generator?: (index: number) => string;
  readonly level?: (factor: number, index: number) => string;
  readonly score?: (score: number) => number;
}

const plainGenerator = (index: number) => `g${index}`;
const plainLevel = (_: number, index: number) => `l${index}`;

/** Scores of a table: a generator, a prompt and a scene part, and noise that grows with the level. */
function rowsOf({ generators, prompts, levels, seed }: Table, names: Names = {}): ScoreRow[] {
  const { generator = plainGenerator, level = plainLevel, score = (value: number) => value } = names;
  const normal = normalSource(seed);
  const whole = (spread: number) => Math.round(spread * normal());
  const rows: ScoreRow[] = [];
  const ofGenerator = Array.from({ length: generators }, () => whole(4));
  for (let g = 0; g < generators; g += 1)
    for (let p = 0; p < prompts; p += 1) {
      const scene = 60 + ofGenerator[g]! + whole(3);
      const add = (factor: string, name: string, value: number) =>
        rows.push({
          evaluator: 'ev',
          generator: generator(g),
          prompt: promptId(p),
          factor,
          level: name,
          score: score(value),
        });
      add('', '', scene);
      for (const [f, count] of levels.entries())
        for (let index = 1; index < count; index += 1) add(`f${f}`, level(f, index), scene + whole(3 * index));
    }
  return rows;
}

async function analyzed(rows: readonly ScoreRow[], names: Names = {}): Promise<Estimates> {
  const { level = plainLevel } = names;
  const table = scoreTableOf(rows);
  const c0 = { f0: level(0, 0), f1: level(1, 0) };
  return await analyze(table, optionsFromTable(table, { seed: 3, resamples: 100, c0 }));
}

const only = (estimates: Estimates): EvaluatorEstimates => estimates.evaluators[0]!;

/** Equal, both undefined or both unbounded, or nearly equal. */
function same(a: number | null | undefined, b: number | null | undefined): void {
  if (a === null || a === undefined || b === null || b === undefined) expect(a ?? null).toBe(b ?? null);
  else expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(a), Math.abs(b)));
}

describe('invariances', () => {
  test('rho and W do not change under positive affine maps; dispersion does not under scale alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        tables,
        fc.constantFrom(0.25, 0.5, 2, 3, 10),
        fc.constantFrom(-20, 0, 7, 400),
        async (table, scale, shift) => {
          const here = only(await analyzed(rowsOf(table)));
          const there = only(await analyzed(rowsOf(table, { score: (score) => scale * score + shift })));
          for (const [index, factor] of here.factors.entries()) {
            const other = there.factors[index]!;
            same(factor.rho.value, other.rho.value);
            if (factor.rho.value !== null && other.rho.value !== null) {
              same(factor.rho.lower, other.rho.lower);
              same(factor.rho.upper, other.rho.upper);
            }
            same(factor.rhoCorrected.value, other.rhoCorrected.value);
            same(factor.rhoInteraction.value, other.rhoInteraction.value);
            same(factor.kendallW.value, other.kendallW.value);
            expect(other.winners).toEqual(factor.winners);
            if (shift === 0) same(factor.dispersion.value, other.dispersion.value);
            else if (factor.dispersion.value! > 0) expect(other.dispersion.value).not.toBe(factor.dispersion.value);
          }
          same(here.peakRho.value, there.peakRho.value);
          expect(there.strictPairs).toBe(here.strictPairs);
          expect(there.separablePairs).toBe(here.separablePairs);
          expect(there.bestSet).toEqual(here.bestSet);
        },
      ),
      RUNS,
    );
  });

  test('the order of the rows is immaterial, to the byte', async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.integer(), async (table, order) => {
        const rows = rowsOf(table);
        const normal = normalSource(order);
        const shuffled = rows
          .map((row) => ({ row, key: normal() }))
          .sort((a, b) => a.key - b.key)
          .map(({ row }) => row);
        expect(JSON.stringify(await analyzed(shuffled))).toBe(JSON.stringify(await analyzed(rows)));
      }),
      RUNS,
    );
  });

  test('naming the generators otherwise permutes the results', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        // Reverses the text order of the generators.
        const rename = (index: number) => `h${table.generators - 1 - index}`;
        const here = only(await analyzed(rowsOf(table)));
        const there = only(await analyzed(rowsOf(table, { generator: rename })));
        const named = (generator: string) => rename(Number(generator.slice(1)));
        for (const { generator, score } of here.generators) {
          const other = there.generators.find((one) => one.generator === named(generator))!;
          same(score.value, other.score.value);
        }
        for (const [index, factor] of here.factors.entries()) {
          const other = there.factors[index]!;
          same(factor.rho.value, other.rho.value);
          same(factor.rhoInteraction.value, other.rhoInteraction.value);
          same(factor.kendallW.value, other.kendallW.value);
          same(factor.dispersion.value, other.dispersion.value);
          expect([...other.winners].sort()).toEqual(factor.winners.map(named).sort());
        }
        expect([...there.bestSet].sort()).toEqual(here.bestSet.map(named).sort());
        for (const { pair, baseline, min, max, strict } of here.envelopes) {
          const [m, n] = [named(pair[0]), named(pair[1])];
          const other = there.envelopes.find((one) => one.pair.includes(m) && one.pair.includes(n))!;
          const flip = other.pair[0] !== m;
          same(baseline.value, flip ? -other.baseline.value! : other.baseline.value);
          same(min, flip ? -other.max! : other.min);
          same(max, flip ? -other.min! : other.max);
          expect(other.strict).toBe(strict);
          if (baseline.value !== null && other.baseline.value !== null)
            same(baseline.lower, flip ? -other.baseline.upper! : other.baseline.lower);
        }
        same(here.family.criticalValues.studentised, there.family.criticalValues.studentised);
      }),
      RUNS,
    );
  });

  test('naming the levels otherwise permutes the results', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const level = (factor: number, index: number) => `m${table.levels[factor]! - 1 - index}`;
        const here = only(await analyzed(rowsOf(table)));
        const there = only(await analyzed(rowsOf(table, { level }), { level }));
        for (const [index, factor] of here.factors.entries()) {
          const other = there.factors[index]!;
          same(factor.rho.value, other.rho.value);
          same(factor.rhoInteraction.value, other.rhoInteraction.value);
          same(factor.kendallW.value, other.kendallW.value);
          same(factor.dispersion.value, other.dispersion.value);
          expect(other.winners).toEqual(factor.winners);
          for (const [position, one] of factor.perLevel.entries())
            expect(other.perLevel.find((item) => item.level === level(index, position))).toEqual({
              ...one,
              level: level(index, position),
            });
        }
        for (const [index, envelope] of here.envelopes.entries())
          expect(there.envelopes[index]).toMatchObject({
            min: envelope.min,
            max: envelope.max,
            strict: envelope.strict,
            baseline: envelope.baseline,
          });
        expect(there.family.criticalValues).toEqual(here.family.criticalValues);
      }),
      RUNS,
    );
  });
});

describe('envelopes', () => {
  test('contain every margin, and touch the smallest and largest', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const evaluator = only(await analyzed(rowsOf(table)));
        const names = evaluator.generators.map(({ generator }) => generator);
        for (const { pair, baseline, min, max, strict } of evaluator.envelopes) {
          const [m, n] = [names.indexOf(pair[0]), names.indexOf(pair[1])];
          const all = [
            baseline.value!,
            ...evaluator.factors.flatMap(({ perLevel }) => perLevel.map(({ means }) => means[m]! - means[n]!)),
          ];
          same(Math.min(...all), min);
          same(Math.max(...all), max);
          expect(strict).toBe(min! > 0 || max! < 0);
        }
      }),
      RUNS,
    );
  });

  test('never narrow when a level is added', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const rows = rowsOf({ ...table, levels: [table.levels[0] + 1, table.levels[1]] });
        const added = `l${table.levels[0]}`;
        const more = only(await analyzed(rows));
        const fewer = only(await analyzed(rows.filter(({ factor, level }) => factor !== 'f0' || level !== added)));
        for (const [index, envelope] of fewer.envelopes.entries()) {
          expect(more.envelopes[index]!.min).toBeLessThanOrEqual(envelope.min!);
          expect(more.envelopes[index]!.max).toBeGreaterThanOrEqual(envelope.max!);
        }
        expect(more.strictPairs).toBeLessThanOrEqual(fewer.strictPairs);
      }),
      RUNS,
    );
  });
});

test("the critical value is at least every contrast's own 95% point of |t*|, in both bands", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 2, max: 4 }),
      fc.integer({ min: 12, max: 30 }),
      fc.boolean(),
      fc.integer({ min: 0, max: 1e6 }),
      (rows, generators, prompts, tied, seed) => {
        const normal = normalSource(seed);
        const every = (count: number) => Array.from({ length: count }, (_, index) => index);
        const scores = Float64Array.from({ length: rows * generators * prompts }, () =>
          tied ? Math.round(2 * normal()) : normal(),
        );
        const cube = {
          evaluator: 'ev',
          role: 'alignment' as const,
          scale: null,
          imported: true,
          generators,
          prompts,
          scores,
          planned: new Uint8Array(scores.length).fill(1),
          distinctRows: every(rows),
          factors: [],
          tolerance: 1e-12,
        };
        const configurations = every(rows).map((row) => ({
          factor: 'f',
          level: String(row),
          row,
          prompts: every(prompts),
          withheld: null,
        }));
        const matrix = contrastMatrix([cube], [margins(cube, configurations)], prompts);
        const { bootstrap } = drawResamples(seed, every(prompts).map(promptId), 99);
        const family = bandMaxima(matrix, bootstrap);
        for (let id = 0; id < matrix.count; id += 1) {
          if (matrix.inBand[id] === 0) continue;
          const alone = bandMaxima(
            { ...matrix, inBand: matrix.inBand.map((_, other) => (other === id ? 1 : 0)) },
            bootstrap,
          );
          for (const band of ['studentised', 'published'] as const) {
            const critical = (maxima: Float64Array) =>
              simultaneousBand(maxima, 0.95).criticalValue ?? Number.POSITIVE_INFINITY;
            expect(critical(family[band])).toBeGreaterThanOrEqual(critical(alone[band]));
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});

test('any number of threads gives the same estimates, to the byte', async () => {
  // Large enough for threads: 2 evaluators x 91 configurations x 15 pairs x 40 prompts x 20,000 resamples.
  const normal = normalSource(12);
  const rows: ScoreRow[] = [];
  for (const evaluator of ['one', 'two'])
    for (let g = 0; g < 6; g += 1)
      for (let p = 0; p < 40; p += 1) {
        const scene = 30 + g / 3 + normal();
        for (let level = 0; level < 91; level += 1)
          rows.push({
            evaluator,
            generator: `g${g}`,
            prompt: promptId(p),
            factor: level === 0 ? '' : 'template',
            level: level === 0 ? '' : `t${level}`,
            score: scene + 0.5 * normal(),
          });
      }
  const table = scoreTableOf(rows);
  const settings = { seed: 5, resamples: 20_000, c0: {} };
  const bytes = async (workers: number) =>
    JSON.stringify(await analyze(table, optionsFromTable(table, { ...settings, workers })));
  const one = await bytes(1);
  expect(JSON.parse(one).family.criticalValues).toEqual({
    studentised: expect.any(Number),
    published: expect.any(Number),
  });
  expect(await bytes(2)).toBe(one);
});
