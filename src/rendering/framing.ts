import type { View } from '../core/protocol.ts';
import type { Wall } from '../core/scene.ts';

export type Vector = readonly [number, number, number];

/** Axis-aligned box, metres. */
export interface Box {
  readonly min: Vector;
  readonly max: Vector;
}

/** Right, up and back of a camera (it looks along -back); orthonormal. */
export interface Basis {
  readonly right: Vector;
  readonly up: Vector;
  readonly back: Vector;
}

/** A pinhole camera, ready to draw: square image, no lens shift. */
export interface Camera extends Basis {
  readonly eye: Vector;
  /** Half the image side over the distance: 18 mm / focal length. Vertical field of view = 2 atan(tangent). */
  readonly tangent: number;
  readonly near: number;
  readonly far: number;
}

/** Half the width of the 36 mm sensor. */
const HALF_SENSOR = 18;

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Exact at right angles, where the wall rule decides by sign. */
function sineCosine(degrees: number): [number, number] {
  const turned = ((degrees % 360) + 360) % 360;
  if (turned % 90 === 0) {
    const quarter = turned / 90;
    return [[0, 1, 0, -1][quarter]!, [1, 0, -1, 0][quarter]!];
  }
  return [Math.sin((turned * Math.PI) / 180), Math.cos((turned * Math.PI) / 180)];
}

/** Camera axes of a pitch and a yaw, degrees; straight down (pitch 90) the image's up still comes from yaw. */
export function cameraBasis(pitch: number, yaw: number): Basis {
  const [sinPitch, cosPitch] = sineCosine(pitch);
  const [sinYaw, cosYaw] = sineCosine(yaw);
  return {
    right: [cosYaw, 0, -sinYaw],
    up: [-sinYaw * sinPitch, cosPitch, -cosYaw * sinPitch],
    back: [sinYaw * cosPitch, sinPitch, cosYaw * cosPitch],
  };
}

/** The eight corners of a box. */
export function corners(box: Box): Vector[] {
  const found: Vector[] = [];
  for (const x of [box.min[0], box.max[0]])
    for (const y of [box.min[1], box.max[1]]) for (const z of [box.min[2], box.max[2]]) found.push([x, y, z]);
  return found;
}

/**
 * Exact tight fit, no iteration. With t = (18 / focal)(1 - margin) and corner coordinates x, y, z along right, up, back:
 * a = max(x + t z), b = max(-x + t z), c and d the same for y; distance D = max(a + b, c + d) / 2t. The box then touches
 * the frame, shrunk by the margin, on two opposite sides; the camera is shifted so that it is centred both ways.
 * Near and far follow the box (fixed planes would clip at 16 mm and waste depth at 200 mm).
 *
 * @param margin share of the half-frame kept free, 0 to below 1.
 */
export function frameBox(box: Box, view: Pick<View, 'focal' | 'pitch' | 'yaw'>, margin: number): Camera {
  const basis = cameraBasis(view.pitch, view.yaw);
  const tangent = HALF_SENSOR / view.focal;
  const t = tangent * (1 - margin);
  const points = corners(box).map((corner) => ({
    x: dot(corner, basis.right),
    y: dot(corner, basis.up),
    z: dot(corner, basis.back),
  }));
  const most = (measure: (point: { x: number; y: number; z: number }) => number) => Math.max(...points.map(measure));
  const wide = most(({ x, z }) => x + t * z) + most(({ x, z }) => -x + t * z);
  const high = most(({ y, z }) => y + t * z) + most(({ y, z }) => -y + t * z);
  const distance = Math.max(wide, high) / (2 * t);
  const right = centred(points.map(({ x, z }) => [x, distance - z]));
  const up = centred(points.map(({ y, z }) => [y, distance - z]));
  const eye = [0, 1, 2].map(
    (i) => basis.right[i]! * right + basis.up[i]! * up + basis.back[i]! * distance,
  ) as unknown as Vector;
  const extent = Math.hypot(box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]);
  const nearest = distance - most(({ z }) => z);
  const farthest = distance + most(({ z }) => -z);
  const slack = 0.001 * Math.max(extent, 1e-3);
  return { ...basis, eye, tangent, near: Math.max(0.9 * nearest, slack), far: 1.1 * farthest + slack };
}

/**
 * Shift s that makes max (v - s)/w and max (s - v)/w equal over points of offset v and depth w: the pair with the largest
 * (v1 - v2)/(w1 + w2) decides.
 */
function centred(points: readonly (readonly [number, number])[]): number {
  let widest = -Infinity;
  let shift = 0;
  for (const [v1, w1] of points)
    for (const [v2, w2] of points) {
      const half = (v1 - v2) / (w1 + w2);
      if (half > widest) {
        widest = half;
        shift = v1 - half * w1;
      }
    }
  return shift;
}

/** Where a point lands in the image: x right, y up, each -1..1 inside the frame; depth along the view, metres. */
export function project(camera: Camera, point: Vector): { x: number; y: number; depth: number } {
  const from: Vector = [point[0] - camera.eye[0], point[1] - camera.eye[1], point[2] - camera.eye[2]];
  const depth = -dot(from, camera.back);
  return {
    x: dot(from, camera.right) / (depth * camera.tangent),
    y: dot(from, camera.up) / (depth * camera.tangent),
    depth,
  };
}

/**
 * Dollhouse rule: a wall whose outward normal . direction-to-camera (back) exceeds `above` is hidden. Straight down no
 * wall qualifies, so all show.
 */
export function hidesWall(wall: Pick<Wall, 'normal'>, view: Pick<View, 'pitch' | 'yaw'>, above: number): boolean {
  const { back } = cameraBasis(view.pitch, view.yaw);
  return wall.normal[0] * back[0] + wall.normal[1] * back[2] > above;
}
