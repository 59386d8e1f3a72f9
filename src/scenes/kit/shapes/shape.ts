/** Triangles with one unit normal a vertex, counter-clockwise seen from outside; metres, double precision until a part is made. */
export interface Shape {
  readonly positions: number[];
  readonly normals: number[];
  readonly indices: number[];
}

/** [x, y, z], metres. */
export type Vector = readonly [number, number, number];

/** One shape of several; each stays closed if it was. */
export function merge(shapes: readonly Shape[]): Shape {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  for (const shape of shapes) {
    const base = positions.length / 3;
    for (const value of shape.positions) positions.push(value);
    for (const value of shape.normals) normals.push(value);
    for (const index of shape.indices) indices.push(base + index);
  }
  return { positions, normals, indices };
}

/** The shape shifted by (x, y, z). */
export function moved(shape: Shape, x: number, y: number, z: number): Shape {
  const shift = [x, y, z];
  return { ...shape, positions: shape.positions.map((value, at) => value + (shift[at % 3] as number)) };
}

/** The shape stretched along each axis; a negative factor mirrors it and the winding is turned to stay outward. */
export function scaled(shape: Shape, x: number, y: number, z: number): Shape {
  const factors = [x, y, z];
  const positions = shape.positions.map((value, at) => value * (factors[at % 3] as number));
  const normals = normalised(shape.normals.map((value, at) => value / (factors[at % 3] as number)));
  if (x * y * z > 0) return { positions, normals, indices: shape.indices };
  const indices: number[] = [];
  for (let at = 0; at < shape.indices.length; at += 3)
    indices.push(shape.indices[at] as number, shape.indices[at + 2] as number, shape.indices[at + 1] as number);
  return { positions, normals, indices };
}

/** The shape turned about an axis through the origin, radians, right-handed. */
export function turned(shape: Shape, axis: 'x' | 'y' | 'z', radians: number): Shape {
  const cos = Math.cos(radians);
  const sin = Math.sin(radians);
  const first = { x: 1, y: 2, z: 0 }[axis];
  const second = { x: 2, y: 0, z: 1 }[axis];
  const turn = (values: number[]) => {
    const out = [...values];
    for (let at = 0; at < values.length; at += 3) {
      const a = values[at + first] as number;
      const b = values[at + second] as number;
      out[at + first] = a * cos - b * sin;
      out[at + second] = a * sin + b * cos;
    }
    return out;
  };
  return { positions: turn(shape.positions), normals: turn(shape.normals), indices: shape.indices };
}

/** Each vector of three scaled to length 1 (a zero vector becomes +Y). */
export function normalised(values: number[]): number[] {
  const out = new Array<number>(values.length);
  for (let at = 0; at < values.length; at += 3) {
    const x = values[at] as number;
    const y = values[at + 1] as number;
    const z = values[at + 2] as number;
    const length = Math.hypot(x, y, z);
    out[at] = length > 0 ? x / length : 0;
    out[at + 1] = length > 0 ? y / length : 1;
    out[at + 2] = length > 0 ? z / length : 0;
  }
  return out;
}

/** Area-weighted smooth normals over shared vertices. */
export function smooth(positions: number[], indices: number[]): Shape {
  const sums = new Array<number>(positions.length).fill(0);
  const at = (index: number, axis: number) => positions[index * 3 + axis] as number;
  for (let face = 0; face < indices.length; face += 3) {
    const [a, b, c] = [indices[face] as number, indices[face + 1] as number, indices[face + 2] as number];
    const [ux, uy, uz] = [at(b, 0) - at(a, 0), at(b, 1) - at(a, 1), at(b, 2) - at(a, 2)];
    const [vx, vy, vz] = [at(c, 0) - at(a, 0), at(c, 1) - at(a, 1), at(c, 2) - at(a, 2)];
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const index of [a, b, c])
      for (let axis = 0; axis < 3; axis += 1)
        sums[index * 3 + axis] = (sums[index * 3 + axis] as number) + (normal[axis] as number);
  }
  return { positions, normals: normalised(sums), indices };
}
