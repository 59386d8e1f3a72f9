import type { Document, Node } from '@gltf-transform/core';
import { copyToDocument, prune, unpartition } from '@gltf-transform/functions';
import { Matrix4 } from 'three';
import { AuditError } from '../core/errors.ts';
import { documentBox } from './document-box.ts';
import { decompose, numbersOf, OBJECT_TO_Z_UP_FRONT_MINUS_Y, Z_UP_TO_Y_UP } from './frames.ts';
import { emptyDocument, readGlb, writeGlb } from './gltf-io.ts';
import type { Importer, ImportOptions, ParsedScene } from './importer.ts';
import { isObject } from './json-reader.ts';
import type { LayoutObject } from './layout.ts';
import { plainDocument } from './plain-document.ts';
import type { SourceFile } from './source-file.ts';

/**
 * Any GLB, one file a scene. Objects are the nodes of the first level that branches (wrappers with a single child and no
 * mesh are passed through); a file with one mesh is a scene of one object. Ids and labels come from node names or from
 * `extras` (label, category, class, name). There is no room: what the file has of walls and floors stays an object, but a
 * ceiling is left out, because it would hide everything from above.
 *
 * Frame: +Y up as glTF demands, metres; `up: 'z'` and a unit for exporters that disagree. Objects face +Z (or -Y where z
 * is up) of their node; a node whose local z points up is taken to be modelled z-up.
 */
export const importGlb: Importer = {
  format: 'glb',
  title: 'GLB, one file a scene',
  recognise(file) {
    const magic = file.bytes.length >= 4 && new TextDecoder().decode(file.bytes.subarray(0, 4)) === 'glTF';
    if (magic) return { confidence: 1, why: 'starts with the glTF signature' };
    return file.extension === 'glb' ? { confidence: 0.5, why: 'named .glb' } : null;
  },
  async parse(file, options) {
    return [await parseGlb(file, options)];
  },
};

async function parseGlb(file: SourceFile, options: ImportOptions): Promise<ParsedScene> {
  const document = await readGlb(file.bytes, file.name);
  const notes: string[] = [];
  const root = document.getRoot();
  const scenes = root.listScenes();
  const scene = root.getDefaultScene() ?? scenes[0];
  if (scene === undefined) throw new AuditError(`${file.name}: no scene in the GLB; expected one`);
  if (scenes.length > 1) notes.push(`${scenes.length} scenes in the file: only the default one is imported`);
  notes.push(...(await plainDocument(document, file.name)));
  const unit = options.metresPerUnit ?? 1;
  const up = options.up ?? 'y';
  notes.push(
    `frame assumed: ${up} up${options.up === null ? ' (the glTF rule)' : ''}, 1 unit = ${unit} m, objects face ${up === 'z' ? '-Y' : '+Z'} of their node`,
  );
  const world = (up === 'z' ? Z_UP_TO_Y_UP.clone() : new Matrix4()).multiply(new Matrix4().makeScale(unit, unit, unit));
  const objects: LayoutObject[] = [];
  for (const node of objectNodes(scene.listChildren())) {
    const name = nodeName(node);
    if (!hasMesh(node)) {
      if (node.listChildren().length > 0 || node.getName() !== '') notes.push(`node "${name}" has no mesh: left out`);
      continue;
    }
    if (/^ceiling/i.test(name)) {
      notes.push(`node "${name}" left out: a ceiling would hide the room from above`);
      continue;
    }
    const object = await nodeObject(node, document, world, up, notes);
    if (object === null) notes.push(`node "${name}" has no extent: left out`);
    else objects.push(object);
  }
  if (objects.length === 0) throw new AuditError(`${file.name}: no triangles in the GLB; expected a scene to look at`);
  return { name: file.stem, layout: { rooms: [], objects, notes } };
}

/** Deepest a wrapper is followed; also the limit of the node tree. */
const MAX_DEPTH = 200;

