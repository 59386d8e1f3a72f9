import { normalised, type Shape, type Vector } from './shape.ts';

/**
 * A round tube along a path, closed by flat ends: rods, taps, stems, splayed legs. `radii` gives the radius at each path
 * point (the last is repeated).
 */
export function tube(path: readonly Vector[], radii: readonly number[], segments = 8): Shape {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  const frames = framesAlong(path);
  path.forEach((point, at) => {
    const radius = radii[Math.min(at, radii.length - 1)] as number;
    const { right, up } = frames[at] as Frame;
    for (let step = 0; step < segments; step += 1) {
      const turn = (2 * Math.PI * step) / segments;
      for (let axis = 0; axis < 3; axis += 1) {
        const out = Math.cos(turn) * (right[axis] as number) + Math.sin(turn) * (up[axis] as number);
        positions.push((point[axis] as number) + radius * out);
        normals.push(out);
      }
    }
  });
  for (let ring = 0; ring + 1 < path.length; ring += 1)
    for (let step = 0; step < segments; step += 1) {
      const p = ring * segments + step;
      const q = ring * segments + ((step + 1) % segments);
      indices.push(p, q, q + segments, p, q + segments, p + segments);
    }
  cap(0, -1);
  cap(path.length - 1, 1);
  return { positions, normals: normalised(normals), indices };

  function cap(ring: number, side: 1 | -1): void {
    const base = positions.length / 3;
    const { along } = frames[ring] as Frame;
    for (let step = 0; step < segments; step += 1)
      for (let axis = 0; axis < 3; axis += 1) {
        positions.push(positions[(ring * segments + step) * 3 + axis] as number);
        normals.push(side * (along[axis] as number));
      }
    for (let step = 1; step + 1 < segments; step += 1)
      if (side > 0) indices.push(base, base + step, base + step + 1);
      else indices.push(base, base + step + 1, base + step);
  }
}

interface Frame {
  readonly along: number[];
  readonly right: number[];
  readonly up: number[];
}

/** Frames carried along the path without twisting: right x up = along. */
function framesAlong(path: readonly Vector[]): Frame[] {
  const frames: Frame[] = [];
  path.forEach((point, at) => {
    const before = path[Math.max(0, at - 1)] as Vector;
    const after = path[Math.min(path.length - 1, at + 1)] as Vector;
    const along = unit([after[0] - before[0], after[1] - before[1], after[2] - before[2]]);
    const seed = frames.at(-1)?.right ?? (Math.abs(along[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0]);
    const dot = seed.reduce((sum, value, axis) => sum + value * (along[axis] as number), 0);
    const right = unit(seed.map((value, axis) => value - dot * (along[axis] as number)) as unknown as Vector);
    const up = [
      along[1] * right[2] - along[2] * right[1],
      along[2] * right[0] - along[0] * right[2],
      along[0] * right[1] - along[1] * right[0],
    ];
    frames.push({ along: [...along], right: [...right], up });
    void point;
  });
  return frames;
}

function unit(vector: Vector): Vector {
  const length = Math.hypot(...vector);
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}
