import type { Random } from '../../core/random.ts';
import { alongWall, type FloorPlan } from './floor-plan.ts';
import { localPoint } from './footprint.ts';
import type { ListedObject, PlacedObject, Pose } from './policy.ts';

/** A pose to try; the best score that fits wins. */
export interface Candidate extends Pose {
  readonly score: number;
}

/** Space between furniture and the wall behind it, metres. */
const GAP = 0.02;
/** Random part of every score: breaks ties, so that rooms differ. */
const JITTER = 0.12;

/** Standing with the back to a wall, every decimetre of every wall, `prefer`ring its middle or its ends. */
export function wallPoses(
  plan: FloorPlan,
  object: ListedObject,
  prefer: 'centre' | 'corner',
  random: Random,
  y = 0,
): Candidate[] {
  const [width, height, depth] = object.size;
  const longest = Math.max(...plan.room.walls.map((wall) => alongWall(wall).length));
  return plan.room.walls.flatMap((wall) => {
    const { along, length, yaw } = alongWall(wall);
    const room = length - width - 2 * GAP;
    if (room < 0) return [];
    const steps = Math.max(1, Math.ceil(room / 0.1));
    const wallJitter = random.between(0, 2 * JITTER);
    return Array.from({ length: steps + 1 }, (_, step) => {
      const at = GAP + width / 2 + (room * step) / steps;
      const [x, z] = [
        wall.start[0] + along[0] * at - wall.normal[0] * (depth / 2 + GAP),
        wall.start[1] + along[1] * at - wall.normal[1] * (depth / 2 + GAP),
      ];
      const offCentre = Math.abs(at - length / 2) / (length / 2);
      const blocked = wall.openings.some(
        ({ from, to, bottom, top }) =>
          Math.min(from, to) < at + width / 2 && Math.max(from, to) > at - width / 2 && bottom < y + height && top > y,
      );
      const score =
        (prefer === 'centre' ? -offCentre : offCentre) +
        0.2 * (length / longest) +
        wallJitter +
        random.between(0, JITTER) -
        (blocked ? 1.5 : 0);
      return { x, y, z, yaw, supportedBy: null, score };
    });
  });
}

/** Beside an object, backs in line, on either side, `gap` metres away. */
export function besidePoses(target: PlacedObject, object: ListedObject, gap: number, random: Random): Candidate[] {
  return [-1, 1].flatMap((side) =>
    [gap, gap + 0.1].map((space) => {
      const [x, z] = localPoint(
        target,
        side * (target.size[0] / 2 + object.size[0] / 2 + space),
        (object.size[2] - target.size[2]) / 2,
      );
      return { x, y: 0, z, yaw: target.yaw, supportedBy: null, score: random.between(0, JITTER) - space };
    }),
  );
}

/** Before an object's front, `gap` metres away; `turn` pi faces it, 0 looks the same way. */
export function frontPoses(
  target: PlacedObject,
  object: ListedObject,
  gap: number,
  turn: number,
  random: Random,
): Candidate[] {
  const slack = Math.max(0, (target.size[0] - object.size[0]) / 2);
  return [0, -0.5, 0.5, -1, 1].map((share) => {
    const [x, z] = localPoint(target, share * slack, target.size[2] / 2 + object.size[2] / 2 + gap);
    const score = random.between(0, JITTER) - Math.abs(share);
    return { x, y: 0, z, yaw: target.yaw + turn, supportedBy: null, score };
  });
}

