import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { parse } from 'csv-parse/sync';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { isObject, type JsonObject } from './json-reader.ts';
import { plainText } from './plain-text.ts';

/** What is known of an asset without its mesh. Sizes in metres in object space: width across the front, depth front to back. */
export interface CatalogueEntry {
  readonly label: string | null;
  readonly size: readonly [number, number, number] | null;
  /** Turn about +Y in degrees that makes the stored mesh face +Z; null: it does already, as far as anyone says. */
  readonly frontYaw: number | null;
}

/** Asset id -> what is known of it. */
export type Catalogue = ReadonlyMap<string, CatalogueEntry>;

const LIMIT = 512 * 2 ** 20;

/**
 * Reads catalogue files; of two entries for one asset the later file fills what the earlier left open.
 *
 * Formats, told by content: CSV with the columns `asset` (or `id`), `label` and optionally `width,height,depth` in metres;
 * 3D-FUTURE `model_info.json` (a list of `model_id`, `category`: labels only); Objathor `annotations.json` (by id) and
 * LayoutVLM or Objathor `data.json` (one asset; its id is the folder's name or `uid`), with the sizes of
 * `assetMetadata.boundingBox`.
 *
 * @throws AuditError naming the file and, for CSV, the line
 */
export async function readCatalogue(paths: readonly string[]): Promise<Catalogue> {
  const entries = new Map<string, CatalogueEntry>();
  const add = (id: string, entry: CatalogueEntry): void => {
    const known = entries.get(id);
    entries.set(id, {
      label: known?.label ?? entry.label,
      size: known?.size ?? entry.size,
      frontYaw: known?.frontYaw ?? entry.frontYaw,
    });
  };
  for (const path of paths) {
    const found = await stat(path).catch((error: unknown) => {
      throw new AuditError(`${path}: missing file; expected a catalogue (CSV or JSON)`, {
        code: 'MISSING_FILE',
        cause: error,
      });
    });
    if (!found.isFile() || found.size > LIMIT)
      throw new AuditError(`${path}: expected a catalogue file of at most ${LIMIT} bytes`);
    const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '');
    if (/^\s*[[{]/.test(text)) readJsonCatalogue(text, path, add);
    else readCsvCatalogue(text, path, add);
  }
  return entries;
}

type Add = (id: string, entry: CatalogueEntry) => void;

function readCsvCatalogue(text: string, path: string, add: Add): void {
  let rows: { record: Record<string, string>; info: { lines: number } }[];
  try {
    rows = parse(text, { columns: true, skip_empty_lines: true, info: true, trim: true }) as typeof rows;
  } catch (error) {
    throw new AuditError(`${path}: invalid CSV (${messageOf(error, 160)}); expected a header and one asset a line`, {
      cause: error,
    });
  }
  for (const { record, info } of rows) {
    const where = `${path}:${info.lines}`;
    const id = record['asset'] ?? record['asset id'] ?? record['asset_id'] ?? record['id'];
    if (id === undefined || id === '')
      throw new AuditError(`${where}: missing asset id; expected a column "asset" (or "id")`);
    const sides = ['width', 'height', 'depth'].map((column) => record[column] ?? '');
    const given = sides.filter((side) => side !== '');
    if (given.length !== 0 && given.length !== 3)
      throw new AuditError(`${where}: ${given.length} of width, height, depth given; expected all three or none`);
    const size = given.length === 3 ? sides.map(Number) : null;
    if (size?.some((side) => !(side > 0) || !Number.isFinite(side)))
      throw new AuditError(`${where}: invalid size ${quoted(sides.join(' x '))}; expected metres above zero`);
    const yaw = vectorYaw(record['front']);
    add(id, {
      label: text0(record['label'] ?? record['category'] ?? record['main_category']),
      size: size as [number, number, number] | null,
      frontYaw: yaw,
    });
  }
}

function readJsonCatalogue(text: string, path: string, add: Add): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AuditError(`${path}: invalid JSON (${messageOf(error, 120)}); expected an asset catalogue`, {
      cause: error,
    });
  }
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) {
      if (!isObject(item)) continue;
      const id = text0(item['model_id'] ?? item['uid'] ?? item['id'] ?? item['jid']);
      if (id !== null) add(id, jsonEntry(item));
    }
    return;
  }
  if (!isObject(value)) throw new AuditError(`${path}: invalid catalogue; expected a list or an object by asset id`);
  if ('assetMetadata' in value || 'annotations' in value) {
    const annotations = isObject(value['annotations']) ? value['annotations'] : {};
    const own = text0(value['uid'] ?? annotations['uid']);
    add(own ?? basename(path.replace(/[/\\][^/\\]*$/, '')), jsonEntry({ ...annotations, ...value }));
    return;
  }
  for (const [id, item] of Object.entries(value)) if (isObject(item)) add(id, jsonEntry(item));
}

function jsonEntry(item: JsonObject): CatalogueEntry {
  const metadata = [
    item['assetMetadata'],
    isObject(item['thor_metadata']) ? item['thor_metadata']['assetMetadata'] : null,
  ].find(isObject);
  const box = isObject(metadata?.['boundingBox']) ? metadata['boundingBox'] : null;
  const label =
    text0(item['category']) ?? text0(item['label']) ?? text0(item['super-category']) ?? text0(item['description']);
  return { label, size: box === null ? null : boxSize(box), frontYaw: objathorYaw(item) };
}

/** Objathor stores how far the mesh is turned from its front: undone by 180 degrees less that offset. */
function objathorYaw(item: JsonObject): number | null {
  const offset = item['yRotOffset'] ?? (isObject(item['annotations']) ? item['annotations']['yRotOffset'] : undefined);
  return typeof offset === 'number' && Number.isFinite(offset) ? 180 - offset : null;
}

/** Sizes of {x, y, z} or {min: {x, y, z}, max: {x, y, z}}; null when not three positive numbers. */
function boxSize(box: JsonObject): [number, number, number] | null {
  const { min, max } = box;
  const size = ['x', 'y', 'z'].map((axis) =>
    isObject(min) && isObject(max) ? Number(max[axis]) - Number(min[axis]) : Number(box[axis]),
  );
  return size.every((side) => Number.isFinite(side) && side > 0) ? (size as [number, number, number]) : null;
}

/** Degrees about +Y that turn a front vector (in x/z of the asset) to +Z. */
function vectorYaw(text: string | undefined): number | null {
  const parts = (text ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  if (parts.length !== 3 || !parts.every(Number.isFinite)) return null;
  const [x, , z] = parts as [number, number, number];
  return Math.hypot(x, z) < 0.5 ? null : (-Math.atan2(x, z) * 180) / Math.PI + 0;
}

function text0(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? plainText(value.trim(), 200) : null;
}
