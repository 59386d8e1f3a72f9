import type { Random } from '../../core/random.ts';
import { type Candidate, wallPoses } from './candidates.ts';
import { alongWall, type FloorPlan } from './floor-plan.ts';
import { localPoint } from './footprint.ts';
import type { ListedObject, PlacedObject } from './policy.ts';

/** Where on a surface something goes: at the back, at the front edge, at an end, in the middle. */
export type SurfaceSpot = 'back' | 'front' | 'end' | 'middle';

/** Height of what one can put things on: the seat of sofas and chairs, the mattress of beds, the top of everything else. */
export function surfaceHeight(target: PlacedObject): number {
  const height = target.size[1];
  switch (target.entry?.family) {
    case 'sofa':
      return target.entry.category === 'ottoman' ? height : Math.min(0.44, 0.56 * height);
    case 'bed':
      return Math.min(0.52, 0.62 * height) + 0.03;
    case 'kitchen':
      return target.entry.category === 'counter' ? height - Math.min(0.24, 0.26 * height) : height;
    default:
      if (target.entry?.category === 'dressing-table') return Math.min(0.75, 0.56 * height);
      return height;
  }
}

/** Standing on an object, inside its outline, facing as it does. */
export function onPoses(target: PlacedObject, object: ListedObject, spot: SurfaceSpot, random: Random): Candidate[] {
  const slackX = target.size[0] / 2 - object.size[0] / 2 - 0.01;
  const slackZ = target.size[2] / 2 - object.size[2] / 2 - 0.01;
  if (slackX < 0 || slackZ < 0) return [];
  const poses: Candidate[] = [];
  for (const right of [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1])
    for (const front of [-1, -0.5, 0, 0.5, 1]) {
      const [x, z] = localPoint(target, right * slackX, front * slackZ);
      const wish = {
        back: -Math.abs(right) - 1.5 * (front + 1),
        front: -Math.abs(right) - 1.5 * Math.abs(front - 0.5),
        end: Math.abs(right) - 0.5 * Math.abs(front + 0.5),
        middle: -Math.abs(right) - Math.abs(front),
      }[spot];
      const score = wish + random.between(0, 0.3);
      poses.push({ x, y: surfaceHeight(target), z, yaw: target.yaw, supportedBy: target.id, score });
    }
  return poses;
}

/** Hanging on a wall with the middle at `eye` metres; above `targets` when there are any. */
export function hangingPoses(
  plan: FloorPlan,
  object: ListedObject,
  targets: readonly PlacedObject[],
  eye: number,
  random: Random,
): Candidate[] {
  const height = object.size[1];
  const ceiling = plan.room.wallHeight - 0.1 - height;
  return wallPoses(plan, object, 'centre', random, Math.max(0.05, Math.min(eye - height / 2, ceiling))).flatMap(
    (pose) => {
      const free = { ...pose, score: pose.score - 4 };
      const above = targets
        .filter(({ yaw }) => Math.cos(yaw - pose.yaw) > 0.99)
        .map((target) => {
          const aside = Math.hypot(target.x - pose.x, target.z - pose.z);
          const y = Math.min(Math.max(pose.y, target.y + target.size[1] + 0.15), ceiling);
          return { ...pose, y, score: pose.score - 2 * aside };
        });
      return [free, ...above];
    },
  );
}

/** Before a window, from a hand above it down. */
export function windowPoses(plan: FloorPlan, object: ListedObject, random: Random): Candidate[] {
  return plan.room.walls.flatMap((wall) => {
    const { along, yaw } = alongWall(wall);
    return wall.openings
      .filter(({ type }) => type === 'window')
      .map(({ from, to, top }) => {
        const at = (from + to) / 2;
        const y = Math.max(0.01, Math.min(top + 0.15, plan.room.wallHeight) - object.size[1]);
        const off = object.size[2] / 2 + 0.02;
        return {
          x: wall.start[0] + along[0] * at - wall.normal[0] * off,
          y,
          z: wall.start[1] + along[1] * at - wall.normal[1] * off,
          yaw,
          supportedBy: null,
          score: random.next(),
        };
      });
  });
}

/** Hanging from the ceiling over an object, or over the middle of the room. */
export function ceilingPoses(
  plan: FloorPlan,
  object: ListedObject,
  target: PlacedObject | null,
  random: Random,
): Candidate[] {
  const [x0, z0] = target === null ? plan.centre : [target.x, target.z];
  const y = Math.max(0, plan.room.wallHeight - object.size[1]);
  const poses: Candidate[] = [];
  for (const dx of [0, -0.4, 0.4, -0.8, 0.8])
    for (const dz of [0, -0.4, 0.4, -0.8, 0.8])
      poses.push({
        x: x0 + dx,
        y,
        z: z0 + dz,
        yaw: 0,
        supportedBy: null,
        score: random.between(0, 0.02) - Math.hypot(dx, dz),
      });
  return poses;
}
