import { AuditError } from '../core/errors.ts';

/** World-space triangles of one root node of a frozen scene's GLB. */
export interface NodeGeometry {
  /** `object:<id>`, `floor:<room>` or `wall:<room>:<wall>`. */
  readonly node: string;
  /** 3 numbers a vertex, metres, scene space. */
  readonly positions: Float32Array;
  /** 3 numbers a triangle. */
  readonly indices: Uint32Array;
}

/** An axis-parallel box, metres. */
export interface Box {
  readonly min: readonly [number, number, number];
  readonly max: readonly [number, number, number];
}

interface GltfJson {
  readonly scene?: number;
  readonly scenes?: readonly { readonly nodes?: readonly number[] }[];
  readonly nodes?: readonly {
    readonly name?: string;
    readonly children?: readonly number[];
    readonly mesh?: number;
    readonly matrix?: readonly number[];
    readonly translation?: readonly number[];
    readonly rotation?: readonly number[];
    readonly scale?: readonly number[];
  }[];
  readonly meshes?: readonly {
    readonly primitives: readonly { readonly attributes: Record<string, number>; readonly indices?: number }[];
  }[];
  readonly accessors?: readonly {
    readonly bufferView?: number;
    readonly byteOffset?: number;
    readonly componentType: number;
    readonly count: number;
    readonly type: string;
  }[];
  readonly bufferViews?: readonly {
    readonly byteOffset?: number;
    readonly byteLength: number;
    readonly byteStride?: number;
  }[];
}

/**
 * Triangles of a frozen scene's GLB by root node, in scene space. Only for GLBs written by `buildGlb` (plain 32-bit
 * floats, one buffer): anything packed is refused.
 *
 * @throws AuditError when the GLB is not one of ours
 */
export function readGeometry(glb: Uint8Array): NodeGeometry[] {
  const { json, binary } = chunks(glb);
  const scene = json.scenes?.[json.scene ?? 0];
  return (scene?.nodes ?? []).map((root) => {
    const positions: number[][] = [];
    const indices: number[][] = [];
    let vertices = 0;
    const visit = (index: number, parent: readonly number[], depth: number): void => {
      const node = json.nodes?.[index];
      if (node === undefined || depth > 200) throw damaged('node');
      const matrix = multiply(parent, localMatrix(node));
      for (const primitive of node.mesh === undefined ? [] : (json.meshes?.[node.mesh]?.primitives ?? [])) {
        const local = readAccessor(json, binary, primitive.attributes['POSITION'] as number);
        const world = new Array<number>(local.length);
        for (let at = 0; at < local.length; at += 3) {
          const [x, y, z] = transformPoint(
            matrix,
            local[at] as number,
            local[at + 1] as number,
            local[at + 2] as number,
          );
          world[at] = x;
          world[at + 1] = y;
          world[at + 2] = z;
        }
        const first = vertices;
        const own =
          primitive.indices === undefined
            ? Array.from({ length: local.length / 3 }, (_, vertex) => vertex)
            : readAccessor(json, binary, primitive.indices);
        positions.push(world);
        indices.push(Array.from(own, (vertex) => vertex + first));
        vertices += local.length / 3;
      }
      for (const child of node.children ?? []) visit(child, matrix, depth + 1);
    };
    visit(root, IDENTITY, 0);
    return {
      node: json.nodes?.[root]?.name ?? '',
      positions: Float32Array.from(positions.flat()),
      indices: Uint32Array.from(indices.flat()),
    };
  });
}

/** Box round positions (3 numbers a vertex), or null when there are none. */
export function boxOfPositions(positions: Float32Array): Box | null {
  if (positions.length < 3) return null;
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at += 1) {
    const axis = at % 3;
    const value = positions[at] as number;
    if (value < (min[axis] as number)) min[axis] = value;
    if (value > (max[axis] as number)) max[axis] = value;
  }
  return { min, max };
}

