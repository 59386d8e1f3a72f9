import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { Point } from '../core/scene.ts';
import { eulerRotation, OBJECT_TO_Z_UP_FRONT_X, radians, zUpTransform } from './frames.ts';
import type { Importer, ImportOptions, ParsedScene } from './importer.ts';
import { isObject, type JsonObject, numberAt, objectAt, optionalList, optionalText, vectorAt } from './json-reader.ts';
import type { LayoutObject, PartialSize } from './layout.ts';
import { outlineRoom } from './make-room.ts';
import { readBeside } from './read-beside.ts';
import type { SourceFile } from './source-file.ts';

/** Names under which the task of a layout is found beside it. */
const TASK_FILES = ['scene.json', 'scene_config.json', 'task.json'];

/**
 * LayoutVLM results (sunfanyunn/LayoutVLM): `layout.json`, {"<category>-<n>": {position, rotation}}, and the task beside it
 * (`scene.json`: boundary, wall height, assets), or both in one file under `layout`.
 *
 * Frame: z up, right-handed, metres; a position is the centre of the box; rotation is Euler XYZ in DEGREES, 0 faces +X (a
 * single number is RADIANS, as in the intermediate states). Asset ids and sizes are joined by KEY
 * (`assets[key].uid`); sizes are `assetMetadata.boundingBox`: x across the front, y front to back, z up.
 */
export const importLayoutVlm: Importer = {
  format: 'layoutvlm',
  title: 'LayoutVLM layout and scene',
  recognise(file) {
    const json = file.jsonOrUndefined;
    if (!isObject(json)) return null;
    if (isLayout(json['layout']) || isLayout(json)) {
      const more = isObject(json['boundary']) ? ' with its task' : '';
      return { confidence: 0.85, why: `objects by "<category>-<n>" with position and rotation${more}` };
    }
    if (isObject(json['boundary']) && Array.isArray(json['boundary']['floor_vertices']))
      return {
        confidence: 0.7,
        why: 'a LayoutVLM task (boundary, assets): read with the layout.json beside it',
        companion: true,
      };
    return null;
  },
  async parse(file, options) {
    return [await parseLayout(file, options)];
  },
};

function isLayout(value: unknown): boolean {
  if (!isObject(value)) return false;
  const items = Object.values(value);
  return (
    items.length > 0 && items.slice(0, 20).every((item) => isObject(item) && 'position' in item && 'rotation' in item)
  );
}

async function parseLayout(file: SourceFile, options: ImportOptions): Promise<ParsedScene> {
  const notes: string[] = [];
  const name = file.stem === 'layout' ? (file.folderName ?? file.stem) : file.stem;
  try {
    const json = objectAt(file.json, file.name);
    const layout = isObject(json['layout']) ? json['layout'] : json;
    if (!isLayout(layout))
      throw new AuditError(`${file.name}: no layout in the file; expected objects with position and rotation`);
    const task = isObject(json['boundary']) ? json : await taskBeside(file, notes);
    const assets = task !== null && isObject(task['assets']) ? task['assets'] : {};
    const unknown = Object.keys(layout).filter((key) => !(key in assets));
    if (task !== null && unknown.length > 0)
      notes.push(
        `${unknown.length} objects of the layout are not in the task's assets: ${unknown.slice(0, 8).map(quoted).join(', ')}`,
      );
    const unplaced = Object.keys(assets).filter((key) => !(key in layout));
    if (unplaced.length > 0)
      notes.push(
        `${unplaced.length} assets of the task were not placed: ${unplaced.slice(0, 8).map(quoted).join(', ')}`,
      );
    const objects = Object.entries(layout).map(([key, value]) => layoutObject(key, value, assets[key], file.name));
    notes.push('frame: z up, box centres, Euler degrees, 0 faces +X');
    const text = task === null ? null : optionalText(task['task_description']);
    return {
      name,
      layout: {
        rooms: task === null ? [] : [taskRoom(task, file.name, notes, options)],
        objects,
        notes,
        ...(text === null ? {} : { promptText: text }),
      },
    };
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    return { name, refused: messageOf(error), notes };
  }
}

