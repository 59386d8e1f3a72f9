import type { Accessor, Material, Mesh, Node, Scene, Texture } from '@gltf-transform/core';
import { dedup, mergeDocuments, prune } from '@gltf-transform/functions';
import { hashJson, sha256 } from '../core/hash.ts';
import type { DraftObject, MeshPart, PartMaterial, SceneDraft } from './draft.ts';
import { emptyDocument, readGlb, writeGlb } from './gltf-io.ts';
import { plainDocument } from './plain-document.ts';
import { roomShell } from './room-shell.ts';
import { defaultSurfaces } from './surfaces.ts';

/**
 * All geometry of a scene as one GLB. Root nodes: `object:<id>` (its matrix is the object's transform),
 * `floor:<room>`, `wall:<room>:<wall>`. Equal textures, materials and meshes are stored once; mesh assets keep their
 * textures and lie below their object's node. Geometry is uncompressed 32-bit floats, textures PNG or JPEG. The same
 * draft gives the same bytes.
 *
 * @throws AuditError naming the object whose GLB cannot be read
 */
export async function buildGlb(draft: SceneDraft): Promise<Uint8Array> {
  const builder = new GlbBuilder();
  for (const room of draft.rooms) {
    const surfaces = draft.surfaces?.[room.id] ?? (await defaultSurfaces(room.type));
    const shell = roomShell(
      room,
      surfaces,
      draft.rooms.filter((other) => other !== room),
    );
    builder.addParts(`floor:${room.id}`, [shell.floor]);
    for (const { wall, part } of shell.walls) builder.addParts(`wall:${room.id}:${wall}`, [part]);
  }
  for (const object of draft.objects) await builder.addObject(object);
  return builder.finish();
}

class GlbBuilder {
  readonly #document = emptyDocument();
  readonly #scene: Scene;
  readonly #textures = new Map<string, Texture>();
  readonly #materials = new Map<string, Material>();
  readonly #meshes = new Map<string, Mesh>();
  readonly #assets = new Map<string, readonly Node[]>();
  #merged = false;

  constructor() {
    this.#document.createBuffer();
    this.#scene = this.#document.createScene('scene');
    this.#document.getRoot().setDefaultScene(this.#scene);
  }

  addParts(name: string, parts: readonly MeshPart[]): Node {
    const node = this.#document.createNode(name);
    const mesh = this.#meshOf(parts);
    if (mesh !== null) node.setMesh(mesh);
    this.#scene.addChild(node);
    return node;
  }

