import type { TopLevelSpec } from 'vega-lite';
import { CATEGORY_COLOURS } from '../draw-chart.ts';
import { FIT_WIDTH } from './fit-width.ts';
import { legendPick } from './legend-pick.ts';
import { MARK_CHANNELS, type Mark } from './mark.ts';

/** One lighting level seen by one evaluator. */
export interface BrightnessPoint extends Mark {
  readonly evaluator: string;
  readonly level: string;
  /** log2 of the mean foreground luminance: one unit is one stop. */
  readonly luminance: number;
  /** Mean score shift, percent of c0. */
  readonly shift: number;
}

/** Score shift against picture brightness, one mark a lighting level and evaluator. */
export function brightnessShift(
  points: readonly BrightnessPoint[],
  evaluators: readonly string[],
  width: number,
): TopLevelSpec {
  const first = evaluators[0];
  const pick = legendPick('evaluator');
  return {
    data: { values: [...points] },
    width,
    autosize: FIT_WIDTH,
    height: Math.min(280, width * 0.62),
    encoding: {
      x: {
        field: 'luminance',
        type: 'quantitative',
        // Room for the names of the levels that stand at either end.
        scale: { zero: false, padding: 34 },
        axis: { title: 'log2 mean foreground luminance (stops)', tickCount: 6 },
      },
      y: { field: 'shift', type: 'quantitative', axis: { title: 'score shift, percent', tickCount: 5 } },
    },
    layer: [
      {
        ...(evaluators.length > 1 ? { params: pick.params } : {}),
        mark: { type: 'point', filled: true, size: 62 },
        encoding: {
          opacity: evaluators.length > 1 ? pick.opacity(0.9) : { value: 0.9 },
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
          ...MARK_CHANNELS,
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
