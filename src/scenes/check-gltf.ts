import { z } from 'zod';
import { AuditError } from '../core/errors.ts';
import { schemaProblem } from './schema-problem.ts';

/**
 * What a glTF file must keep to before a library walks it: a few bytes of JSON may otherwise ask for gigabytes, or for a node that
 * is no node. Only what is walked is looked at; whatever else stands in the file is left alone.
 */

/** Most numbers in accessors that have no bytes in the file (Draco fills them in, plain ones are zeros). */
const MAX_VALUES = 100_000_000;
/** Most bytes that compressed buffer views may unpack to. */
const MAX_UNPACKED = 2 ** 30;
/** Deepest node tree. */
const MAX_DEPTH = 200;

const index = z.number().int().min(0);
const vector = (length: number) => z.array(z.number()).length(length);

const ACCESSOR_VALUES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 } as const;
const COMPONENT_BYTES: Readonly<Record<number, number>> = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };

const accessorSchema = z.looseObject({
  bufferView: index.optional(),
  byteOffset: index.optional(),
  componentType: z.union([5120, 5121, 5122, 5123, 5125, 5126].map((type) => z.literal(type))),
  count: z.number().int().min(1),
  type: z.enum(['SCALAR', 'VEC2', 'VEC3', 'VEC4', 'MAT2', 'MAT3', 'MAT4']),
  sparse: z
    .looseObject({
      count: z.number().int().min(1),
      indices: z.looseObject({ bufferView: index, componentType: z.number() }),
      values: z.looseObject({ bufferView: index }),
    })
    .optional(),
});

const packedSchema = z.looseObject({
  buffer: index,
  byteOffset: index.optional(),
  byteLength: index,
  byteStride: z.number().int().min(1).max(256),
  count: index,
  mode: z.enum(['ATTRIBUTES', 'TRIANGLES', 'INDICES']),
});

const textureSchema = z.looseObject({ index, texCoord: index.optional() });

const materialSchema = z.looseObject({
  name: z.string().optional(),
  pbrMetallicRoughness: z
    .looseObject({
      baseColorFactor: vector(4).optional(),
      metallicFactor: z.number().optional(),
      roughnessFactor: z.number().optional(),
      baseColorTexture: textureSchema.optional(),
      metallicRoughnessTexture: textureSchema.optional(),
    })
    .optional(),
  normalTexture: textureSchema.optional(),
  occlusionTexture: textureSchema.optional(),
  emissiveTexture: textureSchema.optional(),
  emissiveFactor: vector(3).optional(),
  alphaMode: z.enum(['OPAQUE', 'MASK', 'BLEND']).optional(),
  alphaCutoff: z.number().optional(),
  doubleSided: z.boolean().optional(),
});

const gltfSchema = z.looseObject({
  scene: index.optional(),
  scenes: z.array(z.looseObject({ nodes: z.array(index).optional() })).optional(),
  nodes: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        children: z.array(index).optional(),
        mesh: index.optional(),
        matrix: vector(16).optional(),
        translation: vector(3).optional(),
        rotation: vector(4).optional(),
        scale: vector(3).optional(),
      }),
    )
    .max(200_000)
    .optional(),
  meshes: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        primitives: z
          .array(
            z.looseObject({
              attributes: z.record(z.string(), index),
              indices: index.optional(),
              material: index.optional(),
              mode: z.number().int().min(0).max(6).optional(),
            }),
          )
          .max(100_000),
      }),
    )
    .max(200_000)
    .optional(),
  materials: z.array(materialSchema).max(200_000).optional(),
  accessors: z.array(accessorSchema).max(1_000_000).optional(),
  bufferViews: z
    .array(
      z.looseObject({
        buffer: index,
        byteOffset: index.optional(),
        byteLength: index,
        byteStride: z.number().int().min(1).max(256).optional(),
        extensions: z
          .looseObject({
            EXT_meshopt_compression: packedSchema.optional(),
            KHR_meshopt_compression: packedSchema.optional(),
          })
          .optional(),
      }),
    )
    .max(1_000_000)
    .optional(),
  buffers: z.array(z.looseObject({ byteLength: index, uri: z.string().optional() })).optional(),
});

type Gltf = z.infer<typeof gltfSchema>;

/**
 * @param json the JSON of a glTF file
 * @param where names the file in errors
 * @throws AuditError for a value of the wrong kind, an index of something that is not there, an accessor beyond its bytes, a node
 * tree with a loop or deeper than 200, or contents far larger than the file
 */
