import { AuditError, quoted } from '../core/errors.ts';

/** A JSON object whose members have not been looked at. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Lists longer than this are refused (the scene schema holds 20,000 objects). */
export const LIST_LIMIT = 20_000;
/** Lengths beyond this many metres, and any number beyond it, are not of a room. */
const NUMBER_LIMIT = 1e6;

function fail(where: string, value: unknown, expected: string): never {
  throw new AuditError(
    `${where}: invalid ${value === undefined ? 'or missing value' : `value ${quoted(value)}`}; expected ${expected}`,
  );
}

/** True for an object that is neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws AuditError when `value` is not an object */
export function objectAt(value: unknown, where: string): JsonObject {
  return isObject(value) ? value : fail(where, value, 'an object');
}

/** @throws AuditError when `value` is not a list of at most 20,000 items */
export function listAt(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) return fail(where, value, 'a list');
  if (value.length > LIST_LIMIT)
    throw new AuditError(`${where}: ${value.length} items; expected at most ${LIST_LIMIT}`);
  return value as unknown[];
}

/** A list, or an empty one where the file has null or nothing. */
export function optionalList(value: unknown, where: string): readonly unknown[] {
  return value === null || value === undefined ? [] : listAt(value, where);
}

/** @throws AuditError when `value` is not a finite number of a plausible size */
export function numberAt(value: unknown, where: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return fail(where, value, 'a finite number');
  if (Math.abs(value) > NUMBER_LIMIT) return fail(where, value, `a number within ${NUMBER_LIMIT}`);
  return value;
}

/** @throws AuditError when `value` is not a list of exactly `count` finite numbers */
export function numbersAt(value: unknown, count: number, where: string): number[] {
  if (!Array.isArray(value) || value.length !== count) return fail(where, value, `${count} numbers`);
  return value.map((item, index) => numberAt(item, `${where}[${index}]`));
}

/** Three numbers, given as [x, y, z] or as {x, y, z}. */
export function vectorAt(value: unknown, where: string): [number, number, number] {
  const [x, y, z] = isObject(value)
    ? ['x', 'y', 'z'].map((key) => numberAt(value[key], `${where}.${key}`))
    : numbersAt(value, 3, where);
  return [x as number, y as number, z as number];
}

/** Text of a string or a number (ids come as both). */
export function textAt(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return fail(where, value, 'text');
}

/** Text, or null where the file has none. */
export function optionalText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
}

/** Three sizes in the order given. @throws AuditError for a negative size */
export function sizeAt(value: unknown, where: string): [number, number, number] {
  const size = vectorAt(value, where);
  for (const length of size) if (!(length >= 0)) return fail(where, value, 'three sizes of zero or more');
  return size;
}
