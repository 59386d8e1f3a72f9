import type { Vector } from '../framing.ts';
import { padded } from './padded-lattice.ts';
import type { Lattice } from './voxel-grid.ts';

/** One sweep: how its taps lie in the padded lattice and how layers follow one another. */
export interface Sweep {
  readonly layers: number;
  readonly rows: number;
  readonly columns: number;
  readonly start: number;
  readonly layerStep: number;
  readonly rowStep: number;
  readonly columnStep: number;
  readonly taps: readonly [number, number, number, number];
  readonly weights: readonly [number, number, number, number];
}

/**
 * Light from direction d reaches a cell from the layer before it along d's longest axis, interpolated between the four
 * cells the ray passes between. The smear this adds grows like the cone that one direction stands for.
 */
export function sweepAlong(lattice: Lattice, d: Vector): Sweep {
  const { strides } = padded(lattice);
  const sizes = [lattice.nx, lattice.ny, lattice.nz];
  const main = [0, 1, 2].reduce((best, axis) => (Math.abs(d[axis]!) > Math.abs(d[best]!) ? axis : best), 0);
  const [u, v] = main === 0 ? [1, 2] : main === 1 ? [0, 2] : [0, 1];
  const [column, row] = [u!, v!];
  const fu = Math.abs(d[column]! / d[main]!);
  const fv = Math.abs(d[row]! / d[main]!);
  const back = Math.sign(d[main]!) * strides[main]!;
  const su = Math.sign(d[column]!) * strides[column]!;
  const sv = Math.sign(d[row]!) * strides[row]!;
  const towards = d[main]! > 0;
  return {
    layers: sizes[main]!,
    rows: sizes[row]!,
    columns: sizes[column]!,
    start: (towards ? sizes[main]! : 1) * strides[main]! + strides[row]! + strides[column]!,
    layerStep: towards ? -strides[main]! : strides[main]!,
    rowStep: strides[row]!,
    columnStep: strides[column]!,
    taps: [back, back + su, back + sv, back + su + sv],
    weights: [(1 - fu) * (1 - fv), fu * (1 - fv), (1 - fu) * fv, fu * fv],
  };
}

/** Sweeps visibility: `arriving` gets what reaches each cell, `passing` (border 1) what leaves it. */
export function sweepSky(
  sweep: Sweep,
  transmittance: Float32Array,
  passing: Float32Array,
  arriving: Float32Array,
): void {
  const { layers, rows, columns, start, layerStep, rowStep, columnStep } = sweep;
  const [t0, t1, t2, t3] = sweep.taps;
  const [w0, w1, w2, w3] = sweep.weights;
  for (let layer = 0, first = start; layer < layers; layer += 1, first += layerStep)
    for (let row = 0, begin = first; row < rows; row += 1, begin += rowStep)
      for (let column = 0, i = begin; column < columns; column += 1, i += columnStep) {
        const light = w0 * passing[i + t0]! + w1 * passing[i + t1]! + w2 * passing[i + t2]! + w3 * passing[i + t3]!;
        arriving[i] = light;
        passing[i] = light * transmittance[i]!;
      }
}

/** Sweeps light given off by matter: `emitted` holds RGB leaving each cell in this direction; the sky is dark. */
export function sweepBounce(
  sweep: Sweep,
  transmittance: Float32Array,
  emitted: Float32Array,
  passing: Float32Array,
  arriving: Float32Array,
): void {
  const { layers, rows, columns, start, layerStep, rowStep, columnStep } = sweep;
  const [t0, t1, t2, t3] = sweep.taps.map((tap) => 3 * tap) as [number, number, number, number];
  const [w0, w1, w2, w3] = sweep.weights;
  for (let layer = 0, first = start; layer < layers; layer += 1, first += layerStep)
    for (let row = 0, begin = first; row < rows; row += 1, begin += rowStep)
      for (let column = 0, cell = begin; column < columns; column += 1, cell += columnStep) {
        const through = transmittance[cell]!;
        for (let i = 3 * cell, end = i + 3; i < end; i += 1) {
          const light = w0 * passing[i + t0]! + w1 * passing[i + t1]! + w2 * passing[i + t2]! + w3 * passing[i + t3]!;
          arriving[i] = light;
          passing[i] = light * through + emitted[i]!;
        }
      }
}
