import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { Document, Material } from '@gltf-transform/core';
import sharp from 'sharp';
import type { Mesh, MeshPhongMaterial } from 'three';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import { emptyDocument, writeGlb } from './gltf-io.ts';
import { type MtlMaterial, parseMtl } from './parse-mtl.ts';

/** Statements that say something about triangles and their materials. */
const KNOWN = /^\s*(v|vt|vn|f|o|g|s|usemtl|mtllib)\s/;

/** The OBJ without all other lines: the loader would print a warning for each on the terminal. */
function knownLines(text: string): string {
  return text
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n/)
    .filter((line) => KNOWN.test(line))
    .join('\n');
}

/**
 * A Wavefront OBJ with its MTL and textures (3D-FUTURE's form) as GLB bytes. Material and texture files are looked for
 * beside the OBJ, by file name only, and must lie inside `root`; a missing one leaves the plain colour. As usual with these
 * files, a diffuse texture replaces the diffuse colour.
 *
 * @throws Error when the OBJ has no faces
 */
export async function objToGlb(path: string, root: string): Promise<Uint8Array> {
  const text = await readFile(path, 'utf8');
  const group = new OBJLoader().parse(knownLines(text));
  const folder = dirname(path);
  const library = /^\s*mtllib\s+(.+?)\s*$/m.exec(text)?.[1];
  const named = library === undefined ? null : await fileBeside(folder, library, root);
  const mtl = named ?? (await fileBeside(folder, 'model.mtl', root));
  const materials = mtl === null ? new Map<string, MtlMaterial>() : parseMtl(new TextDecoder().decode(mtl));

  const document = emptyDocument();
  document.createBuffer();
  const scene = document.createScene('asset');
  document.getRoot().setDefaultScene(scene);
  const made = new Map<string, Material>();
  const materialOf = async (name: string): Promise<Material> => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const material = await createMaterial(document, name, materials.get(name), folder, root);
    made.set(name, material);
    return material;
  };
  let triangles = 0;
  for (const child of group.children) {
    const mesh = child as Mesh;
    const position = mesh.geometry?.getAttribute('position');
    if (!mesh.isMesh || position === undefined) continue;
    if (mesh.geometry.getAttribute('normal') === undefined) mesh.geometry.computeVertexNormals();
    const list = (Array.isArray(mesh.material) ? mesh.material : [mesh.material]) as MeshPhongMaterial[];
    const groups =
      mesh.geometry.groups.length > 0 ? mesh.geometry.groups : [{ start: 0, count: position.count, materialIndex: 0 }];
    const target = document.createMesh(mesh.name);
    for (const { start, count, materialIndex } of groups) {
      const primitive = document.createPrimitive().setMaterial(await materialOf(list[materialIndex ?? 0]?.name ?? ''));
      for (const [name, semantic, width] of ATTRIBUTES) {
        const attribute = mesh.geometry.getAttribute(name);
        if (attribute === undefined) continue;
        const values = Float32Array.from(
          (attribute.array as Float32Array).subarray(start * width, (start + count) * width),
        );
        // OBJ counts v upward, glTF downward.
        if (semantic === 'TEXCOORD_0')
          for (let at = 1; at < values.length; at += 2) values[at] = 1 - (values[at] as number);
        primitive.setAttribute(
          semantic,
          document
            .createAccessor()
            .setType(width === 3 ? 'VEC3' : 'VEC2')
            .setArray(values),
        );
      }
      target.addPrimitive(primitive);
      triangles += Math.floor(count / 3);
    }
    scene.addChild(document.createNode(mesh.name).setMesh(target));
  }
  if (triangles === 0) throw new Error('no faces');
  return writeGlb(document);
}

const ATTRIBUTES = [
  ['position', 'POSITION', 3],
  ['normal', 'NORMAL', 3],
  ['uv', 'TEXCOORD_0', 2],
] as const;

async function createMaterial(
  document: Document,
  name: string,
  mtl: MtlMaterial | undefined,
  folder: string,
  root: string,
): Promise<Material> {
  const texture = await fileBeside(folder, mtl?.diffuseMap ?? 'texture.png', root);
  const [red, green, blue] = mtl?.diffuse ?? [0.7, 0.7, 0.7];
  const material = document
    .createMaterial(name)
    .setMetallicFactor(0)
    .setRoughnessFactor(mtl?.roughness ?? 0.8)
    .setDoubleSided(true)
    .setBaseColorFactor(texture === null ? [red, green, blue, mtl?.opacity ?? 1] : [1, 1, 1, mtl?.opacity ?? 1]);
  if ((mtl?.opacity ?? 1) < 1) material.setAlphaMode('BLEND');
  if (texture !== null) {
    const { format } = await sharp(texture).metadata();
    const image =
      format === 'png' || format === 'jpeg' ? texture : new Uint8Array(await sharp(texture).png().toBuffer());
    material.setBaseColorTexture(
      document
        .createTexture(name)
        .setImage(image)
        .setMimeType(format === 'jpeg' ? 'image/jpeg' : 'image/png'),
    );
  }
  return material;
}

/** Bytes of a file beside the OBJ, by its file name alone; null when missing or outside the root. */
async function fileBeside(folder: string, name: string, root: string): Promise<Uint8Array | null> {
  const file = basename(name.replaceAll('\\', '/'));
  if (file === '' || file === '.' || file === '..') return null;
  try {
    const real = await realpath(join(folder, file));
    return real.startsWith(root + sep) ? new Uint8Array(await readFile(real)) : null;
  } catch {
    return null;
  }
}
