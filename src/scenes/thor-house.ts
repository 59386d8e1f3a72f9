import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { Opening, Point, Room } from '../core/scene.ts';
import { fromUnity } from './frames.ts';
import {
  isObject,
  type JsonObject,
  numberAt,
  objectAt,
  optionalList,
  optionalText,
  textAt,
  vectorAt,
} from './json-reader.ts';
import { floorOutline, type PlanOpening, type RawWall, roomWalls, withPlanOpenings } from './make-room.ts';

/**
 * Rooms of an AI2-THOR house, as ProcTHOR and Holodeck write them (metres, Unity: left-handed, y up). Walls stand in the
 * house, not in the rooms: `roomId` (`room_id` in the old schema) tells whose. Doors and windows are holes
 * (`holePolygon`: two corners, x along `wall0` from its first lower corner, y up) and cut both walls they lie in.
 *
 * @throws AuditError when a room's floor is not a simple polygon
 */
export function thorRooms(house: JsonObject, where: string, notes: string[], wallHeight: number): Room[] {
  const walls = thorWalls(house, where, notes);
  const openings = [
    ...thorOpenings(house, 'doors', 'door', walls, where, notes),
    ...thorOpenings(house, 'windows', 'window', walls, where, notes),
  ];
  const inside = walls.filter(({ exterior }) => !exterior);
  const known = new Set<string>();
  const rooms = optionalList(house['rooms'], `${where}: rooms`).map((value, index) => {
    const at = `${where}: room ${index}`;
    const room = objectAt(value, at);
    const id = textAt(room['id'] ?? index, `${at}: id`);
    known.add(id);
    const corners = optionalList(room['floorPolygon'] ?? room['polygon'], `${at}: floorPolygon`);
    const floor = floorOutline(
      corners.map((corner, number) => floorPoint(corner, `${at}: floorPolygon[${number}]`)),
      `room ${quoted(id)}`,
      notes,
    );
    const own = inside.filter(({ room: owner }) => owner === id);
    const cut = withPlanOpenings(
      own.map(({ wall }) => wall),
      openings.filter((opening) => own.some(({ wall }) => touches(wall, opening))),
      `room ${quoted(id)}`,
      notes,
    );
    const height = Math.max(0, ...own.map(({ wall }) => wall.height)) || wallHeight;
    if (own.length === 0) notes.push(`room ${quoted(id)}: no walls in the file`);
    return {
      id,
      type: optionalText(room['roomType'] ?? room['type']) ?? '',
      floor,
      wallHeight: height,
      walls: roomWalls(cut, floor, `room ${quoted(id)}`, notes),
    };
  });
  const lost = openings.filter(
    (opening) => !inside.some(({ wall, room }) => known.has(room) && touches(wall, opening)),
  );
  if (lost.length > 0) notes.push(`${lost.length} doors or windows lie in no wall of a room: left out`);
  return rooms;
}

interface ThorWall {
  readonly wall: RawWall;
  readonly room: string;
  readonly exterior: boolean;
  readonly id: string;
}

function thorWalls(house: JsonObject, where: string, notes: string[]): ThorWall[] {
  let open = 0;
  const walls: ThorWall[] = [];
  for (const [index, value] of optionalList(house['walls'], `${where}: walls`).entries()) {
    const at = `${where}: wall ${index}`;
    const item = objectAt(value, at);
    if (item['empty'] === true) {
      open += 1;
      continue;
    }
    const id = textAt(item['id'] ?? `wall-${index}`, `${at}: id`);
    const corners = optionalList(item['polygon'], `${at}: polygon`).map((corner, number) =>
      vectorAt(corner, `${at}: polygon[${number}]`),
    );
    if (corners.length < 2) {
      notes.push(`wall ${quoted(id)} has ${corners.length} corners: left out`);
      continue;
    }
    // Three corner orders are in use; the two lowest corners, in file order, are the wall's foot in all of them.
    const heights = corners.map(([, y]) => y);
    const low = Math.min(...heights);
    const foot = corners.filter(([, y]) => y - low < 1e-6);
    const [a, b] = [foot[0], foot[1]];
    if (a === undefined || b === undefined) {
      notes.push(`wall ${quoted(id)} has no level foot: left out`);
      continue;
    }
    const plan = ([x, , z]: readonly [number, number, number]): Point => [x + 0, -z + 0];
    const room = optionalText(item['roomId'] ?? item['room_id']) ?? '';
    walls.push({
      id,
      room,
      exterior: room === 'exterior' || /(^|\|)exterior(\||$)/.test(id),
      wall: { id, start: plan(a), end: plan(b), height: Math.max(...heights) - low, openings: [] },
    });
  }
  if (open > 0) notes.push(`${open} walls are open (flagged empty): no wall there`);
  return walls;
}

function thorOpenings(
  house: JsonObject,
  key: 'doors' | 'windows',
  type: Opening['type'],
  walls: readonly ThorWall[],
  where: string,
  notes: string[],
): PlanOpening[] {
  return optionalList(house[key], `${where}: ${key}`).flatMap((value, index) => {
    const at = `${where}: ${key}[${index}]`;
    try {
      const item = objectAt(value, at);
      const box = isObject(item['boundingBox']) ? [item['boundingBox']['min'], item['boundingBox']['max']] : null;
      const hole = optionalList(item['holePolygon'] ?? box, `${at}: holePolygon`);
      const [low, high] = [vectorAt(hole[0], `${at}: holePolygon[0]`), vectorAt(hole[1], `${at}: holePolygon[1]`)];
      const wallId = textAt(item['wall0'], `${at}: wall0`);
      const wall = walls.find(({ id }) => id === wallId);
      if (wall === undefined)
        throw new AuditError(`${at}: unknown wall ${quoted(wallId)}; expected a wall of the house`);
      const { start, end } = wall.wall;
      const length = Math.hypot(end[0] - start[0], end[1] - start[1]) || 1;
      const point = (x: number): Point => [
        start[0] + ((end[0] - start[0]) * x) / length,
        start[1] + ((end[1] - start[1]) * x) / length,
      ];
      return [
        {
          type,
          from: point(low[0]),
          to: point(high[0]),
          bottom: Math.min(low[1], high[1]),
          top: Math.max(low[1], high[1]),
        },
      ];
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      notes.push(`${messageOf(error, 200)}: left out`);
      return [];
    }
  });
}

function touches(wall: RawWall, opening: PlanOpening): boolean {
  return withPlanOpenings([wall], [opening], '', []).some(({ openings }) => openings.length > wall.openings.length);
}

function floorPoint(value: unknown, where: string): Point {
  if (Array.isArray(value) && value.length === 2) return [numberAt(value[0], where), -numberAt(value[1], where) + 0];
  const [x, , z] = fromUnity(vectorAt(value, where));
  return [x, z];
}

/** What a THOR asset or object id calls the thing: prefixes, numbers and version letters removed. */
export function thorLabel(text: string): string {
  return text
    .split('|')[0]!
    .replace(/\(.*\)\s*$/, '')
    .replace(/^RoboTHOR_?/i, '')
    .replace(/[_-]?\d+(_?\d+)*V?$/i, '')
    .replace(/_v$/i, '')
    .replaceAll('_', ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
