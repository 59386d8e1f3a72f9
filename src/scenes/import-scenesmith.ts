import { Matrix4 } from 'three';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { Opening, Point, Room } from '../core/scene.ts';
import { numbersOf, OBJECT_TO_Z_UP_FRONT_Y, quaternionRotation, Z_UP_TO_Y_UP } from './frames.ts';
import type { Importer, ImportOptions } from './importer.ts';
import {
  isObject,
  type JsonObject,
  numberAt,
  numbersAt,
  objectAt,
  optionalList,
  optionalText,
  textAt,
  vectorAt,
} from './json-reader.ts';
import type { LayoutObject } from './layout.ts';
import { edgeWalls, floorOutline, type RawWall, roomWalls } from './make-room.ts';

/**
 * SceneSmith houses (nepfaff/scenesmith, `house_state.json`): {layout: {wall_height, rooms, placed_rooms, ...}, rooms: {id:
 * {objects}}}.
 *
 * Frame: z up, right-handed, metres; quaternions [w, x, y, z]. The house has its origin at a corner, each room's objects
 * stand in a frame whose origin is the CENTRE of the room. `bbox_min`, `bbox_max` are in the object's frame, which faces
 * +Y. Only `placed_rooms` has the sides as built (`rooms` may have them exchanged). An opening's `position_along_wall` is
 * where it starts.
 */
export const importSceneSmith: Importer = {
  format: 'scenesmith',
  title: 'SceneSmith house states',
  recognise(file) {
    const json = file.jsonOrUndefined;
    if (!isObject(json) || !isObject(json['rooms'])) return null;
    const layout = json['layout'];
    if (!isObject(layout) || !Array.isArray(layout['placed_rooms'])) return null;
    return { confidence: 1, why: '"layout.placed_rooms" and "rooms" by id' };
  },
  async parse(file, options) {
    const notes: string[] = [];
    const name = file.stem === 'house_state' ? (file.folderName ?? file.stem) : file.stem;
    try {
      const house = objectAt(file.json, file.name);
      const layout = objectAt(house['layout'], `${file.name}: layout`);
      const placed = optionalList(layout['placed_rooms'], `${file.name}: placed_rooms`).map((value, index) =>
        placedRoom(value, layout, `${file.name}: placed_rooms[${index}]`, notes, options),
      );
      const objects: LayoutObject[] = [];
      for (const [id, value] of Object.entries(objectAt(house['rooms'], `${file.name}: rooms`))) {
        const frame = placed.find((room) => room.room.id === id);
        if (frame === undefined)
          notes.push(`room ${quoted(id)} is not among the placed rooms: its objects stand where the file has them`);
        objects.push(...roomObjects(objectAt(value, `${file.name}: rooms.${id}`), frame, file.name, notes));
      }
      sidesNotes(layout, placed, notes);
      const prompt = optionalText(layout['house_prompt']);
      return [
        {
          name,
          layout: {
            rooms: placed.map(({ room }) => room),
            objects,
            notes,
            ...(prompt === null ? {} : { promptText: prompt }),
          },
        },
      ];
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      return [{ name, refused: messageOf(error), notes }];
    }
  },
};

interface PlacedRoom {
  readonly room: Room;
  /** Corner and centre of the room in the house frame (z up). */
  readonly corner: Point;
  readonly centre: Point;
  readonly sides: Point;
}

