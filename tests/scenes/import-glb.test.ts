import { expect, test } from 'vitest';
import { freezeInMemory } from '../../src/scenes/freeze.ts';
import { boxOfPositions, readGeometry } from '../../src/scenes/glb-geometry.ts';
import type { ImportOptions } from '../../src/scenes/importer.ts';
import { SourceFile } from '../../src/scenes/source-file.ts';
import { boxNode, makeGlb } from './make-glb.ts';
import { importFile, milli, seen } from './reference-room.ts';

async function draftOf(glb: Uint8Array, options: Partial<ImportOptions> = {}) {
  const [scene] = await importFile('glb', new SourceFile('/nowhere/scene.glb', 'scene.glb', glb), options);
  if (scene === undefined || !('draft' in scene)) throw new Error(`refused: ${scene?.refused}`);
  return scene.draft;
}

const HALF = Math.SQRT1_2;

test('nodes below a wrapper are objects: ids, labels, boxes, facing', async () => {
  const draft = await draftOf(
    await makeGlb((document) => [
      document.createNode('Sketchfab_model').addChild(
        document
          .createNode('RootNode')
          .addChild(boxNode(document, 'Bed.001', [-0.8, 0, -1], [0.8, 0.6, 1]).setTranslation([2, 0, -2]))
          .addChild(
            boxNode(document, 'DiningChair_03', [-0.25, 0, -0.2], [0.25, 0.9, 0.2])
              .setTranslation([3, 0, -1])
              .setRotation([0, HALF, 0, HALF]),
          )
          .addChild(boxNode(document, 'node_7', [0, 0, 0], [0.2, 0.3, 0.4]).setExtras({ category: 'table lamp' }))
          .addChild(boxNode(document, 'Ceiling', [-3, 2.5, -3], [3, 2.6, 3]))
          .addChild(document.createNode('empty')),
      ),
    ]),
  );
  expect(seen(draft)).toEqual({
    'Bed.001': { label: 'bed', size: [1.6, 0.6, 2], base: [2, 0, -2], front: [0, 0, 1] },
    DiningChair_03: { label: 'dining chair', size: [0.5, 0.9, 0.4], base: [3, 0, -1], front: [1, 0, 0] },
    node_7: { label: 'table lamp', size: [0.2, 0.3, 0.4], base: [0.1, 0, 0.2], front: [0, 0, 1] },
  });
  expect(draft.rooms).toEqual([]);
  expect(draft.source.notes).toEqual([
    'frame assumed: y up (the glTF rule), 1 unit = 1 m, objects face +Z of their node',
    'node "Ceiling" left out: a ceiling would hide the room from above',
    'node "empty" has no mesh: left out',
  ]);
});

test('z up and centimetres', async () => {
  // A bed facing -Y (Blender), a chair facing +X, lengths in cm.
  const draft = await draftOf(
    await makeGlb((document) => [
      boxNode(document, 'bed', [-80, -100, 0], [80, 100, 60]).setTranslation([200, 200, 0]),
      boxNode(document, 'chair', [-25, -20, 0], [25, 20, 90])
        .setTranslation([320, 60, 0])
        .setRotation([0, 0, HALF, HALF]),
    ]),
    { up: 'z', metresPerUnit: 0.01 },
  );
  expect(seen(draft)).toEqual({
    bed: { label: 'bed', size: [1.6, 0.6, 2], base: [2, 0, -2], front: [0, 0, 1] },
    chair: { label: 'chair', size: [0.5, 0.9, 0.4], base: [3.2, 0, -0.6], front: [1, 0, 0] },
  });
});

test('nodes modelled z-up inside a y-up file stand upright', async () => {
  const draft = await draftOf(
    await makeGlb((document) => [
      boxNode(document, 'bed', [-80, -100, 0], [80, 100, 60])
        .setRotation([-HALF, 0, 0, HALF])
        .setScale([0.01, 0.01, 0.01])
        .setTranslation([2, 0, -2]),
      boxNode(document, 'chair', [-0.25, 0, -0.2], [0.25, 0.9, 0.2]),
    ]),
  );
  expect(seen(draft)['bed']).toEqual({ label: 'bed', size: [1.6, 0.6, 2], base: [2, 0, -2], front: [0, 0, 1] });
});

test('a single mesh without structure is a scene of one object', async () => {
  const draft = await draftOf(
    await makeGlb((document) => [document.createNode('world').addChild(boxNode(document, '', [0, 0, 0], [4, 3, 5]))]),
  );
  expect(seen(draft)).toEqual({ object: { label: 'object', size: [4, 3, 5], base: [2, 0, 2.5], front: [0, 0, 1] } });
  expect(draft.objects[0]?.geometry.kind).toBe('mesh');
});

test('a mirrored node keeps its place and shape: the mirror goes into the geometry', async () => {
  const draft = await draftOf(
    await makeGlb((document) => [
      boxNode(document, 'a', [0, 0, 0], [1, 2, 3]).setScale([-1, 1, 1]).setTranslation([5, 0, 0]),
      boxNode(document, 'b', [0, 0, 0], [1, 1, 1]),
    ]),
  );
  expect(seen(draft)['a']).toEqual({ label: 'a', size: [1, 2, 3], base: [4.5, 0, 1.5], front: [0, 0, 1] });
  expect(draft.source.notes.join('\n')).toContain('node "a" is sheared, mirrored or flat: its axes are the scene\'s');
  const { glb } = await freezeInMemory(draft);
  const box = boxOfPositions(readGeometry(glb)[0]?.positions as Float32Array);
  expect([box?.min.map(milli), box?.max.map(milli)]).toEqual([
    [4, 0, 0],
    [5, 2, 3],
  ]);
});

test('a frozen scene comes back from its own GLB with the same boxes', async () => {
  const glb = await makeGlb((document) => [
    boxNode(document, 'bed', [-0.8, 0, -1], [0.8, 0.6, 1])
      .setTranslation([2, 0, -2])
      .setRotation([0, 0.3826834323650898, 0, 0.9238795325112867]),
    boxNode(document, 'chair', [-0.25, 0, -0.2], [0.25, 0.9, 0.2]),
  ]);
  const first = await draftOf(glb);
  const second = await draftOf((await freezeInMemory(first)).glb);
  expect(seen(second)).toEqual(seen(first));
});

test('two scenes in one file: only the default one, noted', async () => {
  const draft = await draftOf(
    await makeGlb((document) => {
      document.createScene('other').addChild(boxNode(document, 'hidden', [0, 0, 0], [1, 1, 1]));
      return [boxNode(document, 'shown', [0, 0, 0], [1, 1, 1]), boxNode(document, 'also', [2, 0, 0], [3, 1, 1])];
    }),
  );
  expect(draft.objects.map(({ id }) => id)).toEqual(['shown', 'also']);
  expect(draft.source.notes).toContain('2 scenes in the file: only the default one is imported');
});

test('equal node names become ids of their own', async () => {
  const draft = await draftOf(
    await makeGlb((document) => [0, 1, 2].map((k) => boxNode(document, 'A / B', [3 * k, 0, 0], [3 * k + 1, 1, 1]))),
  );
  expect(draft.objects.map(({ id }) => id)).toEqual(['A - B', 'A - B-2', 'A - B-3']);
});
