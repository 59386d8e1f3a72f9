import type { TopLevelSpec } from 'vega-lite';
import { FIT_WIDTH } from './fit-width.ts';
import { logTicks } from './log-ticks.ts';
import { MARK_CHANNELS, type Mark } from './mark.ts';

/** One evaluator: how well it notices content beside how much configuration moves it, each with its interval. */
export interface SensitivityPoint extends Mark {
  readonly evaluator: string;
  readonly sensitivity: number;
  /** Limits of the sensitivity; null when there is no interval. */
  readonly sensitivityLimits: readonly [number, number] | null;
  readonly rho: number;
  /** Limits of rho; a null upper limit is unbounded and drawn to the edge. */
  readonly rhoLimits: readonly [number, number | null] | null;
}

/** Content sensitivity against peak rho (logarithmic, smaller is steadier, so the axis points up to steady). */
export function sensitivityStability(
  points: readonly SensitivityPoint[],
  measure: string,
  width: number,
): TopLevelSpec {
  const rhos = points
    .flatMap(({ rho, rhoLimits }) => [rho, ...(rhoLimits ?? [])])
    .filter((value): value is number => value !== null && value > 0);
  const domain: [number, number] = [Math.max(2, ...rhos) * 1.25, Math.min(0.5, ...rhos) / 1.25];
  const clamp = (value: number) => Math.max(domain[1], Math.min(domain[0], value));
  const values = points.map(({ sensitivityLimits, rhoLimits, ...point }) => ({
    ...point,
    left: sensitivityLimits?.[0] ?? point.sensitivity,
    right: sensitivityLimits?.[1] ?? point.sensitivity,
    steady: clamp(rhoLimits?.[0] ?? point.rho),
    unsteady: rhoLimits === null ? point.rho : rhoLimits[1] === null ? domain[0] : clamp(rhoLimits[1]),
  }));
  const yScale = { type: 'log' as const, domain, nice: false };
  const y = {
    field: 'rho',
    type: 'quantitative' as const,
    scale: yScale,
    axis: { title: 'peak rho (up: steadier)', values: logTicks(domain[1], domain[0]), format: '~g' },
  };
  const xScale = { domain: [0, 1], nice: false };
  const x = {
    field: 'sensitivity',
    type: 'quantitative' as const,
    scale: xScale,
    axis: { title: measure, format: '.0%', values: [0, 0.25, 0.5, 0.75, 1] },
  };
  const limits = { strokeWidth: 1.5, strokeCap: 'round' as const, color: 'var(--c0)', opacity: 0.55, aria: false };
  const label = (align: 'left' | 'right', test: string) => ({
    transform: [{ filter: test }],
    mark: { type: 'text' as const, align, dx: align === 'left' ? 9 : -9, dy: -9, limit: 130, aria: false },
    encoding: { x, y, text: { field: 'evaluator', type: 'nominal' as const } },
  });
  return {
    data: { values },
    width,
    autosize: FIT_WIDTH,
    height: Math.min(points.length < 3 ? 190 : 320, width * 0.7),
    layer: [
      {
        data: { values: [{ one: 1 }] },
        mark: { type: 'rule', strokeDash: [4, 3], aria: false },
        encoding: { y: { field: 'one', type: 'quantitative', scale: yScale } },
      },
      {
        mark: { type: 'rule', ...limits },
        encoding: { x: { field: 'left', type: 'quantitative', scale: xScale }, x2: { field: 'right' }, y },
      },
      {
        mark: { type: 'rule', ...limits },
        encoding: { x, y: { field: 'steady', type: 'quantitative', scale: yScale }, y2: { field: 'unsteady' } },
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
        encoding: { x, y, ...MARK_CHANNELS },
      },
      label('left', 'datum.sensitivity <= 0.6'),
      label('right', 'datum.sensitivity > 0.6'),
    ],
  };
}