async function taskBeside(file: SourceFile, notes: string[]): Promise<JsonObject | null> {
  for (const other of TASK_FILES) {
    const task = await readBeside(file, other);
    if (task === null) continue;
    const json = task.json;
    if (!isObject(json) || !isObject(json['boundary'])) continue;
    notes.push(`room and assets from ${other} beside the layout`);
    return json;
  }
  notes.push('no task file beside the layout: no room, no asset ids, no sizes');
  return null;
}

function taskRoom(task: JsonObject, where: string, notes: string[], options: ImportOptions) {
  const boundary = objectAt(task['boundary'], `${where}: boundary`);
  const points = optionalList(boundary['floor_vertices'], `${where}: floor_vertices`).map((point, index): Point => {
    const pair = Array.isArray(point) && point.length === 2 ? [...(point as unknown[]), 0] : point;
    const [x, y] = vectorAt(pair, `${where}: floor_vertices[${index}]`);
    return [x, -y];
  });
  const given = boundary['wall_height'];
  const height = given === undefined || given === null ? options.wallHeight : numberAt(given, `${where}: wall_height`);
  if (given === undefined || given === null) notes.push(`no wall height: ${height} m assumed`);
  const room = outlineRoom({ id: 'room', type: '', points, height, where, notes });
  const said = /(\d+(?:\.\d+)?)\s*m?\s*[x×]\s*(\d+(?:\.\d+)?)\s*m\b/i.exec(
    optionalText(task['task_description']) ?? '',
  );
  const [xs, zs] = [room.floor.map(([x]) => x), room.floor.map(([, z]) => z)];
  const sides = [Math.max(...xs) - Math.min(...xs), Math.max(...zs) - Math.min(...zs)].sort((a, b) => a - b);
  if (said !== null) {
    const told = [Number(said[1]), Number(said[2])].sort((a, b) => a - b);
    if (told.some((side, index) => Math.abs(side - (sides[index] as number)) > 0.05))
      notes.push(
        `the text says ${said[1]} x ${said[2]} m, the floor is ${sides.map((side) => side.toFixed(2)).join(' x ')} m: the floor is used`,
      );
  }
  return room;
}

function layoutObject(key: string, value: unknown, asset: unknown, file: string): LayoutObject {
  const where = `${file}: ${quoted(key)}`;
  const item = objectAt(value, where);
  const place = vectorAt(item['position'], `${where}: position`);
  const turn = item['rotation'];
  const angles: [number, number, number] =
    typeof turn === 'number'
      ? [0, 0, numberAt(turn, `${where}: rotation`)]
      : (vectorAt(turn, `${where}: rotation`).map(radians) as [number, number, number]);
  const entry = isObject(asset) ? asset : {};
  const uid = optionalText(entry['uid']) ?? /^[0-9a-f]{32}-\d+$/.exec(key)?.[0]?.slice(0, 32) ?? null;
  const label =
    optionalText(entry['category']) ??
    (/^[0-9a-f]{32}/.test(key) ? null : key.replace(/-\d+[A-Z]?$|(-\d+)?_[A-Z]$/, ''));
  return {
    id: key,
    label,
    asset: uid === null ? null : { source: 'layoutvlm-objaverse', id: uid },
    supportedBy: null,
    pose: {
      kind: 'box',
      transform: zUpTransform(eulerRotation(angles), place, OBJECT_TO_Z_UP_FRONT_X),
      anchor: 'centre',
      size: boxSize(entry, where),
    },
  };
}

function boxSize(entry: JsonObject, where: string): PartialSize | null {
  const metadata = entry['assetMetadata'];
  const box = isObject(metadata) ? metadata['boundingBox'] : null;
  if (!isObject(box)) return null;
  const [x, y, z] = vectorAt(box, `${where}: boundingBox`);
  return [x, z, y];
}
