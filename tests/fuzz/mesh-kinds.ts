import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Document, PropertyType } from '@gltf-transform/core';
import { EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization } from '@gltf-transform/extensions';
import { quantize, reorder } from '@gltf-transform/functions';
import { MeshoptEncoder } from 'meshoptimizer';
import sharp from 'sharp';
import { isFailure } from '../../src/core/outcome.ts';
import type { Random } from '../../src/core/random.ts';
import { decodeImage } from '../../src/core/read-image.ts';
import { AssetLibrary } from '../../src/scenes/assets.ts';
import { gltfIO, readGlb, writeGlb } from '../../src/scenes/gltf-io.ts';
import { readScene } from '../../src/scenes/read-scene.ts';
import { SourceFile } from '../../src/scenes/source-file.ts';
import { twoBoxesGlb } from '../scenes/make-glb.ts';
import { memoryFile } from '../scenes/reference-room.ts';
import { writeTinyAudit } from '../support/tiny-audit.ts';
import { type FuzzKind, requireLine, verdictOf } from './fuzz-kind.ts';
import { mutateBytes, mutateGlb, mutateJson, mutateText, textBytes } from './mutate.ts';
import { assetFolders, importsCleanly, survives, WRITTEN } from './scene-kinds.ts';

/** The same two boxes in the encodings that people export. */
async function meshes(): Promise<readonly Uint8Array[]> {
  const plain = await twoBoxesGlb();
  const encoded = async (change: (document: Document) => Promise<void> | void): Promise<Uint8Array> => {
    const document = await readGlb(plain, 'boxes.glb');
    await change(document);
    return writeGlb(document);
  };
  const picture = new Uint8Array(
    await sharp({ create: { width: 4, height: 4, channels: 3, background: '#884422' } })
      .png()
      .toBuffer(),
  );
  return [
    plain,
    await encoded((document) => {
      const texture = document.createTexture('wood').setImage(picture).setMimeType('image/png');
      for (const material of document.getRoot().listMaterials())
        material.setBaseColorTexture(texture).setExtras({ label: 'wood' });
    }),
    await encoded(async (document) => {
      await document.transform(reorder({ encoder: MeshoptEncoder }), quantize({ quantizePosition: 12 }));
      document.createExtension(KHRMeshQuantization).setRequired(true);
      document.createExtension(EXTMeshoptCompression).setRequired(true);
    }),
    await encoded((document) => {
      document.createExtension(KHRDracoMeshCompression).setRequired(true);
      if (document.getRoot().listMeshes().length === 0) throw new Error(`no ${PropertyType.MESH} to compress`);
    }),
  ];
}

/** GLB files as scenes of their own. */
const glb: FuzzKind = {
  name: 'glb',
  async prepare(folder) {
    const assets = await AssetLibrary.open(await assetFolders(folder));
    const good = await meshes();
    return {
      make: (random) => ({ name: 'scene.glb', bytes: mutateGlb(random.pick(good), random) }),
      async check(input, run) {
        const file = new SourceFile('/nowhere/scene.glb', input.name, input.bytes);
        const verdict = await survives('glb', file, assets, run % 4 === 0);
        if (run % WRITTEN === 0) await importsCleanly('glb', input, folder);
        return verdict;
      },
    };
  },
};

/** A scene of one object whose asset is `inside`, for the collections that keep GLB, glTF and OBJ. */
const BOX = { location: [1, 1, 0], rotation: [0, 0, 1], size: [0.4, 0.4, 0.4], parent: [] };
const SCENE = JSON.stringify({ objects: { inside: BOX }, structure: {}, roomsize: [3, 3] });

/** Meshes of an asset folder, in the file that a scene finds under its object's id. */
function assetKind(
  name: string,
  file: string,
  good: () => Promise<readonly Uint8Array[]>,
  mutate: (bytes: Uint8Array, random: Random) => Uint8Array,
  beside: Readonly<Record<string, string>> = {},
): FuzzKind {
  return {
    name,
    async prepare(folder) {
      const sources = await assetFolders(folder);
      const inside = join(folder, 'assets');
      rmSync(join(inside, 'inside.glb'));
      mkdirSync(join(inside, 'inside'));
      for (const [other, text] of Object.entries(beside)) writeFileSync(join(inside, 'inside', other), text);
      const meshes = await good();
      return {
        make: (random) => ({ name: basename(file), bytes: mutate(random.pick(meshes), random) }),
        async check(input, run) {
          writeFileSync(join(inside, file), input.bytes);
          // A library remembers what it read: each case needs its own.
          const library = await AssetLibrary.open(sources);
          await survives('sceneweaver', memoryFile('scene.json', SCENE), library, run % 4 === 0);
          return (await library.find('sceneweaver', 'inside').catch(() => null)) === null ? 'refused' : 'accepted';
        },
      };
    },
  };
}