  async addObject(object: DraftObject): Promise<void> {
    const { geometry } = object;
    const node =
      geometry.kind === 'proxy' ? this.addParts(`object:${object.id}`, geometry.parts) : this.#holder(object);
    setRigid(node, object.transform);
    if (geometry.kind === 'mesh')
      for (const child of await this.#assetNodes(object, geometry.glb)) node.addChild(child);
  }

  async finish(): Promise<Uint8Array> {
    // Parts made here are shared already; only merged assets can bring doubles.
    if (this.#merged)
      await this.#document.transform(
        dedup(),
        prune({ keepLeaves: true, keepAttributes: false, keepSolidTextures: true }),
      );
    return writeGlb(this.#document);
  }

  #holder(object: DraftObject): Node {
    const node = this.#document.createNode(`object:${object.id}`);
    this.#scene.addChild(node);
    return node;
  }

  /** The asset's root nodes; a second use of the same bytes gets copies that share the meshes. */
  async #assetNodes(object: DraftObject, glb: Uint8Array): Promise<readonly Node[]> {
    const key = sha256(glb);
    const known = this.#assets.get(key);
    if (known !== undefined) return known.map((node) => this.#copy(node));
    const source = await readGlb(glb, `object ${object.id}`);
    await plainDocument(source, `object ${object.id}`);
    const sourceScene = source.getRoot().getDefaultScene() ?? source.getRoot().listScenes()[0];
    const roots = sourceScene?.listChildren() ?? [];
    const map = mergeDocuments(this.#document, source);
    this.#merged = true;
    const nodes = roots.map((root) => map.get(root) as Node);
    for (const scene of source.getRoot().listScenes()) (map.get(scene) as Scene).dispose();
    this.#assets.set(key, nodes);
    return nodes;
  }

  #copy(node: Node): Node {
    const copy = this.#document
      .createNode(node.getName())
      .setMesh(node.getMesh())
      .setTranslation(node.getTranslation())
      .setRotation(node.getRotation())
      .setScale(node.getScale());
    for (const child of node.listChildren()) copy.addChild(this.#copy(child));
    return copy;
  }

  #meshOf(parts: readonly MeshPart[]): Mesh | null {
    const solid = parts.filter((part) => part.indices.length > 0);
    if (solid.length === 0) return null;
    const key = hashJson(solid.map((part) => partKey(part)));
    const known = this.#meshes.get(key);
    if (known !== undefined) return known;
    const mesh = this.#document.createMesh(
      solid
        .map((part) => part.name)
        .join('+')
        .slice(0, 100),
    );
    for (const part of solid) {
      const primitive = this.#document
        .createPrimitive()
        .setAttribute('POSITION', this.#accessor(part.positions, 'VEC3'))
        .setAttribute('NORMAL', this.#accessor(part.normals, 'VEC3'))
        .setIndices(this.#indices(part))
        .setMaterial(this.#materialOf(part.material));
      if (part.uvs !== undefined) primitive.setAttribute('TEXCOORD_0', this.#accessor(part.uvs, 'VEC2'));
      mesh.addPrimitive(primitive);
    }
    this.#meshes.set(key, mesh);
    return mesh;
  }

  #indices(part: MeshPart): Accessor {
    const short = part.positions.length / 3 <= 65_535;
    const array = short ? Uint16Array.from(part.indices) : new Uint32Array(part.indices);
    return this.#document.createAccessor().setType('SCALAR').setArray(array);
  }

  #accessor(array: Float32Array, type: 'VEC2' | 'VEC3'): Accessor {
    return this.#document.createAccessor().setType(type).setArray(new Float32Array(array));
  }

  #materialOf(part: PartMaterial): Material {
    const texture = part.texture === undefined ? null : this.#textureOf(part.texture);
    const key = materialKey(part);
    const known = this.#materials.get(key);
    if (known !== undefined) return known;
    const [red, green, blue] = part.colour.map(linear) as [number, number, number];
    const material = this.#document
      .createMaterial(part.name)
      .setBaseColorFactor([red, green, blue, 1])
      .setRoughnessFactor(part.roughness)
      .setMetallicFactor(part.metalness)
      .setDoubleSided(part.doubleSided ?? false);
    if (texture !== null) material.setBaseColorTexture(texture);
    this.#materials.set(key, material);
    return material;
  }

  #textureOf(png: Uint8Array): Texture {
    const key = sha256(png);
    const known = this.#textures.get(key);
    if (known !== undefined) return known;
    const texture = this.#document
      .createTexture(`texture-${key.slice(0, 8)}`)
      .setMimeType('image/png')
      .setImage(png);
    this.#textures.set(key, texture);
    return texture;
  }
}

function partKey(part: MeshPart): string {
  const bytes = (array: ArrayBufferView): string =>
    sha256(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  const arrays = [part.positions, part.normals, part.indices, ...(part.uvs === undefined ? [] : [part.uvs])];
  return [part.name, materialKey(part.material), ...arrays.map(bytes)].join('/');
}

function materialKey(material: PartMaterial): string {
  const { texture, ...rest } = material;
  return hashJson({ ...rest, texture: texture === undefined ? null : sha256(texture) });
}

/** sRGB 0..1 -> linear, as glTF stores colour factors. */
function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** Sets translation and rotation from a rigid column-major matrix, leaving the scale exactly 1. */
function setRigid(node: Node, matrix: readonly number[]): void {
  node.setMatrix(matrix as Parameters<Node['setMatrix']>[0]);
  node.setScale([1, 1, 1]);
}