function placedRoom(
  value: unknown,
  layout: JsonObject,
  where: string,
  notes: string[],
  options: ImportOptions,
): PlacedRoom {
  const item = objectAt(value, where);
  const id = textAt(item['room_id'], `${where}: room_id`);
  const [x, y] = numbersAt(item['position'], 2, `${where}: position`) as [number, number];
  const sides: Point = [numberAt(item['width'], `${where}: width`), numberAt(item['depth'], `${where}: depth`)];
  const given = layout['wall_height'];
  const height = given === undefined || given === null ? options.wallHeight : numberAt(given, `${where}: wall_height`);
  if (given === undefined || given === null) notes.push(`no wall height: ${height} m assumed`);
  const corners: Point[] = [
    [x, -y],
    [x + sides[0], -y],
    [x + sides[0], -y - sides[1]],
    [x, -y - sides[1]],
  ];
  const floor = floorOutline(corners, `room ${quoted(id)}`, notes);
  const raw = optionalList(item['walls'], `${where}: walls`).map((wall, index) =>
    rawWall(wall, height, `${where}: walls[${index}]`),
  );
  if (raw.length === 0) notes.push(`room ${quoted(id)}: no walls in the file: raised along its sides`);
  const kinds = optionalList(layout['rooms'], `${where}: rooms`).filter(isObject);
  const kind = kinds.find((room) => optionalText(room['id'] ?? room['room_id']) === id);
  return {
    corner: [x, y],
    centre: [x + sides[0] / 2, y + sides[1] / 2],
    sides,
    room: {
      id,
      type: optionalText(kind?.['type'] ?? kind?.['room_type']) ?? id.replace(/_\d+$/, '').replaceAll('_', ' '),
      floor,
      wallHeight: height,
      walls: roomWalls(raw.length === 0 ? edgeWalls(floor, height) : raw, floor, `room ${quoted(id)}`, notes),
    },
  };
}

function rawWall(value: unknown, height: number, where: string): RawWall {
  const item = objectAt(value, where);
  const point = (key: string): Point => {
    const [x, y] = numbersAt(item[key], 2, `${where}: ${key}`) as [number, number];
    return [x + 0, -y + 0];
  };
  const openings = optionalList(item['openings'], `${where}: openings`).map((entry, index): Opening => {
    const at = `${where}: openings[${index}]`;
    const opening = objectAt(entry, at);
    const number = (key: string): number => numberAt(opening[key], `${at}: ${key}`);
    const type = (optionalText(opening['opening_type']) ?? '').toLowerCase();
    const from = number('position_along_wall');
    const bottom = opening['sill_height'] === undefined || opening['sill_height'] === null ? 0 : number('sill_height');
    return {
      type: type === 'door' || type === 'window' ? type : 'opening',
      from,
      to: from + number('width'),
      bottom,
      top: bottom + number('height'),
    };
  });
  return {
    id: textAt(item['wall_id'], `${where}: wall_id`),
    start: point('start_point'),
    end: point('end_point'),
    height,
    openings,
  };
}

function roomObjects(room: JsonObject, frame: PlacedRoom | undefined, file: string, notes: string[]): LayoutObject[] {
  const listed = room['objects'];
  const values = isObject(listed)
    ? Object.entries(listed)
    : optionalList(listed, `${file}: objects`).map((value, index) => [String(index), value] as const);
  const surfaces = new Map<string, string>();
  for (const [key, value] of values)
    for (const surface of isObject(value) ? optionalList(value['support_surfaces'], `${file}: support_surfaces`) : []) {
      const id = isObject(surface) ? optionalText(surface['surface_id'] ?? surface['id']) : null;
      if (id !== null) surfaces.set(id, isObject(value) ? (optionalText(value['object_id']) ?? key) : key);
    }
  const shift = frame === undefined ? ([0, 0] as Point) : frame.centre;
  const objects = values.flatMap(([key, value]) => smithObject(key, value, shift, surfaces, file, notes));
  if (frame !== undefined) frameNote(objects, frame, notes);
  return objects;
}

