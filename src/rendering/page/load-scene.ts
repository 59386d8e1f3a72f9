import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  type Material,
  type Mesh,
  type MeshPhysicalMaterial,
  type MeshStandardMaterial,
  type Object3D,
  type Texture,
  Vector3,
  type WebGLRenderer,
} from 'three';
import { MeshoptDecoder } from 'three/examples/jsm/libs/meshopt_decoder.module.js';
import { DRACOLoader } from 'three/examples/jsm/loaders/DRACOLoader.js';
import { type GLTF, GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
import { KTX2Loader } from 'three/examples/jsm/loaders/KTX2Loader.js';
import type { Box } from '../framing.ts';
import { closeSurface } from '../light/closed-surface.ts';
import type { Occluder } from '../light/voxel-grid.ts';

/** Textures and modes that meshes of one draw call share; the rest of their surface is in the vertices. */
export interface Surface {
  readonly map: Texture | null;
  readonly normalMap: Texture | null;
  readonly normalScale: readonly [number, number];
  readonly surfaceMap: Texture | null;
  readonly emissionMap: Texture | null;
  readonly emission: readonly [number, number, number];
  readonly alphaTest: number;
  readonly blended: boolean;
}

/** How much of a batch must be drawn: a closed surface hides its own back faces. */
export type Sides = 'front' | 'both';

/** One draw call: all triangles of one owner with one surface, in scene space. */
export interface Batch {
  /** Name of the wall node it belongs to, or null. */
  readonly wall: string | null;
  readonly surface: Surface;
  readonly sides: Sides;
  readonly geometry: BufferGeometry;
  readonly centre: Vector3;
}

export interface LoadedScene {
  readonly box: Box;
  readonly batches: readonly Batch[];
  /** What blocks light, by owner: key '' for everything that is no wall. */
  readonly occluders: ReadonlyMap<string, readonly Occluder[]>;
  readonly walls: readonly string[];
  readonly triangles: number;
  readonly notes: readonly string[];
  readonly textures: readonly Texture[];
}

/** Textures larger than this are scaled down: no picture shows more, and eight 8k textures would fill 2 GB. */
const LARGEST_TEXTURE = 1024;

let loader: GLTFLoader | undefined;

function gltfLoader(renderer: WebGLRenderer): GLTFLoader {
  if (loader === undefined) {
    // The decoders' files are found by the bundler.
    const draco = new DRACOLoader();
    const basis = new KTX2Loader().detectSupport(renderer);
    loader = new GLTFLoader().setDRACOLoader(draco).setKTX2Loader(basis).setMeshoptDecoder(MeshoptDecoder);
  }
  return loader;
}

/** Wall node that an object belongs to: its own name or the nearest named ancestor's. GLTFLoader strips ":" from names but keeps the original. */
function ownerOf(object: Object3D): string | null {
  for (let node: Object3D | null = object; node !== null; node = node.parent) {
    const name: unknown = node.userData['name'] ?? node.name;
    if (typeof name === 'string' && name.startsWith('wall:')) return name;
  }
  return null;
}

type AnyMaterial = MeshStandardMaterial & Partial<MeshPhysicalMaterial>;

interface Bucket {
  readonly wall: string | null;
  readonly surface: Surface;
  readonly meshes: { mesh: Mesh; material: AnyMaterial; from: number; count: number }[];
}

function shrink(texture: Texture): void {
  const image = texture.image as { width: number; height: number } | undefined;
  if (!(image instanceof ImageBitmap)) return;
  const longest = Math.max(image.width, image.height);
  if (longest <= LARGEST_TEXTURE) return;
  const scale = LARGEST_TEXTURE / longest;
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  );
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  texture.image = canvas.transferToImageBitmap();
  texture.needsUpdate = true;
}

function surfaceOf(material: AnyMaterial): Surface {
  const unlit = material.type === 'MeshBasicMaterial';
  const blended = material.transparent || (material.transmission ?? 0) > 0;
  return {
    map: material.map ?? null,
    normalMap: unlit ? null : (material.normalMap ?? null),
    normalScale: unlit ? [1, 1] : [material.normalScale.x, material.normalScale.y],
    surfaceMap: unlit ? null : (material.roughnessMap ?? material.metalnessMap ?? null),
    emissionMap: unlit ? null : (material.emissiveMap ?? null),
    emission: unlit
      ? [0, 0, 0]
      : (material.emissive.clone().multiplyScalar(material.emissiveIntensity).toArray() as [number, number, number]),
    alphaTest: material.alphaTest,
    blended,
  };
}

