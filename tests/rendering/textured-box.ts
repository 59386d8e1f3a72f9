import { Document, type Material } from '@gltf-transform/core';
import sharp from 'sharp';
import type { FrozenScene } from '../../src/core/scene.ts';
import { freezeInMemory } from '../../src/scenes/freeze.ts';
import { writeGlb } from '../../src/scenes/gltf-io.ts';

/** Colours of the quadrants, row by row. */
export const QUADRANTS = [
  [230, 20, 20],
  [20, 200, 20],
  [20, 20, 220],
  [240, 240, 240],
] as const;

/** A picture of the four quadrants as raw RGB. */
export function quadrants(side: number): Buffer {
  const data = Buffer.alloc(3 * side * side);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      data.set(QUADRANTS[2 * Math.floor((2 * y) / side) + Math.floor((2 * x) / side)]!, 3 * (y * side + x));
  return data;
}

/** The same as an encoded picture. */
export async function quadrantsImage(side: number, format: 'png' | 'webp' | 'jpeg' = 'png'): Promise<Uint8Array> {
  const picture = sharp(quadrants(side), { raw: { width: side, height: side, channels: 3 } });
  const encoded = format === 'webp' ? picture.webp({ lossless: true }) : picture.toFormat(format);
  return new Uint8Array(await encoded.toBuffer());
}

/** What is unusual about a box. */
export interface BoxOptions {
  readonly normals?: 'outward' | 'inward' | 'none';
  readonly winding?: 'outward' | 'inward';
  /** Changes the document before it is written: compression, another texture. */
  readonly pack?: (document: Document, material: Material) => unknown;
}

/** Corners of the faces of a box of 1 x 0.4 x 1 on the ground, wound outward; the top comes first, u along x and v along z. */
const FACES = [
  {
    normal: [0, 1, 0],
    corners: [
      [0, 1, 0],
      [0, 1, 1],
      [1, 1, 1],
      [1, 1, 0],
    ],
  },
  {
    normal: [0, -1, 0],
    corners: [
      [0, 0, 0],
      [1, 0, 0],
      [1, 0, 1],
      [0, 0, 1],
    ],
  },
  {
    normal: [1, 0, 0],
    corners: [
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
      [1, 0, 1],
    ],
  },
  {
    normal: [-1, 0, 0],
    corners: [
      [0, 0, 0],
      [0, 0, 1],
      [0, 1, 1],
      [0, 1, 0],
    ],
  },
  {
    normal: [0, 0, 1],
    corners: [
      [0, 0, 1],
      [1, 0, 1],
      [1, 1, 1],
      [0, 1, 1],
    ],
  },
  {
    normal: [0, 0, -1],
    corners: [
      [0, 0, 0],
      [0, 1, 0],
      [1, 1, 0],
      [1, 0, 0],
    ],
  },
] as const;

/** A box whose top shows the quadrants. */
export async function boxGlb({ normals = 'outward', winding = 'outward', pack }: BoxOptions = {}): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const sign = normals === 'inward' ? -1 : 1;
  const positions = FACES.flatMap(({ corners }) => corners.flatMap(([x, y, z]) => [x - 0.5, 0.4 * y, z - 0.5]));
  const directions = FACES.flatMap(({ normal }) => Array.from({ length: 4 }, () => normal.map((n) => sign * n)).flat());
  const uvs = FACES.flatMap(({ corners }) => corners.flatMap(([x, , z]) => [x, z]));
  const order = winding === 'outward' ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
  const indices = FACES.flatMap((_, face) => order.map((corner) => 4 * face + corner));
  const accessor = (type: 'VEC3' | 'VEC2', values: number[]) =>
    document.createAccessor().setType(type).setArray(Float32Array.from(values)).setBuffer(buffer);
  const texture = document
    .createTexture('quadrants')
    .setMimeType('image/png')
    .setImage(await quadrantsImage(64));
  const material = document
    .createMaterial('box')
    .setRoughnessFactor(0.9)
    .setMetallicFactor(0)
    .setBaseColorTexture(texture);
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', positions))
    .setAttribute('TEXCOORD_0', accessor('VEC2', uvs))
    .setIndices(document.createAccessor().setArray(Uint16Array.from(indices)).setBuffer(buffer))
    .setMaterial(material);
  if (normals !== 'none') primitive.setAttribute('NORMAL', accessor('VEC3', directions));
  const node = document.createNode('box').setMesh(document.createMesh('box').addPrimitive(primitive));
  document.getRoot().setDefaultScene(document.createScene('scene').addChild(node));
  await pack?.(document, material);
  return writeGlb(document);
}

/** A frozen scene of one mesh. */
export async function sceneOf(glb: Uint8Array): Promise<FrozenScene> {
  const { scene, glb: frozen } = await freezeInMemory({
    id: 'box',
    generator: 'sample',
    prompt: 'box',
    rooms: [],
    objects: [
      {
        id: 'box',
        label: 'box',
        asset: null,
        transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
        size: [1, 0.4, 1],
        supportedBy: null,
        geometry: { kind: 'mesh', glb },
      },
    ],
    source: { format: 'sample', file: 'textured-box.ts', sha256: '0'.repeat(64), notes: [] },
  });
  return { scene, glb: frozen, folder: '/memory/box' };
}
