import { Matrix4 } from 'three';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { fromUnity, numbersOf, unityRotation } from './frames.ts';
import type { Importer } from './importer.ts';
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
import type { LayoutObject, PartialSize } from './layout.ts';
import { thorLabel, thorRooms } from './thor-house.ts';

/** Holodeck keeps this much clear round floor objects, and stores the footprint with it, metres. */
const FOOTPRINT_CLEARANCE = 0.1;
/** Footprints whose middle is farther than this from the position belong to something else, metres. */
const FOOTPRINT_MISMATCH = 0.05;

/**
 * Holodeck scenes (allenai/Holodeck): an AI2-THOR house with Holodeck's own fields.
 *
 * Frame: Unity (left-handed, y up, metres), yaw degrees clockwise from above, 0 faces +Z; a position is the centre of the
 * box. `vertices` is the footprint in the world in CENTIMETRES, for floor objects with a clearance of 10 cm in all. The
 * height of a floor object is twice its y; heights of wall objects and all sizes of small objects are in the asset database
 * only.
 */
export const importHolodeck: Importer = {
  format: 'holodeck',
  title: 'Holodeck scenes',
  recognise(file) {
    const json = file.jsonOrUndefined;
    if (!isObject(json) || !Array.isArray(json['rooms']) || !('objects' in json)) return null;
    const seen = ['floor_objects', 'wall_objects', 'small_objects', 'selected_objects', 'raw_floor_plan'].filter(
      (key) => key in json,
    );
    return seen.length === 0
      ? null
      : { confidence: 0.95, why: `a THOR house with Holodeck's ${seen.slice(0, 3).join(', ')}` };
  },
  async parse(file, options) {
    const notes: string[] = [];
    try {
      const house = objectAt(file.json, file.name);
      const rooms = thorRooms(house, file.name, notes, options.wallHeight);
      const kinds = subLists(house, notes);
      const values = optionalList(house['objects'], `${file.name}: objects`);
      const all = new Set(values.flatMap((value) => (isObject(value) ? (optionalText(value['id']) ?? []) : [])));
      const objects = values.map((value, index) =>
        holodeckObject(value, kinds, all, `${file.name}: object ${index}`, notes),
      );
      if (rooms.length === 0 && objects.length === 0)
        throw new AuditError(`${file.name}: neither rooms nor objects; expected at least one room`);
      if (objects.length > 0)
        notes.push('positions are box centres; mesh fronts taken as +Z unless the catalogue says otherwise');
      sharedPlaces(objects, notes);
      const query = optionalText(house['query']);
      return [{ name: file.stem, layout: { rooms, objects, notes, ...(query === null ? {} : { promptText: query }) } }];
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      return [{ name: file.stem, refused: messageOf(error), notes }];
    }
  },
};

type Kind = 'floor' | 'wall' | 'small' | 'ceiling';

/** Which sub-list each object is in; disagreements with the main list are noted. */
function subLists(house: JsonObject, notes: string[]): ReadonlyMap<string, Kind> {
  const kinds = new Map<string, Kind>();
  const main = optionalList(house['objects'], 'objects').flatMap((item) =>
    isObject(item) ? (optionalText(item['id']) ?? []) : [],
  );
  const known = new Set(main);
  let listed = 0;
  for (const kind of ['floor', 'wall', 'small', 'ceiling'] as const)
    for (const item of optionalList(house[`${kind}_objects`], `${kind}_objects`)) {
      const id = isObject(item) ? optionalText(item['id']) : null;
      if (id === null) continue;
      listed += 1;
      kinds.set(id, kind);
      if (!known.has(id)) notes.push(`object ${quoted(id)} is in ${kind}_objects but not in objects: left out`);
    }
  const extra = main.filter((id) => !kinds.has(id));
  if (listed > 0 && extra.length > 0)
    notes.push(
      `${extra.length} objects are in none of the sub-lists (added by hand?): ${extra.slice(0, 8).map(quoted).join(', ')}`,
    );
  return kinds;
}