const OBJ = `mtllib model.mtl
v 0 0 0
v 0.4 0 0
v 0.4 0.4 0
v 0 0.4 0.3
vt 0 0
vt 1 0
vt 1 1
vn 0 0 1
usemtl wood
f 1/1/1 2/2/1 3/3/1 4
f -4 -3 -1
`;
const MTL = 'newmtl wood\nKd 0.5 0.4 0.3\nmap_Kd texture.png\nd 1\n';

async function gltfFile(): Promise<Uint8Array> {
  const [plain] = await meshes();
  const io = await gltfIO();
  const { json, resources } = await io.writeJSON(await readGlb(plain as Uint8Array, 'boxes.glb'));
  for (const buffer of json.buffers ?? []) {
    const bytes = resources[buffer.uri ?? ''] as Uint8Array;
    buffer.uri = `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`;
  }
  return new TextEncoder().encode(JSON.stringify(json));
}

const asText = (change: (text: string, random: Random) => string) => (bytes: Uint8Array, random: Random) =>
  textBytes(change(new TextDecoder().decode(bytes), random), random);
const text = (content: string) => async () => [new TextEncoder().encode(content)];

const assets: readonly FuzzKind[] = [
  assetKind('asset glb', 'inside/inside.glb', meshes, mutateGlb),
  assetKind('asset gltf', 'inside/inside.gltf', async () => [await gltfFile()], asText(mutateJson)),
  assetKind('asset obj', 'inside/model.obj', text(OBJ), asText(mutateText), { 'model.mtl': MTL }),
  // A damaged material leaves the plain colour.
  {
    ...assetKind('asset mtl', 'inside/model.mtl', text(MTL), asText(mutateText), { 'model.obj': OBJ }),
    tolerant: true,
  },
];

/** Frozen scenes: what is accepted is byte for byte what was frozen. */
const frozen: FuzzKind = {
  name: 'frozen scene',
  async prepare(folder) {
    await writeTinyAudit(folder, { generators: ['g'], prompts: ['p'], pitches: [90], red: () => 100 });
    const scene = join(folder, 'scenes', 'g', 'p');
    const original = await readScene(scene);
    const parts = ['scene.json', 'scene.glb'].map((name) => ({
      name,
      // A copy: slices of a Buffer share its memory, and mutations must not reach the original.
      bytes: Uint8Array.from(readFileSync(join(scene, name))),
    }));
    return {
      make(random) {
        const { name, bytes } = random.pick(parts);
        if (name === 'scene.glb') return { name, bytes: mutateBytes(bytes, random) };
        const json = new TextDecoder().decode(bytes);
        // Another layout of the same JSON is the same scene.
        if (random.integer(20) === 0) return { name, bytes: Buffer.from(JSON.stringify(JSON.parse(json))) };
        return { name, bytes: textBytes(mutateJson(json, random), random) };
      },
      async check(input) {
        try {
          for (const { name, bytes } of parts)
            writeFileSync(join(scene, name), name === input.name ? input.bytes : bytes);
          return await verdictOf(async () => {
            const read = await readScene(scene);
            if (read.scene.hash !== original.scene.hash || Buffer.compare(read.glb, original.glb) !== 0)
              throw new Error('another scene was read than the one that was frozen');
          });
        } finally {
          for (const { name, bytes } of parts) writeFileSync(join(scene, name), bytes);
        }
      },
    };
  },
};

/** Pictures made elsewhere. */
const pictures: FuzzKind = {
  name: 'picture',
  async prepare() {
    const folder = join(import.meta.dirname, '..', 'fixtures', 'images');
    const names = [
      'rgba-16.png',
      'palette-transparent.png',
      'exif-6.png',
      'profile-other.png',
      'photo.jpg',
      'grey-alpha.png',
    ];
    const good = names.map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(folder, name))) }));
    const webp = await sharp(join(folder, 'rgb-64x17.png')).webp().toBuffer();
    good.push({ name: 'picture.webp', bytes: new Uint8Array(webp) });
    return {
      make(random) {
        const { name, bytes } = random.pick(good);
        return { name, bytes: mutateBytes(bytes, random) };
      },
      async check(input) {
        const read = await decodeImage(input.bytes);
        if (!isFailure(read))
          return read.data.length >= read.width * read.height * 3
            ? 'accepted'
            : Promise.reject(new Error('pixels are missing'));
        requireLine(`failed: ${read.reason}`);
        return 'refused';
      },
    };
  },
};

export const MESH_KINDS: readonly FuzzKind[] = [glb, ...assets, frozen, pictures];
