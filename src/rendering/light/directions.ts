import type { Vector } from '../framing.ts';

/** `count` directions spread evenly over the whole sphere (Fibonacci spiral about +Y), top first. */
export function sphereDirections(count: number): Vector[] {
  const golden = Math.PI * (3 - Math.sqrt(5));
  return Array.from({ length: count }, (_, index): Vector => {
    const y = 1 - (2 * index + 1) / count;
    const radius = Math.sqrt(Math.max(0, 1 - y * y));
    return [radius * Math.cos(index * golden), y, radius * Math.sin(index * golden)];
  });
}

/** Direction of an equirect pixel centre; v = 0 is straight down, azimuth as three.js maps it. */
export function equirectDirection(column: number, row: number, width: number, height: number): Vector {
  const azimuth = ((column + 0.5) / width - 0.5) * 2 * Math.PI;
  const elevation = ((row + 0.5) / height - 0.5) * Math.PI;
  return [Math.cos(elevation) * Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation) * Math.sin(azimuth)];
}

/** Octahedral square, u and v 0..1, to a unit vector; +Y in the middle. Continuous across its edges by mirroring. */
export function octahedralDirection(u: number, v: number): Vector {
  let x = 2 * u - 1;
  let z = 2 * v - 1;
  const y = 1 - Math.abs(x) - Math.abs(z);
  if (y < 0) {
    const folded = (1 - Math.abs(z)) * (x < 0 ? -1 : 1);
    z = (1 - Math.abs(x)) * (z < 0 ? -1 : 1);
    x = folded;
  }
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
