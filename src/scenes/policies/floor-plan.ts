import type { Point, Room, Wall } from '../../core/scene.ts';
import { insidePolygon } from '../polygon.ts';
import { cornersOf, type Footprint, footprintOf, localPoint, overlapDepth } from './footprint.ts';
import type { ListedObject, PlacedObject, Pose } from './policy.ts';

/** How deep boxes may touch before it counts as a collision, metres. */
const TOUCH = 0.004;
/** Free floor before a door, metres. */
const DOOR_ZONE = 0.8;

/** A room while it is being furnished: what stands where, and whether something more fits. */
export class FloorPlan {
  readonly room: Room;
  readonly placed: PlacedObject[] = [];
  /** Footprints of what stands in the way, by id: rugs are not among them. */
  readonly #footprints = new Map<string, Footprint>();
  readonly #doors: readonly Footprint[];

  constructor(room: Room) {
    this.room = room;
    this.#doors = room.walls.flatMap((wall) =>
      wall.openings.filter(({ type }) => type !== 'window').map((opening) => doorZone(wall, opening.from, opening.to)),
    );
  }

  put(object: ListedObject, pose: Pose): PlacedObject {
    const placed = { ...object, ...pose };
    this.placed.push(placed);
    if (!isRug(object)) this.#footprints.set(object.id, footprintOf(object.size, pose));
    return placed;
  }

  /** Objects of any of the categories, in the order they were placed. */
  of(categories: readonly string[]): PlacedObject[] {
    return this.placed.filter(({ entry }) => entry !== null && categories.includes(entry.category));
  }

  /** Whether the box lies inside the floor polygon. */
  inside(footprint: Footprint): boolean {
    return cornersOf(footprint).every((corner) => insidePolygon(corner, this.room.floor, 2e-3));
  }

  /** Inside the room, clear of doors, colliding with nothing but what it stands on. Rugs collide with nothing. */
  fits(object: ListedObject, pose: Pose): boolean {
    const footprint = footprintOf(object.size, pose);
    if (!this.inside(footprint)) return false;
    if (isRug(object)) return true;
    if (this.#doors.some((door) => overlapDepth(footprint, door) > TOUCH)) return false;
    for (const [id, other] of this.#footprints)
      if (id !== pose.supportedBy && overlapDepth(footprint, other) > TOUCH) return false;
    return true;
  }

  /** Sum of the overlap depths with what stands already, plus 10 when it leaves the room. */
  crowding(object: ListedObject, pose: Pose): number {
    const footprint = footprintOf(object.size, pose);
    const overlaps = [...this.#footprints.values()].map((other) => Math.max(0, overlapDepth(footprint, other)));
    return overlaps.reduce((sum, depth) => sum + depth, this.inside(footprint) ? 0 : 10);
  }

  /** Share (0..1) of the strip before the object's front, `depth` metres deep, that is free floor. */
  frontClearance(object: ListedObject, pose: Pose, depth: number): number {
    const steps = 4;
    let free = 0;
    for (let step = 1; step <= steps; step += 1) {
      const reach = (depth * step) / steps;
      const middle = object.size[2] / 2 + reach / 2 + TOUCH;
      const strip: Footprint = {
        x: pose.x + middle * Math.sin(pose.yaw),
        z: pose.z + middle * Math.cos(pose.yaw),
        yaw: pose.yaw,
        width: 0.8 * object.size[0],
        depth: reach,
        low: 0,
        high: 1.8,
      };
      const blocked =
        !this.inside(strip) || [...this.#footprints.values()].some((other) => overlapDepth(strip, other) > TOUCH);
      if (blocked) break;
      free = step / steps;
    }
    return free;
  }

  /** Share (0, 0.5, 1) of the object's two sides with `width` metres of free floor at the head end. */
  sideClearance(object: ListedObject, pose: Pose, width: number): number {
    const free = [-1, 1].filter((side) => {
      const depth = Math.min(0.5, object.size[2]);
      const [x, z] = localPoint(pose, side * (object.size[0] / 2 + width / 2 + TOUCH), (depth - object.size[2]) / 2);
      const strip: Footprint = { x, z, yaw: pose.yaw, width, depth, low: 0.03, high: 1 };
      return (
        this.inside(strip) &&
        [...this.#doors, ...this.#footprints.values()].every((other) => overlapDepth(strip, other) <= TOUCH)
      );
    });
    return free.length / 2;
  }

  /** Smallest box (x, z) round the floor. */
  get bounds(): { readonly min: Point; readonly max: Point } {
    const xs = this.room.floor.map(([x]) => x);
    const zs = this.room.floor.map(([, z]) => z);
    return { min: [Math.min(...xs), Math.min(...zs)], max: [Math.max(...xs), Math.max(...zs)] };
  }

  get centre(): Point {
    const { min, max } = this.bounds;
    return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
  }
}

/** Whether a thing lies flat on the floor and things stand on it. */
export function isRug(object: ListedObject): boolean {
  return object.entry?.placement === 'rug';
}

/** Unit vector along a wall, its length, and the yaw of furniture that has its back to it. */
export function alongWall(wall: Wall): { readonly along: Point; readonly length: number; readonly yaw: number } {
  const length = Math.hypot(wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]);
  return {
    along: [(wall.end[0] - wall.start[0]) / length, (wall.end[1] - wall.start[1]) / length],
    length,
    yaw: Math.atan2(-wall.normal[0], -wall.normal[1]) + 0,
  };
}

function doorZone(wall: Wall, from: number, to: number): Footprint {
  const { along, yaw } = alongWall(wall);
  const middle = (from + to) / 2;
  return {
    x: wall.start[0] + along[0] * middle - (wall.normal[0] * DOOR_ZONE) / 2,
    z: wall.start[1] + along[1] * middle - (wall.normal[1] * DOOR_ZONE) / 2,
    yaw,
    width: Math.abs(to - from),
    depth: DOOR_ZONE,
    low: 0.02,
    high: 2,
  };
}
