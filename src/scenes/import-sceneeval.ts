import { basename } from 'node:path';
import { Matrix4 } from 'three';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { Opening, Point, Room } from '../core/scene.ts';
import { collectionOf } from './assets.ts';
import { matrixOf, numbersOf, Z_UP_TO_Y_UP } from './frames.ts';
import { companionOf, type Importer, type ImportOptions, type ParsedScene } from './importer.ts';
import {
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  numbersAt,
  objectAt,
  optionalList,
  optionalText,
  textAt,
} from './json-reader.ts';
import type { LayoutObject } from './layout.ts';
import { floorOutline, type RawWall, roomWalls } from './make-room.ts';
import type { SourceFile } from './source-file.ts';

/**
 * SceneEval scene states (3dlg-hcvc/SceneEval), also as HSM (`stk_scene_state.json`) and SceneSmith write them.
 *
 * Frame: z up, right-handed, metres, whatever the header says (HSM writes y up over z-up data; SceneEval itself never
 * reads `up`, `front` and `unit`). `transform.data` is a column-major 4x4. Two conventions share the format:
 *
 * - upstream: the matrix maps the asset's own y-up mesh; assets face their +Z (which is -Y of the world at rest);
 * - the SceneSmith fork (prefixes scene-agent, scenesmith, sceneweaver, sw, idesign): the matrix is a plain z-up one, the
 *   mesh is turned upright first, and assets face `objectFrontVector` (+Y unless given).
 *
 * Neither labels nor sizes are in the file (fork ids name the thing).
 */
export const importSceneEval: Importer = {
  format: 'sceneeval',
  title: 'SceneEval scene states (upstream, SceneSmith fork, HSM)',
  recognise(file) {
    const json = file.jsonOrUndefined;
    if (!isObject(json)) return null;
    if (json['format'] === 'sceneState') return { confidence: 1, why: '"format" is "sceneState"' };
    if ('scene_objects' in json || /^hsm_scene_state\.json$/i.test(basename(file.name)))
      return companionOf(file, 'stk_scene_state.json', "HSM's working state");
    const scene = json['scene'];
    if (isObject(scene) && isObject(scene['arch']) && Array.isArray(scene['object']))
      return { confidence: 0.9, why: 'a scene with "arch" and "object" (no "format")' };
    return null;
  },
  async parse(file, options) {
    return [parseState(file, options)];
  },
};

/** Prefixes of asset ids whose matrices are plain z-up ones. */
const PLAIN_PREFIXES = new Set(['scene-agent', 'scenesmith', 'sceneweaver', 'sw', 'idesign']);

function parseState(file: SourceFile, options: ImportOptions): ParsedScene {
  const notes: string[] = [];
  try {
    const state = objectAt(file.json, file.name);
    if (state['format'] === undefined && state['scene'] === undefined)
      throw new AuditError(
        `${file.name}: HSM's working state, which names GLB and pickle files of its motifs in a form that is documented nowhere; expected the stk_scene_state.json that HSM writes beside it`,
      );
    const scene = objectAt(state['scene'], `${file.name}: scene`);
    const arch = isObject(scene['arch']) ? scene['arch'] : {};
    headerNotes(scene, arch, notes);
    const { rooms, floorHeight } = archRooms(arch, file.name, notes, options);
    const front = frontVector(scene, file.name);
    const values = optionalList(scene['object'], `${file.name}: object`);
    const ids = values.map((value, index) => objectIdOf(value, index));
    const styles = new Map<string, number>();
    const objects = values.map((value, index) =>
      stateObject(objectAt(value, `${file.name}: object ${index}`), ids, index, floorHeight, front, styles, file.name),
    );
    for (const [style, count] of styles) notes.push(`${count} objects: ${style}`);
    return { name: file.stem, layout: { rooms, objects, notes } };
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    return { name: file.stem, refused: messageOf(error), notes };
  }
}

/** Vectors come as [x, y, z] and, in HSM's files, as {x, y, z}. */
function vectorOf(value: unknown): readonly number[] | null {
  const items = Array.isArray(value)
    ? (value as unknown[])
    : isObject(value)
      ? [value['x'], value['y'], value['z']]
      : [];
  const numbers = items.filter((item): item is number => typeof item === 'number');
  return numbers.length === 3 ? numbers : null;
}

function headerNotes(scene: JsonObject, arch: JsonObject, notes: string[]): void {
  const up = vectorOf(scene['up']) ?? vectorOf(arch['up']);
  if (up === null) notes.push('no up axis in the header: z up assumed');
  else if (up[2] !== 1)
    notes.push(`the header says up is (${up.join(', ')}); the data of this format are z up and are read so`);
  for (const [name, unit] of [
    ['unit', scene['unit']],
    ['scaleToMeters', arch['scaleToMeters']],
  ] as const)
    if (typeof unit === 'number' && unit !== 1)
      notes.push(`${name} is ${unit} in the header: not applied (SceneEval ignores it)`);
  const changes = optionalList(scene['modifications'], 'modifications').length;
  if (changes > 0) notes.push(`${changes} modifications in the file: ignored`);
}

