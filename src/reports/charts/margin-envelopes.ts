import type { TopLevelSpec } from 'vega-lite';
import { FIT_WIDTH } from './fit-width.ts';
import { legendPick } from './legend-pick.ts';
import { MARK_CHANNELS, type Mark } from './mark.ts';

/** One pair: its margin at c0 and the range of its margin over the declared configurations. */
export interface EnvelopeRow extends Mark {
  readonly pair: string;
  readonly generators: readonly [string, string];
  readonly min: number;
  readonly max: number;
  readonly baseline: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly strict: 'strict' | 'touches zero' | 'undecided';
}

/** Range of each pair's margin: the bar is the envelope, the dot the margin at c0 with its interval, the rule zero. */
export function marginEnvelopes(rows: readonly EnvelopeRow[], width: number): TopLevelSpec {
  const room = Math.min(width * 0.42, 210);
  const kinds = ['strict', 'touches zero', 'undecided'];
  const pick = legendPick('strict');
  return {
    data: { values: [...rows] },
    width,
    autosize: FIT_WIDTH,
    height: { step: 26 },
    encoding: {
      y: {
        field: 'pair',
        type: 'nominal',
        sort: rows.map((row) => row.pair),
        title: null,
        axis: { domain: false, ticks: false, labelLimit: room - 12, labelPadding: 8 },
      },
    },
    layer: [
      {
        params: pick.params,
        mark: { type: 'bar', height: 9, cornerRadius: 4 },
        encoding: {
          opacity: pick.opacity(0.75),
          x: { field: 'min', type: 'quantitative', axis: { title: 'margin, score units', tickCount: 5 } },
          x2: { field: 'max' },
          color: {
            field: 'strict',
            type: 'nominal',
            scale: { domain: kinds, range: ['var(--c2)', 'var(--c1)', 'var(--c7)'] },
            legend: {
              title: null,
              symbolType: 'square',
              values: kinds.filter((kind) => rows.some((row) => row.strict === kind)),
            },
          },
          ...MARK_CHANNELS,
        },
      },
      {
        data: { values: [{ zero: 0 }] },
        mark: { type: 'rule', strokeWidth: 1.2, color: 'var(--ink)', aria: false },
        encoding: { x: { field: 'zero', type: 'quantitative' }, y: { value: 0 }, y2: { value: 'height' } },
      },
      {
        transform: [{ filter: 'datum.lower !== null && datum.upper !== null' }],
        mark: { type: 'rule', strokeWidth: 1.5, color: 'var(--ink)', aria: false },
        encoding: { x: { field: 'lower', type: 'quantitative' }, x2: { field: 'upper' } },
      },
      {
        transform: [{ filter: 'datum.baseline !== null' }],
        mark: { type: 'point', filled: true, size: 38, color: 'var(--ink)', opacity: 1, aria: false },
        encoding: { x: { field: 'baseline', type: 'quantitative' } },
      },
    ],
  };
}
