import { AuditError, quoted } from '../core/errors.ts';
import type { View } from '../core/protocol.ts';

/** File names of the published harness; the part in brackets is left out of transparent pictures. */
export const HARNESS_PATTERN = 'render_{res}_{focal}[_{r}_{g}_{b}]_{pitch}_{yaw}_{map}.png';

const FIELDS: Record<string, string> = {
  res: '(?<res>\\d+)',
  focal: '(?<focal>\\d+(?:\\.\\d+)?)',
  r: '(?<r>\\d{1,3})',
  g: '(?<g>\\d{1,3})',
  b: '(?<b>\\d{1,3})',
  pitch: '(?<pitch>\\d+(?:\\.\\d+)?)',
  yaw: '(?<yaw>\\d+(?:\\.\\d+)?)',
  map: '(?<map>[a-z][a-z0-9-]*)',
};

const NAMED = new Map([
  ['255,0,0', 'red'],
  ['0,255,0', 'green'],
  ['0,0,255', 'blue'],
]);

/**
 * What a picture's file name says: its view, and its background (null when it is transparent). Null when the name does not
 * fit the pattern.
 *
 * @param pattern literal text with `{res} {focal} {r} {g} {b} {pitch} {yaw} {map}`, optional parts in `[...]`
 * @throws AuditError for a pattern with an unknown field.
 */
export function readPictureName(name: string, pattern: string): { view: View; background: string | null } | null {
  const match = compile(pattern).exec(name)?.groups;
  if (match === undefined) return null;
  const view: View = {
    resolution: Number(match['res'] ?? 512),
    focal: Number(match['focal'] ?? 50),
    lighting: match['map'] ?? 'city',
    pitch: Number(match['pitch'] ?? 90),
    yaw: Number(match['yaw'] ?? 0),
  };
  const { r, g, b } = match;
  if (r === undefined || g === undefined || b === undefined) return { view, background: null };
  if (r === g && g === b) return { view, background: `grey-${Number(r)}` };
  const named = NAMED.get(`${Number(r)},${Number(g)},${Number(b)}`);
  return named === undefined ? null : { view, background: named };
}

const compiled = new Map<string, RegExp>();

function compile(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const source = pattern
    .split(/(\{[^}]*\}|\[|\])/)
    .map((part) => {
      if (part === '[') return '(?:';
      if (part === ']') return ')?';
      if (!part.startsWith('{')) return part.replace(/[.*+?^${}()|\\]/g, '\\$&');
      const field = FIELDS[part.slice(1, -1)];
      if (field === undefined)
        throw new AuditError(
          `renderer.pattern: unknown field ${quoted(part)}; expected one of {${Object.keys(FIELDS).join('}, {')}}`,
        );
      return field;
    })
    .join('');
  let expression: RegExp;
  try {
    expression = new RegExp(`^${source}$`);
  } catch {
    throw new AuditError(
      `renderer.pattern: invalid pattern ${quoted(pattern)}; expected each field once and brackets in pairs`,
    );
  }
  compiled.set(pattern, expression);
  return expression;
}