function textured(surface: Surface): boolean {
  return (
    surface.map !== null ||
    surface.normalMap !== null ||
    surface.surfaceMap !== null ||
    surface.emission.some((value) => value > 0) ||
    surface.alphaTest > 0
  );
}

/** Whether the textured shader is needed. */
export { textured };

function keyOf(wall: string | null, surface: Surface): string {
  const id = (texture: Texture | null) => texture?.id ?? '';
  return [
    wall ?? '',
    id(surface.map),
    id(surface.normalMap),
    surface.normalScale,
    id(surface.surfaceMap),
    id(surface.emissionMap),
    surface.emission,
    surface.alphaTest,
    surface.blended,
  ].join('|');
}

function materialsOf(mesh: Mesh): { material: Material; from: number; count: number }[] {
  const all = mesh.geometry.index?.count ?? mesh.geometry.getAttribute('position').count;
  if (!Array.isArray(mesh.material)) return [{ material: mesh.material, from: 0, count: all }];
  const materials = mesh.material;
  return mesh.geometry.groups.map((group) => ({
    material: materials[group.materialIndex ?? 0]!,
    from: group.start,
    count: Math.min(group.count, all - group.start),
  }));
}

const COLOUR_LIMIT = 1e4;

/** Copies a bucket's meshes into one geometry in scene space: position, normal, uv, tint, surface. */
function mergeBucket(bucket: Bucket, notes: Set<string>): { sides: Sides; geometry: BufferGeometry }[] {
  let vertices = 0;
  let indices = 0;
  for (const { mesh, count } of bucket.meshes) {
    vertices += mesh.geometry.getAttribute('position').count;
    indices += count;
  }
  const position = new Float32Array(3 * vertices);
  const normal = new Float32Array(3 * vertices);
  const uv = new Float32Array(2 * vertices);
  const tint = new Float32Array(3 * vertices);
  const surface = new Float32Array(4 * vertices);
  const index = new Uint32Array(indices);
  // Closed pieces from the front of the index, open ones from its back.
  let closedEnd = 0;
  let openStart = indices;
  let firstVertex = 0;
  const point = new Vector3();
  for (const { mesh, material, from, count } of bucket.meshes) {
    const geometry = mesh.geometry;
    const positions = geometry.getAttribute('position');
    if (geometry.getAttribute('normal') === undefined) {
      geometry.computeVertexNormals();
      notes.add('a mesh without normals got computed ones');
    }
    const normals = geometry.getAttribute('normal');
    const map = material.map ?? material.normalMap ?? material.roughnessMap ?? material.emissiveMap ?? null;
    const channel = map?.channel ?? 0;
    const uvs = geometry.getAttribute(channel === 0 ? 'uv' : `uv${channel}`);
    const colours = material.vertexColors ? geometry.getAttribute('color') : undefined;
    const unlit = material.type === 'MeshBasicMaterial';
    map?.updateMatrix();
    const turn = map?.matrix.elements;
    const normalMatrix = mesh.matrixWorld.clone().invert().transpose();
    const metalness = unlit ? 0 : material.metalness;
    const roughness = unlit ? 1 : material.roughness;
    // Glass: a transmitting surface lets through what is behind it; without ray tracing that is opacity.
    const opacity = material.opacity * (1 - 0.85 * Math.min(material.transmission ?? 0, 1));
    for (let vertex = 0; vertex < positions.count; vertex += 1) {
      const at = firstVertex + vertex;
      point.fromBufferAttribute(positions, vertex).applyMatrix4(mesh.matrixWorld);
      position.set([point.x, point.y, point.z], 3 * at);
      point.fromBufferAttribute(normals, vertex).transformDirection(normalMatrix);
      normal.set([point.x, point.y, point.z], 3 * at);
      if (uvs !== undefined) {
        const [u, v] = [uvs.getX(vertex), uvs.getY(vertex)];
        uv[2 * at] = turn === undefined ? u : turn[0]! * u + turn[3]! * v + turn[6]!;
        uv[2 * at + 1] = turn === undefined ? v : turn[1]! * u + turn[4]! * v + turn[7]!;
      }
      const paint =
        colours === undefined ? undefined : [colours.getX(vertex), colours.getY(vertex), colours.getZ(vertex)];
      tint[3 * at] = Math.min(material.color.r * (paint?.[0] ?? 1), COLOUR_LIMIT);
      tint[3 * at + 1] = Math.min(material.color.g * (paint?.[1] ?? 1), COLOUR_LIMIT);
      tint[3 * at + 2] = Math.min(material.color.b * (paint?.[2] ?? 1), COLOUR_LIMIT);
      surface[4 * at] = roughness;
      surface[4 * at + 1] = metalness;
      surface[4 * at + 2] = unlit ? 1 : 0;
      surface[4 * at + 3] = opacity * (colours !== undefined && colours.itemSize === 4 ? colours.getW(vertex) : 1);
    }
    const indexed = geometry.index;
    const piece = new Uint32Array(count);
    for (let i = 0; i < count; i += 1) piece[i] = firstVertex + (indexed === null ? from + i : indexed.getX(from + i));
    windLikeNormals(piece, position, normal);
    const hollow = bucket.surface.blended || bucket.surface.alphaTest > 0;
    if (!hollow && closeSurface(piece, position, normal)) {
      index.set(piece, closedEnd);
      closedEnd += count;
    } else {
      openStart -= count;
      index.set(piece, openStart);
    }
    firstVertex += positions.count;
  }
  const attributes = {
    position: new BufferAttribute(position, 3),
    normal: new BufferAttribute(normal, 3),
    uv: new BufferAttribute(uv, 2),
    tint: new BufferAttribute(tint, 3),
    surface: new BufferAttribute(surface, 4),
  };
  const parts: { sides: Sides; geometry: BufferGeometry }[] = [];
  for (const [sides, part] of [
    ['front', index.subarray(0, closedEnd)],
    ['both', index.subarray(openStart)],
  ] as const) {
    if (part.length < 3) continue;
    const geometry = new BufferGeometry();
    for (const [name, attribute] of Object.entries(attributes)) geometry.setAttribute(name, attribute);
    geometry.setIndex(new BufferAttribute(part.slice(), 1));
    parts.push({ sides, geometry });
  }
  return parts;
}