function archRooms(
  arch: JsonObject,
  where: string,
  notes: string[],
  options: ImportOptions,
): { rooms: Room[]; floorHeight: number } {
  const elements = optionalList(arch['elements'], `${where}: elements`).map((item, index) =>
    objectAt(item, `${where}: element ${index}`),
  );
  const kinds = (kind: string): JsonObject[] => elements.filter((element) => optionalText(element['type']) === kind);
  const [floors, walls] = [kinds('Floor'), kinds('Wall')];
  const others = elements.length - floors.length - walls.length - kinds('Ceiling').length;
  if (kinds('Ceiling').length > 0) notes.push(`${kinds('Ceiling').length} ceilings left out`);
  if (others > 0) notes.push(`${others} elements are neither floor, wall nor ceiling: left out`);
  const heights = floors.flatMap((floor) => planPoints(floor, where).map(([, , z]) => z));
  const floorHeight = heights.length === 0 ? 0 : Math.min(...heights);
  if (Math.abs(floorHeight) > 1e-6)
    notes.push(`the floor lies at z = ${floorHeight}: everything moved so that it is at 0`);
  const claimed = new Set<JsonObject>();
  const rooms = floors.map((floor, index) => {
    const id = optionalText(floor['roomId']) ?? `room-${index}`;
    const outline = floorOutline(
      planPoints(floor, where).map(([x, y]): Point => [x, -y]),
      `room ${quoted(id)}`,
      notes,
    );
    const own = walls.filter((wall) => (optionalText(wall['roomId']) ?? id) === id || floors.length === 1);
    for (const wall of own) claimed.add(wall);
    const raw = own.map((wall, number) => rawWall(wall, number, where, options, notes));
    const height = Math.max(0, ...raw.map((wall) => wall.height)) || options.wallHeight;
    const region = optionalList(arch['regions'], 'regions').find(
      (item) => isObject(item) && optionalText(item['id']) === id,
    );
    return {
      id,
      type: (isObject(region) ? optionalText(region['type']) : null) ?? (/^\d+$|^room-\d+$/.test(id) ? '' : id),
      floor: outline,
      wallHeight: height,
      walls: roomWalls(raw, outline, `room ${quoted(id)}`, notes),
    };
  });
  const lost = walls.length - claimed.size;
  if (lost > 0) notes.push(`${lost} walls belong to no room with a floor: left out`);
  return { rooms: uniqueRooms(rooms, notes), floorHeight };
}

function uniqueRooms(rooms: readonly Room[], notes: string[]): Room[] {
  const seen = new Set<string>();
  return rooms.map((room) => {
    let id = room.id;
    for (let number = 2; seen.has(id); number += 1) id = `${room.id}-${number}`;
    seen.add(id);
    if (id !== room.id) notes.push(`duplicate room id ${quoted(room.id)} renamed ${quoted(id)}`);
    return { ...room, id };
  });
}

function planPoints(element: JsonObject, where: string): (readonly [number, number, number])[] {
  const id = optionalText(element['id']) ?? '?';
  return optionalList(element['points'], `${where}: element ${id}: points`).map((point, index) => {
    const at = `${where}: element ${id}: points[${index}]`;
    const [x, y, z] =
      Array.isArray(point) && point.length === 2 ? [...numbersAt(point, 2, at), 0] : numbersAt(point, 3, at);
    return [x as number, y as number, z as number];
  });
}

function rawWall(wall: JsonObject, index: number, where: string, options: ImportOptions, notes: string[]): RawWall {
  const id = optionalText(wall['id']) ?? `wall-${index}`;
  const [a, b] = planPoints(wall, where);
  if (a === undefined || b === undefined)
    throw new AuditError(`${where}: wall ${quoted(id)} has fewer than two points; expected two`);
  let height = options.wallHeight;
  if (wall['height'] === undefined || wall['height'] === null)
    notes.push(`wall ${quoted(id)}: no height, ${height} m assumed`);
  else height = numberAt(wall['height'], `${where}: wall ${quoted(id)}: height`);
  const openings = optionalList(wall['holes'], `${where}: wall ${quoted(id)}: holes`).map((value, number): Opening => {
    const at = `${where}: wall ${quoted(id)}: hole ${number}`;
    const hole = objectAt(value, at);
    const box = objectAt(hole['box'], `${at}: box`);
    const [low, high] = [numbersAt(box['min'], 2, `${at}: box.min`), numbersAt(box['max'], 2, `${at}: box.max`)];
    const type = (optionalText(hole['type']) ?? '').toLowerCase();
    return {
      type: type === 'door' || type === 'window' ? type : 'opening',
      from: low[0] as number,
      to: high[0] as number,
      bottom: low[1] as number,
      top: high[1] as number,
    };
  });
  return { id, start: [a[0] + 0, -a[1] + 0], end: [b[0] + 0, -b[1] + 0], height, openings };
}

