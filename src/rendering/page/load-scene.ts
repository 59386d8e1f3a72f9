import {
  Box3,
  type BufferGeometry,
  type Material,
  type Mesh,
  type Object3D,
  type Texture,
  Vector3,
  type WebGLRenderer,
} from 'three';
import type { GLTFParser } from 'three/examples/jsm/loaders/GLTFLoader.js';
import type { Box } from '../framing.ts';
import type { Occluder } from '../light/voxel-grid.ts';
import type { Batch } from './batch.ts';
import { boundTexture } from './bound-texture.ts';
import { gltfLoader } from './gltf-loader.ts';
import { type Bucket, mergeBucket } from './merge-meshes.ts';
import { occludersOf } from './occluders.ts';
import { type AnyMaterial, surfaceKey, surfaceOf } from './surface.ts';

/** A scene in memory, ready to be lit and drawn. */
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

/** Wall node that an object belongs to: its own name or the nearest named ancestor's. GLTFLoader strips ":" from names but keeps the original. */
function ownerOf(object: Object3D): string | null {
  for (let node: Object3D | null = object; node !== null; node = node.parent) {
    const name: unknown = node.userData['name'] ?? node.name;
    if (typeof name === 'string' && name.startsWith('wall:')) return name;
  }
  return null;
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

/** Extensions a file may demand: those that only pack bytes, and materials that are drawn at least nearly as meant. */
const DRAWN =
  /^(KHR_mesh_quantization|KHR_draco_mesh_compression|(EXT|KHR)_meshopt_compression|KHR_texture_(basisu|transform)|EXT_texture_(webp|avif)|KHR_materials_(unlit|emissive_strength|ior|specular|transmission|volume|clearcoat|sheen|iridescence|anisotropy|dispersion))$/;

/** The loader only warns of an extension that it does not know, and draws something else. */
function requireExtensions(parser: GLTFParser): void {
  const required = (parser.json as { extensionsRequired?: string[] }).extensionsRequired ?? [];
  const unknown = required.find((name) => !DRAWN.test(name));
  if (unknown !== undefined) throw new Error(`the file needs the extension ${unknown}, which is not drawn`);
}

/** The loader draws on without a texture that it cannot decode; a picture of that is not one of the scene. */
async function requireTextures(parser: GLTFParser): Promise<void> {
  const count = (parser.json as { textures?: unknown[] }).textures?.length ?? 0;
  const textures: unknown[] = await Promise.all(
    Array.from({ length: count }, (_, index) => parser.getDependency('texture', index)),
  );
  const missing = textures.findIndex((texture) => texture === null || texture === undefined);
  if (missing >= 0) throw new Error(`texture ${missing} of ${count} cannot be decoded`);
}

/** Reads a GLB into batches. @throws Error with the loader's reason when the file cannot be read. */
export async function loadScene(
  url: string,
  renderer: WebGLRenderer,
  mean: (texture: Texture) => readonly [number, number, number, number],
): Promise<LoadedScene> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the scene file answered ${response.status}`);
  const gltf = await gltfLoader(renderer).parseAsync(await response.arrayBuffer(), '');
  requireExtensions(gltf.parser);
  await requireTextures(gltf.parser);
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
    if ('isInstancedMesh' in mesh) throw new Error('the file draws instances, which only a frozen scene spells out');
    for (const { material, from, count } of materialsOf(mesh)) {
      materials.add(material);
      const surface = surfaceOf(material as AnyMaterial);
      for (const texture of [surface.map, surface.normalMap, surface.surfaceMap, surface.emissionMap])
        if (texture !== null) textures.add(texture);
      const key = surfaceKey(wall, surface);
      const bucket = buckets.get(key) ?? { wall, surface, meshes: [] };
      buckets.set(key, bucket);
      bucket.meshes.push({ mesh, material: material as AnyMaterial, from, count });
    }
  });
  for (const texture of textures) {
    if (boundTexture(texture)) notes.add('a texture over 1024 pixels was scaled down');
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
