import { Matrix4, Vector3 } from 'three';
import { AuditError, messageOf } from '../core/errors.ts';
import type { Point, Room } from '../core/scene.ts';
import { convexHull, meshOutline } from './floor-outline.ts';
import { numbersOf, quaternionRotation } from './frames.ts';
import type { Importer, ImportOptions, ParsedScene } from './importer.ts';
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
import { outlineRoom, type PlanOpening } from './make-room.ts';
import type { SourceFile } from './source-file.ts';

/**
 * 3D-FRONT houses: {uid, furniture: [{uid, jid, valid, size}], mesh: [{uid, xyz, faces, type}], scene: {room: [{type,
 * instanceid, children: [{ref, pos, rot, scale}]}]}}. Every room with a floor or furniture is a scene.
 *
 * Frame: y up, right-handed, metres; `rot` is a quaternion [x, y, z, w]; the 3D-FUTURE mesh stands on its origin and faces
 * +Z. Floors are meshes of type Floor, walls are raised along their outline, meshes of type Door and Window cut holes.
 * Furniture without `valid` is left out, as the data set's loaders do.
 */
export const importFront3D: Importer = {
  format: '3d-front',
  title: '3D-FRONT houses',
  recognise(file) {
    const json = file.jsonOrUndefined;
    if (!isObject(json) || !Array.isArray(json['furniture']) || !isObject(json['scene'])) return null;
    return { confidence: 0.95, why: '"furniture", "mesh" and "scene.room"' };
  },
  async parse(file, options) {
    const house = objectAt(file.json, file.name);
    const parts = houseParts(house, file.name);
    const scene = objectAt(house['scene'], `${file.name}: scene`);
    const places = placement(scene, `${file.name}: scene`);
    const rooms = listAt(scene['room'], `${file.name}: scene.room`);
    const uid = optionalText(house['uid']) ?? file.stem;
    return rooms.map((room, index) => parseRoom(room, index, uid, parts, places, file, options));
  },
};

interface FrontMesh {
  readonly type: string;
  readonly points: readonly (readonly [number, number, number])[];
  readonly faces: readonly (readonly number[])[];
}

interface HouseParts {
  readonly furniture: ReadonlyMap<string, JsonObject>;
  readonly meshes: ReadonlyMap<string, JsonObject>;
}

function houseParts(house: JsonObject, where: string): HouseParts {
  const index = (key: string): ReadonlyMap<string, JsonObject> =>
    new Map(
      optionalList(house[key], `${where}: ${key}`).map((value, number) => {
        const item = objectAt(value, `${where}: ${key}[${number}]`);
        return [textAt(item['uid'], `${where}: ${key}[${number}].uid`), item];
      }),
    );
  return { furniture: index('furniture'), meshes: index('mesh') };
}

/** Transform of a child, or of the whole scene; everything has a default. */
function placement(item: JsonObject, where: string): Matrix4 {
  const triple = (key: string, fallback: number[]): number[] =>
    item[key] === undefined || item[key] === null ? fallback : numbersAt(item[key], 3, `${where}: ${key}`);
  const [x, y, z] = triple('pos', [0, 0, 0]) as [number, number, number];
  const [sx, sy, sz] = triple('scale', [1, 1, 1]) as [number, number, number];
  const rot =
    item['rot'] === undefined || item['rot'] === null ? [0, 0, 0, 1] : numbersAt(item['rot'], 4, `${where}: rot`);
  return new Matrix4()
    .makeTranslation(x, y, z)
    .multiply(quaternionRotation(rot as [number, number, number, number]))
    .multiply(new Matrix4().makeScale(sx, sy, sz));
}

function parseRoom(
  value: unknown,
  index: number,
  uid: string,
  parts: HouseParts,
  house: Matrix4,
  file: SourceFile,
  options: ImportOptions,
): ParsedScene {
  const notes: string[] = [];
  const instance = (isObject(value) ? optionalText(value['instanceid']) : null) ?? `room-${index}`;
  const name = `${uid}_${instance}`;
  const where = `${file.name}: ${instance}`;
  try {
    const room = objectAt(value, where);
    const objects: LayoutObject[] = [];
    const floors: FrontMesh[] = [];
    const holes: FrontMesh[] = [];
    let [invalid, unknown] = [0, 0];
    for (const [number, child] of optionalList(room['children'], `${where}: children`).entries()) {
      const at = `${where}: child ${number}`;
      const item = objectAt(child, at);
      const ref = textAt(item['ref'], `${at}: ref`);
      const matrix = house.clone().multiply(placement(item, at));
      const [furniture, mesh] = [parts.furniture.get(ref), parts.meshes.get(ref)];
      if (furniture !== undefined) {
        if (furniture['valid'] !== true) invalid += 1;
        else objects.push(frontObject(item, furniture, matrix, number, at));
      } else if (mesh !== undefined) {
        const type = optionalText(mesh['type']) ?? '';
        if (/^floor$/i.test(type)) floors.push(frontMesh(mesh, matrix, type, at));
        else if (/^(door|window)$/i.test(type)) holes.push(frontMesh(mesh, matrix, type, at));
      } else unknown += 1;
    }
    if (invalid > 0) notes.push(`${invalid} pieces of furniture without "valid" left out`);
    if (unknown > 0) notes.push(`${unknown} children refer to nothing in the file: left out`);
    const outline = frontRoom(room, instance, floors, holes, where, notes, options);
    if (objects.length === 0 && outline === null)
      throw new AuditError(`${where}: neither floor nor furniture; expected a room`);
    return { name, layout: { rooms: outline === null ? [] : [outline], objects, notes } };
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    return { name, refused: messageOf(error), notes };
  }
}