function smithObject(
  key: string,
  value: unknown,
  shift: Point,
  surfaces: ReadonlyMap<string, string>,
  file: string,
  notes: string[],
): LayoutObject[] {
  const where = `${file}: ${quoted(key)}`;
  const item = objectAt(value, where);
  const id = optionalText(item['object_id']) ?? key;
  const transform = objectAt(item['transform'], `${where}: transform`);
  const [x, y, z] = vectorAt(transform['translation'], `${where}: translation`);
  const [w, qx, qy, qz] = numbersAt(transform['rotation_wxyz'] ?? [1, 0, 0, 0], 4, `${where}: rotation_wxyz`) as [
    number,
    number,
    number,
    number,
  ];
  if (Math.hypot(w, qx, qy, qz) < 1e-6)
    throw new AuditError(`${where}: rotation_wxyz: invalid value "0"; expected a quaternion`);
  if (item['bbox_min'] === null || item['bbox_min'] === undefined) {
    notes.push(`object ${quoted(id)} (${optionalText(item['object_type']) ?? 'no type'}) has no box: left out`);
    return [];
  }
  const low = vectorAt(item['bbox_min'], `${where}: bbox_min`);
  const high = vectorAt(item['bbox_max'], `${where}: bbox_max`);
  const size = [0, 1, 2].map((axis) => (high[axis] as number) - (low[axis] as number)) as [number, number, number];
  if (size.some((side) => side < 0))
    throw new AuditError(`${where}: bbox_max below bbox_min ${quoted([low, high])}; expected a box`);
  const metadata = item['metadata'];
  const composite = isObject(metadata) ? optionalText(metadata['composite_type']) : null;
  if (composite !== null) notes.push(`object ${quoted(id)} is a ${composite} of several things: it counts as one`);
  const surface = isObject(item['placement_info']) ? optionalText(item['placement_info']['parent_surface_id']) : null;
  const support = surface === null ? null : (surfaces.get(surface) ?? null);
  const middle: [number, number, number] = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, low[2]];
  const world = Z_UP_TO_Y_UP.clone()
    .multiply(new Matrix4().makeTranslation(x + shift[0], y + shift[1], z))
    .multiply(quaternionRotation([qx, qy, qz, w]))
    .multiply(new Matrix4().makeTranslation(...middle))
    .multiply(OBJECT_TO_Z_UP_FRONT_Y);
  return [
    {
      id,
      label: optionalText(item['name'])?.replace(/_?\d+$/, '') ?? null,
      asset: { source: 'scenesmith', id: id.split('/').at(-1) as string },
      supportedBy: support === id ? null : support,
      pose: { kind: 'box', transform: numbersOf(world), anchor: 'bottom', size: [size[0], size[2], size[1]] },
    },
  ];
}

/** The frame of the objects is a convention: say so when the room disagrees. */
function frameNote(objects: readonly LayoutObject[], frame: PlacedRoom, notes: string[]): void {
  const inside = (shift: Point): number =>
    objects.filter(({ pose }) => {
      const [x, z] = pose.kind === 'box' ? [pose.transform[12] as number, pose.transform[14] as number] : [0, 0];
      return (
        Math.abs(x + shift[0] - frame.centre[0]) <= frame.sides[0] / 2 &&
        Math.abs(-z + shift[1] - frame.centre[1]) <= frame.sides[1] / 2
      );
    }).length;
  const [here, there] = [
    inside([0, 0]),
    inside([frame.corner[0] - frame.centre[0], frame.corner[1] - frame.centre[1]]),
  ];
  if (there > here)
    notes.push(
      `room ${quoted(frame.room.id)}: ${here} of ${objects.length} objects lie inside with positions from the room's centre (the format's rule, used); from its corner it would be ${there}`,
    );
}

function sidesNotes(layout: JsonObject, placed: readonly PlacedRoom[], notes: string[]): void {
  for (const item of optionalList(layout['rooms'], 'rooms')) {
    if (!isObject(item)) continue;
    const own = placed.find(({ room }) => room.id === optionalText(item['id'] ?? item['room_id']));
    const [width, length] = [item['width'], item['length']];
    if (own === undefined || typeof width !== 'number' || typeof length !== 'number') continue;
    if (Math.abs(width - own.sides[0]) > 0.01 || Math.abs(length - own.sides[1]) > 0.01)
      notes.push(
        `room ${quoted(own.room.id)}: ${width} x ${length} m in rooms, ${own.sides.join(' x ')} m as placed: the placed sides are used`,
      );
  }
}
