import type { Span } from './box.ts';
import { type Shape, smooth } from './shape.ts';

/**
 * A pillow: two stuffed sheets sewn along the rim, with slightly drawn-in sides and pointed corners. Lies flat in its
 * box; turn it for a standing cushion. `steps` by `steps` quads a sheet.
 */
export function cushion(x: Span, y: Span, z: Span, steps = 6): Shape {
  const positions: number[] = [];
  const indices: number[] = [];
  const middle = (y[0] + y[1]) / 2;
  const rise = (y[1] - y[0]) / 2;
  const row = steps + 1;
  const onRim = (i: number, j: number) => i === 0 || j === 0 || i === steps || j === steps;
  const top: number[] = [];
  const bottom: number[] = [];
  for (let i = 0; i <= steps; i += 1)
    for (let j = 0; j <= steps; j += 1) {
      const u = (2 * i) / steps - 1;
      const v = (2 * j) / steps - 1;
      const pull = 0.07;
      const px = u * (1 - pull * (1 - v * v));
      const pz = v * (1 - pull * (1 - u * u));
      const height = rise * Math.sqrt((1 - u ** 4) * (1 - v ** 4));
      const wx = (x[0] + x[1]) / 2 + (px * (x[1] - x[0])) / 2;
      const wz = (z[0] + z[1]) / 2 + (pz * (z[1] - z[0])) / 2;
      top.push(positions.length / 3);
      positions.push(wx, middle + height, wz);
      if (onRim(i, j)) bottom.push(top.at(-1) as number);
      else {
        bottom.push(positions.length / 3);
        positions.push(wx, middle - height, wz);
      }
    }
  for (let i = 0; i < steps; i += 1)
    for (let j = 0; j < steps; j += 1) {
      const corners = [i * row + j, i * row + j + 1, (i + 1) * row + j + 1, (i + 1) * row + j] as const;
      // the diagonal runs towards the middle: the other one would join three rim points, alike on both sheets
      const [a, b, c, d] = i < steps / 2 === j < steps / 2 ? corners : [corners[1], corners[2], corners[3], corners[0]];
      const up = [a, b, c, a, c, d].map((index) => top[index] as number);
      const down = [a, c, b, a, d, c].map((index) => bottom[index] as number);
      indices.push(...up, ...down);
    }
  return smooth(positions, indices);
}
