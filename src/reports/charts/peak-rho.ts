import type { TopLevelSpec } from 'vega-lite';
import { FIT_WIDTH } from './fit-width.ts';
import { logTicks } from './log-ticks.ts';
import { MARK_CHANNELS, type Mark } from './mark.ts';

/** One evaluator's rho with its interval; null limits of an unbounded interval are drawn to the edge. */
export interface RhoRow extends Mark {
  readonly evaluator: string;
  readonly rho: number;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly unbounded: boolean;
}

/** Dot and interval an evaluator on a logarithmic axis; the rule at 1 is where configuration moves a score as much as the generator does. */
export function peakRho(rows: readonly RhoRow[], width: number): TopLevelSpec {
  const finite = rows
    .flatMap(({ rho, lower, upper }) => [rho, lower ?? rho, upper ?? rho])
    .filter((value) => value > 0);
  const low = Math.min(0.5, ...finite) / 1.25;
  const high = Math.max(2, ...finite) * 1.25;
  const clamp = (value: number) => Math.max(low, Math.min(high, value));
  const values = rows.map((row) => ({
    ...row,
    shown: clamp(row.rho),
    from: clamp(row.lower ?? row.rho),
    to: row.unbounded ? high : clamp(row.upper ?? row.rho),
    side: row.rho > 1 ? 'above' : 'below',
  }));
  return {
    data: { values },
    width,
    autosize: FIT_WIDTH,
    height: { step: 28 },
    encoding: {
      y: {
        field: 'evaluator',
        type: 'nominal',
        sort: rows.map((row) => row.evaluator),
        title: null,
        axis: { domain: false, ticks: false, labelLimit: Math.min(width * 0.32, 170) - 10, labelPadding: 8 },
      },
    },
    layer: [
      {
        data: { values: [{ one: 1 }] },
        mark: { type: 'rule', strokeDash: [4, 3], aria: false },
        encoding: {
          x: { field: 'one', type: 'quantitative', scale: { type: 'log', domain: [low, high] } },
          y: { value: 0 },
          y2: { value: 'height' },
        },
      },
      {
        mark: { type: 'rule', strokeWidth: 2.5, strokeCap: 'round', color: 'var(--c0)', aria: false },
        encoding: {
          x: { field: 'from', type: 'quantitative', scale: { type: 'log', domain: [low, high] } },
          x2: { field: 'to' },
        },
      },
      {
        mark: { type: 'point', filled: true, size: 75, opacity: 1, stroke: 'var(--paper)', strokeWidth: 1 },
        encoding: {
          x: {
            field: 'shown',
            type: 'quantitative',
            scale: { type: 'log', domain: [low, high] },
            axis: { title: 'peak rho (log scale)', values: logTicks(low, high), format: '~g', grid: true },
          },
          color: {
            field: 'side',
            type: 'nominal',
            legend: null,
            scale: { domain: ['above', 'below'], range: ['var(--c1)', 'var(--c0)'] },
          },
          shape: {
            field: 'side',
            type: 'nominal',
            legend: null,
            scale: { domain: ['above', 'below'], range: ['diamond', 'circle'] },
          },
          ...MARK_CHANNELS,
        },
      },
    ],
  };
}
