import { AuditError, messageOf, quoted } from '../core/errors.ts';
import type { Point, Room } from '../core/scene.ts';
import { convexHull, meshOutline, withoutCollinear } from './floor-outline.ts';
import { yawTransform } from './frames.ts';
import type { Importer, ImportOptions, ParsedScene } from './importer.ts';
import {
  isObject,
  type JsonObject,
  listAt,
  numberAt,
  numbersAt,
  objectAt,
  optionalText,
  sizeAt,
  vectorAt,
} from './json-reader.ts';
import type { LayoutObject } from './layout.ts';
import { outlineRoom } from './make-room.ts';
import { whyNotSimple } from './polygon.ts';
import { readBeside } from './read-beside.ts';
import type { SourceFile } from './source-file.ts';

/**
 * Boxes of ATISS, DiffuScene and InstructScene written as JSON arrays: {class_labels, translations, sizes, angles} and
 * optionally floor_plan_vertices, floor_plan_faces, floor_plan_centroid, object_types, uids (3D-FUTURE ids), scene_id; or a
 * list of such scenes.
 *
 * Frame: y up, right-handed, metres; a translation is the centre of the box relative to the floor centroid; `sizes` are HALF
 * the box (x, y, z); `angles` radians about +Y, 0 faces +Z. Class labels are names, numbers or one-hot rows; their names come
 * from `object_types` in the file or from `dataset_stats.txt` beside it.
 */
export const importBoxes: Importer = {
  format: 'boxes',
  title: 'ATISS / DiffuScene / InstructScene box arrays',
  recognise(file) {
    const json = file.jsonOrUndefined;
    const first: unknown = Array.isArray(json) ? json[0] : json;
    if (!isObject(first) || !Array.isArray(first['translations']) || !Array.isArray(first['sizes'])) return null;
    return { confidence: 0.95, why: 'arrays "translations", "sizes" and "angles"' };
  },
  async parse(file, options) {
    const json = file.json;
    const scenes = Array.isArray(json) ? (json as unknown[]) : [json];
    const names = await classNames(file);
    return scenes.map((scene, index) =>
      parseBoxes(scene, scenes.length === 1 ? file.stem : `${file.stem}-${index}`, file.name, names, options),
    );
  },
};

/** Classes that only mark the beginning, the end or a gap of the sequence. */
const MARKERS = new Set(['start', 'end', 'empty', '']);

async function classNames(file: SourceFile): Promise<readonly string[] | null> {
  const stats = await readBeside(file, 'dataset_stats.txt');
  const json = stats?.jsonOrUndefined;
  const list = isObject(json) ? (json['object_types'] ?? json['class_labels']) : undefined;
  return Array.isArray(list) && list.every((item) => typeof item === 'string') ? (list as string[]) : null;
}

function parseBoxes(
  value: unknown,
  name: string,
  where: string,
  fromStats: readonly string[] | null,
  options: ImportOptions,
): ParsedScene {
  const notes: string[] = [];
  try {
    const scene = objectAt(value, where);
    const own = optionalText(scene['scene_id'] ?? scene['scene_uid']);
    const listed = scene['object_types'] ?? scene['classes'];
    const names = Array.isArray(listed) ? listed.map(String) : fromStats;
    const translations = rows(scene['translations'], `${where}: translations`);
    const sizes = rows(scene['sizes'], `${where}: sizes`);
    const angles = rows(scene['angles'], `${where}: angles`);
    const labels = rows(scene['class_labels'], `${where}: class_labels`);
    if (new Set([translations.length, sizes.length, angles.length, labels.length]).size !== 1)
      throw new AuditError(
        `${where}: arrays of different lengths (${[labels, translations, sizes, angles].map((list) => list.length).join(', ')}); expected one entry an object each`,
      );
    const uids = Array.isArray(scene['uids']) ? (scene['uids'] as unknown[]) : [];
    let markers = 0;
    const unnamed = new Set<string>();
    const objects = translations.flatMap((translation, index): LayoutObject[] => {
      const at = `${where}: object ${index}`;
      const label = className(labels[index], names, at, unnamed);
      if (label !== null && MARKERS.has(label)) {
        markers += 1;
        return [];
      }
      const half = sizeAt(sizes[index], `${at}: size`);
      const angle = Array.isArray(angles[index]) ? (angles[index] as unknown[])[0] : angles[index];
      const uid = optionalText(uids[index]);
      return [
        {
          id: `${label ?? 'object'}-${index}`,
          label,
          asset: uid === null ? null : { source: '3d-future', id: uid },
          supportedBy: null,
          pose: {
            kind: 'box',
            transform: yawTransform(numberAt(angle, `${at}: angle`), vectorAt(translation, `${at}: translation`)),
            anchor: 'centre',
            size: [2 * half[0], 2 * half[1], 2 * half[2]],
          },
        },
      ];
    });
    if (markers > 0) notes.push(`${markers} start, end or empty entries left out`);
    if (unnamed.size > 0) notes.push(`classes without names: ${[...unnamed].join(', ')}`);
    notes.push('frame: y up, box centres relative to the floor centroid, half sizes doubled');
    const room = floorRoom(scene, where, notes, options);
    return { name: own ?? name, layout: { rooms: room === null ? [] : [room], objects, notes } };
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    return { name, refused: messageOf(error), notes };
  }
}

