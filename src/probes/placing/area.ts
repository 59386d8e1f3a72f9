import type { Opening, Point, Room } from '../../core/scene.ts';
import { cornersOf, type Footprint } from '../../scenes/policies/footprint.ts';
import { distanceToSegment, insidePolygon, signedArea } from '../../scenes/polygon.ts';

/** A straight piece of wall seen from above. */
export interface WallLine {
  readonly start: Point;
  /** Unit vector from its start to its end. */
  readonly along: Point;
  /** Unit vector out of the room. */
  readonly outward: Point;
  /** Metres. */
  readonly length: number;
  readonly openings: readonly Opening[];
}

/** Where objects may stand: a floor polygon and the walls round it. */
export interface Area {
  readonly floor: readonly Point[];
  readonly walls: readonly WallLine[];
  readonly min: Point;
  readonly max: Point;
  /** Height of the walls, metres; null when there are none. */
  readonly height: number | null;
}

/** How far a box may reach over the outline, metres: rounding of imported layouts. */
export const OUTLINE_TOLERANCE = 2e-3;

/** The area of a room; a room without walls has one along every edge of its floor. */
export function areaOf(room: Room): Area {
  const walls =
    room.walls.length > 0
      ? room.walls.map(({ start, end, normal, openings }) => wallLine(start, end, normal, openings))
      : edges(room.floor).map(([start, end]) => wallLine(start, end, outwardNormal(start, end, room.floor), []));
  return { floor: room.floor, walls, ...boundsOf(room.floor), height: room.wallHeight };
}

/** The area of a scene without a room: the smallest rectangle (x, z) round its objects. */
export function areaRound(boxes: readonly Footprint[]): Area {
  const { min, max } = boundsOf(boxes.flatMap(cornersOf));
  return { floor: [min, [max[0], min[1]], max, [min[0], max[1]]], walls: [], min, max, height: null };
}

/** Metres from a point to the floor of an area, 0 inside. */
export function distanceToArea(point: Point, { floor }: Area): number {
  if (insidePolygon(point, floor)) return 0;
  return Math.min(...edges(floor).map(([a, b]) => distanceToSegment(point, a, b)));
}

/**
 * Whether a whole box stands inside the floor: its middle does, and no edge of the outline passes through it deeper than
 * `tolerance` metres. (Corners alone would let a box reach across the inner corner of an L.)
 */
export function boxInside(box: Footprint, { floor }: Area, tolerance = OUTLINE_TOLERANCE): boolean {
  if (!insidePolygon([box.x, box.z], floor, tolerance)) return false;
  const [sin, cos] = [Math.sin(box.yaw), Math.cos(box.yaw)];
  const local = ([x, z]: Point): Point => [
    (x - box.x) * cos - (z - box.z) * sin,
    (x - box.x) * sin + (z - box.z) * cos,
  ];
  const half: Point = [box.width / 2 - tolerance, box.depth / 2 - tolerance];
  if (half[0] <= 0 || half[1] <= 0) return true;
  return edges(floor).every(([a, b]) => !crossesBox(local(a), local(b), half));
}

/** Whether the segment a-b passes through the open rectangle of half sides `half` round the origin (slab clipping). */
function crossesBox(a: Point, b: Point, half: Point): boolean {
  let [from, to] = [0, 1];
  for (const axis of [0, 1] as const) {
    const step = b[axis] - a[axis];
    if (step === 0) {
      if (Math.abs(a[axis]) >= half[axis]) return false;
      continue;
    }
    const [first, second] = [(-half[axis] - a[axis]) / step, (half[axis] - a[axis]) / step];
    from = Math.max(from, Math.min(first, second));
    to = Math.min(to, Math.max(first, second));
    if (from >= to) return false;
  }
  return true;
}

function edges(floor: readonly Point[]): [Point, Point][] {
  return floor.map((point, index) => [point, floor[(index + 1) % floor.length] as Point]);
}

function wallLine(start: Point, end: Point, outward: Point, openings: readonly Opening[]): WallLine {
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  return { start, along: [(end[0] - start[0]) / length, (end[1] - start[1]) / length], outward, length, openings };
}

function outwardNormal(start: Point, end: Point, floor: readonly Point[]): Point {
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  const side = signedArea(floor) > 0 ? 1 : -1;
  return [(side * (end[1] - start[1])) / length, (-side * (end[0] - start[0])) / length];
}

function boundsOf(points: readonly Point[]): { min: Point; max: Point } {
  const [xs, zs] = [points.map(([x]) => x), points.map(([, z]) => z)];
  return { min: [Math.min(...xs), Math.min(...zs)], max: [Math.max(...xs), Math.max(...zs)] };
}
