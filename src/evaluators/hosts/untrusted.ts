/** A property of an untrusted JSON value, or undefined. */
export function property(value: unknown, ...path: (string | number)[]): unknown {
  let current = value;
  for (const name of path) {
    if (current === null || typeof current !== 'object' || !Object.hasOwn(current, name)) return undefined;
    current = (current as Record<string | number, unknown>)[name];
  }
  return current;
}

/** Text, or null for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A finite number of at least 0, or null for anything else. */
export function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** Elements of an untrusted array; none when it is no array. */
export function elementsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
