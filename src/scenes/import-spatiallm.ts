import { Matrix4 } from 'three';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { Point, Room } from '../core/scene.ts';
import { joinWalls } from './floor-outline.ts';
import { OBJECT_TO_Z_UP_FRONT_MINUS_Y, zUpTransform } from './frames.ts';
import type { Importer, ImportOptions } from './importer.ts';
import { numberAt } from './json-reader.ts';
import type { LayoutObject } from './layout.ts';
import { floorOutline, type PlanOpening, type RawWall, roomWalls, withPlanOpenings } from './make-room.ts';

const LINE = /^\s*(\w+)\s*=\s*(Wall|Door|Window|Bbox)\s*\((.*)\)\s*$/i;
/** Lines beyond this are no layout. */
const MAX_LINES = 20_000;

/**
 * SpatialLM layout text (manycore-research/SpatialLM): `wall_0=Wall(ax,ay,az,bx,by,bz,height,thickness)`,
 * `door_0=Door(wall_0,x,y,z,width,height)`, `window_0=Window(...)`, `bbox_0=Bbox(class,x,y,z,angle_z,sx,sy,sz)`.
 *
 * Frame: z up, right-handed, metres, radians; wall points at floor height; doors, windows and boxes by their CENTRE; full
 * sizes. The text does not say which side of a box is the front: -Y of the box is taken.
 */
export const importSpatialLm: Importer = {
  format: 'spatiallm',
  title: 'SpatialLM layout text',
  recognise(file) {
    if (!/^(txt|text|layout|)$/.test(file.extension)) return null;
    const lines = file.text
      .slice(0, 20_000)
      .split('\n')
      .filter((line) => LINE.test(line));
    return lines.length === 0
      ? null
      : { confidence: 0.9, why: `${lines.length} lines like ${quoted((lines[0] as string).trim().slice(0, 40))}` };
  },
  async parse(file, options) {
    const notes: string[] = [];
    try {
      const entries = parseLines(file.text, file.name, notes);
      const floor = Math.min(
        ...entries.walls.flatMap(({ numbers }) => [numbers[2] as number, numbers[5] as number]),
        Infinity,
      );
      const base = Number.isFinite(floor) ? floor : 0;
      if (Math.abs(base) > 1e-6) notes.push(`walls stand at z = ${base}: everything moved so that the floor is at 0`);
      const all = [...entries.walls, ...entries.boxes].flatMap(({ numbers }) => numbers);
      if (all.length > 0 && all.every(Number.isInteger))
        notes.push('all numbers are whole: this may be the quantised form, which is not in metres');
      const objects = entries.boxes.map((entry) => boxObject(entry, base));
      if (objects.length > 0) notes.push('fronts are not in the file: -Y of each box is taken');
      const room = textRoom(entries, base, file.name, notes, options);
      if (room === null && objects.length === 0)
        throw new AuditError(`${file.name}: neither walls nor boxes; expected a layout`);
      return [{ name: file.stem, layout: { rooms: room === null ? [] : [room], objects, notes } }];
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      return [{ name: file.stem, refused: messageOf(error), notes }];
    }
  },
};

interface Entry {
  readonly id: string;
  /** Class of a box, wall of a door or window. */
  readonly word: string;
  readonly numbers: readonly number[];
}

interface Entries {
  readonly walls: Entry[];
  readonly doors: Entry[];
  readonly windows: Entry[];
  readonly boxes: Entry[];
}

const COUNTS = { wall: 8, door: 5, window: 5, bbox: 7 } as const;

