import { Document } from '@gltf-transform/core';
import { KHRMaterialsUnlit } from '@gltf-transform/extensions';
import type { FrozenScene } from '../../src/core/scene.ts';
import { freezeInMemory } from '../../src/scenes/freeze.ts';
import { writeGlb } from '../../src/scenes/gltf-io.ts';

/** A horizontal unlit square: no light changes its colour. */
export interface FlatSquare {
  /** Middle, x and z, metres. */
  readonly centre: readonly [number, number];
  readonly side: number;
  /** Degrees about +Y. */
  readonly turn?: number;
  /** Linear RGB, 0..1. */
  readonly colour: readonly [number, number, number];
}

/** Corners of a square, x and z, in order round it. */
export function squareCorners({ centre, side, turn = 0 }: FlatSquare): [number, number][] {
  const [s, c] = [Math.sin((turn * Math.PI) / 180), Math.cos((turn * Math.PI) / 180)];
  return (
    [
      [-1, -1],
      [-1, 1],
      [1, 1],
      [1, -1],
    ] as const
  ).map(([x, z]) => [centre[0] + (side / 2) * (c * x + s * z), centre[1] + (side / 2) * (-s * x + c * z)]);
}

/** Unlit squares on the ground, facing up, as a scene without rooms. */
export async function flatSquares(squares: readonly FlatSquare[]): Promise<FrozenScene> {
  const document = new Document();
  const unlit = document.createExtension(KHRMaterialsUnlit);
  const buffer = document.createBuffer();
  const scene = document.createScene('squares');
  for (const square of squares) {
    const positions = Float32Array.from(squareCorners(square).flatMap(([x, z]) => [x, 0, z]));
    const accessor = (type: 'VEC3' | 'SCALAR', array: Float32Array | Uint16Array) =>
      document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
    const primitive = document
      .createPrimitive()
      .setAttribute('POSITION', accessor('VEC3', positions))
      .setAttribute('NORMAL', accessor('VEC3', Float32Array.of(0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0)))
      .setIndices(accessor('SCALAR', Uint16Array.of(0, 1, 2, 0, 2, 3)))
      .setMaterial(
        document
          .createMaterial()
          .setBaseColorFactor([...square.colour, 1])
          .setExtension('KHR_materials_unlit', unlit.createUnlit()),
      );
    scene.addChild(document.createNode('square').setMesh(document.createMesh().addPrimitive(primitive)));
  }
  const { scene: frozen } = await freezeInMemory({
    id: 'squares',
    generator: 'test',
    prompt: 'squares',
    rooms: [],
    surfaces: {},
    objects: [],
    source: { format: 'test', file: 'flat-squares.ts', sha256: '0'.repeat(64), notes: [] },
  });
  return { scene: frozen, glb: await writeGlb(document), folder: '/memory/squares' };
}
