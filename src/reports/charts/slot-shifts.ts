import type { TopLevelSpec } from 'vega-lite';
import { CATEGORY_COLOURS } from '../draw-chart.ts';
import { FIT_WIDTH } from './fit-width.ts';
import { legendPick } from './legend-pick.ts';
import { MARK_CHANNELS, type Mark } from './mark.ts';

/** Mean shift of one slot choice for one evaluator, percent of the slot's mean. */
export interface SlotShift extends Mark {
  readonly slot: string;
  readonly choice: string;
  readonly evaluator: string;
  readonly shift: number;
}

/** Choices in rows, grouped by slot; a mark an evaluator, the rule at no shift. */
export function slotShifts(rows: readonly SlotShift[], evaluators: readonly string[], width: number): TopLevelSpec {
  const coloured = evaluators.length <= 8;
  const several = coloured && evaluators.length > 1;
  const values = rows.map((row) => ({ ...row, row: `${row.slot}: ${row.choice}` }));
  const order = [...new Set(values.map((row) => row.row))];
  const room = Math.min(width * 0.44, 210);
  const pick = legendPick('evaluator');
  const legend = several ? { title: null, columns: Math.max(1, Math.floor(width / 140)) } : null;
  return {
    data: { values },
    width,
    autosize: FIT_WIDTH,
    height: { step: 24 },
    encoding: {
      y: {
        field: 'row',
        type: 'nominal',
        sort: order,
        title: null,
        axis: { domain: false, ticks: false, grid: true, labelLimit: room - 12, labelPadding: 8 },
      },
    },
    layer: [
      {
        data: { values: [{ zero: 0 }] },
        mark: { type: 'rule', color: 'var(--ink-2)', aria: false },
        encoding: { x: { field: 'zero', type: 'quantitative' }, y: { value: 0 }, y2: { value: 'height' } },
      },
      {
        ...(several ? { params: pick.params } : {}),
        mark: { type: 'point', filled: true, size: 62 },
        encoding: {
          opacity: several ? pick.opacity(0.9) : { value: 0.9 },
          x: {
            field: 'shift',
            type: 'quantitative',
            scale: { padding: 8 },
            axis: { title: 'shift, percent', tickCount: 5 },
          },
          ...(coloured
            ? {
                color: {
                  field: 'evaluator',
                  type: 'nominal' as const,
                  scale: { domain: [...evaluators], range: CATEGORY_COLOURS },
                  legend,
                },
                shape: {
                  field: 'evaluator',
                  type: 'nominal' as const,
                  scale: { domain: [...evaluators] },
                  legend,
                },
              }
            : { color: { value: 'var(--c0)' } }),
          ...MARK_CHANNELS,
        },
      },
    ],
  };
}
