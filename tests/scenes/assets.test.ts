import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Document } from '@gltf-transform/core';
import {
  EXTMeshoptCompression,
  EXTTextureWebP,
  KHRDracoMeshCompression,
  KHRTextureBasisu,
} from '@gltf-transform/extensions';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AssetLibrary } from '../../src/scenes/assets.ts';
import { readCatalogue } from '../../src/scenes/catalogue.ts';
import { decodeKtx2 } from '../../src/scenes/decode-ktx2.ts';
import type { SceneDraft } from '../../src/scenes/draft.ts';
import { freezeInMemory } from '../../src/scenes/freeze.ts';
import { boxOfPositions, readGeometry } from '../../src/scenes/glb-geometry.ts';
import { gltfIO, readGlb } from '../../src/scenes/gltf-io.ts';
import { boxNode, makeGlb } from './make-glb.ts';
import { FIXTURES, fixtureDraft, milli, seen } from './reference-room.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parallax-assets-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function put(path: string, data: string | Uint8Array): Promise<void> {
  await mkdir(join(folder, path, '..'), { recursive: true });
  await writeFile(join(folder, path), data);
}

/** A bed as a mesh: standing on its origin, head at -z, a knob that shows which way it faces. */
const bedGlb = (): Promise<Uint8Array> =>
  makeGlb((document) => [
    boxNode(document, 'frame', [-0.8, 0, -1], [0.8, 0.5, 1]),
    boxNode(document, 'headboard', [-0.8, 0.5, -1], [0.8, 0.6, -0.9]),
  ]);

/** World boxes of an object's parts: the headboard is the part above 0.5 m. */
async function headboard(draft: SceneDraft, id: string): Promise<number[]> {
  const { glb } = await freezeInMemory(draft);
  const { positions } = readGeometry(glb).find(({ node }) => node === `object:${id}`) as { positions: Float32Array };
  const high = [...positions].flatMap((value, at) => (at % 3 === 1 && value > 0.55 ? [at] : []));
  const sum = (offset: number): number =>
    high.reduce((total, at) => total + (positions[at + offset] as number), 0) / high.length;
  return [milli(sum(-1)), milli(sum(1))];
}

test.each([
  ['objathor', 'objaverse', ['bed.glb', 'bed/bed.glb', 'bed/model.glb', 'assets/bed/bed.glb', 'be/bed.glb']],
  ['hssd', 'fpModel', ['bed.glb', 'objects/b/bed.glb', 'objects/openings/bed.glb']],
  ['3d-future', '3dfModel', ['bed/bed.glb']],
  ['mine', 'mine', ['bed.glb', 'bed/model.glb']],
])('%s folders: flat and nested', async (name, source, places) => {
  for (const place of places) {
    await rm(join(folder, 'a'), { recursive: true, force: true });
    await put(`a/${place}`, await bedGlb());
    const library = await AssetLibrary.open({ [name]: join(folder, 'a') });
    const mesh = await library.find(source, 'bed');
    expect(mesh?.file).toBe(place);
    expect([mesh?.box.min.map(milli), mesh?.box.max.map(milli)]).toEqual([
      [-0.8, 0, -1],
      [0.8, 0.6, 1],
    ]);
    expect(await library.find(source, 'other')).toBe(null);
  }
});

test('HSSD parts lie in the folder of their model', async () => {
  await put('objects/decomposed/abc123/abc123_part_7.glb', await bedGlb());
  const library = await AssetLibrary.open({ hssd: folder });
  expect((await library.find('fpModel', 'abc123_part_7'))?.file).toBe('objects/decomposed/abc123/abc123_part_7.glb');
});

