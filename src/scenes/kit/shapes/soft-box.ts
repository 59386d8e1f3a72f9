import type { Span } from './box.ts';
import { type Shape, scaled } from './shape.ts';

/**
 * A box rounded by quarter-sphere corners: mattresses, upholstery, appliances. `steps` divides each quarter turn
 * (1: 108 triangles, 2: 300).
 */
export function softBox(x: Span, y: Span, z: Span, radius: number, steps = 1): Shape {
  const spans = [x, y, z];
  const half = spans.map(([low, high]) => (high - low) / 2);
  const centre = spans.map(([low, high]) => (high + low) / 2);
  const r = Math.min(radius, ...half.map((value) => value * 0.98));
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  const count = 2 * steps + 2;
  const tangent = (step: number) =>
    Math.tan(((step <= steps ? step / steps - 1 : (step - steps - 1) / steps) * Math.PI) / 4);
  for (let axis = 0; axis < 3; axis += 1)
    for (const side of [-1, 1]) {
      const a = (axis + 1) % 3;
      const b = (axis + 2) % 3;
      const base = positions.length / 3;
      for (let i = 0; i < count; i += 1)
        for (let j = 0; j < count; j += 1) {
          const direction = [0, 0, 0];
          direction[axis] = side;
          direction[a] = tangent(i);
          direction[b] = tangent(j);
          const length = Math.hypot(...direction);
          const sign = [0, 0, 0];
          sign[axis] = side;
          sign[a] = i <= steps ? -1 : 1;
          sign[b] = j <= steps ? -1 : 1;
          for (let along = 0; along < 3; along += 1) {
            const unit = (direction[along] as number) / length;
            const core = (sign[along] as number) * ((half[along] as number) - r);
            positions.push((centre[along] as number) + core + r * unit);
            normals.push(unit);
          }
        }
      for (let i = 0; i + 1 < count; i += 1)
        for (let j = 0; j + 1 < count; j += 1) {
          const p = base + i * count + j;
          if (side > 0) indices.push(p, p + count, p + count + 1, p, p + count + 1, p + 1);
          else indices.push(p, p + count + 1, p + count, p, p + 1, p + count + 1);
        }
    }
  return { positions, normals, indices };
}

/** An ellipsoid in its bounding box (`segments` round, half as many from pole to pole). */
export function ellipsoid(x: Span, y: Span, z: Span, segments = 12): Shape {
  const rings = Math.max(3, Math.round(segments / 2));
  const positions: number[] = [];
  const indices: number[] = [];
  for (let ring = 0; ring <= rings; ring += 1)
    for (let step = 0; step <= segments; step += 1) {
      const polar = (Math.PI * ring) / rings;
      const turn = (2 * Math.PI * step) / segments;
      // exact poles: sin(pi) is not 0
      const radius = ring === 0 || ring === rings ? 0 : Math.sin(polar);
      positions.push(radius * Math.sin(turn), -Math.cos(polar), radius * Math.cos(turn));
    }
  for (let ring = 0; ring < rings; ring += 1)
    for (let step = 0; step < segments; step += 1) {
      const p = ring * (segments + 1) + step;
      const q = p + segments + 1;
      if (ring > 0) indices.push(p, p + 1, q + 1);
      if (ring + 1 < rings) indices.push(p, q + 1, q);
    }
  const unit: Shape = { positions, normals: [...positions], indices };
  const [halfX, halfY, halfZ] = [x, y, z].map(([low, high]) => (high - low) / 2) as [number, number, number];
  const fitted = scaled(unit, halfX, halfY, halfZ);
  const centre = [x, y, z].map(([low, high]) => (low + high) / 2);
  return { ...fitted, positions: fitted.positions.map((value, at) => value + (centre[at % 3] as number)) };
}
