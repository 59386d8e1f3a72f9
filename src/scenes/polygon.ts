import { ShapeUtils, Vector2 } from 'three';
import type { Point } from '../core/scene.ts';

/**
 * Signed area of a floor polygon in the (x, z) plane, square metres (shoelace formula). Positive when the points turn
 * from +x towards +z; the sign only tells the winding, which scenes may have either way.
 */
export function signedArea(polygon: readonly Point[]): number {
  let twice = 0;
  for (let index = 0; index < polygon.length; index += 1) {
    const [ax, az] = polygon[index] as Point;
    const [bx, bz] = polygon[(index + 1) % polygon.length] as Point;
    twice += ax * bz - bx * az;
  }
  return twice / 2;
}

/** Shortest distance from a point to the segment a-b, metres. */
export function distanceToSegment(point: Point, a: Point, b: Point): number {
  const dx = b[0] - a[0];
  const dz = b[1] - a[1];
  const squared = dx * dx + dz * dz;
  const share = squared === 0 ? 0 : ((point[0] - a[0]) * dx + (point[1] - a[1]) * dz) / squared;
  const clamped = Math.min(1, Math.max(0, share));
  return Math.hypot(point[0] - a[0] - clamped * dx, point[1] - a[1] - clamped * dz);
}

/** True when the point lies inside the polygon or within `tolerance` metres of its outline. */
export function insidePolygon(point: Point, polygon: readonly Point[], tolerance = 1e-9): boolean {
  let inside = false;
  for (let index = 0; index < polygon.length; index += 1) {
    const a = polygon[index] as Point;
    const b = polygon[(index + 1) % polygon.length] as Point;
    if (distanceToSegment(point, a, b) <= tolerance) return true;
    const crosses = a[1] > point[1] !== b[1] > point[1];
    if (crosses && point[0] < ((b[0] - a[0]) * (point[1] - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside;
}

/**
 * Why a polygon is not simple (fewer than three points, repeated neighbours, no area, edges that cross or touch), or null
 * when it is. `index` numbers are zero-based. Quadratic in the number of points (at most 2,000 by the scene schema).
 */
export function whyNotSimple(polygon: readonly Point[]): string | null {
  const count = polygon.length;
  if (count < 3) return `has ${count} points`;
  for (const [x, z] of polygon) if (!Number.isFinite(x) || !Number.isFinite(z)) return 'has a point that is not finite';
  for (let index = 0; index < count; index += 1) {
    const a = polygon[index] as Point;
    const b = polygon[(index + 1) % count] as Point;
    if (Math.hypot(b[0] - a[0], b[1] - a[1]) < 1e-6) return `repeats point ${index}`;
  }
  if (Math.abs(signedArea(polygon)) < 1e-6) return 'has no area';
  for (let first = 0; first < count; first += 1) {
    const a = polygon[first] as Point;
    const b = polygon[(first + 1) % count] as Point;
    const c = polygon[(first + 2) % count] as Point;
    if (orientation(a, b, c) === 0 && (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0)
      return `turns back on itself at point ${(first + 1) % count}`;
    for (let second = first + 2; second < count; second += 1) {
      if (first === 0 && second === count - 1) continue;
      const d = polygon[second] as Point;
      const e = polygon[(second + 1) % count] as Point;
      if (segmentsTouch(a, b, d, e)) return `crosses itself (edges ${first} and ${second})`;
    }
  }
  return null;
}

function orientation(a: Point, b: Point, c: Point): number {
  const value = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const scale = Math.max(Math.hypot(b[0] - a[0], b[1] - a[1]) * Math.hypot(c[0] - a[0], c[1] - a[1]), 1e-12);
  return Math.abs(value) <= 1e-9 * scale ? 0 : Math.sign(value);
}

function segmentsTouch(a: Point, b: Point, c: Point, d: Point): boolean {
  const along = (p: Point, q: Point, r: Point): boolean =>
    Math.min(p[0], r[0]) - 1e-9 <= q[0] &&
    q[0] <= Math.max(p[0], r[0]) + 1e-9 &&
    Math.min(p[1], r[1]) - 1e-9 <= q[1] &&
    q[1] <= Math.max(p[1], r[1]) + 1e-9;
  const abc = orientation(a, b, c);
  const abd = orientation(a, b, d);
  const cda = orientation(c, d, a);
  const cdb = orientation(c, d, b);
  if (abc !== abd && cda !== cdb && abc !== 0 && abd !== 0 && cda !== 0 && cdb !== 0) return true;
  return (
    (abc === 0 && along(a, c, b)) ||
    (abd === 0 && along(a, d, b)) ||
    (cda === 0 && along(c, a, d)) ||
    (cdb === 0 && along(c, b, d))
  );
}

/** Triangles (three vertex numbers each) that cover a simple polygon exactly; the winding is the polygon's own. */
export function triangulatePolygon(polygon: readonly Point[]): number[][] {
  return ShapeUtils.triangulateShape(
    polygon.map(([x, z]) => new Vector2(x, z)),
    [],
  ).map(([a, b, c]) => {
    const triangle = [a, b, c] as [number, number, number];
    const turned = signedArea(triangle.map((index) => polygon[index] as Point)) * signedArea(polygon) < 0;
    return turned ? [triangle[0], triangle[2], triangle[1]] : triangle;
  });
}