test('a mesh takes the place of the proxy and keeps facing the right way in every convention', async () => {
  await put('a/bed-mesh.glb', await bedGlb());
  await put('a/11111111111111111111111111111111.glb', await bedGlb());
  await put('a/scene_1__bed_0.glb', await bedGlb());
  const assets = await AssetLibrary.open({
    '3d-future': join(folder, 'a'),
    hssd: join(folder, 'a'),
    objathor: join(folder, 'a'),
    idesign: join(folder, 'a'),
  });
  for (const [format, path, id] of [
    ['sceneeval', 'sceneeval/upstream.json', '1'],
    ['sceneeval', 'sceneeval/hsm.json', '0'],
    ['3d-front', 'front3d/house.json', 'furniture-1'],
    ['layoutvlm', 'layoutvlm/layout.json', 'bed-0'],
    ['holodeck', 'holodeck/bedroom.json', 'bed-0 (bedroom)'],
    ['reason3d', 'reason3d/placed_objects.json', 'bed-0'],
  ] as const) {
    const draft = await fixtureDraft(format, path, { assets });
    const bed = draft.objects.find((object) => object.id === id);
    expect([path, bed?.geometry.kind, seen(draft)[id]]).toEqual([
      path,
      'mesh',
      { label: expect.stringContaining('bed'), size: [1.6, 0.6, 2], base: [2, 0, -2], front: [0, 0, 1] },
    ]);
    // Head against the north wall.
    expect([path, await headboard(draft, id)]).toEqual([path, [2, -2.95]]);
  }
});

test('a mesh whose front is said to be elsewhere is turned', async () => {
  // The same bed modelled facing +X, and a catalogue that says so.
  await put(
    'a/bed-mesh.glb',
    await makeGlb((document) => [
      boxNode(document, 'frame', [-1, 0, -0.8], [1, 0.5, 0.8]),
      boxNode(document, 'headboard', [-1, 0.5, -0.8], [-0.9, 0.6, 0.8]),
    ]),
  );
  await put('metadata.csv', 'id,main_category,up,front\nbed-mesh,bed,"0,1,0","1,0,0"\nwardrobe-mesh,wardrobe,,\n');
  const assets = await AssetLibrary.open({ hssd: join(folder, 'a') });
  const catalogue = await readCatalogue([join(FIXTURES, 'assets.csv'), join(folder, 'metadata.csv')]);
  const draft = await fixtureDraft('sceneeval', 'sceneeval/hsm.json', { assets, catalogue });
  expect(seen(draft)['0']).toEqual({ label: 'bed', size: [1.6, 0.6, 2], base: [2, 0, -2], front: [0, 0, 1] });
  expect(await headboard(draft, '0')).toEqual([2, -2.95]);
});

test('a mesh of another size is stretched to the size in the file, and that is noted', async () => {
  await put('a/11111111-aaaa.glb', await makeGlb((document) => [boxNode(document, 'x', [0, 0, 0], [1, 1, 1])]));
  const draft = await fixtureDraft('physcene', 'physcene/bedroom.json', {
    assets: await AssetLibrary.open({ '3d-future': join(folder, 'a') }),
  });
  expect(seen(draft)['double_bed-11111111-0']).toMatchObject({ size: [1.6, 0.6, 2], base: [2, 0, -2] });
  expect(draft.source.notes.join('\n')).toContain('mesh stretched over 5% to the size in the file');
  expect(draft.source.notes.join('\n')).toContain(
    '2 objects are proxies (no mesh found): wardrobe-22222222-0, chair-33333333-0',
  );
});

const CUBE = `mtllib model.mtl
v 0 0 0
v 1 0 0
v 1 2 0
v 0 2 0
v 0 0 3
v 1 0 3
v 1 2 3
v 0 2 3
vt 0 0
vt 1 0
vt 1 1
vt 0 1
usemtl wood
f 1/1 4/4 3/3 2/2
f 5/1 6/2 7/3 8/4
f 1/1 2/2 6/3 5/4
f 4/1 8/2 7/3 3/4
f 1/1 5/2 8/3 4/4
f 2/1 3/2 7/3 6/4
`;

