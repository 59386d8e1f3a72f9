import type { TopLevelSpec } from 'vega-lite';
import { FIT_WIDTH } from './fit-width.ts';
import { MARK_CHANNELS, type Mark } from './mark.ts';

/** One side of a reversal: the margin of a pair at one level with its interval. */
export interface ReversalSide extends Mark {
  /** `pair, factor`: the row both sides stand in. */
  readonly row: string;
  readonly factor: string;
  readonly generators: readonly [string, string];
  readonly level: string;
  readonly margin: number;
  readonly lower: number;
  readonly upper: number;
}

/** Both intervals of each reversal in one row, on opposite sides of zero, each marked with its level. */
export function reversalIntervals(
  sides: readonly ReversalSide[],
  rows: readonly string[],
  width: number,
): TopLevelSpec {
  const room = Math.min(width * 0.42, 250);
  const values = sides.map((side) => ({ ...side, sign: side.margin > 0 ? 'positive' : 'negative' }));
  const colour = {
    field: 'sign',
    type: 'nominal' as const,
    legend: null,
    scale: { domain: ['positive', 'negative'], range: ['var(--c0)', 'var(--c1)'] },
  };
  return {
    data: { values },
    width,
    autosize: FIT_WIDTH,
    height: { step: 34 },
    encoding: {
      y: {
        field: 'row',
        type: 'nominal',
        sort: [...rows],
        title: null,
        axis: { domain: false, ticks: false, labelLimit: room - 12, labelPadding: 8 },
      },
      color: colour,
    },
    layer: [
      {
        mark: { type: 'rule', strokeWidth: 3, strokeCap: 'round' },
        encoding: {
          x: { field: 'lower', type: 'quantitative', axis: { title: 'margin, score units', tickCount: 5 } },
          x2: { field: 'upper' },
          ...MARK_CHANNELS,
        },
      },
      {
        mark: { type: 'point', filled: true, size: 45, opacity: 1, aria: false },
        encoding: { x: { field: 'margin', type: 'quantitative' } },
      },
      {
        mark: { type: 'text', dy: -9, fontSize: 11, limit: width < 500 ? 64 : 130, aria: false },
        encoding: {
          x: { field: 'margin', type: 'quantitative' },
          text: { field: 'level', type: 'nominal' },
          color: { value: 'var(--ink-2)' },
        },
      },
      {
        data: { values: [{ zero: 0 }] },
        mark: { type: 'rule', strokeWidth: 1.2, aria: false },
        encoding: {
          x: { field: 'zero', type: 'quantitative' },
          y: { value: 0 },
          y2: { value: 'height' },
          color: { value: 'var(--ink)' },
        },
      },
    ],
  };
}
