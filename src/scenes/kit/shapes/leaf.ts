import { merge, type Shape, smooth, type Vector } from './shape.ts';

/**
 * A leaf: a thin closed lens along a bending midrib. Starts at `base`, leaves in the horizontal direction `turn`
 * (radians about y, 0 = +Z), reaches `reach` metres out and `rise` metres up, arching by `arch` metres, `width` across.
 */
export function leaf(
  base: Vector,
  turn: number,
  reach: number,
  rise: number,
  arch: number,
  width: number,
  steps = 4,
): Shape {
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  const midrib = (t: number): Vector => [
    base[0] + reach * t * sin,
    base[1] + rise * t + arch * 4 * t * (1 - t),
    base[2] + reach * t * cos,
  ];
  const length = Math.hypot(reach, rise);
  const [level, up] = [reach / length, rise / length];
  // two sheets with normals of their own: shared at the sharp rim they would cancel
  const sheet = (side: 1 | -1): Shape => {
    const positions: number[] = [...base];
    const indices: number[] = [];
    const face = (a: number, b: number, c: number) => indices.push(...(side > 0 ? [a, c, b] : [a, b, c]));
    for (let step = 1; step < steps; step += 1) {
      const t = step / steps;
      const [x, y, z] = midrib(t);
      const half = (width / 2) * Math.sin(Math.PI * t ** 0.8);
      const thick = side * Math.min(0.004, width * 0.06);
      // rim, midrib (sunk: leaves fold along it), rim
      positions.push(x + half * cos, y + half * 0.25, z - half * sin);
      positions.push(x - thick * up * sin, y + thick * level, z - thick * up * cos);
      positions.push(x - half * cos, y + half * 0.25, z + half * sin);
    }
    positions.push(...midrib(1));
    const tip = positions.length / 3 - 1;
    for (const across of [0, 1]) {
      face(0, 1 + across, 2 + across);
      for (let step = 1; step + 1 < steps; step += 1) {
        const p = (step - 1) * 3 + 1 + across;
        face(p, p + 3, p + 4);
        face(p, p + 4, p + 1);
      }
      const last = (steps - 2) * 3 + 1 + across;
      face(last, tip, last + 1);
    }
    return smooth(positions, indices);
  };
  return merge([sheet(1), sheet(-1)]);
}
