import type { Json } from '../core/json.ts';

/** One leaf of a JSON value: `preprocessing.resize` and its text. */
export type Leaf = readonly [path: string, text: string];

/** The leaves of a JSON value in its own order, lists of plain values on one line; the rest is counted past `limit`. */
export function flattenJson(value: Json, limit = 80): Leaf[] {
  const leaves: Leaf[] = [];
  let left = 0;
  const visit = (item: Json, path: string, depth: number) => {
    if (leaves.length >= limit) {
      left += 1;
      return;
    }
    if (item === null || typeof item !== 'object') leaves.push([path, leafText(item)]);
    else if (depth > 12) leaves.push([path, JSON.stringify(item)]);
    else if (Array.isArray(item)) {
      if (item.every((entry) => entry === null || typeof entry !== 'object'))
        leaves.push([path, item.map(leafText).join(', ') || 'none']);
      else for (const [index, entry] of item.entries()) visit(entry as Json, `${path}[${index}]`, depth + 1);
    } else {
      const entries = Object.entries(item);
      if (entries.length === 0) leaves.push([path, 'none']);
      for (const [key, entry] of entries) visit(entry as Json, path === '' ? key : `${path}.${key}`, depth + 1);
    }
  };
  visit(value, '', 0);
  if (left > 0) leaves.push(['…', `${left} more in the JSON file`]);
  return leaves;
}

function leafText(value: Json): string {
  return value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
}
