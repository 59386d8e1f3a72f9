import type { TopLevelSpec } from 'vega-lite';
import { CATEGORY_COLOURS } from '../draw-chart.ts';
import { MARK_CHANNELS, type Mark } from './mark.ts';
import { textWidth } from './text-width.ts';

/** Rank of one generator at one level (1 is best; ties share the mean rank). */
export interface RankPoint extends Mark {
  readonly generator: string;
  readonly level: string;
  readonly rank: number;
}

/** One line a generator over the levels of a factor: crossing lines are rankings that change. */
export function rankPaths(
  points: readonly RankPoint[],
  levels: readonly string[],
  generators: readonly string[],
  width: number,
): TopLevelSpec {
  const last = levels.at(-1);
  const widest = Math.max(0, ...levels.map((level) => textWidth(level, 12)));
  const crowded = (widest + 8) * levels.length > width - 130;
  const places = Math.max(1, ...points.map((point) => point.rank));
  const colour = {
    field: 'generator',
    type: 'nominal' as const,
    legend: null,
    scale: { domain: [...generators], range: generators.map((_, index) => CATEGORY_COLOURS[index % 8] as string) },
  };
  const x = {
    field: 'level',
    type: 'ordinal' as const,
    sort: [...levels],
    title: null,
    axis: {
      labelAngle: crowded ? -45 : 0,
      labelLimit: 90,
      domain: false,
      ticks: false,
      labelPadding: 6,
      grid: true,
    },
    scale: { paddingOuter: 0.25 },
  };
  const y = {
    field: 'rank',
    type: 'quantitative' as const,
    scale: { domain: [places + 0.35, 0.65], nice: false, zero: false },
    axis: {
      title: 'rank',
      values: Array.from({ length: Math.ceil(places) }, (_, index) => index + 1).filter(
        (rank) => places <= 8 || rank === 1 || rank % 5 === 0,
      ),
      format: 'd',
      grid: false,
      domain: false,
      ticks: false,
    },
  };
  // The choice above the chart (figure.ts) and the pointer both fade the other lines.
  const faded = {
    condition: [
      { test: `chosen !== null && chosen.value !== datum.generator`, value: 0.18 },
      { param: 'generator', value: 1 },
    ],
    value: 0.18,
  };
  return {
    data: { values: [...points] },
    width: width - 130,
    height: Math.max(84, Math.min(260, places * 26)),
    encoding: { x, y, color: colour },
    layer: [
      {
        params: [
          {
            name: 'generator',
            select: { type: 'point', fields: ['generator'], on: 'pointerover', clear: 'pointerout' },
          },
        ],
        mark: { type: 'line', strokeWidth: 2.25, interpolate: 'monotone', aria: false },
        encoding: { opacity: faded },
      },
      {
        mark: { type: 'point', filled: true, size: 52, opacity: 1, stroke: 'var(--paper)', strokeWidth: 1 },
        encoding: {
          ...MARK_CHANNELS,
          opacity: faded,
        },
      },
      {
        transform: [{ filter: { field: 'level', equal: last ?? '' } }],
        mark: { type: 'text', align: 'left', dx: 10, limit: 84, aria: false },
        encoding: { text: { field: 'generator', type: 'nominal' } },
      },
    ],
  };
}
