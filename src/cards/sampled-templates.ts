import type { Estimate } from '../core/estimate.ts';
import type { SampledTemplates } from '../core/judging-estimates.ts';
import type { ManifestFactor } from '../core/manifest.ts';
import { estimateSampledMean, estimateSampledVariance, type SampledEstimate } from '../protocol/slot-estimates.ts';
import type { TemplateSample } from '../protocol/slot-sample.ts';
import type { AnalysisOptions } from '../statistics/analysis-options.ts';
import { populationVariance } from '../statistics/quantile.ts';
import type { CellMeans } from './cell-means.ts';

/**
 * Means, variance and rho over all templates of a grammar from the drawn ones, weighted by their inclusion probabilities.
 * Only prompts with a score for every generator at every drawn template and at c0 take part, so that generators are compared
 * on one set; the intervals are those of drawing templates, prompts and the c0 denominator held as they are.
 */
export function sampledTemplates(
  recorded: NonNullable<ManifestFactor['sample']>,
  sample: TemplateSample,
  means: CellMeans,
  { generators, prompts, level }: Pick<AnalysisOptions, 'generators' | 'prompts' | 'level'>,
): SampledTemplates {
  const rowOf = (generator: string, prompt: string): number[] | null => {
    const row = sample.templates.map(({ template }) => means.get('template', template.id, generator, prompt));
    return row.includes(null) ? null : (row as number[]);
  };
  const baseOf = (generator: string, prompt: string) => means.get('', '', generator, prompt);
  const rows = new Map<string, { prompt: string; row: number[] }[]>();
  const common = prompts.filter((prompt) =>
    generators.every((generator) => rowOf(generator, prompt) !== null && baseOf(generator, prompt) !== null),
  );
  for (const generator of generators)
    rows.set(
      generator,
      common.map((prompt) => ({ prompt, row: rowOf(generator, prompt) as number[] })),
    );
  const planned = generators.length * prompts.length;
  const complete = generators.length * common.length;
  const excluded = planned - complete;
  const nothing: Estimate = {
    value: null,
    undefinedBecause: 'no prompt has a score for every generator at every drawn template',
    n: 0,
    excluded,
  };
  const scenes = [...rows.values()].flat().map(({ row }) => row);
  const variance = common.length === 0 ? null : estimateSampledVariance(sample, scenes, level);
  const between = populationVariance(
    generators.map((generator) => meanOf(common.map((prompt) => baseOf(generator, prompt) as number))),
  );
  return {
    asked: recorded.asked,
    drawn: sample.templates.length,
    of: sample.population,
    saved: sample.claims.saved,
    scenes: { complete, planned },
    generators: generators.map((generator) => {
      const own = (rows.get(generator) ?? []).map(({ row }) => row);
      if (own.length === 0) return { generator, mean: nothing };
      const values = sample.templates.map((_, index) => meanOf(own.map((row) => row[index] as number)));
      return {
        generator,
        mean: estimateOf(estimateSampledMean(sample, values, level), prompts.length - common.length),
      };
    }),
    variance: variance === null ? nothing : estimateOf(variance, excluded),
    rho: rhoOf(variance, between, generators.length, excluded) ?? nothing,
    estimated: [...sample.claims.estimated],
    lost: [...sample.claims.lost],
  };
}

function rhoOf(
  variance: SampledEstimate | null,
  between: number,
  generators: number,
  excluded: number,
): Estimate | null {
  if (variance === null) return null;
  if (generators < 2) return { value: null, undefinedBecause: 'one generator', excluded };
  if (!(between > 0)) return { value: null, undefinedBecause: 'no variance between generators at c0', excluded };
  const { value, lower, upper } = variance;
  return estimateOf({ ...variance, value: value / between, lower: lower / between, upper: upper / between }, excluded);
}

function estimateOf({ value, lower, upper, level, method, n }: SampledEstimate, excluded: number): Estimate {
  return { value, lower, upper, level, method, n, excluded };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