/** A list, or the only item of a batch of one. */
function rows(value: unknown, where: string): readonly unknown[] {
  const list = listAt(value, where);
  const first: unknown = list[0];
  const batch = list.length === 1 && Array.isArray(first) && Array.isArray(first[0]);
  return batch ? listAt(first, where) : list;
}

function className(
  value: unknown,
  names: readonly string[] | null,
  where: string,
  unnamed: Set<string>,
): string | null {
  if (typeof value === 'string') return value;
  let index: number;
  if (Array.isArray(value)) {
    const hot = value.map((item, number) => numberAt(item, `${where}: class_labels[${number}]`));
    index = hot.indexOf(Math.max(...hot));
    if (hot.length === 0) throw new AuditError(`${where}: empty class label; expected a one-hot row`);
  } else index = numberAt(value, `${where}: class label`);
  const name = names?.[index];
  if (name !== undefined) return name;
  unnamed.add(String(index));
  return null;
}

function floorRoom(scene: JsonObject, where: string, notes: string[], options: ImportOptions): Room | null {
  if (scene['floor_plan_vertices'] === undefined || scene['floor_plan_vertices'] === null) {
    notes.push('no floor plan: the scene has no room');
    return null;
  }
  const centroid = scene['floor_plan_centroid'];
  const [cx, , cz] =
    centroid === undefined || centroid === null ? [0, 0, 0] : vectorAt(centroid, `${where}: floor_plan_centroid`);
  const points = listAt(scene['floor_plan_vertices'], `${where}: floor_plan_vertices`).map((vertex, index): Point => {
    const at = `${where}: floor_plan_vertices[${index}]`;
    const [x, z] =
      Array.isArray(vertex) && vertex.length === 2
        ? numbersAt(vertex, 2, at)
        : [vectorAt(vertex, at)[0], vectorAt(vertex, at)[2]];
    return [(x as number) - cx, (z as number) - cz];
  });
  const faces = Array.isArray(scene['floor_plan_faces'])
    ? listAt(scene['floor_plan_faces'], `${where}: floor_plan_faces`).map((face, index) =>
        numbersAt(face, 3, `${where}: floor_plan_faces[${index}]`),
      )
    : [];
  const outline =
    faces.length > 0 ? meshOutline(points, faces) : whyNotSimple(withoutCollinear(points)) === null ? points : null;
  if (outline === null)
    notes.push(`the floor plan's ${points.length} vertices form no simple outline: their convex hull is the floor`);
  notes.push(`wall height ${options.wallHeight} m assumed (not in the file)`);
  const used = outline ?? convexHull(points);
  if (used.length < 3)
    throw new AuditError(
      `${where}: floor_plan_vertices: invalid floor ${quoted(points)}; expected three corners at least`,
    );
  return outlineRoom({
    id: 'room',
    type: optionalText(scene['room_type']) ?? '',
    points: used,
    height: options.wallHeight,
    where,
    notes,
  });
}
