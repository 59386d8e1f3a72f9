import type { Span } from './box.ts';
import { merge, type Shape, smooth } from './shape.ts';

/**
 * A pillow: two stuffed sheets sewn along the rim, with slightly drawn-in sides and pointed corners. Lies flat in its
 * box; turn it for a standing cushion. `steps` by `steps` quads a sheet.
 */
export function cushion(x: Span, y: Span, z: Span, steps = 6): Shape {
  const middle = (y[0] + y[1]) / 2;
  const rise = (y[1] - y[0]) / 2;
  const row = steps + 1;
  // two sheets with normals of their own: shared at the sharp rim they would cancel
  const sheet = (side: 1 | -1): Shape => {
    const positions: number[] = [];
    const indices: number[] = [];
    for (let i = 0; i <= steps; i += 1)
      for (let j = 0; j <= steps; j += 1) {
        const u = (2 * i) / steps - 1;
        const v = (2 * j) / steps - 1;
        const pull = 0.07;
        const px = u * (1 - pull * (1 - v * v));
        const pz = v * (1 - pull * (1 - u * u));
        const height = side * rise * Math.sqrt((1 - u ** 4) * (1 - v ** 4));
        positions.push(
          (x[0] + x[1]) / 2 + (px * (x[1] - x[0])) / 2,
          middle + height,
          (z[0] + z[1]) / 2 + (pz * (z[1] - z[0])) / 2,
        );
      }
    for (let i = 0; i < steps; i += 1)
      for (let j = 0; j < steps; j += 1) {
        const corners = [i * row + j, i * row + j + 1, (i + 1) * row + j + 1, (i + 1) * row + j] as const;
        // the diagonal runs towards the middle: the other one would join three rim points, alike on both sheets
        const [a, b, c, d] =
          i < steps / 2 === j < steps / 2 ? corners : ([corners[1], corners[2], corners[3], corners[0]] as const);
        indices.push(...(side > 0 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
      }
    return smooth(positions, indices);
  };
  return merge([sheet(1), sheet(-1)]);
}