test('3D-FUTURE: OBJ with MTL and texture, by file name only', async () => {
  const texture = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#c08040' } })
    .png()
    .toBuffer();
  await put('jid/raw_model.obj', CUBE);
  await put('jid/model.mtl', 'newmtl wood\nKd 0.1 0.1 0.1\nNs 20\nmap_Kd -s 1 1 1 ./somewhere/else/texture.png\n');
  await put('jid/texture.png', texture);
  const mesh = await (await AssetLibrary.open({ '3d-future': folder })).find('3dfModel', 'jid');
  expect([mesh?.file, mesh?.box]).toEqual(['jid/raw_model.obj', { min: [0, 0, 0], max: [1, 2, 3] }]);
  const document = await readGlb(mesh?.glb as Uint8Array, 'test');
  const [material] = document.getRoot().listMaterials();
  expect(material?.getBaseColorFactor()).toEqual([1, 1, 1, 1]);
  expect(Buffer.from(material?.getBaseColorTexture()?.getImage() as Uint8Array).equals(texture)).toBe(true);
});

test('an MTL that names files elsewhere reads none of them', async () => {
  await put(
    'secret.png',
    await sharp({ create: { width: 2, height: 2, channels: 3, background: '#fff' } })
      .png()
      .toBuffer(),
  );
  await put('a/jid/raw_model.obj', CUBE);
  await put('a/jid/model.mtl', 'newmtl wood\nKd 0.5 0.25 0.125\nd 0.5\nmap_Kd ../../secret.png\n');
  const mesh = await (await AssetLibrary.open({ '3d-future': join(folder, 'a') })).find('3dfModel', 'jid');
  const document = await readGlb(mesh?.glb as Uint8Array, 'test');
  expect(document.getRoot().listTextures()).toEqual([]);
  expect(document.getRoot().listMaterials()[0]?.getBaseColorFactor()).toEqual([0.5, 0.25, 0.125, 0.5]);
});

test('glTF with its files beside it, and none from elsewhere', async () => {
  const io = await gltfIO();
  const document = await readGlb(await bedGlb(), 'test');
  document.getRoot().listBuffers()[0]?.setURI('bed.bin');
  const { json, resources } = await io.writeJSON(document);
  await put('a/bed.gltf', JSON.stringify(json));
  await put('a/bed.bin', resources['bed.bin'] as Uint8Array);
  await put('secret.bin', resources['bed.bin'] as Uint8Array);
  const library = await AssetLibrary.open({ scenesmith: join(folder, 'a') });
  expect((await library.find('scene-agent', 'bed'))?.box.max.map(milli)).toEqual([0.8, 0.6, 1]);
  (json.buffers as { uri: string }[])[0] = {
    ...(json.buffers as { uri: string; byteLength: number }[])[0],
    uri: '../secret.bin',
  } as never;
  await put('a/evil.gltf', JSON.stringify(json));
  await expect(library.find('scene-agent', 'evil')).rejects.toThrow(/file outside its folder "\.\.\/secret\.bin"/);
});

test('a damaged asset is one clear line that names it', async () => {
  await put('a/bed-mesh.glb', new Uint8Array([1, 2, 3]));
  const scene = fixtureDraft('sceneeval', 'sceneeval/upstream.json', {
    assets: await AssetLibrary.open({ '3d-future': join(folder, 'a') }),
  });
  await expect(scene).rejects.toThrow('refused: asset "bed-mesh" (bed-mesh.glb): invalid GLB "3 bytes"');
});

async function texturedGlb(pack: (document: Document) => Promise<void> | void): Promise<Uint8Array> {
  const glb = await makeGlb((document) => [boxNode(document, 'box', [-0.8, 0, -1], [0.8, 0.6, 1])]);
  const document = await readGlb(glb, 'test');
  await pack(document);
  return (await gltfIO()).writeBinary(document);
}

