import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  EXTMeshoptCompression,
  EXTTextureWebP,
  KHRDracoMeshCompression,
  KHRTextureBasisu,
} from '@gltf-transform/extensions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Rgba } from '../../src/core/image.ts';
import { isFailure } from '../../src/core/outcome.ts';
import type { View } from '../../src/core/protocol.ts';
import type { FrozenScene } from '../../src/core/scene.ts';
import { createChromiumRenderer } from '../../src/rendering/chromium.ts';
import { RENDERER_DEFAULTS, type Renderer } from '../../src/rendering/renderer.ts';
import { AssetLibrary } from '../../src/scenes/assets.ts';
import { lightenMeshes } from '../../src/scenes/lighten-meshes.ts';
import { ensurePage } from './bundle.ts';
import { heavyGlb } from './heavy-glb.ts';
import { type BoxOptions, boxGlb, QUADRANTS, quadrantsImage, sceneOf } from './textured-box.ts';

const KTX2 = join(import.meta.dirname, '..', 'fixtures', 'scenes', 'ktx2');
const above: View = { resolution: 64, focal: 50, lighting: 'city', pitch: 90, yaw: 0 };
const aslant: View = { ...above, pitch: 30, yaw: 45 };
const never = new AbortController().signal;
let renderer: Renderer;
let notes: string[] = [];
let plain: FrozenScene;
let expected: Rgba[];

/** Pictures from above and aslant; a failure becomes its reason. */
async function draw(scene: FrozenScene): Promise<(Rgba | string)[]> {
  const found = new Map<View, Rgba | string>();
  for await (const [view, picture] of renderer.render(scene, [above, aslant], never))
    found.set(view, isFailure(picture) ? picture.reason : picture);
  return [above, aslant].map((view) => found.get(view) ?? 'nothing');
}

/** Draws a file as it is, without the unpacking that freezing does. */
const drawRaw = (glb: Uint8Array) => draw({ ...plain, glb });
const drawFrozen = async (glb: Uint8Array) => draw(await sceneOf(glb));

function pictures(found: readonly (Rgba | string)[]): Rgba[] {
  return found.map((picture) => {
    if (typeof picture === 'string') throw new Error(picture);
    return picture;
  });
}

/** Mean absolute difference of the values of two pictures, 0..255. */
function difference(a: Rgba, b: Rgba): number {
  return a.data.reduce((sum, value, index) => sum + Math.abs(value - b.data[index]!), 0) / a.data.length;
}

/** Differences to the pictures of the plain box. */
function differences(found: readonly (Rgba | string)[]): number[] {
  return pictures(found).map((picture, index) => difference(picture, expected[index]!));
}

beforeAll(async () => {
  await ensurePage();
  const log = { debug: (message: string) => notes.push(message), info() {}, warn() {} };
  renderer = await createChromiumRenderer({ ...RENDERER_DEFAULTS, detail: 'quick' }, log);
  plain = await sceneOf(await boxGlb());
  expected = pictures(await draw(plain));
});
afterAll(() => renderer.close());

test('the plain box: each quadrant is where it belongs and of its colour', () => {
  const [{ data }] = expected as [Rgba];
  const at = (x: number, y: number) => [...data.slice(4 * (64 * y + x), 4 * (64 * y + x) + 4)];
  const seen = [at(20, 20), at(44, 20), at(20, 44), at(44, 44)];
  seen.forEach(([r = 0, g = 0, b = 0, a], index) => {
    const strong = QUADRANTS[index]!.map((value) => value > 100);
    const lowest = Math.min(...[r, g, b].filter((_, channel) => strong[channel]));
    const highest = Math.max(0, ...[r, g, b].filter((_, channel) => !strong[channel]));
    expect(a).toBe(255);
    expect(lowest).toBeGreaterThan(highest + 60);
  });
});

describe.each<[string, number, NonNullable<BoxOptions['pack']>]>([
  ['Draco', 0.5, (document) => document.createExtension(KHRDracoMeshCompression).setRequired(true)],
  ['meshopt', 0.5, (document) => document.createExtension(EXTMeshoptCompression).setRequired(true)],
  [
    'a WebP texture',
    0.5,
    async (document, material) => {
      document.createExtension(EXTTextureWebP).setRequired(true);
      material
        .getBaseColorTexture()
        ?.setMimeType('image/webp')
        .setImage(await quadrantsImage(64, 'webp'));
    },
  ],
  ...(['etc1s', 'uastc'] as const).map((kind): [string, number, NonNullable<BoxOptions['pack']>] => [
    `a KTX2 texture (${kind})`,
    6,
    (document, material) => {
      document.createExtension(KHRTextureBasisu).setRequired(true);
      const image = new Uint8Array(readFileSync(join(KTX2, `quadrants-${kind}.ktx2`)));
      material.getBaseColorTexture()?.setMimeType('image/ktx2').setImage(image);
    },
  ]),
  [
    'a texture of 5000 pixels',
    0.5,
    async (_, material) => material.getBaseColorTexture()?.setImage(await quadrantsImage(5000)),
  ],
])('a GLB with %s', (_, bound, pack) => {
  test('draws like the plain one, as it is and frozen', async () => {
    const glb = await boxGlb({ pack });
    for (const found of [await drawRaw(glb), await drawFrozen(glb)])
      for (const off of differences(found)) expect(off).toBeLessThan(bound);
  });
});

