import type { TopLevelSpec } from 'vega-lite';
import { FIT_WIDTH } from './fit-width.ts';
import { MARK_CHANNELS, type Mark } from './mark.ts';

/** How often a degraded scene scores below its original. */
export interface ProbeRow extends Mark {
  readonly probe: string;
  readonly control: boolean;
  readonly value: number;
  readonly lower: number | null;
  readonly upper: number | null;
}

/** Dot and interval a probe from never (0) to always (1); the rule at one half is what chance gives. */
export function probeDiscrimination(rows: readonly ProbeRow[], width: number): TopLevelSpec {
  const room = Math.min(width * 0.4, 170);
  return {
    data: {
      values: rows.map((row) => ({
        ...row,
        from: row.lower ?? row.value,
        to: row.upper ?? row.value,
        kind: row.control ? 'control' : 'degradation',
      })),
    },
    width,
    autosize: FIT_WIDTH,
    height: { step: 28 },
    encoding: {
      y: {
        field: 'probe',
        type: 'nominal',
        sort: rows.map((row) => row.probe),
        title: null,
        axis: { domain: false, ticks: false, labelLimit: room - 12, labelPadding: 8 },
      },
      color: {
        field: 'kind',
        type: 'nominal',
        scale: { domain: ['degradation', 'control'], range: ['var(--c0)', 'var(--c7)'] },
        legend: null,
      },
    },
    layer: [
      {
        data: { values: [{ half: 0.5 }] },
        mark: { type: 'rule', strokeDash: [4, 3], aria: false },
        encoding: {
          x: { field: 'half', type: 'quantitative' },
          y: { value: 0 },
          y2: { value: 'height' },
          color: { value: 'var(--ink-2)' },
        },
      },
      {
        mark: { type: 'rule', strokeWidth: 2.5, strokeCap: 'round', aria: false },
        encoding: { x: { field: 'from', type: 'quantitative' }, x2: { field: 'to' } },
      },
      {
        mark: { type: 'point', filled: true, size: 75, opacity: 1, stroke: 'var(--paper)', strokeWidth: 1 },
        encoding: {
          x: {
            field: 'value',
            type: 'quantitative',
            scale: { domain: [0, 1], nice: false },
            axis: { title: 'discrimination (ties count a half)', format: '.0%', values: [0, 0.25, 0.5, 0.75, 1] },
          },
          shape: {
            field: 'kind',
            type: 'nominal',
            legend: null,
            scale: { domain: ['degradation', 'control'], range: ['circle', 'square'] },
          },
          ...MARK_CHANNELS,
        },
      },
    ],
  };
}
