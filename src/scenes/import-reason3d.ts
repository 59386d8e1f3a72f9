import { Matrix4 } from 'three';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { fromUnity, numbersOf, unityRotation } from './frames.ts';
import type { Importer } from './importer.ts';
import { isObject, listAt, objectAt, optionalText, sizeAt, vectorAt } from './json-reader.ts';
import type { LayoutObject } from './layout.ts';
import { readBeside } from './read-beside.ts';
import type { SourceFile } from './source-file.ts';

/**
 * Reason-3D scenes (ETH-DISCO/reason-3d and forks): `placed_objects.json`, a list of {name, center, rotation, size,
 * size_after_rotation}, and `placed_objects_data.json` beside it with the assets' guids, joined by ORDER.
 *
 * Frame: Unity (left-handed, y up, metres), centre of the room at x = z = 0, floor at y = 0; `center` is the centre of the
 * box; Euler degrees (z, then x, then y). `size` is the full box before rotation. There is no room.
 */
export const importReason3D: Importer = {
  format: 'reason3d',
  title: 'Reason-3D placed objects',
  recognise(file) {
    const json = file.jsonOrUndefined;
    const first: unknown = Array.isArray(json) ? json[0] : undefined;
    if (!isObject(first)) return null;
    if ('center' in first && 'rotation' in first && 'size' in first)
      return { confidence: 0.9, why: 'a list of items with "center", "rotation" and "size"' };
    if ('guid' in first && ('boundsCenter' in first || 'scale_factor' in first))
      return {
        confidence: 0.9,
        why: 'asset list of a Reason-3D scene: read with placed_objects.json',
        companion: true,
      };
    if ('uid' in first && 'pre_rotation' in first)
      return {
        confidence: 0.9,
        why: "Blender's copy of a Reason-3D scene: placed_objects.json is read instead",
        companion: true,
      };
    return null;
  },
  async parse(file) {
    const notes: string[] = [];
    const name = file.stem === 'placed_objects' ? (file.folderName ?? file.stem) : file.stem;
    try {
      const items = listAt(file.json, file.name);
      const guids = await assetsBeside(file, items, notes);
      const objects = items.map((item, index) => placedObject(item, index, guids[index] ?? null, file.name, notes));
      notes.push('frame: Unity (left-handed), box centres; the format has no room');
      const prompt = (await readBeside(file, 'prompt.txt'))?.text.trim();
      return [{ name, layout: { rooms: [], objects, notes, ...(prompt ? { promptText: prompt } : {}) } }];
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      return [{ name, refused: messageOf(error), notes }];
    }
  },
};

/** Guids by order; names that disagree are noted, a list of another length is not used. */
async function assetsBeside(file: SourceFile, items: readonly unknown[], notes: string[]): Promise<(string | null)[]> {
  const data = await readBeside(file, `${file.stem}_data.json`);
  if (data === null) {
    notes.push(`no ${file.stem}_data.json beside the file: no asset ids`);
    return [];
  }
  const list = listAt(data.json, data.name);
  if (list.length !== items.length) {
    notes.push(
      `${data.name} has ${list.length} entries for ${items.length} objects: it cannot be joined by order and is not used`,
    );
    return [];
  }
  notes.push(`asset ids joined by order with ${data.name}`);
  return list.map((entry, index) => {
    const item = items[index];
    const [own, other] = [
      isObject(item) ? optionalText(item['name']) : null,
      isObject(entry) ? optionalText(entry['name']) : null,
    ];
    if (own !== null && other !== null && own !== other)
      notes.push(`entry ${index}: ${quoted(own)} is joined with the asset of ${quoted(other)}`);
    return isObject(entry) ? optionalText(entry['guid']) : null;
  });
}

function placedObject(value: unknown, index: number, guid: string | null, file: string, notes: string[]): LayoutObject {
  const where = `${file}: object ${index}`;
  const item = objectAt(value, where);
  const name = optionalText(item['name']);
  const place = fromUnity(vectorAt(item['center'], `${where}: center`));
  const turn = vectorAt(item['rotation'], `${where}: rotation`);
  const size = sizeAt(item['size'], `${where}: size`);
  const rotation = unityRotation(turn);
  const after = item['size_after_rotation'];
  if (Array.isArray(after) && disagrees(rotation, size, vectorAt(after, `${where}: size_after_rotation`)))
    notes.push(
      `object ${index} (${name ?? 'unnamed'}): size_after_rotation does not follow from size and rotation: size is used`,
    );
  return {
    id: name === null ? `object-${index}` : `${name}-${index}`,
    label: name?.replace(/[_-]?\d+$/, '') ?? null,
    asset: guid === null ? null : { source: 'objaverse', id: guid },
    supportedBy: null,
    pose: {
      kind: 'box',
      transform: numbersOf(new Matrix4().setPosition(...place).multiply(rotation)),
      anchor: 'centre',
      size,
    },
  };
}

/** True when the axis-parallel box of the turned box is not the one the file gives (2 cm). */
function disagrees(rotation: Matrix4, size: readonly number[], after: readonly number[]): boolean {
  const e = rotation.elements;
  return [0, 1, 2].some((axis) => {
    const extent = [0, 1, 2].reduce(
      (sum, column) => sum + Math.abs(e[column * 4 + axis] as number) * (size[column] as number),
      0,
    );
    return Math.abs(extent - (after[axis] as number)) > 0.02;
  });
}