function holodeckObject(
  value: unknown,
  kinds: ReadonlyMap<string, Kind>,
  all: ReadonlySet<string>,
  at: string,
  notes: string[],
): LayoutObject {
  const object = objectAt(value, at);
  const id = textAt(object['id'], `${at}: id`);
  const asset = optionalText(object['assetId']);
  const unity = vectorAt(object['position'], `${at}: position`);
  const turn = vectorAt(object['rotation'] ?? { x: 0, y: 0, z: 0 }, `${at}: rotation`);
  const place = fromUnity(unity);
  const kind = kinds.get(id) ?? null;
  const name = optionalText(object['object_name']) ?? id;
  return {
    id,
    label: thorLabel(name).replace(/ \d+$/, ''),
    asset: asset === null ? null : { source: /^[0-9a-f]{32}$/.test(asset) ? 'objaverse' : 'ai2thor', id: asset },
    supportedBy: kind === 'small' || kind === null ? supportOf(id, all) : null,
    pose: {
      kind: 'box',
      transform: numbersOf(new Matrix4().setPosition(...place).multiply(unityRotation(turn))),
      anchor: 'centre',
      size: footprintSize(object, kind, unity, turn[1], id, at, notes),
    },
  };
}

/** `throw pillow-0|sofa-0 (living room)` stands on `sofa-0 (living room)`. */
function supportOf(id: string, all: ReadonlySet<string>): string | null {
  const bar = id.indexOf('|');
  const support = bar < 0 ? null : id.slice(bar + 1);
  return support !== null && all.has(support) ? support : null;
}

function footprintSize(
  object: JsonObject,
  kind: Kind | null,
  place: readonly [number, number, number],
  yaw: number,
  id: string,
  at: string,
  notes: string[],
): PartialSize | null {
  const height = kind === 'floor' ? 2 * place[1] : null;
  const corners = optionalList(object['vertices'], `${at}: vertices`).map((corner, index) => {
    const pair = optionalList(corner, `${at}: vertices[${index}]`);
    return [numberAt(pair[0], `${at}: vertices`) / 100, numberAt(pair[1], `${at}: vertices`) / 100] as const;
  });
  if (corners.length === 0) return height === null || !(height > 0) ? null : [null, height, null];
  const [xs, zs] = [corners.map(([x]) => x), corners.map(([, z]) => z)];
  const [lowX, highX, lowZ, highZ] = [Math.min(...xs), Math.max(...xs), Math.min(...zs), Math.max(...zs)];
  const middle = Math.hypot((lowX + highX) / 2 - place[0], (lowZ + highZ) / 2 - place[2]);
  if (middle > FOOTPRINT_MISMATCH) {
    notes.push(`object ${quoted(id)}: its footprint lies ${middle.toFixed(2)} m from its position: footprint not used`);
    return null;
  }
  const clearance = kind === 'floor' ? FOOTPRINT_CLEARANCE : 0;
  const quarter = Math.round(yaw / 90);
  const square = Math.abs(yaw - quarter * 90) < 1;
  const [alongX, alongZ] = [highX - lowX - clearance, highZ - lowZ - clearance];
  // The footprint is parallel to the axes; at a quarter turn width and depth change places.
  const [width, depth] = square && Math.abs(quarter) % 2 === 1 ? [alongZ, alongX] : [alongX, alongZ];
  if (!(width > 0) || !(depth > 0)) {
    notes.push(`object ${quoted(id)}: its footprint has no extent: not used`);
    return height === null || !(height > 0) ? null : [null, height, null];
  }
  if (!square) notes.push(`object ${quoted(id)}: turned by ${yaw} degrees: its size is that of its upright footprint`);
  return [width, height !== null && height > 0 ? height : null, depth];
}

/** Small objects of different receptacles that share one exact position: the generator's placement went wrong. */
function sharedPlaces(objects: readonly LayoutObject[], notes: string[]): void {
  const groups = new Map<string, string[]>();
  for (const object of objects) {
    if (object.pose.kind !== 'box') continue;
    const key = object.pose.transform.slice(12, 15).join();
    groups.set(key, [...(groups.get(key) ?? []), object.id]);
  }
  for (const ids of groups.values())
    if (ids.length > 1) notes.push(`${ids.length} objects share one exact position: ${ids.slice(0, 8).join(', ')}`);
}