test.each<[string, (document: Document) => Promise<void> | void, string | null]>([
  ['Draco', (document) => void document.createExtension(KHRDracoMeshCompression).setRequired(true), null],
  ['meshopt', (document) => void document.createExtension(EXTMeshoptCompression).setRequired(true), null],
  [
    'WebP',
    async (document) => {
      document.createExtension(EXTTextureWebP).setRequired(true);
      const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#c08040' } })
        .webp({ lossless: true })
        .toBuffer();
      document
        .getRoot()
        .listMaterials()[0]
        ?.setBaseColorTexture(document.createTexture('t').setMimeType('image/webp').setImage(image));
    },
    '#c08040',
  ],
  [
    'KTX2',
    async (document) => {
      document.createExtension(KHRTextureBasisu).setRequired(true);
      const image = await readFile(join(FIXTURES, 'ktx2', 'quadrants-etc1s.ktx2'));
      document
        .getRoot()
        .listMaterials()[0]
        ?.setBaseColorTexture(document.createTexture('t').setMimeType('image/ktx2').setImage(image));
    },
    '#e61414',
  ],
])('%s input ends as plain triangles and PNG in the frozen scene', async (_, pack, corner) => {
  await put('bed-mesh.glb', await texturedGlb(pack));
  const draft = await fixtureDraft('sceneeval', 'sceneeval/upstream.json', {
    assets: await AssetLibrary.open({ '3d-future': folder }),
  });
  const { glb } = await freezeInMemory(draft);
  const document = await readGlb(glb, 'frozen');
  expect(
    document
      .getRoot()
      .listExtensionsUsed()
      .map(({ extensionName }) => extensionName),
  ).toEqual([]);
  const bed = readGeometry(glb).find(({ node }) => node === 'object:1');
  const box = boxOfPositions(bed?.positions as Float32Array);
  const near = (found: readonly number[] | undefined, wanted: readonly number[]) =>
    wanted.forEach((value, axis) => {
      expect(Math.abs((found?.[axis] as number) - value)).toBeLessThan(0.002);
    });
  near(box?.min, [1.2, 0, -3]);
  near(box?.max, [2.8, 0.6, -1]);
  if (corner === null) return;
  const texture = document
    .getRoot()
    .listTextures()
    .find((item) => item.getName() === 't');
  expect(texture?.getMimeType()).toBe('image/png');
  const { data } = await sharp(texture?.getImage() as Uint8Array)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const wanted = [1, 3, 5].map((at) => Number.parseInt(corner.slice(at, at + 2), 16));
  wanted.forEach((value, channel) => {
    expect(Math.abs((data[channel] as number) - value)).toBeLessThan(12);
  });
});

test.each(['etc1s', 'uastc'])('KTX2 %s: the four quadrants come out where they were', async (kind) => {
  const { width, height, data } = await decodeKtx2(await readFile(join(FIXTURES, 'ktx2', `quadrants-${kind}.ktx2`)));
  expect([width, height]).toEqual([16, 16]);
  const at = (x: number, y: number): number[] => [...data.slice((y * 16 + x) * 4, (y * 16 + x) * 4 + 4)];
  const colours = [at(3, 3), at(12, 3), at(3, 12), at(12, 12)];
  const wanted = [
    [230, 20, 20, 255],
    [20, 200, 20, 255],
    [20, 20, 220, 255],
    [240, 240, 240, 255],
  ];
  for (const [index, colour] of colours.entries())
    for (const [channel, value] of colour.entries())
      expect(Math.abs(value - (wanted[index]?.[channel] as number))).toBeLessThan(12);
});

test('damaged KTX2 is an error, not a crash', async () => {
  const whole = await readFile(join(FIXTURES, 'ktx2', 'quadrants-etc1s.ktx2'));
  await expect(decodeKtx2(whole.subarray(0, 60))).rejects.toThrow(/KTX2/);
  await expect(decodeKtx2(new Uint8Array(100))).rejects.toThrow(/KTX2/);
});
