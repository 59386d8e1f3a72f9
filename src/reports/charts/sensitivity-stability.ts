import type { TopLevelSpec } from 'vega-lite';
import { FIT_WIDTH } from './fit-width.ts';
import { logTicks } from './log-ticks.ts';

/** One evaluator: how well it notices content beside how much configuration moves it. */
export interface SensitivityPoint {
  readonly evaluator: string;
  readonly sensitivity: number;
  readonly rho: number;
  readonly described: string;
}

/** Content sensitivity against peak rho (logarithmic, smaller is steadier, so the axis points up to steady). */
export function sensitivityStability(
  points: readonly SensitivityPoint[],
  measure: string,
  width: number,
): TopLevelSpec {
  const rhos = points.map((point) => point.rho);
  const domain: [number, number] = [Math.max(2, ...rhos) * 1.5, Math.min(0.5, ...rhos) / 1.5];
  const y = {
    field: 'rho',
    type: 'quantitative' as const,
    scale: { type: 'log' as const, domain, nice: false },
    axis: { title: 'peak rho (up: steadier)', values: logTicks(domain[1], domain[0]), format: '~g' },
  };
  const x = {
    field: 'sensitivity',
    type: 'quantitative' as const,
    scale: { domain: [0, 1], nice: false },
    axis: { title: measure, format: '.0%', tickCount: 5 },
  };
  return {
    data: { values: [...points] },
    width,
    autosize: FIT_WIDTH,
    height: Math.min(320, width * 0.7),
    layer: [
      {
        data: { values: [{ one: 1 }] },
        mark: { type: 'rule', strokeDash: [4, 3], aria: false },
        encoding: { y: { field: 'one', type: 'quantitative', scale: { type: 'log', domain } } },
      },
      {
        mark: {
          type: 'point',
          filled: true,
          size: 80,
          color: 'var(--c0)',
          opacity: 1,
          stroke: 'var(--paper)',
          strokeWidth: 1,
        },
        encoding: {
          x,
          y,
          description: { field: 'described', type: 'nominal' },
          tooltip: { field: 'described', type: 'nominal' },
        },
      },
      {
        transform: [{ calculate: "datum.sensitivity > 0.6 ? 'right' : 'left'", as: 'align' }],
        layer: [
          {
            transform: [{ filter: "datum.align === 'left'" }],
            mark: { type: 'text', align: 'left', dx: 9, limit: 130, aria: false },
            encoding: { x, y, text: { field: 'evaluator', type: 'nominal' } },
          },
          {
            transform: [{ filter: "datum.align === 'right'" }],
            mark: { type: 'text', align: 'right', dx: -9, limit: 130, aria: false },
            encoding: { x, y, text: { field: 'evaluator', type: 'nominal' } },
          },
        ],
      },
    ],
  };
}
