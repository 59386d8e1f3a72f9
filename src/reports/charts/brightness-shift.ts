import type { TopLevelSpec } from 'vega-lite';
import { CATEGORY_COLOURS } from '../draw-chart.ts';
import { FIT_WIDTH } from './fit-width.ts';

/** One lighting level seen by one evaluator. */
export interface BrightnessPoint {
  readonly evaluator: string;
  readonly level: string;
  /** log2 of the mean foreground luminance: one unit is one stop. */
  readonly luminance: number;
  /** Mean score shift, percent of c0. */
  readonly shift: number;
  readonly described: string;
}

/** Score shift against picture brightness, one mark a lighting level and evaluator. */
export function brightnessShift(
  points: readonly BrightnessPoint[],
  evaluators: readonly string[],
  width: number,
): TopLevelSpec {
  const first = evaluators[0];
  return {
    data: { values: [...points] },
    width,
    autosize: FIT_WIDTH,
    height: Math.min(280, width * 0.62),
    encoding: {
      x: {
        field: 'luminance',
        type: 'quantitative',
        scale: { zero: false },
        axis: { title: 'log2 mean foreground luminance (stops)', tickCount: 6 },
      },
      y: { field: 'shift', type: 'quantitative', axis: { title: 'score shift, percent', tickCount: 5 } },
    },
    layer: [
      {
        mark: { type: 'point', filled: true, size: 62, opacity: 0.9 },
        encoding: {
          color: {
            field: 'evaluator',
            type: 'nominal',
            scale: { domain: [...evaluators], range: CATEGORY_COLOURS },
            legend: evaluators.length > 1 ? { title: null, columns: Math.max(1, Math.floor(width / 140)) } : null,
          },
          shape: {
            field: 'evaluator',
            type: 'nominal',
            scale: { domain: [...evaluators] },
            legend: evaluators.length > 1 ? { title: null, columns: Math.max(1, Math.floor(width / 140)) } : null,
          },
          description: { field: 'described', type: 'nominal' },
          tooltip: { field: 'described', type: 'nominal' },
        },
      },
      {
        transform: [{ filter: { field: 'evaluator', equal: first ?? '' } }],
        mark: { type: 'text', dy: -10, fontSize: 11, aria: false },
        encoding: { text: { field: 'level', type: 'nominal' }, color: { value: 'var(--ink-2)' } },
      },
    ],
  };
}
