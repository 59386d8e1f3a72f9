import { ExactSum } from './exact-sum.ts';
import type { DefaultUse, FactorUse } from './missing.ts';
import { type ScoreCube, scoreAt } from './score-cube.ts';

/** A configuration of the searched family: c0 (factor empty) or one level of one shared factor. */
export interface FamilyConfiguration {
  readonly factor: string;
  readonly level: string;
  readonly row: number;
  /** Prompts its means and margins rest on. */
  readonly prompts: readonly number[];
  /** Why it is not estimated; null when it is. */
  readonly withheld: string | null;
}

/** Margins of one evaluator: `margins[configuration * pairs.length + pair]`, NaN where withheld. */
export interface Margins {
  readonly configurations: readonly FamilyConfiguration[];
  /** Generator positions [m, n], m before n; the margin is m minus n. */
  readonly pairs: readonly (readonly [number, number])[];
  readonly margins: Float64Array;
}

/** c0 and every level of every shared factor, in order. */
export function familyConfigurations(c0: DefaultUse, factors: readonly FactorUse[]): FamilyConfiguration[] {
  const list: FamilyConfiguration[] = [
    { factor: '', level: '', row: 0, prompts: c0.commonPrompts, withheld: c0.contrastsWithheld },
  ];
  for (const use of factors) {
    if (!use.factor.shared) continue;
    for (const [position, level] of use.factor.levels.entries()) {
      const removed = use.removed.find((item) => item.level === position);
      list.push({
        factor: use.factor.factor,
        level,
        row: use.factor.rows[position]!,
        prompts: use.commonPrompts,
        withheld:
          removed === undefined
            ? use.contrastsWithheld
            : `removed: ${(100 * removed.share).toFixed(1)}% of the level's cells are missing`,
      });
    }
  }
  return list;
}

/** All pairs of `count` generators, first index before second. */
export function pairsOf(count: number): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  for (let m = 0; m < count; m += 1) for (let n = m + 1; n < count; n += 1) pairs.push([m, n]);
  return pairs;
}

/**
 * Delta_mn(c) = mean over prompts of score(m) - score(n), the sum of all +a and -b exactly rounded, and 0 when it is within
 * float noise of 0: equal scores in any order are a tie.
 */
export function margins(cube: ScoreCube, configurations: readonly FamilyConfiguration[]): Margins {
  const pairs = pairsOf(cube.generators);
  const values = new Float64Array(configurations.length * pairs.length).fill(Number.NaN);
  for (const [index, configuration] of configurations.entries()) {
    if (configuration.withheld !== null) continue;
    for (const [position, [m, n]] of pairs.entries())
      values[index * pairs.length + position] = margin(cube, configuration.row, m, n, configuration.prompts);
  }
  return { configurations, pairs, margins: values };
}

/** One margin over the given prompts; NaN for none. */
export function margin(cube: ScoreCube, row: number, m: number, n: number, prompts: readonly number[]): number {
  if (prompts.length === 0) return Number.NaN;
  const sum = new ExactSum();
  for (const prompt of prompts) {
    sum.add(scoreAt(cube, row, m, prompt));
    sum.add(-scoreAt(cube, row, n, prompt));
  }
  const mean = sum.value() / prompts.length;
  return Math.abs(mean) <= cube.tolerance ? 0 : mean;
}

/** Exactly rounded mean of every generator over the given prompts. */
export function generatorMeans(cube: ScoreCube, row: number, prompts: readonly number[]): Float64Array {
  return Float64Array.from({ length: cube.generators }, (_, generator) => {
    if (prompts.length === 0) return Number.NaN;
    const sum = new ExactSum();
    for (const prompt of prompts) sum.add(scoreAt(cube, row, generator, prompt));
    return sum.value() / prompts.length;
  });
}
