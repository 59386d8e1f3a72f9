import type { Document, Material, Mesh, Node } from '@gltf-transform/core';
import { mergeDocuments } from '@gltf-transform/functions';
import type { Scene } from '../core/scene.ts';
import { buildGlb } from '../scenes/build-glb.ts';
import type { MeshPart } from '../scenes/draft.ts';
import { readGlb } from '../scenes/gltf-io.ts';
import type { KitCategory } from '../scenes/kit/categories.ts';
import { buildCandidate } from '../scenes/kit/retrieval-catalogue.ts';
import { mirrorMatrix } from './apply-scene-edit.ts';
import type { SceneEdit } from './probe.ts';

type Matrix = Parameters<Node['setMatrix']>[0];

/** Applies an edit to a scene's GLB: nodes removed, moved, given other geometry or colours, the whole reflected. */
export async function applyGeometryEdit(document: Document, scene: Scene, edit: SceneEdit): Promise<void> {
  const nodes = new Map(
    document
      .getRoot()
      .listNodes()
      .map((node) => [node.getName(), node]),
  );
  const node = (id: string): Node => {
    const found = nodes.get(`object:${id}`);
    if (found === undefined) throw new Error(`probe: scene ${scene.id} has no geometry of object ${id}`);
    return found;
  };
  for (const id of edit.removed ?? []) disposeTree(node(id));
  for (const { id, to } of edit.moved ?? []) setRigid(node(id), to);
  for (const { id, colour } of edit.recoloured ?? []) recolour(document, node(id), colour);
  for (const { id, category, variant } of edit.replaced ?? []) {
    const object = scene.objects.find((candidate) => candidate.id === id);
    if (object === undefined) throw new Error(`probe: scene ${scene.id} has no object ${id}`);
    const candidate = { id: `${category}#${variant}`, category: category as KitCategory, look: variant, match: 0 };
    const parts = buildCandidate(candidate, object.size);
    await exchange(document, node(id), parts);
  }
  if (edit.mirrored !== undefined) mirror(document, edit.mirrored);
}

function setRigid(node: Node, matrix: readonly number[]): void {
  node.setMatrix(matrix as Matrix);
  node.setScale([1, 1, 1]);
}

function disposeTree(node: Node): void {
  for (const child of node.listChildren()) disposeTree(child);
  node.dispose();
}

/** Meshes and materials may be shared with other objects: the node gets copies of its own. */
function recolour(document: Document, node: Node, colour: readonly [number, number, number]): void {
  const linear = colour.map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  const paint = (alpha: number): [number, number, number, number] => [
    linear[0] as number,
    linear[1] as number,
    linear[2] as number,
    alpha,
  ];
  const copies = new Map<Material, Material>();
  const visit = (current: Node): void => {
    const mesh = current.getMesh();
    if (mesh !== null) current.setMesh(copyMesh(mesh));
    for (const child of current.listChildren()) visit(child);
  };
  const copyMesh = (mesh: Mesh): Mesh => {
    const copy = document.createMesh(mesh.getName());
    for (const primitive of mesh.listPrimitives()) {
      const own = primitive.clone();
      const material = primitive.getMaterial();
      if (material === null) own.setMaterial(document.createMaterial().setBaseColorFactor(paint(1)));
      else {
        let painted = copies.get(material);
        if (painted === undefined) {
          painted = material.clone().setBaseColorTexture(null);
          painted.setBaseColorFactor(paint(material.getAlpha()));
          copies.set(material, painted);
        }
        own.setMaterial(painted);
        // colours of the vertices would tint the paint
        for (const semantic of own.listSemantics()) if (semantic.startsWith('COLOR_')) own.setAttribute(semantic, null);
      }
      copy.addPrimitive(own);
    }
    return copy;
  };
  visit(node);
}

async function exchange(document: Document, node: Node, parts: readonly MeshPart[]): Promise<void> {
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const source = await readGlb(
    await buildGlb({
      id: 'replacement',
      generator: 'kit',
      prompt: 'replacement',
      rooms: [],
      objects: [
        {
          id: 'piece',
          label: '',
          asset: null,
          transform: identity,
          size: [1, 1, 1],
          supportedBy: null,
          geometry: { kind: 'proxy', parts },
        },
      ],
      source: { format: 'kit', file: '', sha256: '', notes: [] },
    }),
    'replacement',
  );
  const map = mergeDocuments(document, source);
  for (const child of node.listChildren()) disposeTree(child);
  const piece = map.get(source.getRoot().listNodes()[0] as Node) as Node;
  node.setMesh(piece.getMesh());
  piece.dispose();
  for (const scene of source.getRoot().listScenes()) map.get(scene)?.dispose();
}

/**
 * An exact reflection: every node takes the reflected (rigid) pose, and its geometry is reflected in its own frame by a node
 * of scale -1 between the two. With S the reflection, S M g = (S M S)(S g).
 */
function mirror(document: Document, plane: number): void {
  const scene = document.getRoot().getDefaultScene() ?? document.getRoot().listScenes()[0];
  for (const node of scene?.listChildren() ?? []) {
    const inner = document.createNode().setScale([-1, 1, 1]).setMesh(node.getMesh());
    for (const child of node.listChildren()) inner.addChild(child);
    node.setMesh(null).addChild(inner);
    node.setMatrix(mirrorMatrix(node.getMatrix(), plane) as Matrix);
  }
}