function frontObject(
  item: JsonObject,
  furniture: JsonObject,
  matrix: Matrix4,
  number: number,
  at: string,
): LayoutObject {
  const jid = textAt(furniture['jid'], `${at}: jid`);
  const title = optionalText(furniture['category']) ?? optionalText(furniture['title'])?.split('/').at(-1) ?? null;
  const size = furniture['size'];
  const given = Array.isArray(size) && size.length === 3 ? numbersAt(size, 3, `${at}: size`) : null;
  return {
    id: optionalText(item['instanceid']) ?? `${title ?? 'furniture'}-${number}`,
    label: title,
    asset: { source: '3d-future', id: jid },
    supportedBy: null,
    pose: {
      kind: 'asset',
      matrix: numbersOf(matrix),
      toAsset: numbersOf(new Matrix4()),
      origin: 'bottom',
      size: given?.every((side) => side > 0) ? (given as [number, number, number]) : null,
    },
  };
}

function frontMesh(mesh: JsonObject, matrix: Matrix4, type: string, at: string): FrontMesh {
  const xyz = bigList(mesh['xyz'], `${at}: xyz`);
  const flat = bigList(mesh['faces'], `${at}: faces`);
  const points: (readonly [number, number, number])[] = [];
  for (let index = 0; index + 2 < xyz.length; index += 3) {
    const [x, y, z] = [0, 1, 2].map((axis) => numberAt(xyz[index + axis], `${at}: xyz[${index + axis}]`)) as [
      number,
      number,
      number,
    ];
    const point = new Vector3(x, y, z).applyMatrix4(matrix);
    points.push([point.x, point.y, point.z]);
  }
  const faces: number[][] = [];
  for (let index = 0; index + 2 < flat.length; index += 3)
    faces.push([0, 1, 2].map((corner) => numberAt(flat[index + corner], `${at}: faces[${index + corner}]`)));
  return { type, points, faces };
}

function bigList(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length > 2_000_000)
    throw new AuditError(`${where}: invalid list; expected at most 2000000 numbers`);
  return value as unknown[];
}

function frontRoom(
  room: JsonObject,
  id: string,
  floors: readonly FrontMesh[],
  holes: readonly FrontMesh[],
  where: string,
  notes: string[],
  options: ImportOptions,
): Room | null {
  if (floors.length === 0) {
    notes.push('no floor mesh: the scene has no room');
    return null;
  }
  const points = floors.flatMap((mesh) => mesh.points.map(([x, , z]): Point => [x, z]));
  let first = 0;
  const faces = floors.flatMap((mesh) => {
    const moved = mesh.faces.map((face) => face.map((corner) => corner + first));
    first += mesh.points.length;
    return moved;
  });
  const found = meshOutline(points, faces);
  if (found === null) notes.push('the floor mesh has no simple outline: its convex hull is the floor');
  const outline = found ?? convexHull(points);
  const openings = holes
    .filter((mesh) => mesh.points.length > 0)
    .map(({ type, points: corners }): PlanOpening => {
      const [xs, ys, zs] = [0, 1, 2].map((axis) => corners.map((corner) => corner[axis] as number)) as [
        number[],
        number[],
        number[],
      ];
      const [x0, x1, z0, z1] = [Math.min(...xs), Math.max(...xs), Math.min(...zs), Math.max(...zs)];
      const alongX = x1 - x0 >= z1 - z0;
      return {
        type: /^door$/i.test(type) ? 'door' : 'window',
        from: alongX ? [x0, (z0 + z1) / 2] : [(x0 + x1) / 2, z0],
        to: alongX ? [x1, (z0 + z1) / 2] : [(x0 + x1) / 2, z1],
        bottom: Math.min(...ys),
        top: Math.max(...ys),
      };
    });
  notes.push(`walls raised along the floor outline, ${options.wallHeight} m high (assumed)`);
  return outlineRoom({
    id,
    type: optionalText(room['type']) ?? '',
    points: outline,
    height: options.wallHeight,
    openings,
    where,
    notes,
  });
}
