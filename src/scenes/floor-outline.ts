import type { Point } from '../core/scene.ts';
import { signedArea, whyNotSimple } from './polygon.ts';

/** Points closer than this are one corner when meshes and walls are joined, metres. */
const WELD = 0.005;

/** Smallest convex polygon round points (monotone chain), without collinear points. */
export function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of list) {
      while (chain.length >= 2 && turn(chain.at(-2) as Point, chain.at(-1) as Point, point) <= 1e-9) chain.pop();
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half([...sorted].reverse())];
}

function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/**
 * Outline of a floor given as triangles on the plan: the longest closed chain of edges that only one triangle has; inner
 * loops (holes) are dropped. null when the edges form no loop.
 */
export function meshOutline(points: readonly Point[], triangles: readonly (readonly number[])[]): Point[] | null {
  const weld = new Map<string, number>();
  const places: Point[] = [];
  const welded = points.map(([x, z]) => {
    const key = `${Math.round(x / WELD)}/${Math.round(z / WELD)}`;
    const known = weld.get(key);
    if (known !== undefined) return known;
    weld.set(key, places.length);
    places.push([x, z]);
    return places.length - 1;
  });
  const edges = new Map<string, [number, number]>();
  for (const triangle of triangles) {
    const [a, b, c] = triangle.map((index) => welded[index]);
    if (a === undefined || b === undefined || c === undefined || a === b || b === c || a === c) continue;
    const area = turn(places[a] as Point, places[b] as Point, places[c] as Point);
    if (Math.abs(area) < 1e-9) continue;
    const ordered = area > 0 ? [a, b, c] : [a, c, b];
    for (let side = 0; side < 3; side += 1) {
      const [from, to] = [ordered[side] as number, ordered[(side + 1) % 3] as number];
      if (edges.delete(`${to}>${from}`)) continue;
      edges.set(`${from}>${to}`, [from, to]);
    }
  }
  const next = new Map<number, number[]>();
  for (const [from, to] of edges.values()) next.set(from, [...(next.get(from) ?? []), to]);
  let best: Point[] | null = null;
  while (next.size > 0) {
    const start = [...next.keys()][0] as number;
    const loop: number[] = [];
    let at: number | undefined = start;
    while (at !== undefined) {
      loop.push(at);
      const options: number[] = next.get(at) ?? [];
      const to: number | undefined = options.pop();
      if (options.length === 0) next.delete(at);
      at = to === start ? undefined : to;
      if (to === undefined) break;
    }
    const outline = withoutCollinear(loop.map((index) => places[index] as Point));
    if (outline.length >= 3 && (best === null || Math.abs(signedArea(outline)) > Math.abs(signedArea(best))))
      best = outline;
  }
  return best !== null && whyNotSimple(best) === null ? best : null;
}

/** Drops corners where the outline goes straight on. */
export function withoutCollinear(polygon: readonly Point[]): Point[] {
  return polygon.filter((point, index) => {
    const before = polygon[(index + polygon.length - 1) % polygon.length] as Point;
    const after = polygon[(index + 1) % polygon.length] as Point;
    const lengths =
      Math.hypot(point[0] - before[0], point[1] - before[1]) * Math.hypot(after[0] - point[0], after[1] - point[1]);
    return lengths > 1e-12 && Math.abs(turn(before, point, after)) > 1e-6 * lengths;
  });
}

/** A floor joined from wall segments, and how well they closed. */
export interface JoinedFloor {
  readonly outline: Point[];
  /** null: the walls close; else what had to be done. */
  readonly note: string | null;
}

/** Gaps up to this long between wall ends count as closed, metres. */
const CLOSED = 0.05;

/**
 * Joins wall segments, in any order and direction, into one outline: always on to the nearest free wall end. Gaps are closed
 * straight; walls that cannot be joined into a simple outline give the convex hull of their ends. null for fewer than three
 * corners.
 */
export function joinWalls(segments: readonly (readonly [Point, Point])[]): JoinedFloor | null {
  if (segments.length > 2000) return null;
  const ends = segments.flat();
  const hull = ends.length < 3 ? [] : convexHull(ends);
  if (hull.length < 3 || whyNotSimple(hull) !== null) return null;
  const left = segments.map(([a, b]) => [a, b] as [Point, Point]);
  const first = left.shift() as [Point, Point];
  const chain: Point[] = [first[0], first[1]];
  const gaps: number[] = [];
  const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
  while (left.length > 0) {
    const tail = chain.at(-1) as Point;
    let best = { index: 0, flip: false, gap: Infinity };
    for (const [index, [a, b]] of left.entries()) {
      if (distance(tail, a) < best.gap) best = { index, flip: false, gap: distance(tail, a) };
      if (distance(tail, b) < best.gap) best = { index, flip: true, gap: distance(tail, b) };
    }
    const [a, b] = left.splice(best.index, 1)[0] as [Point, Point];
    gaps.push(best.gap);
    if (best.gap > CLOSED) chain.push(best.flip ? b : a);
    chain.push(best.flip ? a : b);
  }
  const closing = distance(chain.at(-1) as Point, chain[0] as Point);
  gaps.push(closing);
  if (closing <= CLOSED) chain.pop();
  const outline = withoutCollinear(
    chain.filter((point, index) => index === 0 || distance(point, chain[index - 1] as Point) > 1e-4),
  );
  if (whyNotSimple(outline) !== null)
    return { outline: hull, note: 'walls do not join into a simple outline: the floor is their convex hull' };
  const open = gaps.filter((gap) => gap > CLOSED);
  const note =
    open.length === 0
      ? null
      : `walls leave ${open.length} gaps (up to ${Math.max(...open).toFixed(2)} m): the floor closes them straight`;
  return { outline, note };
}