function parseLines(text: string, where: string, notes: string[]): Entries {
  const entries: Entries = { walls: [], doors: [], windows: [], boxes: [] };
  const lines = text.split('\n');
  if (lines.length > MAX_LINES) throw new AuditError(`${where}: ${lines.length} lines; expected at most ${MAX_LINES}`);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const match = LINE.exec(line);
    const kind = match?.[2]?.toLowerCase() as keyof typeof COUNTS | undefined;
    const parts = (match?.[3] ?? '').split(',').map((part) => part.trim());
    const word = kind === 'wall' || kind === undefined ? '' : (parts.shift() ?? '');
    if (kind === undefined || (parts.length !== COUNTS[kind] && !(kind === 'wall' && parts.length === 7))) {
      notes.push(`line ${index + 1} is not understood and left out: ${quoted(line.trim())}`);
      continue;
    }
    const numbers = parts.map((part) => numberAt(part === '' ? undefined : Number(part), `${where}:${index + 1}`));
    const entry = { id: match?.[1] as string, word, numbers };
    if (kind === 'wall') entries.walls.push(entry);
    else if (kind === 'bbox') entries.boxes.push(entry);
    else entries[kind === 'door' ? 'doors' : 'windows'].push(entry);
  }
  return entries;
}

function boxObject({ id, word, numbers }: Entry, base: number): LayoutObject {
  const [x, y, z, angle, sx, sy, sz] = numbers as [number, number, number, number, number, number, number];
  return {
    id,
    label: word,
    asset: null,
    supportedBy: null,
    pose: {
      kind: 'box',
      transform: zUpTransform(new Matrix4().makeRotationZ(angle), [x, y, z - base], OBJECT_TO_Z_UP_FRONT_MINUS_Y),
      anchor: 'centre',
      size: [Math.abs(sx), Math.abs(sz), Math.abs(sy)],
    },
  };
}

function textRoom(entries: Entries, base: number, where: string, notes: string[], options: ImportOptions): Room | null {
  const raw = entries.walls.map(({ id, numbers }): RawWall => {
    const [ax, ay, , bx, by, , height] = numbers as [number, number, number, number, number, number, number];
    return { id, start: [ax + 0, -ay + 0], end: [bx + 0, -by + 0], height, openings: [] };
  });
  const solid = raw.filter((wall) => Math.hypot(wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]) > 0.005);
  const joined = joinWalls(solid.map((wall) => [wall.start, wall.end] as const));
  if (joined === null) {
    if (raw.length > 0) notes.push(`${raw.length} walls enclose nothing: the scene has no room`);
    return null;
  }
  if (joined.note !== null) notes.push(joined.note);
  const floor = floorOutline(joined.outline, where, notes);
  const openings = [
    ...entries.doors.flatMap((entry) => planOpening(entry, 'door', raw, base, notes)),
    ...entries.windows.flatMap((entry) => planOpening(entry, 'window', raw, base, notes)),
  ];
  const walls = roomWalls(withPlanOpenings(raw, openings, where, notes), floor, where, notes);
  const height = Math.max(...walls.map((wall) => wall.height), 0) || options.wallHeight;
  notes.push('wall thickness is not kept');
  return { id: 'room', type: '', floor, wallHeight: height, walls };
}

function planOpening(
  { id, word, numbers }: Entry,
  type: PlanOpening['type'],
  walls: readonly RawWall[],
  base: number,
  notes: string[],
): PlanOpening[] {
  const wall = walls.find((item) => item.id === word);
  if (wall === undefined) {
    notes.push(`${id} is in the unknown wall ${quoted(word)}: left out`);
    return [];
  }
  const [x, y, z, width, height] = numbers as [number, number, number, number, number];
  const length = Math.hypot(wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]) || 1;
  const direction: Point = [(wall.end[0] - wall.start[0]) / length, (wall.end[1] - wall.start[1]) / length];
  const along = (x - wall.start[0]) * direction[0] + (-y - wall.start[1]) * direction[1];
  const point = (at: number): Point => [wall.start[0] + direction[0] * at, wall.start[1] + direction[1] * at];
  const middle = z - base;
  return [
    {
      type,
      from: point(along - width / 2),
      to: point(along + width / 2),
      bottom: middle - height / 2,
      top: middle + height / 2,
    },
  ];
}