function frontVector(scene: JsonObject, where: string): readonly [number, number] {
  const value = scene['objectFrontVector'];
  if (value === undefined || value === null) return [0, 1];
  const [x, y] = vectorOf(value) ?? [];
  if (x === undefined || y === undefined || Math.hypot(x, y) < 0.5)
    throw new AuditError(`${where}: objectFrontVector: invalid value ${quoted(value)}; expected a level direction`);
  return [x, y];
}

function objectIdOf(value: unknown, index: number): string {
  const id = isObject(value) ? optionalText(value['id']) : null;
  return id ?? `object-${(isObject(value) ? optionalText(value['index']) : null) ?? index}`;
}

function stateObject(
  object: JsonObject,
  ids: readonly string[],
  index: number,
  floorHeight: number,
  front: readonly [number, number],
  styles: Map<string, number>,
  file: string,
): LayoutObject {
  const id = ids[index] as string;
  const where = `${file}: object ${quoted(id)}`;
  const model = textAt(object['modelId'], `${where}: modelId`);
  const dot = model.indexOf('.');
  const prefix = dot < 0 ? '' : model.slice(0, dot);
  const asset = dot < 0 ? model : model.slice(dot + 1);
  const transform = objectAt(object['transform'], `${where}: transform`);
  const matrix = matrixOf(
    numbersAt(listAt(transform['data'], `${where}: transform.data`), 16, `${where}: transform.data`),
  );
  matrix.elements[14] = (matrix.elements[14] as number) - floorHeight;
  const plain = isPlain(prefix, matrix);
  const style = plain.plain
    ? `matrix read as plain z-up (${plain.why}), front ${front.join(', ')} of the upright mesh`
    : `matrix read as mapping the y-up mesh (${plain.why}), front +Z of the mesh`;
  styles.set(style, (styles.get(style) ?? 0) + 1);
  const world = Z_UP_TO_Y_UP.clone().multiply(matrix);
  const upright = new Matrix4().makeRotationX(Math.PI / 2);
  // A front (x, y) of the upright z-up mesh is (x, 0, -y) of the y-up mesh.
  const yaw = plain.plain ? Math.atan2(front[0], -front[1]) : 0;
  const named = PLAIN_PREFIXES.has(prefix) ? (asset.split('__').at(-1) as string).replace(/[_-]?\d+$/, '') : null;
  return {
    id,
    label: named === '' ? null : named,
    asset: { source: prefix, id: asset },
    supportedBy: supportOf(object, ids, id),
    pose: {
      kind: 'asset',
      matrix: numbersOf(plain.plain ? world.multiply(upright) : world),
      toAsset: numbersOf(new Matrix4().makeRotationY(yaw)),
      // Objathor meshes are centred on their origin; the others stand on it.
      origin: collectionOf(prefix) === 'objaverse' && prefix !== 'layoutvlm-objaverse' ? 'centre' : 'bottom',
      size: null,
    },
  };
}

/** Which of the two conventions a matrix follows: its own axes tell when the object stands upright, else the prefix. */
function isPlain(prefix: string, matrix: Matrix4): { plain: boolean; why: string } {
  const e = matrix.elements;
  const upOf = (column: number): number => {
    const [x, y, z] = [e[column * 4], e[column * 4 + 1], e[column * 4 + 2]] as [number, number, number];
    return z / (Math.hypot(x, y, z) || 1);
  };
  const byPrefix = PLAIN_PREFIXES.has(prefix);
  if (upOf(1) > 0.9)
    return {
      plain: false,
      why: byPrefix ? `although the prefix is "${prefix}": its y axis points up` : 'its y axis points up',
    };
  if (upOf(2) > 0.9) return { plain: true, why: byPrefix ? `prefix "${prefix}"` : 'its z axis points up' };
  return {
    plain: byPrefix,
    why: prefix === '' ? 'neither axis points up' : `by the prefix "${prefix}": neither axis points up`,
  };
}

function supportOf(object: JsonObject, ids: readonly string[], own: string): string | null {
  const named = optionalText(object['parentId']) ?? optionalText(object['holodeckSupportParent']);
  if (named !== null && named !== '' && named !== own && ids.includes(named)) return named;
  return null;
}
