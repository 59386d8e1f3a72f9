import type { Span } from './box.ts';
import { normalised, type Shape } from './shape.ts';

/** Outline corners sharper than this stay sharp, radians. */
const CREASE = 0.6;

/**
 * A polygon in x/y (simple, counter-clockwise seen from +Z) pushed along z. Turn it for other axes.
 */
export function prism(outline: readonly (readonly [number, number])[], z: Span): Shape {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  const count = outline.length;
  const edges = outline.map(([x, y], at) => {
    const [nextX, nextY] = outline[(at + 1) % count] as readonly [number, number];
    const length = Math.hypot(nextX - x, nextY - y) || 1;
    return [(nextY - y) / length, (x - nextX) / length] as const;
  });
  outline.forEach(([x, y], at) => {
    const [nextX, nextY] = outline[(at + 1) % count] as readonly [number, number];
    const own = edges[at] as readonly [number, number];
    const start = joined(own, edges[(at + count - 1) % count] as readonly [number, number]);
    const end = joined(own, edges[(at + 1) % count] as readonly [number, number]);
    const base = positions.length / 3;
    positions.push(x, y, z[0], x, y, z[1], nextX, nextY, z[0], nextX, nextY, z[1]);
    for (const [across, up] of [start, start, end, end]) normals.push(across, up, 0);
    indices.push(base, base + 2, base + 3, base, base + 3, base + 1);
  });
  const triangles = earClip(outline);
  for (const side of [0, 1] as const) {
    const base = positions.length / 3;
    for (const [x, y] of outline) {
      positions.push(x, y, z[side]);
      normals.push(0, 0, side === 1 ? 1 : -1);
    }
    for (const [a, b, c] of triangles)
      if (side === 1) indices.push(base + a, base + b, base + c);
      else indices.push(base + a, base + c, base + b);
  }
  return { positions, normals: normalised(normals), indices };
}

function joined(own: readonly [number, number], other: readonly [number, number]): readonly [number, number] {
  const cos = own[0] * other[0] + own[1] * other[1];
  return cos > Math.cos(CREASE) ? [own[0] + other[0], own[1] + other[1]] : own;
}

/** Triangles of a simple counter-clockwise polygon by cutting ears. */
function earClip(outline: readonly (readonly [number, number])[]): [number, number, number][] {
  const triangles: [number, number, number][] = [];
  const left = outline.map((_, at) => at);
  const area = (a: number, b: number, c: number) => {
    const [p, q, r] = [outline[a], outline[b], outline[c]] as (readonly [number, number])[] as [
      readonly [number, number],
      readonly [number, number],
      readonly [number, number],
    ];
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  };
  while (left.length > 3) {
    const ear = left.findIndex((b, at) => {
      const a = left[(at + left.length - 1) % left.length] as number;
      const c = left[(at + 1) % left.length] as number;
      if (area(a, b, c) <= 1e-14) return false;
      return left.every(
        (p) => p === a || p === b || p === c || area(a, b, p) < 0 || area(b, c, p) < 0 || area(c, a, p) < 0,
      );
    });
    const at = Math.max(ear, 0);
    const a = left[(at + left.length - 1) % left.length] as number;
    triangles.push([a, left[at] as number, left[(at + 1) % left.length] as number]);
    left.splice(at, 1);
  }
  triangles.push([left[0] as number, left[1] as number, left[2] as number]);
  return triangles;
}

/** A rectangle with round corners (radii by corner: left-bottom, right-bottom, right-top, left-top), for `prism`. */
export function roundedOutline(
  x: Span,
  y: Span,
  radii: readonly [number, number, number, number],
  steps = 4,
): [number, number][] {
  const limit = 0.499 * Math.min(x[1] - x[0], y[1] - y[0]);
  const corners = [
    [x[0], y[0], 1, 1, Math.PI],
    [x[1], y[0], -1, 1, 1.5 * Math.PI],
    [x[1], y[1], -1, -1, 0],
    [x[0], y[1], 1, -1, 0.5 * Math.PI],
  ] as const;
  const outline: [number, number][] = [];
  corners.forEach(([cornerX, cornerY, inX, inY, from], at) => {
    const radius = Math.min(radii[at] as number, limit);
    if (radius <= 0) outline.push([cornerX, cornerY]);
    else
      for (let step = 0; step <= steps; step += 1) {
        const turn = from + ((Math.PI / 2) * step) / steps;
        outline.push([
          cornerX + inX * radius + radius * Math.cos(turn),
          cornerY + inY * radius + radius * Math.sin(turn),
        ]);
      }
  });
  return outline;
}
