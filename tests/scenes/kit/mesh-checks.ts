import type { MeshPart } from '../../../src/scenes/draft.ts';

export function bounds(parts: readonly MeshPart[]): { low: number[]; high: number[] } {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const part of parts)
    part.positions.forEach((value, at) => {
      low[at % 3] = Math.min(low[at % 3] as number, value);
      high[at % 3] = Math.max(high[at % 3] as number, value);
    });
  return { low, high };
}

/** Indices of vertices whose normal is not of length 1, or of faces whose winding opposes their vertex normals. */
export function normalErrors(part: MeshPart): string[] {
  const errors: string[] = [];
  for (let at = 0; at < part.normals.length; at += 3) {
    const length = Math.hypot(
      part.normals[at] as number,
      part.normals[at + 1] as number,
      part.normals[at + 2] as number,
    );
    if (!(Math.abs(length - 1) < 1e-5)) errors.push(`vertex ${at / 3}: length ${length}`);
  }
  for (let face = 0; face < part.indices.length; face += 3) {
    const normal = faceNormal(part, face);
    const area = Math.hypot(...normal);
    if (area < 1e-10) continue;
    let agreement = 0;
    for (let corner = 0; corner < 3; corner += 1) {
      const vertex = part.indices[face + corner] as number;
      for (let axis = 0; axis < 3; axis += 1)
        agreement += ((part.normals[vertex * 3 + axis] as number) * (normal[axis] as number)) / area;
    }
    if (!(agreement > 0)) errors.push(`face ${face / 3}: faces away from its normals (${agreement})`);
  }
  return errors;
}

function point(part: MeshPart, vertex: number): [number, number, number] {
  return [0, 1, 2].map((axis) => part.positions[vertex * 3 + axis] as number) as [number, number, number];
}

function faceNormal(part: MeshPart, face: number): [number, number, number] {
  const [a, b, c] = [0, 1, 2].map((corner) => point(part, part.indices[face + corner] as number)) as [
    [number, number, number],
    [number, number, number],
    [number, number, number],
  ];
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [vx, vy, vz] = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** Which connected piece of the part each face belongs to (vertices joined by position). */
function components(part: MeshPart): number[] {
  const byPlace = new Map<string, number>();
  const parent: number[] = [];
  const find = (vertex: number): number => {
    let root = vertex;
    while (parent[root] !== root) root = parent[root] as number;
    parent[vertex] = root;
    return root;
  };
  const welded = Array.from({ length: part.positions.length / 3 }, (_, vertex) => {
    const key = point(part, vertex)
      .map((value) => value.toFixed(7))
      .join();
    const known = byPlace.get(key);
    if (known !== undefined) return known;
    byPlace.set(key, parent.length);
    parent.push(parent.length);
    return parent.length - 1;
  });
  for (let face = 0; face < part.indices.length; face += 3)
    for (let corner = 1; corner < 3; corner += 1)
      parent[find(welded[part.indices[face + corner] as number] as number)] = find(
        welded[part.indices[face] as number] as number,
      );
  return Array.from({ length: part.indices.length / 3 }, (_, face) =>
    find(welded[part.indices[face * 3] as number] as number),
  );
}

/** Signed volume of every connected piece of the part: positive when closed and wound outward. */
export function componentVolumes(part: MeshPart): number[] {
  const of = components(part);
  const volumes = new Map<number, number>();
  for (let face = 0; face < part.indices.length; face += 3) {
    const a = point(part, part.indices[face] as number);
    const normal = faceNormal(part, face);
    const share = (a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]) / 6;
    const key = of[face / 3] as number;
    volumes.set(key, (volumes.get(key) ?? 0) + share);
  }
  return [...volumes.values()];
}

interface Flat {
  readonly name: string;
  readonly piece: string;
  readonly axis: number;
  readonly side: number;
  readonly offset: number;
  readonly corners: [number, number][];
}

/**
 * Pairs of overlapping triangles in one axis-aligned plane (within 0.05 mm) that belong to different connected pieces:
 * they flicker in a rasteriser and go black in a path tracer. Planes at the floor are left out (nothing sees them).
 */
export function coincidentFaces(parts: readonly MeshPart[]): string[] {
  const planes = new Map<string, Flat[]>();
  parts.forEach((part) => {
    const of = components(part);
    for (let face = 0; face < part.indices.length; face += 3) {
      const normal = faceNormal(part, face);
      const area = Math.hypot(...normal);
      if (area < 1e-8) continue;
      const axis = normal.findIndex((value) => Math.abs(value) > 0.99999 * area);
      if (axis < 0) continue;
      const points = [0, 1, 2].map((corner) => point(part, part.indices[face + corner] as number));
      const offset = (points[0] as [number, number, number])[axis] as number;
      if (axis === 1 && Math.abs(offset) < 1e-4) continue;
      const corners = points.map((p) => [p[(axis + 1) % 3], p[(axis + 2) % 3]] as [number, number]);
      const flat: Flat = {
        name: part.name,
        piece: `${part.name}/${of[face / 3]}`,
        axis,
        side: Math.sign(normal[axis] as number),
        offset,
        corners,
      };
      const bucket = Math.round(offset / 1e-3);
      for (const near of [bucket - 1, bucket, bucket + 1]) {
        const key = `${axis} ${near}`;
        planes.set(key, [...(planes.get(key) ?? []), flat]);
      }
    }
  });
  const found = new Set<string>();
  for (const faces of planes.values())
    for (let i = 0; i < faces.length; i += 1)
      for (let j = i + 1; j < faces.length; j += 1) {
        const [a, b] = [faces[i] as Flat, faces[j] as Flat];
        if (a.piece === b.piece || Math.abs(a.offset - b.offset) > 5e-5) continue;
        if (overlap(a.corners, b.corners))
          found.add(
            `${'xyz'[a.axis]}=${a.offset.toFixed(4)}: ${a.name} and ${b.name} (${a.side === b.side ? 'same' : 'opposite'} side)`,
          );
      }
  return [...found].sort();
}

/** Whether two triangles overlap in the plane by more than a hair (separating axes with a tolerance). */
function overlap(a: [number, number][], b: [number, number][]): boolean {
  for (const triangle of [a, b])
    for (let at = 0; at < 3; at += 1) {
      const [p, q] = [triangle[at] as [number, number], triangle[(at + 1) % 3] as [number, number]];
      const length = Math.hypot(q[0] - p[0], q[1] - p[1]);
      if (length < 1e-9) continue;
      const axis = [(q[1] - p[1]) / length, (p[0] - q[0]) / length] as const;
      const range = (points: [number, number][]) => {
        const values = points.map((point) => point[0] * axis[0] + point[1] * axis[1]);
        return [Math.min(...values), Math.max(...values)] as const;
      };
      const [first, second] = [range(a), range(b)];
      if (Math.min(first[1], second[1]) - Math.max(first[0], second[0]) < 1e-4) return false;
    }
  return true;
}
