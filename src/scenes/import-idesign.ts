import { Matrix4 } from 'three';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { Room } from '../core/scene.ts';
import { OBJECT_TO_Z_UP_FRONT_Y, radians, zUpTransform } from './frames.ts';
import type { Importer, ImportOptions } from './importer.ts';
import {
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  objectAt,
  optionalList,
  optionalText,
  textAt,
} from './json-reader.ts';
import type { LayoutObject } from './layout.ts';
import { outlineRoom } from './make-room.ts';

/** Pseudo objects that describe the room. */
const ROOM_ITEMS = new Set(['south_wall', 'north_wall', 'east_wall', 'west_wall', 'middle of the room', 'ceiling']);

/**
 * I-Design scene graphs (atcelen/IDesign, `scene_graph.json`): a list of objects and of pseudo objects for the walls.
 *
 * Frame: z up, right-handed, metres, origin at the south-west corner, x east, y north; a position is the centre of the box.
 * `rotation.z_angle` is a compass bearing in degrees, CLOCKWISE: 0 faces north (+Y), 90 faces east (+X).
 * `size_in_meters` is length along x, width along y, height, before rotation.
 */
export const importIDesign: Importer = {
  format: 'idesign',
  title: 'I-Design scene graphs',
  recognise(file) {
    const json = file.jsonOrUndefined;
    const first: unknown = Array.isArray(json)
      ? json.find((item) => isObject(item) && 'size_in_meters' in item)
      : undefined;
    if (!isObject(first) || !('new_object_id' in first)) return null;
    return { confidence: 0.95, why: 'a list of items with "new_object_id" and "size_in_meters"' };
  },
  async parse(file, options) {
    const notes: string[] = [];
    const name = /^scene_graph/.test(file.stem) ? (file.folderName ?? file.stem) : file.stem;
    try {
      const items = listAt(file.json, file.name).map((item, index) => objectAt(item, `${file.name}: item ${index}`));
      const kinds = (room: boolean): JsonObject[] => items.filter((item) => ROOM_ITEMS.has(idOf(item)) === room);
      const room = roomOf(kinds(true), file.name, notes, options);
      const ids = new Set(kinds(false).map(idOf));
      const objects = kinds(false).flatMap((item, index) => designObject(item, index, ids, file.name, notes));
      notes.push('frame: z up, box centres, compass bearings (0 north, clockwise)');
      return [{ name, layout: { rooms: room === null ? [] : [room], objects, notes } }];
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      return [{ name, refused: messageOf(error), notes }];
    }
  },
};

function idOf(item: JsonObject): string {
  return optionalText(item['new_object_id']) ?? '';
}

/** East and west walls give the room's y extent, north and south its x extent; positions confirm them. */
function roomOf(walls: readonly JsonObject[], where: string, notes: string[], options: ImportOptions): Room | null {
  const wall = (id: string): JsonObject | undefined => walls.find((item) => idOf(item) === id);
  const side = (ids: readonly string[]): number | null => {
    for (const id of ids) {
      const size = wall(id)?.['size_in_meters'];
      const length = isObject(size) ? size['length'] : undefined;
      if (typeof length === 'number' && length > 0) return numberAt(length, `${where}: ${id}: length`);
    }
    return null;
  };
  const [x, y] = [side(['south_wall', 'north_wall']), side(['east_wall', 'west_wall'])];
  if (x === null || y === null) {
    notes.push('no wall items with a length: the scene has no room');
    return null;
  }
  const heights = walls.flatMap((item) => (isObject(item['size_in_meters']) ? [item['size_in_meters']['height']] : []));
  const given = heights.find((height): height is number => typeof height === 'number' && height > 0);
  if (given === undefined) notes.push(`no wall height: ${options.wallHeight} m assumed`);
  return outlineRoom({
    id: 'room',
    type: '',
    points: [
      [0, 0],
      [x, 0],
      [x, -y],
      [0, -y],
    ],
    height: given === undefined ? options.wallHeight : numberAt(given, `${where}: wall height`),
    where,
    notes,
  });
}

function designObject(
  item: JsonObject,
  index: number,
  ids: ReadonlySet<string>,
  file: string,
  notes: string[],
): LayoutObject[] {
  const id = textAt(item['new_object_id'], `${file}: item ${index}: new_object_id`);
  const where = `${file}: ${quoted(id)}`;
  if (item['position'] === undefined || item['position'] === null) {
    notes.push(`object ${quoted(id)} has no position (I-Design gave up placing it): left out`);
    return [];
  }
  const position = objectAt(item['position'], `${where}: position`);
  const [x, y, z] = ['x', 'y', 'z'].map((axis) => numberAt(position[axis], `${where}: position.${axis}`)) as [
    number,
    number,
    number,
  ];
  const size = objectAt(item['size_in_meters'], `${where}: size_in_meters`);
  const [length, width, height] = ['length', 'width', 'height'].map((side) =>
    numberAt(size[side], `${where}: ${side}`),
  ) as [number, number, number];
  if (length < 0 || width < 0 || height < 0)
    throw new AuditError(`${where}: negative size ${quoted(size)}; expected sizes of zero or more`);
  const rotation = item['rotation'];
  const bearing = isObject(rotation) ? numberAt(rotation['z_angle'], `${where}: z_angle`) : 0;
  if (!isObject(rotation)) notes.push(`object ${quoted(id)} has no rotation: 0 (north) assumed`);
  return [
    {
      id,
      label: id.replace(/_?\d+$/, ''),
      asset: { source: 'idesign', id },
      supportedBy: supportOf(item, ids, id),
      pose: {
        kind: 'box',
        transform: zUpTransform(new Matrix4().makeRotationZ(-radians(bearing)), [x, y, z], OBJECT_TO_Z_UP_FRONT_Y),
        anchor: 'centre',
        size: [length, height, width],
      },
    },
  ];
}

/** "on" another object, when it does not stand on the floor. */
function supportOf(item: JsonObject, ids: ReadonlySet<string>, own: string): string | null {
  const placement = item['placement'];
  if (item['is_on_the_floor'] === true || !isObject(placement)) return null;
  for (const other of optionalList(placement['objects_in_room'], 'objects_in_room')) {
    if (!isObject(other) || optionalText(other['preposition']) !== 'on') continue;
    const id = optionalText(other['object_id']);
    if (id !== null && id !== own && ids.has(id)) return id;
  }
  return null;
}