test.each<[string, BoxOptions]>([
  ['reversed winding', { winding: 'inward' }],
  ['reversed winding and normals', { winding: 'inward', normals: 'inward' }],
  ['no normals', { normals: 'none' }],
  ['no normals and reversed winding', { normals: 'none', winding: 'inward' }],
])('a mesh with %s draws like the plain one', async (_, options) => {
  for (const off of differences(await drawFrozen(await boxGlb(options)))) expect(off).toBeLessThan(0.1);
});

test('an OBJ folder of 3D-FUTURE draws like the plain one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parallax-obj-'));
  try {
    const model = join(folder, 'box-1');
    mkdirSync(model);
    const corner = (x: number, y: number, z: number) => `v ${x - 0.5} ${0.4 * y} ${z - 0.5}`;
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => corner(bits & 1, (bits >> 1) & 1, bits >> 2));
    const uvs = ['vt 0 1', 'vt 1 1', 'vt 0 0', 'vt 1 0'];
    const faces = [
      [3, 7, 8, 4],
      [1, 2, 6, 5],
      [2, 4, 8, 6],
      [1, 5, 7, 3],
      [5, 6, 8, 7],
      [1, 3, 4, 2],
    ];
    const uvOf = (index: number) => ((index - 1) & 1) + 2 * ((index - 1) >> 2) + 1;
    const lines = faces.map((face) => `f ${face.map((index) => `${index}/${uvOf(index)}`).join(' ')}`);
    writeFileSync(
      join(model, 'raw_model.obj'),
      ['mtllib model.mtl', ...corners, ...uvs, 'usemtl m', ...lines].join('\n'),
    );
    writeFileSync(join(model, 'model.mtl'), 'newmtl m\nKd 1 1 1\nmap_Kd ./texture.png\n');
    writeFileSync(join(model, 'texture.png'), await quadrantsImage(64));
    const mesh = await (await AssetLibrary.open({ '3d-future': folder })).find('3D-FUTURE', 'box-1');
    expect(mesh?.file).toBe('box-1/raw_model.obj');
    for (const off of differences(await drawFrozen(mesh!.glb))) expect(off).toBeLessThan(1.5);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a large texture is scaled down in the page, and that is noted', async () => {
  notes = [];
  await drawRaw(
    await boxGlb({ pack: async (_, material) => material.getBaseColorTexture()?.setImage(await quadrantsImage(2000)) }),
  );
  expect(notes).toContain('box: a texture over 1024 pixels was scaled down');
});

test('a mesh of three million triangles is thinned, noted, and keeps its look', async () => {
  const object = (glb: Uint8Array) => ({
    id: 'ball',
    label: 'ball',
    asset: null,
    transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    size: [1, 1, 1] as const,
    supportedBy: null,
    geometry: { kind: 'mesh' as const, glb },
  });
  const { objects, notes: told } = await lightenMeshes([object(await heavyGlb(3_000_000, 'smooth'))]);
  expect(told).toEqual([
    expect.stringMatching(
      /^object "ball": 2999824 triangles thinned to (49\d{4}|500000); its surface moved by at most 0\.0\d+% of its size$/,
    ),
  ]);
  const geometry = objects[0]!.geometry;
  if (geometry.kind !== 'mesh') throw new Error('no mesh');
  const [heavy, light] = [
    pictures(await drawFrozen(geometry.glb)),
    pictures(await drawFrozen(await heavyGlb(30_000, 'smooth'))),
  ];
  heavy.forEach((picture, index) => {
    expect(difference(picture, light[index]!)).toBeLessThan(2);
  });
});

/** As much of a glTF header as is tampered with. */
interface Gltf {
  accessors: { bufferView: number; byteOffset?: number }[];
  bufferViews: { byteOffset?: number; byteLength: number }[];
  buffers: { uri?: string }[];
  images: { bufferView?: number; uri?: string }[];
  meshes: { primitives: { indices: number; attributes: { POSITION: number } }[] }[];
  scenes: { nodes: number[] }[];
  extensionsRequired?: string[];
}