/** Turns triangles whose winding contradicts their normals (mirrored nodes, careless files): shading asks the winding which side is seen. */
function windLikeNormals(index: Uint32Array, position: Float32Array, normal: Float32Array): void {
  for (let i = 0; i + 2 < index.length; i += 3) {
    const [a, b, c] = [3 * index[i]!, 3 * index[i + 1]!, 3 * index[i + 2]!];
    const [ux, uy, uz] = [0, 1, 2].map((k) => position[b + k]! - position[a + k]!) as [number, number, number];
    const [vx, vy, vz] = [0, 1, 2].map((k) => position[c + k]! - position[a + k]!) as [number, number, number];
    const facing =
      (uy * vz - uz * vy) * (normal[a]! + normal[b]! + normal[c]!) +
      (uz * vx - ux * vz) * (normal[a + 1]! + normal[b + 1]! + normal[c + 1]!) +
      (ux * vy - uy * vx) * (normal[a + 2]! + normal[b + 2]! + normal[c + 2]!);
    if (facing < 0) [index[i + 1], index[i + 2]] = [index[i + 2]!, index[i + 1]!];
  }
}

/** What batches block and reflect, by owner: key '' for everything that is no wall. */
export function occludersOf(
  batches: readonly Batch[],
  mean: (texture: Texture) => readonly [number, number, number, number],
): Map<string, Occluder[]> {
  const occluders = new Map<string, Occluder[]>();
  for (const batch of batches) {
    const key = batch.wall ?? '';
    const list = occluders.get(key) ?? [];
    list.push(occluderOf(batch, mean));
    occluders.set(key, list);
  }
  return occluders;
}

