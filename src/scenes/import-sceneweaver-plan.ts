import { Matrix4 } from 'three';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { Room } from '../core/scene.ts';
import { OBJECT_TO_Z_UP_FRONT_X, radians, zUpTransform } from './frames.ts';
import { factoryLabel } from './import-sceneweaver.ts';
import type { Importer, ImportOptions } from './importer.ts';
import {
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  numbersAt,
  objectAt,
  optionalText,
  sizeAt,
} from './json-reader.ts';
import type { LayoutObject, PartialSize } from './layout.ts';
import { outlineRoom } from './make-room.ts';
import { usualSize } from './usual-sizes.ts';

/** Relations that mean the parent carries the object. */
const CARRIES = new Set(['on', 'ontop']);

/**
 * SceneWeaver's language-model plans (`GPT/results*.json`): `Placement`, or `Placement_big` and `Placement_small`, by
 * category and number: {position, rotation, size, parent}.
 *
 * Frame: z up, right-handed, metres, origin at a corner; `position` is the centre in x and y (big things have no z and stand
 * on the floor) and the BOTTOM in z; `rotation` in degrees, counter-clockwise, 0 faces +X; `size` is [depth, width, height] of
 * the object facing +X.
 */
export const importSceneWeaverPlan: Importer = {
  format: 'sceneweaver-plan',
  title: 'SceneWeaver plans of a language model',
  recognise(file) {
    const json = file.jsonOrUndefined;
    if (!isObject(json)) return null;
    const keys = ['Placement', 'Placement_big', 'Placement_small'].filter((key) => isObject(json[key]));
    return keys.length === 0 ? null : { confidence: 0.95, why: `a plan with ${keys.join(' and ')}` };
  },
  async parse(file, options) {
    const notes: string[] = [];
    try {
      const json = objectAt(file.json, file.name);
      const items = placements(json, file.name, notes);
      const ids = new Set(items.map(({ id }) => id));
      const objects = items.map((item) => planObject(item, ids, file.name, notes));
      notes.push('frame: z up, bottom centres, degrees, 0 faces +X, size is depth, width, height');
      countNotes(json, items, notes);
      const room = planRoom(json, objects, file.name, notes, options);
      return [{ name: file.stem, layout: { rooms: room === null ? [] : [room], objects, notes } }];
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      return [{ name: file.stem, refused: messageOf(error), notes }];
    }
  },
};

interface Placement {
  readonly id: string;
  readonly category: string;
  readonly value: JsonObject;
}

function placements(json: JsonObject, where: string, notes: string[]): Placement[] {
  const items: Placement[] = [];
  for (const key of ['Placement', 'Placement_big', 'Placement_small']) {
    if (json[key] === undefined || json[key] === null) continue;
    for (const [category, numbered] of Object.entries(objectAt(json[key], `${where}: ${key}`)))
      for (const [number, value] of Object.entries(objectAt(numbered, `${where}: ${key}.${category}`))) {
        const id = `${category} ${number}`;
        if (items.some((item) => item.id === id)) notes.push(`${quoted(id)} is placed twice (${key} again)`);
        items.push({ id, category, value: objectAt(value, `${where}: ${id}`) });
      }
  }
  return items;
}

/** What the plan announces but does not place. */
function countNotes(json: JsonObject, items: readonly Placement[], notes: string[]): void {
  const counts = isObject(json['big_category_dict']) ? Object.entries(json['big_category_dict']) : [];
  for (const [category, announced] of counts) {
    const placed = items.filter((item) => item.category === category).length;
    if (Number(announced) !== placed)
      notes.push(`the plan announces ${String(announced)} x ${quoted(category)} and places ${placed}`);
  }
}

function planObject(item: Placement, ids: ReadonlySet<string>, file: string, notes: string[]): LayoutObject {
  const where = `${file}: ${quoted(item.id)}`;
  const position = listAt(item.value['position'], `${where}: position`);
  const [x, y, z] =
    position.length === 2
      ? [...numbersAt(position, 2, `${where}: position`), 0]
      : numbersAt(position, 3, `${where}: position`);
  const rotation = item.value['rotation'];
  if (rotation === undefined || rotation === null) notes.push(`${quoted(item.id)} has no rotation: 0 assumed`);
  const degrees = rotation === undefined || rotation === null ? 0 : numberAt(rotation, `${where}: rotation`);
  return {
    id: item.id,
    label: factoryLabel(item.category),
    asset: null,
    supportedBy: supportOf(item.value['parent'], ids, item.id),
    pose: {
      kind: 'box',
      transform: zUpTransform(
        new Matrix4().makeRotationZ(radians(degrees)),
        [x as number, y as number, z as number],
        OBJECT_TO_Z_UP_FRONT_X,
      ),
      anchor: 'bottom',
      size: planSize(item.value['size'], where),
    },
  };
}

function planSize(value: unknown, where: string): PartialSize | null {
  if (value === undefined || value === null) return null;
  const [depth, width, height] = sizeAt(value, `${where}: size`);
  return [width, height, depth];
}

function supportOf(value: unknown, ids: ReadonlySet<string>, own: string): string | null {
  const [category, number, relation] = Array.isArray(value) ? (value as unknown[]) : [];
  const id = `${String(category)} ${String(number)}`;
  return relation !== undefined && CARRIES.has(String(relation)) && id !== own && ids.has(id) ? id : null;
}

/** The plan's room, or, without `roomsize`, the rectangle from the origin that holds every object. */
function planRoom(
  json: JsonObject,
  objects: readonly LayoutObject[],
  where: string,
  notes: string[],
  options: ImportOptions,
): Room | null {
  let sides: [number, number];
  if (json['roomsize'] !== undefined && json['roomsize'] !== null) {
    sides = numbersAt(json['roomsize'], 2, `${where}: roomsize`) as [number, number];
  } else {
    if (objects.length === 0) return null;
    const reach = (axis: 12 | 14): number =>
      Math.max(
        ...objects.map(({ pose, label }) => {
          const transform = pose.kind === 'box' ? pose.transform : [];
          const size = (pose.kind === 'box' ? pose.size : null) ?? usualSize(label ?? '') ?? [0.5, 0.5, 0.5];
          return Math.abs(transform[axis] as number) + Math.max(size[0] ?? 0.5, size[2] ?? 0.5) / 2;
        }),
      );
    sides = [Math.ceil(reach(12) * 2) / 2, Math.ceil(reach(14) * 2) / 2];
    notes.push(`no room size: ${sides.join(' x ')} m assumed, the rectangle from the origin that holds all objects`);
  }
  notes.push(`wall height ${options.wallHeight} m assumed (not in the file)`);
  const [x, y] = sides;
  return outlineRoom({
    id: 'room',
    type: optionalText(json['roomtype']) ?? '',
    points: [
      [0, 0],
      [x, 0],
      [x, -y],
      [0, -y],
    ],
    height: options.wallHeight,
    where,
    notes,
  });
}
