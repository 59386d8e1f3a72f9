import type { Shape } from './shape.ts';

/** [low, high] along one axis, metres. */
export type Span = readonly [number, number];

/**
 * A box with chamfered edges (bevel 0: a plain box). The chamfers carry the normals of the faces they join, so that they
 * shade as rounded edges. The bevel is cut to under half of the thinnest side.
 */
export function box(x: Span, y: Span, z: Span, bevel = 0.008): Shape {
  const spans = [x, y, z];
  const inset = Math.min(bevel, ...spans.map(([low, high]) => 0.45 * (high - low)));
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  // vertex of the corner (bits of 0..7 choose the high side) on the face across `axis`
  for (let corner = 0; corner < 8; corner += 1)
    for (let axis = 0; axis < 3; axis += 1)
      for (let along = 0; along < 3; along += 1) {
        const high = (corner >> along) & 1;
        const edge = (spans[along] as Span)[high] as number;
        positions.push(along === axis ? edge : edge + (high === 1 ? -inset : inset));
        normals.push(along === axis ? (high === 1 ? 1 : -1) : 0);
      }
  const centre = spans.map(([low, high]) => (low + high) / 2);
  const add = (...polygon: number[]) => addFacing(positions, indices, centre, polygon);
  for (let axis = 0; axis < 3; axis += 1) {
    const b = 1 << ((axis + 1) % 3);
    const c = 1 << ((axis + 2) % 3);
    for (const side of [0, 1 << axis])
      add(...[side, side | b, side | b | c, side | c].map((corner) => corner * 3 + axis));
  }
  if (inset <= 0) return { positions, normals, indices };
  for (let edge = 0; edge < 3; edge += 1) {
    const a = (edge + 1) % 3;
    const b = (edge + 2) % 3;
    for (const sides of [0, 1 << a, 1 << b, (1 << a) | (1 << b)]) {
      const other = sides | (1 << edge);
      add(sides * 3 + a, other * 3 + a, other * 3 + b, sides * 3 + b);
    }
  }
  for (let corner = 0; corner < 8; corner += 1) add(corner * 3, corner * 3 + 1, corner * 3 + 2);
  return { positions, normals, indices };
}

/** Fans a convex polygon, turned so that it faces away from `centre`. */
function addFacing(positions: number[], indices: number[], centre: number[], polygon: number[]): void {
  const point = (index: number) => [0, 1, 2].map((axis) => positions[index * 3 + axis] as number);
  const [p, q, r] = [polygon[0], polygon[1], polygon[2]].map((index) => point(index as number)) as [
    number[],
    number[],
    number[],
  ];
  const [ux, uy, uz] = [0, 1, 2].map((axis) => (q[axis] as number) - (p[axis] as number)) as [number, number, number];
  const [vx, vy, vz] = [0, 1, 2].map((axis) => (r[axis] as number) - (p[axis] as number)) as [number, number, number];
  const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const facing = normal.reduce((sum, value, axis) => sum + value * ((p[axis] as number) - (centre[axis] as number)), 0);
  const ordered = facing >= 0 ? polygon : [...polygon].reverse();
  for (let at = 1; at + 1 < ordered.length; at += 1)
    indices.push(ordered[0] as number, ordered[at] as number, ordered[at + 1] as number);
}
