import type { Box, Vector } from '../framing.ts';
import type { Occluder } from './voxel-grid.ts';

/** What closes one side of a room's box: a wall, or the floor. */
export interface RoomSide {
  /** Wall node, '' for the floor. */
  readonly owner: string;
  /** Mean linear albedo. */
  readonly albedo: Vector;
}

/** A room as mirrors see it: a box whose sides are walls and a floor. */
export interface RoomBox {
  /** Inner faces, metres. */
  readonly box: Box;
  /** In the order +x, -x, +y, -y, +z, -z; null where nothing stands. */
  readonly sides: readonly (RoomSide | null)[];
}

/** Walls this near the edge of the scene's box close that side, metres. */
const NEAR = 0.05;
/** A floor lies this near y = 0, metres. */
const LEVEL = 0.02;

/**
 * The walls and the floor that close the sides of a scene's box, with their inner faces. Walls inside the box (of an L, of a second
 * room) close none. What a reflected ray meets last is thereby known without tracing it; furniture on its way is not.
 */
export function roomSides(box: Box, occluders: ReadonlyMap<string, readonly Occluder[]>): RoomBox {
  const sides: (RoomSide | null)[] = [null, null, null, null, null, null];
  const [min, max] = [[...box.min] as [number, number, number], [...box.max] as [number, number, number]];
  const largest = [0, 0, 0, 0, 0, 0];
  for (const [owner, pieces] of occluders) {
    if (owner === '') continue;
    const { low, high, albedo } = measure(pieces);
    const thin = high[0]! - low[0]! < high[2]! - low[2]! ? 0 : 2;
    const area = (high[1]! - low[1]!) * (high[2 - thin]! - low[2 - thin]!);
    for (const positive of [true, false]) {
      const side = 2 * thin + (positive ? 0 : 1);
      const gap = positive ? box.max[thin]! - high[thin]! : low[thin]! - box.min[thin]!;
      if (gap > NEAR || area <= largest[side]!) continue;
      largest[side] = area;
      sides[side] = { owner, albedo };
      if (positive) max[thin] = low[thin]!;
      else min[thin] = high[thin]!;
    }
  }
  const floor = floorAlbedo(occluders.get('') ?? []);
  if (floor !== null) {
    sides[3] = { owner: '', albedo: floor };
    min[1] = 0;
  }
  return { box: { min, max }, sides };
}

function measure(pieces: readonly Occluder[]): { low: number[]; high: number[]; albedo: Vector } {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  const sum: [number, number, number] = [0, 0, 0];
  let triangles = 0;
  for (const { positions, albedo, opacity } of pieces) {
    for (let index = 0; index < positions.length; index += 1) {
      const axis = index % 3;
      low[axis] = Math.min(low[axis]!, positions[index]!);
      high[axis] = Math.max(high[axis]!, positions[index]!);
    }
    for (let index = 0; index < albedo.length; index += 1) sum[index % 3]! += albedo[index]!;
    triangles += opacity.length;
  }
  const share = 1 / Math.max(triangles, 1);
  return { low, high, albedo: [sum[0] * share, sum[1] * share, sum[2] * share] };
}

/** Mean albedo, by area, of triangles that lie on the ground; null when there are none. */
function floorAlbedo(pieces: readonly Occluder[]): Vector | null {
  const sum: [number, number, number] = [0, 0, 0];
  let total = 0;
  for (const { positions, albedo, opacity } of pieces)
    for (let triangle = 0; triangle < opacity.length; triangle += 1) {
      const p = 9 * triangle;
      const level = Math.max(Math.abs(positions[p + 1]!), Math.abs(positions[p + 4]!), Math.abs(positions[p + 7]!));
      if (level > LEVEL) continue;
      const area = Math.abs(
        (positions[p + 3]! - positions[p]!) * (positions[p + 8]! - positions[p + 2]!) -
          (positions[p + 6]! - positions[p]!) * (positions[p + 5]! - positions[p + 2]!),
      );
      for (let channel = 0; channel < 3; channel += 1) sum[channel]! += area * albedo[3 * triangle + channel]!;
      total += area;
    }
  return total > 0 ? [sum[0] / total, sum[1] / total, sum[2] / total] : null;
}
