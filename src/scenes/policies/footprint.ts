import type { Point } from '../../core/scene.ts';

/** An upright box seen from above: a turned rectangle with a height interval, metres. */
export interface Footprint {
  readonly x: number;
  readonly z: number;
  /** Radians about +Y; the front points to (sin yaw, cos yaw). */
  readonly yaw: number;
  readonly width: number;
  readonly depth: number;
  readonly low: number;
  readonly high: number;
}

/** The footprint of a size at a pose. */
export function footprintOf(
  size: readonly [number, number, number],
  pose: { readonly x: number; readonly y: number; readonly z: number; readonly yaw: number },
): Footprint {
  const { x, y, z, yaw } = pose;
  return { x, z, yaw, width: size[0], depth: size[2], low: y, high: y + size[1] };
}

/** The point at (right, front) metres from the middle along the footprint's own axes. */
export function localPoint(at: Pick<Footprint, 'x' | 'z' | 'yaw'>, right: number, front: number): Point {
  const [sin, cos] = [Math.sin(at.yaw), Math.cos(at.yaw)];
  return [at.x + right * cos + front * sin, at.z - right * sin + front * cos];
}

/** The four corners, in order round the rectangle. */
export function cornersOf(footprint: Footprint): Point[] {
  const [w, d] = [footprint.width / 2, footprint.depth / 2];
  return [
    localPoint(footprint, -w, -d),
    localPoint(footprint, w, -d),
    localPoint(footprint, w, d),
    localPoint(footprint, -w, d),
  ];
}

/**
 * How deep two boxes sink into each other, metres: the smallest overlap along the separating axes (both rectangles' sides
 * and the vertical); 0 or less when they are apart.
 */
export function overlapDepth(a: Footprint, b: Footprint): number {
  let smallest = Math.min(a.high, b.high) - Math.max(a.low, b.low);
  if (smallest <= 0) return smallest;
  // most pairs are far apart: their circles do not even touch
  const apart = Math.hypot(a.x - b.x, a.z - b.z) - (Math.hypot(a.width, a.depth) + Math.hypot(b.width, b.depth)) / 2;
  if (apart >= 0) return -apart;
  const [first, second] = [cornersOf(a), cornersOf(b)];
  for (const yaw of [a.yaw, b.yaw])
    for (const [x, z] of [
      [Math.sin(yaw), Math.cos(yaw)],
      [Math.cos(yaw), -Math.sin(yaw)],
    ] as const) {
      const along = ([px, pz]: Point) => px * x + pz * z;
      const [p, q] = [first.map(along), second.map(along)];
      smallest = Math.min(
        smallest,
        Math.min(Math.max(...p), Math.max(...q)) - Math.max(Math.min(...p), Math.min(...q)),
      );
      if (smallest <= 0) return smallest;
    }
  return smallest;
}
