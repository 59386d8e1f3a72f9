import canonicalize from 'canonicalize';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * Canonical JSON (RFC 8785): sorted keys, shortest numbers. Two equal values give the same text on every machine.
 *
 * @throws TypeError for anything JSON cannot hold without loss (undefined in an array, Map, Set, Date, typed array,
 * bigint, NaN, Infinity). Properties whose value is undefined are left out, as in JSON.stringify.
 */
export function canonicalJson(value: unknown): string {
  requireJson(value, '$');
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('canonicalJson: invalid value "undefined"; expected a JSON value');
  return text;
}

function requireJson(value: unknown, path: string): void {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return;
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw new TypeError(`canonicalJson: ${path}: invalid number "${value}"; expected a finite number`);
    return;
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) requireJson(value[index], `${path}[${index}]`);
    return;
  }
  if (typeof value === 'object') {
    const prototype = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) {
      for (const [key, item] of Object.entries(value)) if (item !== undefined) requireJson(item, `${path}.${key}`);
      return;
    }
  }
  throw new TypeError(`canonicalJson: ${path}: invalid value of type "${typeof value}"; expected a JSON value`);
}

/** Readable JSON with a final newline, for files people open; keys in the order given. */
export function prettyJson(value: unknown): string {
  requireJson(value, '$');
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Compares two strings by code unit: the only string order in results (never a locale). */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
