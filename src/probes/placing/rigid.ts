import type { Point, SceneObject } from '../../core/scene.ts';
import { cornersOf } from '../../scenes/layout-checks.ts';
import type { Footprint } from '../../scenes/policies/footprint.ts';

/** A move on the floor plan: a turn about the vertical through `pivot`, after which the pivot stands at `to`. Heights stay. */
export interface FloorMove {
  readonly pivot: Point;
  readonly to: Point;
  /** Radians about +Y. */
  readonly turn: number;
}

/** How far from upright an object may be and still have the yaw of its front (entry of its rotation), 1 - cos. */
const UPRIGHT = 1e-3;

/**
 * The upright box round an object as it stands: along its own sides when it stands upright, along the axes when it is
 * tipped over.
 */
export function standingBox(object: Pick<SceneObject, 'transform' | 'size'>): Footprint {
  const m = object.transform as number[];
  const corners = cornersOf(object);
  const heights = corners.map(([, y]) => y);
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  if ((m[5] as number) >= 1 - UPRIGHT) {
    const yaw = Math.atan2(m[8] as number, m[10] as number);
    return { x: m[12] as number, z: m[14] as number, yaw, width: object.size[0], depth: object.size[2], low, high };
  }
  const [xs, zs] = [corners.map(([x]) => x), corners.map(([, , z]) => z)];
  const [left, right, back, front] = [Math.min(...xs), Math.max(...xs), Math.min(...zs), Math.max(...zs)];
  return { x: (left + right) / 2, z: (back + front) / 2, yaw: 0, width: right - left, depth: front - back, low, high };
}

/** A point of the floor plan after a move. */
export function movePoint([x, z]: Point, { pivot, to, turn }: FloorMove): Point {
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  const [dx, dz] = [x - pivot[0], z - pivot[1]];
  return [to[0] + dx * cos + dz * sin, to[1] - dx * sin + dz * cos];
}

/** A standing box after a move. */
export function moveBox(box: Footprint, move: FloorMove): Footprint {
  const [x, z] = movePoint([box.x, box.z], move);
  return { ...box, x, z, yaw: box.yaw + move.turn };
}

/** A rigid transform after a move, and after falling by `drop` metres. Without either, heights are kept to the last bit. */
export function moveTransform(transform: readonly number[], move: FloorMove, drop = 0): number[] {
  const [sin, cos] = [Math.sin(move.turn), Math.cos(move.turn)];
  const moved = [...transform];
  for (const column of [0, 4, 8]) {
    const [x, z] = [transform[column] as number, transform[column + 2] as number];
    moved[column] = x * cos + z * sin;
    moved[column + 2] = z * cos - x * sin;
  }
  const [x, z] = movePoint([transform[12] as number, transform[14] as number], move);
  moved[12] = x;
  moved[14] = z;
  if (drop !== 0) moved[13] = (transform[13] as number) - drop;
  return moved.map((value) => value + 0);
}
