import type { TopLevelSpec } from 'vega-lite';
import { MARK_CHANNELS, type Mark } from './mark.ts';

/** How often a generator takes a rank over the many levels of a factor. */
export interface RankShare extends Mark {
  readonly generator: string;
  readonly rank: number;
  readonly levels: number;
  readonly share: number;
}

/** Generators against ranks, darker where more levels put it there: rank paths for a factor with hundreds of levels. */
export function rankShares(rows: readonly RankShare[], generators: readonly string[], width: number): TopLevelSpec {
  const ranks = [...new Set(rows.map((row) => row.rank))].sort((a, b) => a - b);
  const room = Math.min(width * 0.32, 150);
  const step = Math.max(30, Math.min(80, (width - room) / Math.max(1, ranks.length)));
  return {
    data: {
      values: rows.map((row) => ({
        ...row,
        step: [0.05, 0.2, 0.4, 0.6, 0.8].filter((limit) => row.share >= limit).length,
        shown: row.levels === 0 ? '' : String(row.levels),
      })),
    },
    width: { step },
    height: { step: 28 },
    encoding: {
      x: {
        field: 'rank',
        type: 'ordinal',
        sort: ranks,
        title: 'rank',
        axis: { labelAngle: 0, domain: false, ticks: false },
      },
      y: {
        field: 'generator',
        type: 'nominal',
        sort: [...generators],
        title: null,
        axis: { domain: false, ticks: false, labelPadding: 8, labelLimit: room - 10 },
      },
    },
    layer: [
      {
        mark: { type: 'rect', cornerRadius: 2, stroke: 'var(--paper)', strokeWidth: 2 },
        encoding: {
          color: {
            field: 'step',
            type: 'ordinal',
            legend: null,
            scale: { domain: [0, 1, 2, 3, 4, 5], range: [0, 1, 2, 3, 4, 5].map((at) => `var(--s${at})`) },
          },
          ...MARK_CHANNELS,
        },
      },
      {
        mark: { type: 'text', aria: false },
        encoding: {
          text: { field: 'shown', type: 'nominal' },
          color: { condition: { test: 'datum.step >= 4', value: 'var(--s-light)' }, value: 'var(--s-dark)' },
        },
      },
    ],
  };
}