export function checkGltf(json: unknown, where: string): void {
  const parsed = gltfSchema.safeParse(json);
  if (!parsed.success) throw new AuditError(`${where}: invalid glTF, ${schemaProblem(parsed.error)}`);
  const gltf = parsed.data;
  checkReferences(gltf, where);
  checkBytes(gltf, where);
  checkTree(gltf, where);
}

function fail(where: string, what: string): never {
  throw new AuditError(`${where}: invalid glTF, ${what}; expected a complete glTF 2.0 file`);
}

function checkReferences(gltf: Gltf, where: string): void {
  const need = (list: readonly unknown[] | undefined, at: number | undefined, what: string): void => {
    if (at !== undefined && at >= (list?.length ?? 0)) fail(where, `${what} ${at} is not there`);
  };
  need(gltf.scenes, gltf.scene, 'scene');
  for (const { nodes } of gltf.scenes ?? []) for (const node of nodes ?? []) need(gltf.nodes, node, 'node');
  for (const { mesh, children } of gltf.nodes ?? []) {
    need(gltf.meshes, mesh, 'mesh');
    for (const child of children ?? []) need(gltf.nodes, child, 'node');
  }
  for (const { primitives } of gltf.meshes ?? [])
    for (const { attributes, indices, material } of primitives) {
      for (const accessor of Object.values(attributes)) need(gltf.accessors, accessor, 'accessor');
      need(gltf.accessors, indices, 'accessor');
      need(gltf.materials, material, 'material');
      const places = attributes['POSITION'] === undefined ? undefined : gltf.accessors?.[attributes['POSITION']];
      if (places !== undefined && places.type !== 'VEC3') fail(where, `positions of type ${places.type}`);
      if (indices !== undefined && gltf.accessors?.[indices]?.type !== 'SCALAR')
        fail(where, 'indices that are no scalars');
    }
  for (const { buffer } of gltf.bufferViews ?? []) need(gltf.buffers, buffer, 'buffer');
  for (const { bufferView, sparse } of gltf.accessors ?? [])
    for (const view of [bufferView, sparse?.indices.bufferView, sparse?.values.bufferView])
      need(gltf.bufferViews, view, 'buffer view');
}

function checkBytes(gltf: Gltf, where: string): void {
  let unpacked = 0;
  for (const [number, view] of (gltf.bufferViews ?? []).entries()) {
    const packed = view.extensions?.EXT_meshopt_compression ?? view.extensions?.KHR_meshopt_compression;
    if (packed !== undefined) {
      unpacked += packed.count * packed.byteStride;
      if (packed.count * packed.byteStride > view.byteLength)
        fail(where, `buffer view ${number} unpacks beyond its length`);
      if ((packed.byteOffset ?? 0) + packed.byteLength > (gltf.buffers?.[packed.buffer]?.byteLength ?? 0))
        fail(where, `buffer view ${number} reaches beyond its buffer`);
    } else if ((view.byteOffset ?? 0) + view.byteLength > (gltf.buffers?.[view.buffer]?.byteLength ?? 0))
      fail(where, `buffer view ${number} reaches beyond its buffer`);
  }
  let values = 0;
  for (const [number, accessor] of (gltf.accessors ?? []).entries()) {
    const width = ACCESSOR_VALUES[accessor.type];
    if (accessor.bufferView === undefined) {
      values += accessor.count * width;
      continue;
    }
    const view = gltf.bufferViews?.[accessor.bufferView];
    const element = width * (COMPONENT_BYTES[accessor.componentType] as number);
    const length = (accessor.count - 1) * (view?.byteStride ?? element) + element;
    if ((accessor.byteOffset ?? 0) + length > (view?.byteLength ?? 0))
      fail(where, `accessor ${number} reaches beyond its buffer view`);
    if (accessor.sparse !== undefined && accessor.sparse.count > accessor.count)
      fail(where, `accessor ${number} has more sparse values than values`);
  }
  if (unpacked > MAX_UNPACKED) fail(where, `compressed data of ${unpacked} bytes, over ${MAX_UNPACKED}`);
  if (values > MAX_VALUES) fail(where, `${values} numbers without bytes, over ${MAX_VALUES}`);
}

function checkTree({ nodes = [] }: Gltf, where: string): void {
  const parents = new Array<number>(nodes.length).fill(-1);
  for (const [parent, { children }] of nodes.entries())
    for (const child of children ?? []) {
      if (parents[child] !== -1) fail(where, `node ${child} has two parents`);
      parents[child] = parent;
    }
  for (const start of nodes.keys()) {
    let depth = 0;
    for (let at = start; at !== -1; at = parents[at] as number) {
      depth += 1;
      if (depth > MAX_DEPTH) fail(where, `nodes in a loop or nested over ${MAX_DEPTH} deep`);
    }
  }
}
