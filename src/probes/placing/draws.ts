import type { Random } from '../../core/random.ts';
import { cornersOf, type Footprint } from '../../scenes/policies/footprint.ts';
import type { WallLine } from './area.ts';
import type { Group, Member } from './groups.ts';
import { type FloorMove, moveBox } from './rigid.ts';

/** An object counts as moved from here on, metres, and as turned, radians. */
export const LEAST_MOVE = 0.1;
export const LEAST_TURN = 0.15;
/** Gap between a wall and a thing that hung clear of every wall before, metres. */
const WALL_GAP = 0.02;
/** From this share of the tries on only quarter turns are drawn: large things fit in line with the walls. */
const QUARTERS_FROM = 0.4;

/** Another place in the room and another turn; along walls for what hangs there. */
export function drawAnywhere(group: Group, random: Random, share: number): FloorMove | null {
  if (group.mounting === 'wall') return drawOnWall(group, random, group.area.walls);
  return drawOnFloor(group, random, drawTurn(random, share));
}

/** Another place, the same turn; along its own wall for what hangs there. */
export function drawPlace(group: Group, random: Random): FloorMove | null {
  if (group.mounting !== 'wall') return drawOnFloor(group, random, 0);
  return group.wall === null ? null : drawOnWall(group, random, [group.wall]);
}

/** The same place, another turn: any, later in the tries a quarter, last a half, which fits wherever the thing stood. */
export function drawSpin(group: Group, random: Random, share: number): FloorMove {
  const { x, z } = rootBox(group);
  return { pivot: [x, z], to: [x, z], turn: share > 0.9 ? Math.PI : drawTurn(random, share) };
}

function drawTurn(random: Random, share: number): number {
  return share < QUARTERS_FROM
    ? random.between(LEAST_TURN, 2 * Math.PI - LEAST_TURN)
    : ((1 + random.integer(3)) * Math.PI) / 2;
}

function drawOnFloor(group: Group, random: Random, turn: number): FloorMove | null {
  const { x, z } = rootBox(group);
  const { min, max } = group.area;
  // how far the bearing object reaches to either side after the turn: nearer to the outline than that it cannot stand
  const turned = cornersOf(moveBox(rootBox(group), { pivot: [x, z], to: [0, 0], turn }));
  const reach = ([0, 1] as const).map((axis) => Math.max(...turned.map((corner) => corner[axis])));
  const [rx, rz] = reach as [number, number];
  if (max[0] - min[0] < 2 * rx || max[1] - min[1] < 2 * rz) return null;
  const to = [random.between(min[0] + rx, max[0] - rx), random.between(min[1] + rz, max[1] - rz)] as const;
  return Math.hypot(to[0] - x, to[1] - z) < LEAST_MOVE ? null : { pivot: [x, z], to: [...to], turn };
}

/** Slides along one of the walls, its back turned to it, as far from it as it was, clear of doors and windows. */
function drawOnWall(group: Group, random: Random, walls: readonly WallLine[]): FloorMove | null {
  const usable = walls.filter(({ length }) => length > rootBox(group).width * 0.5);
  if (usable.length === 0) return null;
  const wall = pickByLength(usable, random);
  const box = rootBox(group);
  const from = group.wall === null ? null : group.wall.outward;
  const back = from === null ? box.yaw + Math.PI : Math.atan2(from[0], from[1]);
  const turn = Math.atan2(wall.outward[0], wall.outward[1]) - back;
  const off = group.wall === null ? box.depth / 2 + WALL_GAP : offWall(box, group.wall);
  const spans = group.members.map((member) => ({
    member,
    box: moveBox(member.box, { pivot: [box.x, box.z], to: [0, 0], turn }),
  }));
  const along = spans.flatMap((span) => cornersOf(span.box).map(([x, z]) => x * wall.along[0] + z * wall.along[1]));
  const [low, high] = [-Math.min(...along), wall.length - Math.max(...along)];
  if (high < low) return null;
  const at = random.between(low, high);
  const to = [
    wall.start[0] + wall.along[0] * at - wall.outward[0] * off,
    wall.start[1] + wall.along[1] * at - wall.outward[1] * off,
  ] as [number, number];
  if (Math.hypot(to[0] - box.x, to[1] - box.z) < LEAST_MOVE) return null;
  const covers = spans.some((span) => coversOpening(span.member, span.box, at, wall));
  return covers ? null : { pivot: [box.x, box.z], to, turn };
}

/** A wall, each as likely as it is long. */
function pickByLength(walls: readonly WallLine[], random: Random): WallLine {
  let left = random.next() * walls.reduce((sum, { length }) => sum + length, 0);
  for (const wall of walls) {
    left -= wall.length;
    if (left < 0) return wall;
  }
  return walls.at(-1) as WallLine;
}

function coversOpening({ box }: Member, centred: Footprint, at: number, wall: WallLine): boolean {
  const along = cornersOf(centred).map(([x, z]) => at + x * wall.along[0] + z * wall.along[1]);
  const [first, last] = [Math.min(...along), Math.max(...along)];
  return wall.openings.some(
    ({ from, to, bottom, top }) =>
      Math.min(from, to) < last && Math.max(from, to) > first && bottom < box.high && top > box.low,
  );
}

function offWall({ x, z }: Footprint, wall: WallLine): number {
  return -((x - wall.start[0]) * wall.outward[0] + (z - wall.start[1]) * wall.outward[1]);
}

function rootBox(group: Group): Footprint {
  return (group.members.find(({ object }) => object.id === group.id) as Member).box;
}

/** Where the middle of a group's bearing object stands, and the direction it faces. */
export function standingAt(group: Group): Footprint {
  return rootBox(group);
}