/** Seats round a table, each facing it: along both long sides, then at the ends. */
export function aroundPoses(target: PlacedObject, object: ListedObject, gap: number, random: Random): Candidate[] {
  const [width, , depth] = target.size;
  const seats = (length: number) => Math.max(1, Math.floor(length / Math.max(0.6, object.size[0] + 0.1)));
  const poses: Candidate[] = [];
  const add = (right: number, front: number, turn: number, score: number) => {
    const [x, z] = localPoint(target, right, front);
    poses.push({ x, y: 0, z, yaw: target.yaw + turn, supportedBy: null, score: score + random.between(0, JITTER) });
  };
  const sides = (length: number, reach: number, score: number, turned: boolean) => {
    const count = seats(length);
    for (let seat = 0; seat < count; seat += 1) {
      const along = ((seat + 0.5) / count - 0.5) * length;
      // opposite seats first, in pairs from one end
      for (const side of [1, -1]) {
        const off = side * (reach / 2 + object.size[2] / 2 + gap);
        if (turned) add(off, along, side > 0 ? -Math.PI / 2 : Math.PI / 2, score - 0.3 * seat);
        else add(along, off, side > 0 ? Math.PI : 0, score - 0.3 * seat);
      }
    }
  };
  sides(width, depth, width >= depth ? 3 : 1, false);
  sides(depth, width, width >= depth ? 1 : 3, true);
  return poses;
}

/** At the far wall, facing an object (a screen before a seat). */
export function oppositePoses(
  plan: FloorPlan,
  target: PlacedObject,
  object: ListedObject,
  random: Random,
): Candidate[] {
  return wallPoses(plan, object, 'centre', random)
    .filter(({ yaw }) => Math.cos(yaw - target.yaw) < -0.9)
    .map((pose) => {
      const [sin, cos] = [Math.sin(target.yaw), Math.cos(target.yaw)];
      const aside = Math.abs((pose.x - target.x) * cos - (pose.z - target.z) * sin);
      const ahead = (pose.x - target.x) * sin + (pose.z - target.z) * cos;
      return { ...pose, score: pose.score - 3 * aside - (ahead < 0.8 ? 5 : 0) };
    });
}

/** Lying under an object, its middle shifted towards the front by `forward` of the object's depth. */
export function underPoses(target: PlacedObject, forward: number, random: Random): Candidate[] {
  return [1, 0.6, 1.4, 0.2, 1.8].flatMap((share) =>
    [0, -0.3, 0.3].map((aside) => {
      const [x, z] = localPoint(target, aside, forward * share * target.size[2] + 0.05 * (share - 1));
      const score = random.between(0, 0.02) - Math.abs(share - 1) - Math.abs(aside);
      return { x, y: 0, z, yaw: target.yaw, supportedBy: null, score };
    }),
  );
}

/** In the middle of the room, its long side along the room's. */
export function middlePoses(plan: FloorPlan, object: ListedObject, random: Random): Candidate[] {
  const { min, max } = plan.bounds;
  const [centreX, centreZ] = plan.centre;
  const long = max[0] - min[0] >= max[1] - min[1] === object.size[0] >= object.size[2];
  const poses: Candidate[] = [];
  for (let i = -6; i <= 6; i += 1)
    for (let j = -6; j <= 6; j += 1) {
      const [x, z] = [centreX + (i * (max[0] - min[0])) / 14, centreZ + (j * (max[1] - min[1])) / 14];
      const off = Math.hypot(x - centreX, z - centreZ);
      for (const yaw of [0, Math.PI / 2])
        poses.push({
          x,
          y: 0,
          z,
          yaw,
          supportedBy: null,
          score: random.between(0, JITTER) - off - (long === (yaw === 0) ? 0 : 0.4),
        });
    }
  return poses;
}

/** Anywhere on the floor, a quarter metre apart, better near a wall than in the way. */
export function freePoses(plan: FloorPlan, object: ListedObject, random: Random): Candidate[] {
  const { min, max } = plan.bounds;
  const [centreX, centreZ] = plan.centre;
  const poses: Candidate[] = [];
  for (let x = min[0] + 0.1; x <= max[0]; x += 0.2)
    for (let z = min[1] + 0.1; z <= max[1]; z += 0.2)
      for (const yaw of [0, Math.PI / 2, Math.PI, -Math.PI / 2])
        poses.push({
          x,
          y: 0,
          z,
          yaw,
          supportedBy: null,
          score: Math.hypot(x - centreX, z - centreZ) + random.between(0, JITTER),
        });
  return poses.filter(({ x, z }) => x + object.size[0] > min[0] && z + object.size[2] > min[1]);
}