function objectNodes(roots: readonly Node[]): readonly Node[] {
  let level = roots;
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const meshed = level.filter(hasMesh);
    const only = meshed[0];
    if (meshed.length !== 1 || only === undefined || only.getMesh() !== null) return level;
    level = only.listChildren();
  }
  throw new AuditError(`nodes nested over ${MAX_DEPTH} deep; expected a scene`);
}

function hasMesh(node: Node): boolean {
  let found = false;
  node.traverse((child) => {
    found ||= (child as Node).getMesh() !== null;
  });
  return found;
}

function nodeName(node: Node): string {
  return node.getName() || node.getMesh()?.getName() || 'object';
}

/** `Chair.001`, `object:chair-2`, `dining_chair_03` -> the words people use; extras win. */
function nodeLabel(node: Node): string | null {
  const extras: unknown = node.getExtras();
  if (isObject(extras))
    for (const key of ['label', 'category', 'class', 'semantic', 'name']) {
      const value = extras[key];
      if (typeof value === 'string' && value.trim() !== '') return value.trim();
    }
  const words = nodeName(node)
    .replace(/^object:/, '')
    .replace(/[._\s-]*\d+$/, '')
    .replace(/[_./-]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .trim()
    .toLowerCase();
  return words === '' || words === 'object' ? null : words;
}

async function nodeObject(
  node: Node,
  source: Document,
  world: Matrix4,
  up: 'y' | 'z',
  notes: string[],
): Promise<LayoutObject | null> {
  const name = nodeName(node);
  const matrix = world.clone().multiply(new Matrix4().fromArray(node.getWorldMatrix()));
  const parts = decompose(matrix);
  if (parts === null) notes.push(`node "${name}" is sheared, mirrored or flat: its axes are the scene's`);
  const frame = objectFrame(parts?.rotation ?? new Matrix4(), parts === null ? 'y' : up);

  const part = emptyDocument();
  const map = copyToDocument(part, source, [node]);
  const copy = map.get(node) as Node;
  copy.setTranslation([0, 0, 0]).setRotation([0, 0, 0, 1]).setScale([1, 1, 1]);
  const scene = part.createScene('object');
  part.getRoot().setDefaultScene(scene);
  const local = frame.clone().invert().multiply(matrix);
  const holder = part.createNode('object').addChild(copy);
  scene.addChild(holder);
  holder.setMatrix(local.toArray() as Parameters<Node['setMatrix']>[0]);
  const box = documentBox(part);
  if (box === null) return null;
  const base: [number, number, number] = [(box.min[0] + box.max[0]) / 2, box.min[1], (box.min[2] + box.max[2]) / 2];
  holder.setMatrix(
    new Matrix4().makeTranslation(-base[0], -base[1], -base[2]).multiply(local).toArray() as Parameters<
      Node['setMatrix']
    >[0],
  );
  await part.transform(prune({ keepLeaves: true, keepSolidTextures: true }), unpartition());
  return {
    id: name.replace(/^object:/, ''),
    label: nodeLabel(node),
    asset: null,
    supportedBy: null,
    pose: {
      kind: 'mesh',
      transform: numbersOf(frame.clone().multiply(new Matrix4().makeTranslation(...base))),
      size: [box.max[0] - box.min[0], box.max[1] - box.min[1], box.max[2] - box.min[2]],
      glb: await writeGlb(part),
    },
  };
}

/**
 * Rotation object space -> scene for a node's rotation. Nodes modelled z-up inside a y-up file (a quarter turn about x in
 * the node) get an upright object space, so that height is height.
 */
function objectFrame(rotation: Matrix4, up: 'y' | 'z'): Matrix4 {
  const vertical = (axis: 1 | 2): number => rotation.elements[axis * 4 + 1] as number;
  const upright = 0.9998;
  if (up === 'y' && vertical(1) > upright) return rotation.clone();
  if (vertical(2) > upright) return rotation.clone().multiply(OBJECT_TO_Z_UP_FRONT_MINUS_Y);
  if (up === 'z' && vertical(1) > upright) return rotation.clone();
  return up === 'z' ? rotation.clone().multiply(OBJECT_TO_Z_UP_FRONT_MINUS_Y) : rotation.clone();
}
