import type { Estimates, SummaryItem } from '../core/estimates.ts';
import type { EvaluatorRole } from '../core/protocol.ts';
import { median } from './quantile.ts';

/** What the headlines need of one evaluator; null where it was not measured. */
export interface SummaryRow {
  readonly evaluator: string;
  readonly role: EvaluatorRole;
  readonly generators: number;
  readonly dispersion: Readonly<Record<string, number | null>>;
  readonly templateRho: number | null;
  readonly peakRho: number | null;
  /** Lower limit of the peak's interval. */
  readonly peakLower: number | null;
  /** Smallest peak over the generators dropped. */
  readonly leaveOneLow: number | null;
  readonly minKendallW: number | null;
  readonly maxWinners: number | null;
  readonly bestView: number | null;
  readonly contentAccuracy: number | null;
  /** Discrimination by probe, 0..1. */
  readonly probes: Readonly<Record<string, number | null>>;
  /** True when the interval of the top-1/top-2 gap excludes zero. */
  readonly topGapExcludesZero: boolean | null;
  readonly separablePairs: number | null;
  readonly strictPairs: number | null;
  readonly confirmedReversals: number | null;
}

/** Rows of an audit's estimates. */
export function summaryRows(estimates: Pick<Estimates, 'evaluators' | 'generators'>): SummaryRow[] {
  return estimates.evaluators.map((evaluator) => {
    const { peakRho, topGap } = evaluator;
    return {
      evaluator: evaluator.evaluator,
      role: evaluator.role,
      generators: estimates.generators.length,
      dispersion: Object.fromEntries(evaluator.factors.map(({ factor, dispersion }) => [factor, dispersion.value])),
      templateRho: evaluator.templateRho.value,
      peakRho: peakRho.value,
      peakLower: peakRho.value === null ? null : peakRho.lower,
      leaveOneLow: peakRho.leaveOneGenerator?.[0] ?? null,
      minKendallW: evaluator.minKendallW.value,
      maxWinners: evaluator.factors.some(({ shared }) => shared) ? evaluator.maxWinners : null,
      bestView: evaluator.bestView.value,
      contentAccuracy: evaluator.contentAccuracy.value,
      probes: Object.fromEntries(evaluator.probes.map(({ probe, discrimination }) => [probe, discrimination.value])),
      topGapExcludesZero:
        topGap.value === null || topGap.lower === null || topGap.upper === null
          ? null
          : topGap.lower > 0 || topGap.upper < 0,
      separablePairs: evaluator.separablePairs,
      strictPairs: evaluator.strictPairs,
      confirmedReversals: evaluator.reversals.counts.simultaneous,
    };
  });
}

/**
 * Headlines of an audit (or of published rows). Counts are over alignment evaluators; medians of the smallest W and of best-view
 * inflation and the probe ceilings, which the published study took over all rows, are given over all rows, and the W again over
 * the alignment rows. Every item names its row set.
 */
export function summarize(input: Pick<Estimates, 'evaluators' | 'generators'> | readonly SummaryRow[]): SummaryItem[] {
  const all = 'evaluators' in input ? summaryRows(input) : input;
  const alignment = all.filter(({ role }) => role === 'alignment');
  const count = (name: string, known: (row: SummaryRow) => boolean | null): SummaryItem => {
    const measured = alignment.filter((row) => known(row) !== null);
    const passing = measured.filter((row) => known(row));
    return {
      name,
      value: measured.length === 0 ? null : passing.length,
      of: measured.length,
      rows: 'alignment',
      evaluators: passing.map(({ evaluator }) => evaluator),
    };
  };
  const over = (
    name: string,
    rows: 'alignment' | 'all',
    value: (row: SummaryRow) => number | null,
    combine: (values: number[]) => number | null,
  ): SummaryItem => {
    const known = (rows === 'all' ? all : alignment).filter((row) => value(row) !== null);
    return {
      name,
      value: known.length === 0 ? null : combine(known.map((row) => value(row)!)),
      of: null,
      rows,
      evaluators: known.map(({ evaluator }) => evaluator),
    };
  };
  const above = (value: number | null, limit: number) => (value === null ? null : value > limit);
  const largest = (values: number[]) => Math.max(...values);
  const probes = [...new Set(all.flatMap((row) => Object.keys(row.probes)))];
  return [
    count('peakRhoAboveOne', (row) => above(row.peakRho, 1)),
    count('peakRhoLowerBoundAboveOne', (row) => (row.peakRho === null ? null : (row.peakLower ?? 0) > 1)),
    count('peakRhoAboveOneSampleVariance', (row) => above(sampleVarianceRho(row), 1)),
    count('peakRhoAboveOneWithoutAnyGenerator', (row) => above(row.leaveOneLow, 1)),
    count('templateRhoAboveOne', (row) => above(row.templateRho, 1)),
    count('templateLargestDispersion', templateLargest),
    count('moreThanOneWinner', (row) => above(row.maxWinners, 1)),
    count('topGapExcludesZero', (row) => row.topGapExcludesZero),
    count('noStrictPair', (row) => (row.strictPairs === null ? null : row.strictPairs === 0)),
    count('confirmedReversal', (row) => above(row.confirmedReversals, 0)),
    over('medianPeakRho', 'alignment', (row) => row.peakRho, median),
    over('medianMinKendallW', 'all', (row) => row.minKendallW, median),
    over('medianMinKendallW', 'alignment', (row) => row.minKendallW, median),
    over('medianBestView', 'all', (row) => row.bestView, median),
    over('largestBestView', 'all', (row) => row.bestView, largest),
    over('medianContentAccuracy', 'all', (row) => row.contentAccuracy, median),
    over('largestContentAccuracy', 'all', (row) => row.contentAccuracy, largest),
    ...probes.map((probe) =>
      over(`largestDiscrimination:${probe}`, 'all', (row) => row.probes[probe] ?? null, largest),
    ),
  ];
}

/** Peak rho with the sample variance between generators in its denominator: rho (G - 1) / G. */
export function sampleVarianceRho(row: Pick<SummaryRow, 'peakRho' | 'generators'>): number | null {
  return row.peakRho === null ? null : (row.peakRho * (row.generators - 1)) / row.generators;
}

/** True when template has the strictly largest dispersion; null without template or any other factor. */
function templateLargest(row: SummaryRow): boolean | null {
  const template = row.dispersion['template'] ?? null;
  const others = Object.entries(row.dispersion).flatMap(([factor, value]) =>
    factor === 'template' || value === null ? [] : [value],
  );
  return template === null || others.length === 0 ? null : others.every((value) => value < template);
}
