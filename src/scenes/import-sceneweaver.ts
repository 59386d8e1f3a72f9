import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { eulerRotation, OBJECT_TO_Z_UP_FRONT_X, zUpTransform } from './frames.ts';
import type { Importer } from './importer.ts';
import { isObject, listAt, numbersAt, objectAt, optionalText, sizeAt, vectorAt } from './json-reader.ts';
import type { LayoutObject } from './layout.ts';
import { outlineRoom, type PlanOpening } from './make-room.ts';
import { readBeside } from './read-beside.ts';

/** Relations that mean one object carries the other. */
const CARRIES = new Set(['on', 'ontop', 'on_top', 'inside']);

/**
 * SceneWeaver layouts (Scene-Weaver/SceneWeaver, `record_scene/layout_<n>.json`): {objects: {key: {location, rotation, size,
 * parent}}, structure, roomsize}.
 *
 * Frame: z up, right-handed, metres, origin at a corner of the room; `location` is the BOTTOM centre of the box; Euler XYZ in
 * RADIANS rounded to 2 decimals, 0 faces +X; `size` along the object's own axes: x front to back, y across, z up. Windows and
 * entrances under `structure` have the same fields, but their `location` is the origin of the cutting block, not its bottom.
 */
export const importSceneWeaver: Importer = {
  format: 'sceneweaver',
  title: 'SceneWeaver layouts',
  recognise(file) {
    const json = file.jsonOrUndefined;
    const first: unknown = isObject(json) && isObject(json['objects']) ? Object.values(json['objects'])[0] : undefined;
    if (!isObject(first) || !('location' in first)) return null;
    return { confidence: 0.95, why: 'objects by name with "location", "rotation" and "size"' };
  },
  async parse(file, options) {
    const notes: string[] = [];
    const name = file.stem;
    try {
      const json = objectAt(file.json, file.name);
      const entries = Object.entries(objectAt(json['objects'], `${file.name}: objects`));
      const keys = new Set(entries.map(([key]) => key));
      const objects = entries.map(([key, value]) => weaverObject(key, value, keys, file.name));
      notes.push(
        'frame: z up, bottom centres, Euler radians rounded to 0.01 in the file, 0 faces +X; size along the own axes',
      );
      const info = await readBeside(file, 'roominfo.json');
      const type =
        info !== null && isObject(info.jsonOrUndefined) ? optionalText(info.jsonOrUndefined['roomtype']) : null;
      const structure = isObject(json['structure']) ? Object.entries(json['structure']) : [];
      if (json['roomsize'] === undefined || json['roomsize'] === null) {
        notes.push('no room size: the scene has no room');
        if (structure.length > 0) notes.push(`${structure.length} windows and entrances need a room: left out`);
        return [{ name, layout: { rooms: [], objects, notes } }];
      }
      const [x, y] = numbersAt(json['roomsize'], 2, `${file.name}: roomsize`) as [number, number];
      const points = [
        [0, 0],
        [x, 0],
        [x, -y],
        [0, -y],
      ] as const;
      notes.push(`wall height ${options.wallHeight} m assumed (not in the file)`);
      const room = outlineRoom({
        id: 'room',
        type: type ?? '',
        points: points.map(([a, b]) => [a, b]),
        height: options.wallHeight,
        openings: weaverOpenings(structure, file.name, notes),
        where: file.name,
        notes,
      });
      return [{ name, layout: { rooms: [room], objects, notes } }];
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      return [{ name, refused: messageOf(error), notes }];
    }
  },
};

function weaverObject(key: string, value: unknown, keys: ReadonlySet<string>, file: string): LayoutObject {
  const where = `${file}: ${quoted(key)}`;
  const item = objectAt(value, where);
  const place = vectorAt(item['location'], `${where}: location`);
  const turn = vectorAt(item['rotation'] ?? [0, 0, 0], `${where}: rotation`);
  const [depth, width, height] = sizeAt(item['size'], `${where}: size`);
  return {
    id: key,
    label: factoryLabel(key),
    asset: { source: 'sceneweaver', id: key },
    supportedBy: supportOf(item['parent'], keys, key, where),
    pose: {
      kind: 'box',
      transform: zUpTransform(eulerRotation(turn), place, OBJECT_TO_Z_UP_FRONT_X),
      anchor: 'bottom',
      size: [width, height, depth],
    },
  };
}

/** An entrance whose block starts this near to the floor when its location is taken for its centre confirms that it is, metres. */
const ON_FLOOR = 0.15;

/** Windows and entrances as holes on the floor plan. */
function weaverOpenings(structure: readonly [string, unknown][], file: string, notes: string[]): PlanOpening[] {
  const bare = structure.filter(([, value]) => !isObject(value) || value['location'] === undefined);
  if (bare.length > 0)
    notes.push(
      `${bare.length} windows and entrances without a place left out: ${bare
        .slice(0, 8)
        .map(([key]) => key)
        .join(', ')}`,
    );
  const blocks = structure
    .filter((entry) => !bare.includes(entry))
    .map(([key, value]) => {
      const where = `${file}: ${quoted(key)}`;
      const item = objectAt(value, where);
      const [x, y, z] = vectorAt(item['location'], `${where}: location`);
      const turn = eulerRotation(vectorAt(item['rotation'] ?? [0, 0, 0], `${where}: rotation`)).elements;
      const size = sizeAt(item['size'], `${where}: size`);
      const half = (axis: 0 | 1 | 2): number =>
        size.reduce((sum, side, column) => sum + (Math.abs(turn[4 * column + axis] as number) * side) / 2, 0);
      return { door: /^entrance/i.test(key), x, y, z, half: [half(0), half(1), half(2)] as const };
    });
  if (blocks.length === 0) return [];
  const doors = blocks.filter(({ door }) => door);
  const centred = doors.filter(({ z, half }) => Math.abs(z - half[2]) <= ON_FLOOR).length;
  const standing = doors.filter(({ z, half }) => Math.abs(z) <= ON_FLOOR && half[2] > ON_FLOOR).length;
  const bottom = standing > centred;
  notes.push(
    `${blocks.length} windows and entrances: their locations are taken for the ${bottom ? 'bottom centre' : 'centre'} of their blocks (${doors.length === 0 ? 'the file does not tell' : 'so entrances stand on the floor'})`,
  );
  return blocks.map(({ door, x, y, z, half: [hx, hy, hz] }): PlanOpening => {
    const low = bottom ? z : z - hz;
    const alongX = hx >= hy;
    return {
      type: door ? 'door' : 'window',
      from: alongX ? [x - hx, -y] : [x, -(y - hy)],
      to: alongX ? [x + hx, -y] : [x, -(y + hy)],
      bottom: low,
      top: low + 2 * hz,
    };
  });
}

function supportOf(value: unknown, keys: ReadonlySet<string>, own: string, where: string): string | null {
  if (!Array.isArray(value)) return null;
  for (const pair of listAt(value, `${where}: parent`)) {
    const [name, relation] = Array.isArray(pair) ? (pair as unknown[]) : [];
    if (typeof name === 'string' && name !== own && keys.has(name) && CARRIES.has(String(relation))) return name;
  }
  return null;
}

/** `9273535_DeskLampFactory`, `SimpleDesk`, `photo frame` -> words. */
export function factoryLabel(name: string): string {
  return name
    .replace(/^\d+_/, '')
    .replace(/_?\d+$/, '')
    .replace(/Factory$/, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .trim();
}
