import { Matrix4, Vector3 } from 'three';
import { AuditError, messageOf } from '../core/errors.ts';
import { completeSize } from './complete-size.ts';
import { fromUnity, matrixOf, numbersOf, unityRotation } from './frames.ts';
import type { Importer, ImportOptions, ParsedScene } from './importer.ts';
import { isObject, type JsonObject, objectAt, optionalList, optionalText, textAt, vectorAt } from './json-reader.ts';
import { categoryEntry, categoryOfLabel } from './kit/categories.ts';
import type { LayoutObject, PartialSize } from './layout.ts';
import type { SourceFile } from './source-file.ts';
import { thorLabel, thorRooms } from './thor-house.ts';
import { usualSmallSize } from './usual-sizes.ts';

/**
 * ProcTHOR and AI2-THOR houses (allenai/procthor; one house, a list of houses, or one house a line).
 *
 * Frame: Unity (left-handed, y up, metres), Euler degrees, yaw clockwise from above, 0 faces +Z. Children stand in world
 * coordinates. A position is about the centre of the object's box; sizes and labels are only in the asset database, so
 * labels come from the ids and sizes from assets, the catalogue or what is usual. The old AI2-THOR schema (`polygon`,
 * `room_id`) is read too.
 */
export const importProcThor: Importer = {
  format: 'procthor',
  title: 'ProcTHOR / AI2-THOR houses',
  recognise(file) {
    const json = file.extension === 'jsonl' ? firstLine(file) : file.jsonOrUndefined;
    const first: unknown = Array.isArray(json) ? json[0] : json;
    if (!isObject(first) || !Array.isArray(first['rooms']) || !('walls' in first)) return null;
    return { confidence: 0.8, why: 'a house with "rooms" and "walls"' };
  },
  async parse(file, options) {
    const houses = housesOf(file);
    return houses.map((house, index) => {
      const name = houses.length === 1 ? file.stem : `${file.stem}-${index}`;
      const where = houses.length === 1 ? file.name : `${file.name}: house ${index}`;
      return parseHouse(house, name, where, options);
    });
  },
};

function firstLine(file: SourceFile): unknown {
  try {
    return JSON.parse(file.text.slice(0, file.text.indexOf('\n')));
  } catch {
    return undefined;
  }
}

function housesOf(file: SourceFile): readonly unknown[] {
  if (file.extension !== 'jsonl') return Array.isArray(file.json) ? (file.json as unknown[]) : [file.json];
  return file.text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line, index): unknown => {
      try {
        return JSON.parse(line);
      } catch (error) {
        throw new AuditError(
          `${file.name}:${index + 1}: invalid JSON (${messageOf(error, 120)}); expected one house a line`,
        );
      }
    });
}

function parseHouse(value: unknown, name: string, where: string, options: ImportOptions): ParsedScene {
  const notes: string[] = [];
  try {
    const house = objectAt(value, where);
    const rooms = thorRooms(house, where, notes, options.wallHeight);
    const objects = thorObjects(house['objects'], null, where, notes, 0);
    if (rooms.length === 0 && objects.length === 0)
      throw new AuditError(`${where}: neither rooms nor objects; expected at least one room`);
    if (objects.length > 0)
      notes.push('labels from THOR ids; positions taken for box centres; sizes are in the asset database only');
    return { name, layout: { rooms, objects, notes } };
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    return { name, refused: messageOf(error), notes };
  }
}

/** Children nested deeper than this are refused. */
const MAX_DEPTH = 20;

function thorObjects(
  value: unknown,
  parent: string | null,
  where: string,
  notes: string[],
  depth: number,
): LayoutObject[] {
  if (depth > MAX_DEPTH) throw new AuditError(`${where}: children nested over ${MAX_DEPTH} deep; expected a house`);
  return optionalList(value, `${where}: objects`).flatMap((item, index) => {
    const at = `${where}: ${parent === null ? 'object' : `child of ${parent},`} ${index}`;
    const object = objectAt(item, at);
    const own = thorObject(object, parent, at);
    const children = thorObjects(object['children'], own.id, at, notes, depth + 1);
    return [coveringSize(own, children), ...children];
  });
}

function thorObject(object: JsonObject, parent: string | null, at: string): LayoutObject {
  const id = textAt(object['id'], `${at}: id`);
  const asset = optionalText(object['assetId']);
  const place = fromUnity(vectorAt(object['position'], `${at}: position`));
  const turn = vectorAt(object['rotation'] ?? { x: 0, y: 0, z: 0 }, `${at}: rotation`);
  const label = labelOf(id, asset);
  return {
    id,
    label,
    asset: asset === null ? null : { source: /^[0-9a-f]{32}$/.test(asset) ? 'objaverse' : 'ai2thor', id: asset },
    supportedBy: parent,
    pose: {
      kind: 'box',
      transform: numbersOf(new Matrix4().setPosition(...place).multiply(unityRotation(turn))),
      anchor: 'centre',
      size: parent === null ? floorSize(label, place[1], turn) : null,
    },
  };
}

/** Room left round the things that stand on something, metres. */
const RIM = 0.05;

/**
 * What carries things is at least as wide and deep as they are spread on it (counters come in all lengths): its sides are
 * the usual ones or those, whichever is larger. Only for an upright thing with nothing but its height known.
 */
function coveringSize(object: LayoutObject, children: readonly LayoutObject[]): LayoutObject {
  const { pose } = object;
  if (pose.kind !== 'box' || pose.size === null || children.length === 0) return object;
  const usual = completeSize(pose.size, object.label ?? 'object', true)?.size;
  if (usual === undefined) return object;
  const inverse = matrixOf(pose.transform).invert();
  let [width, depth] = [0, 0];
  for (const child of children) {
    if (child.pose.kind !== 'box' || child.supportedBy !== object.id) continue;
    const [x, y, z] = child.pose.transform.slice(12, 15) as [number, number, number];
    const local = new Vector3(x, y, z).applyMatrix4(inverse);
    width = Math.max(width, 2 * (Math.abs(local.x) + RIM));
    depth = Math.max(depth, 2 * (Math.abs(local.z) + RIM));
  }
  if (width <= usual[0] && depth <= usual[2]) return object;
  return { ...object, pose: { ...pose, size: [Math.max(width, usual[0]), pose.size[1], Math.max(depth, usual[2])] } };
}

/** The longest beginning of the asset's or the object's name that is known; else the asset's whole name. */
function labelOf(id: string, asset: string | null): string {
  const names = [asset, id]
    .flatMap((text) => (text === null ? [] : [thorLabel(text)]))
    .filter((text) => /\p{L}/u.test(text));
  for (const name of names) {
    const words = name.split(' ');
    for (let count = words.length; count > 0; count -= 1) {
      const label = words.slice(0, count).join(' ');
      if (categoryOfLabel(label) !== null || usualSmallSize(label) !== null) return label;
    }
  }
  return names[0] ?? 'object';
}

/**
 * An upright thing on the floor is centred at half its height, so its height is known, if that height is one such things
 * can have.
 */
function floorSize(label: string, y: number, turn: readonly [number, number, number]): PartialSize | null {
  const category = categoryOfLabel(label);
  if (category === null || Math.abs(turn[0]) > 1 || Math.abs(turn[2]) > 1) return null;
  const { placement, sizeRange } = categoryEntry(category);
  const height = 2 * y;
  const likely = placement === 'floor' && height > 0.6 * sizeRange.min[1] && height < 1.4 * sizeRange.max[1];
  return likely ? [null, height, null] : null;
}
