import type { Estimates } from '../core/estimates.ts';
import type { AnalysisOptions } from './analysis-options.ts';
import type { DescribedEvaluator } from './analyze-evaluator.ts';
import type { ContrastMatrix } from './contrast-matrix.ts';
import { SMALL_N } from './interval.ts';
import type { Resamples } from './prompt-bootstrap.ts';
import type { Band } from './simultaneous-band.ts';

type Family = Estimates['family'];

/** Both bands of one family. */
export interface Bands {
  readonly studentised: Band;
  readonly published: Band;
}

/** Names listed of the contrasts left out. */
const LISTED = 200;

/** Sizes, exclusions and critical values of a family, or of some evaluators' share of it; `positions` are theirs in the matrix. */
export function describeFamily(
  members: readonly DescribedEvaluator[],
  positions: readonly number[],
  matrix: ContrastMatrix,
  bands: Bands,
  options: AnalysisOptions,
): Family {
  const placeOf = new Map(positions.map((position, index) => [position, index]));
  const left = matrix.leftOut.filter(({ evaluator }) => placeOf.has(evaluator));
  const families = members.map(({ family }) => family);
  const configurations = new Set(
    families.flatMap((family) => family.configurations.map(({ factor, level }) => JSON.stringify([factor, level]))),
  );
  let distinct = 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (let id = 0; id < matrix.count; id += 1) {
    if (!placeOf.has(matrix.evaluator[id]!)) continue;
    distinct += 1;
    fewest = Math.min(fewest, matrix.sets[matrix.set[id]!]!.length);
  }
  const warnings: string[] = [];
  for (const name of ['studentised', 'published'] as const) {
    const reason = bands[name].undefinedBecause;
    if (reason !== null) warnings.push(`${name} band: no critical value: ${reason}`);
  }
  if (options.band === 'published')
    warnings.push(
      'the published band is approximate: its fixed standard error makes it anti-conservative (docs/calibration.md)',
    );
  return {
    contrasts: families.reduce((sum, family) => sum + family.configurations.length * family.pairs.length, 0),
    degenerate: left.filter(({ because }) => because === 'degenerate').length,
    excluded: left.filter(({ because }) => because === 'excluded').length,
    band: options.band,
    criticalValue: bands[options.band].criticalValue,
    evaluators: families.length,
    pairs: families[0]?.pairs.length ?? 0,
    configurations: configurations.size,
    distinctContrasts: distinct,
    criticalValues: { studentised: bands.studentised.criticalValue, published: bands.published.criticalValue },
    withheld: left.filter(({ because }) => because === 'withheld').length,
    confirmable: distinct > 0 && fewest >= SMALL_N,
    excludedContrasts: left.slice(0, LISTED).map(({ evaluator, configuration, pair, because }) => {
      const { cube, family } = members[placeOf.get(evaluator)!]!;
      const [m, n] = family.pairs[pair]!;
      const { factor, level } = family.configurations[configuration]!;
      const names: [string, string] = [options.generators[m]!, options.generators[n]!];
      return { evaluator: cube.evaluator, pair: names, factor, level, because };
    }),
    warnings,
  };
}

/** Why no reversal of this family may be called confirmed; null when one may. */
export function unconfirmedBecause(family: Family, band: Band, resamples: Resamples): string | null {
  if (family.distinctContrasts === 0) return 'no contrast is estimated';
  if (resamples.units < SMALL_N)
    return `only ${resamples.units} ${resamples.unit === 'prompt' ? 'prompt' : 'cluster'}${resamples.units === 1 ? '' : 's'}; under ${SMALL_N} nothing is called confirmed`;
  if (!family.confirmable)
    return `some contrasts rest on fewer than ${SMALL_N} prompts; those are never called confirmed`;
  return band.undefinedBecause;
}
