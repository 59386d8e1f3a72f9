import { Document, type Node } from '@gltf-transform/core';
import { writeGlb } from '../../src/scenes/gltf-io.ts';

type Vector = readonly [number, number, number];

/** A node with a box between two corners. */
export function boxNode(document: Document, name: string, min: Vector, max: Vector): Node {
  const positions: number[] = [];
  for (let corner = 0; corner < 8; corner += 1)
    for (const axis of [0, 1, 2] as const) positions.push(corner & (1 << axis) ? max[axis] : min[axis]);
  const indices = [
    0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
  ];
  const buffer = document.getRoot().listBuffers()[0] ?? document.createBuffer();
  const primitive = document
    .createPrimitive()
    .setAttribute(
      'POSITION',
      document.createAccessor().setType('VEC3').setArray(Float32Array.from(positions)).setBuffer(buffer),
    )
    .setIndices(document.createAccessor().setArray(Uint16Array.from(indices)).setBuffer(buffer))
    .setMaterial(document.createMaterial(name).setBaseColorFactor([0.5, 0.4, 0.3, 1]));
  return document.createNode(name).setMesh(document.createMesh(name).addPrimitive(primitive));
}

/** A GLB made by a callback that returns the root nodes. */
export async function makeGlb(roots: (document: Document) => readonly Node[]): Promise<Uint8Array> {
  const document = new Document();
  document.createBuffer();
  const scene = document.createScene('scene');
  document.getRoot().setDefaultScene(scene);
  for (const node of roots(document)) scene.addChild(node);
  return writeGlb(document);
}

/** A bed and a chair under one wrapper. */
export function twoBoxesGlb(): Promise<Uint8Array> {
  return makeGlb((document) => [
    document
      .createNode('root')
      .addChild(boxNode(document, 'Bed.001', [-0.8, 0, -1], [0.8, 0.6, 1]).setTranslation([2, 0, -2]))
      .addChild(boxNode(document, 'Chair', [-0.25, 0, -0.2], [0.25, 0.9, 0.2]).setTranslation([3.2, 0, -0.6])),
  ]);
}