/** The plain box's GLB as glTF JSON and binary chunk, changed and put together again. */
async function tampered(change: (json: Gltf, binary: Uint8Array) => void): Promise<Uint8Array> {
  const glb = await boxGlb();
  const view = new DataView(glb.buffer, glb.byteOffset);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  const binary = glb.slice(28 + length);
  change(json, binary);
  const text = new TextEncoder().encode(JSON.stringify(json));
  const padded = Math.ceil(text.length / 4) * 4;
  const out = new Uint8Array(28 + padded + binary.length).fill(0x20);
  const header = new DataView(out.buffer);
  header.setUint32(0, 0x46546c67, true);
  header.setUint32(4, 2, true);
  header.setUint32(8, out.length, true);
  header.setUint32(12, padded, true);
  header.setUint32(16, 0x4e4f534a, true);
  out.set(text, 20);
  header.setUint32(20 + padded, binary.length, true);
  header.setUint32(24 + padded, 0x004e4942, true);
  out.set(binary, 28 + padded);
  return out;
}

describe('what cannot be drawn is a failure with its reason, never a picture', () => {
  const image = (json: Gltf) => json.bufferViews[json.images[0]!.bufferView!]!;
  const placeOf = (json: Gltf, accessor: number) => {
    const { bufferView, byteOffset = 0 } = json.accessors[accessor]!;
    return (json.bufferViews[bufferView]!.byteOffset ?? 0) + byteOffset;
  };
  const primitive = (json: Gltf) => json.meshes[0]!.primitives[0]!;
  test.each<[string, RegExp, () => Promise<Uint8Array>]>([
    ['a file cut short', /./, async () => (await boxGlb()).slice(0, 400)],
    ['no GLB at all', /./, async () => new TextEncoder().encode('<html>404</html>'.repeat(9))],
    ['an empty file', /./, async () => new Uint8Array(0)],
    [
      'a damaged texture',
      /texture .*cannot be decoded/,
      () =>
        tampered((json, binary) => {
          const begin = image(json).byteOffset ?? 0;
          binary.fill(0x55, begin + 40, begin + 120);
        }),
    ],
    [
      'a texture cut short',
      /texture .*cannot be decoded/,
      () =>
        tampered((json) => {
          image(json).byteLength = 90;
        }),
    ],
    [
      'a texture that lies in another file',
      /texture .*cannot be decoded/,
      () =>
        tampered((json) => {
          json.images[0] = { uri: 'elsewhere.png' };
        }),
    ],
    [
      'geometry that lies in another file',
      /./,
      () =>
        tampered((json) => {
          json.buffers[0]!.uri = 'elsewhere.bin';
        }),
    ],
    [
      'a vertex that is no number',
      /not a finite number/,
      () =>
        tampered((json, binary) => {
          new DataView(binary.buffer).setUint32(placeOf(json, primitive(json).attributes.POSITION), 0x7fc00000, true);
        }),
    ],
    [
      'indices beyond the vertices',
      /vertex that is not there/,
      () =>
        tampered((json, binary) => {
          new DataView(binary.buffer).setUint16(placeOf(json, primitive(json).indices), 60_000, true);
        }),
    ],
    [
      'no triangles',
      /no triangles/,
      () =>
        tampered((json) => {
          json.scenes[0]!.nodes = [];
        }),
    ],
    [
      'an extension nobody knows',
      /NO_such_extension/,
      () =>
        tampered((json) => {
          json.extensionsRequired = ['NO_such_extension'];
        }),
    ],
    [
      'damaged Draco data',
      /./,
      async () => {
        const glb = await boxGlb({
          pack: (document) => document.createExtension(KHRDracoMeshCompression).setRequired(true),
        });
        return glb.fill(0x33, glb.length - 60);
      },
    ],
    [
      'damaged KTX2 data',
      /texture .*cannot be decoded/,
      async () => {
        const ktx2 = new Uint8Array(readFileSync(join(KTX2, 'quadrants-etc1s.ktx2')));
        return boxGlb({
          pack: (document, material) => {
            document.createExtension(KHRTextureBasisu).setRequired(true);
            material.getBaseColorTexture()?.setMimeType('image/ktx2').setImage(ktx2.slice(0, 120));
          },
        });
      },
    ],
  ])('%s', async (_, reason, make) => {
    const found = await drawRaw(await make());
    for (const outcome of found) expect(outcome).toMatch(reason);
    // The next scene is drawn as if nothing had been.
    expect(await draw(plain)).toEqual(expected);
  });
});
