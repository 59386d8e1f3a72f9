import { Matrix4 } from 'three';
import { documentBox } from './document-box.ts';
import type { Box } from './glb-geometry.ts';
import { readGlb, writeGlb } from './gltf-io.ts';

/** An asset brought into object space. */
export interface FittedAsset {
  /** Box centred on x = z = 0, standing on y = 0. */
  readonly glb: Uint8Array;
  readonly size: readonly [number, number, number];
  /** Bottom centre of the mesh after `linear`, before it was moved to the origin. */
  readonly base: readonly [number, number, number];
}

/**
 * Brings an asset into object space: first `linear` (rotation and scale, asset frame -> object axes), then a move that puts
 * the bottom centre of its box at the origin. Meshes are not touched; a node above them carries the change.
 *
 * @throws AuditError when the GLB cannot be read or has no geometry
 */
export async function fitAsset(glb: Uint8Array, linear: Matrix4, where: string): Promise<FittedAsset> {
  const document = await readGlb(glb, where);
  const root = document.getRoot();
  const scene = root.getDefaultScene() ?? root.listScenes()[0];
  const holder = document.createNode('fit');
  for (const child of scene?.listChildren() ?? []) holder.addChild(child);
  scene?.addChild(holder);
  holder.setMatrix(elements(linear));
  const box = documentBox(document) ?? emptyBox();
  const base: [number, number, number] = [(box.min[0] + box.max[0]) / 2, box.min[1], (box.min[2] + box.max[2]) / 2];
  holder.setMatrix(elements(new Matrix4().makeTranslation(-base[0], -base[1], -base[2]).multiply(linear)));
  const size = [0, 1, 2].map((axis) => (box.max[axis] as number) - (box.min[axis] as number)) as [
    number,
    number,
    number,
  ];
  return { glb: await writeGlb(document), size, base };
}

function emptyBox(): Box {
  return { min: [0, 0, 0], max: [0, 0, 0] };
}

type Elements = [
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
];

function elements(matrix: Matrix4): Elements {
  return matrix.toArray() as Elements;
}
