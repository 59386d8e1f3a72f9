import type { TopLevelSpec } from 'vega-lite';
import { CATEGORY_COLOURS } from '../draw-chart.ts';
import { FIT_WIDTH } from './fit-width.ts';
import { legendPick } from './legend-pick.ts';
import { MARK_CHANNELS, type Mark } from './mark.ts';

/** How many of a factor's levels one generator wins alone. */
export interface WinnerShare extends Mark {
  readonly factor: string;
  /** A generator; `tied` for levels without a unique winner; `others` for generators beyond the colours. */
  readonly winner: string;
  readonly levels: number;
  readonly share: number;
}

/** One bar a factor, split by the generator that comes first at each level. One colour: the winner never changes. */
export function winnerShares(
  rows: readonly WinnerShare[],
  factors: readonly string[],
  winners: readonly string[],
  width: number,
): TopLevelSpec {
  const coloured = winners.filter((winner) => winner !== 'tied' && winner !== 'others');
  const rest = winners.filter((winner) => winner === 'tied' || winner === 'others');
  const domain = [...coloured, ...rest];
  const pick = legendPick('winner');
  return {
    data: { values: rows.map((row) => ({ ...row, order: domain.indexOf(row.winner) })) },
    width,
    autosize: FIT_WIDTH,
    height: { step: 28 },
    params: pick.params,
    mark: { type: 'bar', height: { band: 0.72 }, stroke: 'var(--paper)', strokeWidth: 1 },
    encoding: {
      y: {
        field: 'factor',
        type: 'nominal',
        sort: [...factors],
        title: null,
        axis: { domain: false, ticks: false, labelPadding: 8 },
      },
      x: {
        field: 'share',
        type: 'quantitative',
        stack: true,
        scale: { domain: [0, 1], nice: false },
        axis: {
          title: 'share of levels won',
          format: '.0%',
          values: width < 500 ? [0, 0.5, 1] : [0, 0.25, 0.5, 0.75, 1],
          grid: false,
        },
      },
      order: { field: 'order', type: 'ordinal' },
      opacity: pick.opacity(1),
      color: {
        field: 'winner',
        type: 'nominal',
        scale: {
          domain,
          range: [
            ...coloured.map((_, index) => CATEGORY_COLOURS[index % 7] as string),
            ...rest.map(() => 'var(--line-2)'),
          ],
        },
        legend: { title: null, columns: Math.max(1, Math.floor(width / 130)), symbolType: 'square' },
      },
      ...MARK_CHANNELS,
    },
  };
}
