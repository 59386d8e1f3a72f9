import { AuditError, quoted } from '../core/errors.ts';
import type { Opening, Point, Room, Wall } from '../core/scene.ts';
import { distanceToSegment, signedArea, whyNotSimple } from './polygon.ts';
import { normalOf } from './room-shell.ts';

/** Points closer than this are one corner, metres. */
const SAME_CORNER = 1e-4;
/** Scene schema's limit of floor corners, and of walls. */
const MAX_CORNERS = 2000;

/**
 * Cleans a floor outline as files have it: the repeated last point, doubled neighbours.
 *
 * @throws AuditError when what is left is not a simple polygon
 */
export function floorOutline(points: readonly Point[], where: string, notes: string[]): Point[] {
  if (points.length > MAX_CORNERS)
    throw new AuditError(`${where}: floor polygon of ${points.length} points; expected at most ${MAX_CORNERS}`);
  const kept: Point[] = [];
  for (const [x, z] of points) {
    const last = kept.at(-1);
    if (last !== undefined && Math.hypot(last[0] - x, last[1] - z) < SAME_CORNER) continue;
    kept.push([x + 0, z + 0]);
  }
  const [first, last] = [kept[0], kept.at(-1)];
  if (
    kept.length > 1 &&
    first !== undefined &&
    last !== undefined &&
    Math.hypot(first[0] - last[0], first[1] - last[1]) < SAME_CORNER
  )
    kept.pop();
  if (kept.length < points.length)
    notes.push(`${where}: ${points.length - kept.length} repeated floor corners left out`);
  const why = whyNotSimple(kept);
  if (why !== null)
    throw new AuditError(`${where}: invalid floor polygon ${quoted(points)}, it ${why}; expected a simple polygon`);
  return kept;
}

/** A wall as a file gives it: a segment on the floor plan and holes along it from `start`. */
export interface RawWall {
  readonly id: string;
  readonly start: Point;
  readonly end: Point;
  readonly height: number;
  readonly openings: readonly Opening[];
}

/**
 * Makes walls of segments: outward normals from the floor polygon, walls without length and doubled walls left out, holes
 * cut down to their wall. Walls that lie on no edge of the floor keep the normal that points away from its middle.
 */
export function roomWalls(raw: readonly RawWall[], floor: readonly Point[], where: string, notes: string[]): Wall[] {
  if (raw.length > MAX_CORNERS) throw new AuditError(`${where}: ${raw.length} walls; expected at most ${MAX_CORNERS}`);
  const walls: Wall[] = [];
  for (const wall of raw) {
    const length = Math.hypot(wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]);
    if (length < 0.005 || !(wall.height > 0)) {
      notes.push(
        `${where}: degenerate wall ${quoted(wall.id)} (${length.toFixed(3)} m long, ${wall.height} m high) left out`,
      );
      continue;
    }
    const twin = walls.find((other) => sameSegment(other, wall));
    if (twin !== undefined) {
      notes.push(`${where}: wall ${quoted(wall.id)} repeats ${quoted(twin.id)}: left out`);
      continue;
    }
    const id = walls.some((other) => other.id === wall.id) ? `${wall.id}#${walls.length}` : wall.id;
    if (id !== wall.id) notes.push(`${where}: duplicate wall id ${quoted(wall.id)} renamed ${quoted(id)}`);
    walls.push({
      id,
      start: wall.start,
      end: wall.end,
      normal: outwardNormal(wall.start, wall.end, floor),
      height: wall.height,
      openings: clippedOpenings(wall, length, where, notes),
    });
  }
  return walls;
}

function sameSegment(a: { start: Point; end: Point }, b: { start: Point; end: Point }): boolean {
  const near = (p: Point, q: Point): boolean => Math.hypot(p[0] - q[0], p[1] - q[1]) < 0.005;
  return (near(a.start, b.start) && near(a.end, b.end)) || (near(a.start, b.end) && near(a.end, b.start));
}

/** Normal of a segment that points out of the polygon. */
export function outwardNormal(start: Point, end: Point, floor: readonly Point[]): Point {
  const middle: Point = [(start[0] + end[0]) / 2, (start[1] + end[1]) / 2];
  const dx = end[0] - start[0];
  const dz = end[1] - start[1];
  const outer = signedArea(floor) > 0 ? 1 : -1;
  for (const [index, a] of floor.entries()) {
    const b = floor[(index + 1) % floor.length] as Point;
    if (distanceToSegment(middle, a, b) > 0.02) continue;
    const along = (b[0] - a[0]) * dx + (b[1] - a[1]) * dz;
    const parallel = Math.abs(along) > 0.99 * Math.hypot(b[0] - a[0], b[1] - a[1]) * Math.hypot(dx, dz);
    if (parallel) return normalOf(start, end, (along > 0 ? outer : -outer) as 1 | -1);
  }
  const centre = floor.reduce<Point>(
    ([x, z], point) => [x + point[0] / floor.length, z + point[1] / floor.length],
    [0, 0],
  );
  const normal = normalOf(start, end, 1);
  const away = (middle[0] - centre[0]) * normal[0] + (middle[1] - centre[1]) * normal[1] >= 0;
  return away ? normal : normalOf(start, end, -1);
}

