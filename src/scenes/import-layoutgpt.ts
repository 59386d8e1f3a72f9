import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { radians, yawTransform } from './frames.ts';
import type { Importer, ImportOptions, ParsedScene } from './importer.ts';
import { isObject, type JsonObject, listAt, numberAt, objectAt, optionalText, textAt } from './json-reader.ts';
import type { LayoutObject } from './layout.ts';
import { outlineRoom } from './make-room.ts';
import type { SourceFile } from './source-file.ts';

/**
 * LayoutGPT raw layouts (weixi-feng/LayoutGPT, `llm_output/3D/*.json`): a list of
 * {query_id, iter, prompt, object_list: [[label, {length, width, height, left, top, depth, orientation}]]}.
 *
 * Frame: y up after parsing, x = left (length), z = top (width), y = depth (height). `left`, `top`, `depth` are the CENTRE
 * of the box whatever their names say; sizes are full edges before rotation. `orientation` is degrees about +Y,
 * right-handed, 0 faces +Z. Lengths are pixels; the metric size of the room is not in the file.
 */
export const importLayoutGpt: Importer = {
  format: 'layoutgpt',
  title: 'LayoutGPT raw layouts',
  recognise(file) {
    const json = file.jsonOrUndefined;
    const first: unknown = Array.isArray(json) ? json[0] : undefined;
    if (!isObject(first) || !Array.isArray(first['object_list'])) return null;
    return { confidence: 'query_id' in first ? 1 : 0.8, why: 'a list of items with "object_list" and "query_id"' };
  },
  async parse(file, options) {
    if (options.roomSize === null && options.metresPerUnit === null)
      throw new AuditError(
        `${file.name}: lengths are pixels of an unknown size; expected --room-size (metres of the shorter side)`,
      );
    return listAt(file.json, file.name).map((item, index) => parseItem(file, item, index, options));
  },
};

function parseItem(file: SourceFile, value: unknown, index: number, options: ImportOptions): ParsedScene {
  const where = `${file.name}: item ${index}`;
  const query = isObject(value) ? optionalText(value['query_id']) : null;
  const repeat = isObject(value) ? Number(value['iter'] ?? 0) : 0;
  const name = `${query ?? `item-${index}`}${repeat > 0 ? `-iter${repeat}` : ''}`;
  const notes: string[] = [];
  try {
    const item = objectAt(value, where);
    const prompt = textAt(item['prompt'], `${where}: prompt`);
    const sides = /max length\s+([\d.]+)\s*px[^\d]+max width\s+([\d.]+)\s*px/i.exec(prompt);
    if (sides === null)
      throw new AuditError(
        `${where}: no room size in the prompt ${quoted(prompt)}; expected "max length Npx, max width Npx"`,
      );
    const [length, width] = [Number(sides[1]), Number(sides[2])];
    const shorter = Math.min(length, width);
    if (!(shorter > 0))
      throw new AuditError(`${where}: invalid room size ${quoted(prompt)}; expected pixels above zero`);
    const metres = options.metresPerUnit ?? (options.roomSize as number) / shorter;
    notes.push(
      options.metresPerUnit === null
        ? `unit assumed: the shorter room side (${shorter} px) is ${options.roomSize} m, so 1 px = ${metres.toFixed(5)} m`
        : `unit assumed: 1 px = ${metres} m`,
    );
    if (options.metresPerUnit === null && shorter !== 256)
      notes.push(
        `the shorter side is ${shorter} px where LayoutGPT's normalised rooms have 256: this file is on another pixel scale`,
      );
    const objects = parseObjects(item, where, metres);
    const top = Math.max(options.wallHeight, ...objects.map(({ high }) => high));
    notes.push(
      `wall height ${top.toFixed(2)} m assumed (${top > options.wallHeight ? 'raised to the highest object' : 'not in the file'})`,
    );
    const type = /room type:\s*([^\n]+)/i.exec(prompt)?.[1]?.trim() ?? '';
    const [x, z] = [length * metres, width * metres];
    const room = outlineRoom({
      id: 'room',
      type,
      points: [
        [0, 0],
        [x, 0],
        [x, z],
        [0, z],
      ],
      height: top,
      where,
      notes,
    });
    notes.push('floor assumed to be the full rectangle of the prompt');
    return { name, layout: { rooms: [room], objects: objects.map(({ object }) => object), notes, promptText: prompt } };
  } catch (error) {
    if (!(error instanceof AuditError)) throw error;
    return { name, refused: messageOf(error), notes };
  }
}

function parseObjects(item: JsonObject, where: string, metres: number): { object: LayoutObject; high: number }[] {
  const counts = new Map<string, number>();
  return listAt(item['object_list'], `${where}: object_list`).map((entry, index) => {
    const at = `${where}: object ${index}`;
    const [label, box] = listAt(entry, at);
    const name = textAt(label, `${at}: label`);
    const fields = objectAt(box, at);
    const number = (key: string): number => numberAt(fields[key], `${at}: ${key}`) * metres;
    const size: [number, number, number] = [number('length'), number('height'), number('width')];
    if (size.some((side) => side < 0))
      throw new AuditError(`${at}: negative size ${quoted(size)}; expected sizes of zero or more`);
    const yaw = radians(numberAt(fields['orientation'], `${at}: orientation`));
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    const centre: [number, number, number] = [number('left'), number('depth'), number('top')];
    return {
      high: centre[1] + size[1] / 2,
      object: {
        id: `${name}-${count}`,
        label: name,
        asset: null,
        supportedBy: null,
        pose: { kind: 'box', transform: yawTransform(yaw, centre), anchor: 'centre', size },
      },
    };
  });
}
