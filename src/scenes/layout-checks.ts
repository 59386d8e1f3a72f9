import type { Room } from '../core/scene.ts';
import type { DraftObject } from './draft.ts';
import { transformPoint } from './glb-geometry.ts';
import { distanceToSegment, insidePolygon } from './polygon.ts';

/** How far a corner may stick out of every room before the object counts as outside, metres. */
export const OUTSIDE_TOLERANCE = 0.05;
/** How deep two boxes must sink into each other to count as overlapping, metres. */
export const OVERLAP_TOLERANCE = 0.01;
/** Lower than this is a rug: things stand on it and it overlaps nothing, metres. */
const RUG_HEIGHT = 0.03;

type BoxObject = Pick<DraftObject, 'id' | 'transform' | 'size' | 'supportedBy'>;

/** Ids of objects with a corner of their box outside every room's floor polygon; none when the scene has no room. */
export function outsideRooms(objects: readonly BoxObject[], rooms: readonly Room[]): string[] {
  if (rooms.length === 0) return [];
  return objects
    .filter((object) =>
      cornersOf(object).some(
        ([x, , z]) =>
          !rooms.some(
            (room) =>
              insidePolygon([x, z], room.floor) ||
              room.floor.some(
                (point, index) =>
                  distanceToSegment([x, z], point, room.floor[(index + 1) % room.floor.length] ?? point) <=
                  OUTSIDE_TOLERANCE,
              ),
          ),
      ),
    )
    .map((object) => object.id);
}

/**
 * Pairs of objects whose boxes overlap by more than a centimetre in every direction (separating axes of the two boxes).
 * A pair in which one supports the other, and rugs, are left out.
 */
export function overlappingPairs(objects: readonly BoxObject[]): [string, string][] {
  const boxes = objects
    .filter((object) => object.size[1] >= RUG_HEIGHT)
    .map((object) => {
      const corners = cornersOf(object);
      const extent = ([0, 1, 2] as const).map((axis) => corners.map((corner) => corner[axis]));
      const lows = extent.map((values) => Math.min(...values));
      const highs = extent.map((values) => Math.max(...values));
      return { object, corners, lows, highs, low: lows[0] as number, high: highs[0] as number };
    })
    .sort((a, b) => a.low - b.low);
  const pairs: [string, string][] = [];
  for (const [index, first] of boxes.entries())
    for (let next = index + 1; next < boxes.length; next += 1) {
      const second = boxes[next] as (typeof boxes)[number];
      if (second.low > first.high - OVERLAP_TOLERANCE) break;
      if (apart(first, second)) continue;
      if (first.object.supportedBy === second.object.id || second.object.supportedBy === first.object.id) continue;
      if (depth(first, second) > OVERLAP_TOLERANCE) pairs.push([first.object.id, second.object.id]);
    }
  return pairs;
}

type Corner = readonly [number, number, number];

interface Extent {
  readonly lows: readonly number[];
  readonly highs: readonly number[];
}

/** Quick: the axis-parallel boxes already leave a gap in y or z. */
function apart(first: Extent, second: Extent): boolean {
  return [1, 2].some(
    (axis) =>
      Math.min(first.highs[axis] as number, second.highs[axis] as number) -
        Math.max(first.lows[axis] as number, second.lows[axis] as number) <=
      OVERLAP_TOLERANCE,
  );
}

/** The eight corners of an object's box in the scene. */
export function cornersOf(object: Pick<BoxObject, 'transform' | 'size'>): Corner[] {
  const [w, h, d] = object.size;
  return Array.from({ length: 8 }, (_, corner) =>
    transformPoint(object.transform, corner & 1 ? w / 2 : -w / 2, corner & 2 ? h : 0, corner & 4 ? d / 2 : -d / 2),
  );
}

/** Smallest overlap of the two boxes over the axes that could separate them; negative when apart. */
function depth(
  first: { readonly object: BoxObject; readonly corners: readonly Corner[] },
  second: { readonly object: BoxObject; readonly corners: readonly Corner[] },
): number {
  const axesOf = (transform: readonly number[]): Corner[] =>
    [0, 4, 8].map((at) => [transform[at], transform[at + 1], transform[at + 2]] as [number, number, number]);
  const [a, b] = [axesOf(first.object.transform), axesOf(second.object.transform)];
  const crosses = a.flatMap((p) =>
    b.map((q): Corner => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]),
  );
  let smallest = Infinity;
  for (const axis of [...a, ...b, ...crosses]) {
    const length = Math.hypot(...axis);
    if (length < 1e-6) continue;
    const along = (corner: Corner): number =>
      (corner[0] * axis[0] + corner[1] * axis[1] + corner[2] * axis[2]) / length;
    const [p, q] = [first.corners.map(along), second.corners.map(along)];
    smallest = Math.min(smallest, Math.min(Math.max(...p), Math.max(...q)) - Math.max(Math.min(...p), Math.min(...q)));
    if (smallest <= OVERLAP_TOLERANCE) return smallest;
  }
  return smallest;
}