/** What a batch blocks and reflects: its triangles with the mean colour of its texture folded in. */
function occluderOf(batch: Batch, mean: (texture: Texture) => readonly [number, number, number, number]): Occluder {
  const { geometry, surface } = batch;
  const index = geometry.index!.array;
  const position = geometry.getAttribute('position').array;
  const tint = geometry.getAttribute('tint').array;
  const shape = geometry.getAttribute('surface').array;
  const [r, g, b, a] = surface.map === null ? [1, 1, 1, 1] : mean(surface.map);
  const triangles = Math.floor(index.length / 3);
  const positions = new Float32Array(9 * triangles);
  const albedo = new Float32Array(3 * triangles);
  const opacity = new Float32Array(triangles);
  for (let triangle = 0; triangle < triangles; triangle += 1) {
    for (let corner = 0; corner < 3; corner += 1) {
      const vertex = index[3 * triangle + corner]!;
      for (let axis = 0; axis < 3; axis += 1)
        positions[9 * triangle + 3 * corner + axis] = position[3 * vertex + axis]!;
    }
    const first = index[3 * triangle]!;
    albedo[3 * triangle] = Math.min(tint[3 * first]! * r, 0.95);
    albedo[3 * triangle + 1] = Math.min(tint[3 * first + 1]! * g, 0.95);
    albedo[3 * triangle + 2] = Math.min(tint[3 * first + 2]! * b, 0.95);
    opacity[triangle] = shape[4 * first + 3]! * (surface.alphaTest > 0 || surface.blended ? a : 1);
  }
  return { positions, albedo, opacity };
}

/** Box of the vertices that triangles use. @throws Error when one of them is not finite. */
function boxOf(geometry: BufferGeometry): Box3 {
  const index = geometry.index!.array;
  const position = geometry.getAttribute('position').array;
  const box = new Box3();
  const point = new Vector3();
  let sum = 0;
  for (let i = 0; i < index.length; i += 1) {
    point.fromArray(position, 3 * index[i]!);
    sum += point.x + point.y + point.z;
    box.expandByPoint(point);
  }
  if (!Number.isFinite(sum)) throw new Error('a vertex position is not a finite number');
  return box;
}

/** Reads a GLB into batches. @throws Error with the loader's reason when the file cannot be read. */
export async function loadScene(
  url: string,
  renderer: WebGLRenderer,
  mean: (texture: Texture) => readonly [number, number, number, number],
): Promise<LoadedScene> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the scene file answered ${response.status}`);
  const gltf: GLTF = await gltfLoader(renderer).parseAsync(await response.arrayBuffer(), '');
  gltf.scene.updateMatrixWorld(true);
  const notes = new Set<string>();
  const buckets = new Map<string, Bucket>();
  const walls = new Set<string>();
  const textures = new Set<Texture>();
  const materials = new Set<Material>();
  gltf.scene.traverse((object) => {
    const wall = ownerOf(object);
    if (wall !== null) walls.add(wall);
    const mesh = object as Mesh;
    if (!mesh.isMesh) return;
    for (const { material, from, count } of materialsOf(mesh)) {
      materials.add(material);
      const surface = surfaceOf(material as AnyMaterial);
      for (const texture of [surface.map, surface.normalMap, surface.surfaceMap, surface.emissionMap])
        if (texture !== null) textures.add(texture);
      const key = keyOf(wall, surface);
      const bucket = buckets.get(key) ?? { wall, surface, meshes: [] };
      buckets.set(key, bucket);
      bucket.meshes.push({ mesh, material: material as AnyMaterial, from, count });
    }
  });
  for (const texture of textures) {
    if (Math.max(texture.width, texture.height) > LARGEST_TEXTURE)
      notes.add('a texture over 1024 pixels was scaled down');
    shrink(texture);
    texture.anisotropy = 1;
  }
  const batches: Batch[] = [];
  const min = new Vector3(Infinity, Infinity, Infinity);
  const max = new Vector3(-Infinity, -Infinity, -Infinity);
  let triangles = 0;
  for (const bucket of buckets.values()) {
    for (const { sides, geometry } of mergeBucket(bucket, notes)) {
      const box = boxOf(geometry);
      min.min(box.min);
      max.max(box.max);
      triangles += geometry.index!.count / 3;
      const centre = box.getCenter(new Vector3());
      batches.push({ wall: bucket.wall, surface: bucket.surface, sides, geometry, centre });
    }
  }
  gltf.scene.traverse((object) => (object as Mesh).geometry?.dispose());
  for (const material of materials) material.dispose();
  if (batches.length === 0) throw new Error('the scene holds no triangles');
  const occluders = occludersOf(batches, mean);
  return {
    box: { min: min.toArray(), max: max.toArray() },
    batches,
    occluders,
    walls: [...walls],
    triangles,
    notes: [...notes],
    textures: [...textures],
  };
}

/** Frees geometry, textures and decoded images. */
export function disposeScene(scene: LoadedScene): void {
  for (const { geometry } of scene.batches) geometry.dispose();
  for (const texture of scene.textures) {
    texture.dispose();
    const image: unknown = texture.image;
    if (image instanceof ImageBitmap) image.close();
  }
}
