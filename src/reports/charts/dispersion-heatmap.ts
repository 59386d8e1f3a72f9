import type { TopLevelSpec } from 'vega-lite';
import { MARK_CHANNELS, type Mark } from './mark.ts';

/** One cell: how far the score of a scene moves, on average, when one factor moves. */
export interface DispersionCell extends Mark {
  readonly evaluator: string;
  readonly factor: string;
  /** Range over mean, 0.12 = 12%; null when withheld or undefined. */
  readonly dispersion: number | null;
  /** What stands in the cell. */
  readonly shown: string;
}

/** Upper limits of the colour steps, the same in every report so that reports can be laid side by side. */
export const DISPERSION_STEPS = [0.02, 0.05, 0.1, 0.2, 0.4] as const;

/** Heat map of dispersion, evaluators in rows and factors in columns, six steps of one hue and the number in each cell. */
export function dispersionHeatmap(
  cells: readonly DispersionCell[],
  evaluators: readonly string[],
  factors: readonly string[],
  width: number,
): TopLevelSpec {
  const labelRoom = Math.min(width * 0.32, 170);
  const step = Math.max(28, Math.min(74, (width - labelRoom - (width < 500 ? 48 : 0)) / Math.max(1, factors.length)));
  const values = cells.map((cell) => ({
    ...cell,
    step: cell.dispersion === null ? -1 : DISPERSION_STEPS.filter((limit) => (cell.dispersion ?? 0) >= limit).length,
  }));
  return {
    data: { values },
    width: { step },
    height: { step: 30 },
    encoding: {
      x: {
        field: 'factor',
        type: 'nominal',
        sort: [...factors],
        title: null,
        axis: { orient: 'top', labelAngle: step < 62 ? -45 : 0, domain: false, ticks: false, labelPadding: 6 },
      },
      y: {
        field: 'evaluator',
        type: 'nominal',
        sort: [...evaluators],
        title: null,
        axis: { domain: false, ticks: false, labelPadding: 8, labelLimit: labelRoom - 10 },
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
            scale: {
              domain: [-1, 0, 1, 2, 3, 4, 5],
              range: ['var(--panel)', ...[0, 1, 2, 3, 4, 5].map((at) => `var(--s${at})`)],
            },
          },
          ...MARK_CHANNELS,
        },
      },
      {
        mark: { type: 'text', fontSize: step < 34 ? 9 : step < 40 ? 10.5 : 12, aria: false },
        encoding: {
          text: { field: 'shown', type: 'nominal' },
          color: {
            condition: { test: 'datum.step >= 4', value: 'var(--s-light)' },
            value: 'var(--s-dark)',
          },
        },
      },
    ],
  };
}