function clippedOpenings(wall: RawWall, length: number, where: string, notes: string[]): Opening[] {
  return wall.openings.flatMap((opening) => {
    const [from, to] = [
      Math.max(0, Math.min(opening.from, opening.to)),
      Math.min(length, Math.max(opening.from, opening.to)),
    ];
    const [bottom, top] = [
      Math.max(0, Math.min(opening.bottom, opening.top)),
      Math.min(wall.height, Math.max(opening.bottom, opening.top)),
    ];
    // Written so that numbers that are none count as outside too.
    if (!(to - from >= 0.01 && top - bottom >= 0.01)) {
      notes.push(`${where}: ${opening.type} of wall ${quoted(wall.id)} lies outside the wall: left out`);
      return [];
    }
    const cut =
      Math.abs(to - from) < Math.abs(opening.to - opening.from) - 0.01 ||
      top - bottom < Math.abs(opening.top - opening.bottom) - 0.01;
    if (cut) notes.push(`${where}: ${opening.type} of wall ${quoted(wall.id)} reaches beyond the wall: cut down to it`);
    return [{ type: opening.type, from, to, bottom, top }];
  });
}

/** A wall without holes on every edge of a floor. */
export function edgeWalls(floor: readonly Point[], height: number): RawWall[] {
  return floor.map((start, index) => ({
    id: `w${index}`,
    start,
    end: floor[(index + 1) % floor.length] as Point,
    height,
    openings: [],
  }));
}

/** A room with walls along every edge, for files that give only the outline. */
export function outlineRoom(options: {
  readonly id: string;
  readonly type: string;
  readonly points: readonly Point[];
  readonly height: number;
  /** Holes on the floor plan, cut into the walls they lie in. */
  readonly openings?: readonly PlanOpening[];
  readonly where: string;
  readonly notes: string[];
}): Room {
  const floor = floorOutline(options.points, options.where, options.notes);
  const raw = edgeWalls(floor, options.height);
  return {
    id: options.id,
    type: options.type,
    floor,
    wallHeight: options.height,
    walls: roomWalls(
      withPlanOpenings(raw, options.openings ?? [], options.where, options.notes),
      floor,
      options.where,
      options.notes,
    ),
  };
}

/** A hole given by its two ends on the floor plan. */
export interface PlanOpening {
  readonly type: Opening['type'];
  readonly from: Point;
  readonly to: Point;
  readonly bottom: number;
  readonly top: number;
}

/** How far a hole may be from the line of a wall that it cuts, metres. */
const ON_WALL = 0.15;

/**
 * Cuts holes given on the floor plan into every wall they lie in (both walls of a partition). A hole that lies in none is
 * noted and lost.
 */
export function withPlanOpenings(
  walls: readonly RawWall[],
  openings: readonly PlanOpening[],
  where: string,
  notes: string[],
): RawWall[] {
  const cut = walls.map((wall) => ({ ...wall, openings: [...wall.openings] }));
  for (const opening of openings) {
    let found = false;
    for (const wall of cut) {
      const length = Math.hypot(wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]);
      if (length < 1e-6) continue;
      const direction: Point = [(wall.end[0] - wall.start[0]) / length, (wall.end[1] - wall.start[1]) / length];
      const along = ([x, z]: Point): number => (x - wall.start[0]) * direction[0] + (z - wall.start[1]) * direction[1];
      const across = ([x, z]: Point): number => (x - wall.start[0]) * direction[1] - (z - wall.start[1]) * direction[0];
      if (Math.abs(across(opening.from)) > ON_WALL || Math.abs(across(opening.to)) > ON_WALL) continue;
      const from = Math.max(0, Math.min(along(opening.from), along(opening.to)));
      const to = Math.min(length, Math.max(along(opening.from), along(opening.to)));
      if (to - from < 0.05) continue;
      wall.openings.push({ type: opening.type, from, to, bottom: opening.bottom, top: opening.top });
      found = true;
    }
    if (!found) notes.push(`${where}: a ${opening.type} lies in no wall: left out`);
  }
  return cut;
}
