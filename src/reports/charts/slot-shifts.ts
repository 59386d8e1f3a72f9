import type { TopLevelSpec } from 'vega-lite';
import { CATEGORY_COLOURS } from '../draw-chart.ts';
import { FIT_WIDTH } from './fit-width.ts';

/** Mean shift of one slot choice for one evaluator, percent of the slot's mean. */
export interface SlotShift {
  readonly slot: string;
  readonly choice: string;
  readonly evaluator: string;
  readonly shift: number;
  readonly described: string;
}

/** Choices in rows, grouped by slot; a mark an evaluator, the rule at no shift. */
export function slotShifts(rows: readonly SlotShift[], evaluators: readonly string[], width: number): TopLevelSpec {
  const coloured = evaluators.length <= 8;
  const values = rows.map((row) => ({ ...row, row: `${row.slot}: ${row.choice}` }));
  const order = [...new Set(values.map((row) => row.row))];
  const room = Math.min(width * 0.44, 210);
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
        mark: { type: 'point', filled: true, size: 62, opacity: 0.9 },
        encoding: {
          x: {
            field: 'shift',
            type: 'quantitative',
            scale: { padding: 8 },
            axis: { title: 'shift, percent', tickCount: 5 },
          },
          color: coloured
            ? {
                field: 'evaluator',
                type: 'nominal',
                scale: { domain: [...evaluators], range: CATEGORY_COLOURS },
                legend: { title: null, columns: Math.max(1, Math.floor(width / 140)) },
              }
            : { value: 'var(--c0)' },
          ...(coloured
            ? {
                shape: {
                  field: 'evaluator',
                  type: 'nominal' as const,
                  scale: { domain: [...evaluators] },
                  legend: { title: null, columns: Math.max(1, Math.floor(width / 140)) },
                },
              }
            : {}),
          description: { field: 'described', type: 'nominal' },
          tooltip: { field: 'described', type: 'nominal' },
        },
      },
    ],
  };
}