/** Smallest box round several, or null for none. */
export function unionOfBoxes(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null;
  const pick = (f: (...values: number[]) => number, side: 'min' | 'max'): [number, number, number] => {
    const at = (axis: 0 | 1 | 2): number =>
      boxes.reduce((held, box) => f(held, box[side][axis]), side === 'min' ? Infinity : -Infinity);
    return [at(0), at(1), at(2)];
  };
  return { min: pick(Math.min, 'min'), max: pick(Math.max, 'max') };
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

function damaged(what: string): AuditError {
  return new AuditError(`scene.glb: invalid ${what}; expected a GLB written by freezing a scene`, {
    hint: 'freeze the scene again',
  });
}

function chunks(glb: Uint8Array): { json: GltfJson; binary: DataView } {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  if (glb.byteLength < 20 || view.getUint32(0, true) !== 0x46546c67) throw damaged('signature');
  const length = view.getUint32(12, true);
  if (20 + length > glb.byteLength) throw damaged('length');
  let json: GltfJson;
  try {
    json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))) as GltfJson;
  } catch {
    throw damaged('JSON');
  }
  const start = 20 + length + 8;
  const binary =
    start > glb.byteLength
      ? new DataView(new ArrayBuffer(0))
      : new DataView(glb.buffer, glb.byteOffset + start, glb.byteLength - start);
  return { json, binary };
}

const COMPONENTS: Record<string, number> = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

function readAccessor(json: GltfJson, binary: DataView, index: number): Float64Array {
  const accessor = json.accessors?.[index];
  const bufferView = json.bufferViews?.[accessor?.bufferView ?? -1];
  if (accessor === undefined || bufferView === undefined) throw damaged('accessor');
  const width = COMPONENTS[accessor.type];
  const bytes = { 5121: 1, 5123: 2, 5125: 4, 5126: 4 }[accessor.componentType];
  if (width === undefined || bytes === undefined) throw damaged('accessor type');
  const stride = bufferView.byteStride ?? width * bytes;
  const start = (bufferView.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
  if (start + stride * (accessor.count - 1) + width * bytes > binary.byteLength) throw damaged('accessor length');
  const values = new Float64Array(accessor.count * width);
  for (let item = 0; item < accessor.count; item += 1)
    for (let part = 0; part < width; part += 1) {
      const at = start + item * stride + part * bytes;
      values[item * width + part] =
        accessor.componentType === 5126
          ? binary.getFloat32(at, true)
          : bytes === 1
            ? binary.getUint8(at)
            : bytes === 2
              ? binary.getUint16(at, true)
              : binary.getUint32(at, true);
    }
  return values;
}

function localMatrix(node: NonNullable<GltfJson['nodes']>[number]): readonly number[] {
  if (node.matrix !== undefined) return node.matrix;
  const [x, y, z, w] = (node.rotation ?? [0, 0, 0, 1]) as [number, number, number, number];
  const [sx, sy, sz] = (node.scale ?? [1, 1, 1]) as [number, number, number];
  const [tx, ty, tz] = (node.translation ?? [0, 0, 0]) as [number, number, number];
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y + z * w) * sx,
    2 * (x * z - y * w) * sx,
    0,
    2 * (x * y - z * w) * sy,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z + x * w) * sy,
    0,
    2 * (x * z + y * w) * sz,
    2 * (y * z - x * w) * sz,
    (1 - 2 * (x * x + y * y)) * sz,
    0,
    tx,
    ty,
    tz,
    1,
  ];
}

/** Product of two column-major 4x4 matrices: first `b`, then `a`. */
export function multiply(a: readonly number[], b: readonly number[]): number[] {
  const product = new Array<number>(16).fill(0);
  for (let column = 0; column < 4; column += 1)
    for (let row = 0; row < 4; row += 1) {
      let sum = 0;
      for (let k = 0; k < 4; k += 1) sum += (a[k * 4 + row] as number) * (b[column * 4 + k] as number);
      product[column * 4 + row] = sum;
    }
  return product;
}

/** A point under a column-major 4x4 matrix. */
export function transformPoint(m: readonly number[], x: number, y: number, z: number): [number, number, number] {
  const at = (row: number): number =>
    (m[row] as number) * x + (m[4 + row] as number) * y + (m[8 + row] as number) * z + (m[12 + row] as number);
  return [at(0), at(1), at(2)];
}
