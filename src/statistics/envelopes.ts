import type { Envelope } from '../core/estimates.ts';
import type { Margins } from './margins.ts';
import { type ScoreCube, scoreAt } from './score-cube.ts';

type Range = Pick<Envelope, 'min' | 'max' | 'strict' | 'minAt' | 'maxAt' | 'bounds'>;

/**
 * Envelope of one pair: smallest and largest margin over c0 and all shared levels, and where (the first place in order).
 * Strict when it never touches zero; null when a level was removed or withheld, since the missing one could touch it.
 */
export function envelope(cube: ScoreCube, family: Margins, pair: number): Range {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let minAt: number | null = null;
  let maxAt: number | null = null;
  let complete = true;
  for (const index of family.configurations.keys()) {
    const value = family.margins[index * family.pairs.length + pair]!;
    if (Number.isNaN(value)) {
      complete = false;
      continue;
    }
    if (value < min) {
      min = value;
      minAt = index;
    }
    if (value > max) {
      max = value;
      maxAt = index;
    }
  }
  const place = (index: number | null) => {
    if (index === null) return null;
    const { factor, level } = family.configurations[index]!;
    return { factor, level };
  };
  const touches = minAt === null || !(min > 0 || max < 0);
  return {
    min: minAt === null ? null : min,
    max: maxAt === null ? null : max,
    strict: complete ? !touches : minAt !== null && touches ? false : null,
    minAt: place(minAt),
    maxAt: place(maxAt),
    bounds: envelopeBounds(cube, family, pair),
  };
}

/** Smallest and largest envelope over everything the missing outcomes could have been within the scale; null without limits. */
function envelopeBounds(cube: ScoreCube, family: Margins, pair: number): Envelope['bounds'] {
  const limits = cube.scale;
  if (limits === null || limits.min === null || limits.max === null) return null;
  const [m, n] = family.pairs[pair]!;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const { row } of family.configurations) {
    const [low, high] = marginBounds(cube, row, m, n, { min: limits.min, max: limits.max });
    min = Math.min(min, low);
    max = Math.max(max, high);
  }
  return { min, max, strict: min > 0 || max < 0 };
}

/** Margin over all prompts with every missing outcome at its worst, and at its best. */
export function marginBounds(
  cube: ScoreCube,
  row: number,
  m: number,
  n: number,
  limits: { readonly min: number; readonly max: number },
  missing: (score: number) => boolean = Number.isNaN,
): [number, number] {
  let low = 0;
  let high = 0;
  for (let prompt = 0; prompt < cube.prompts; prompt += 1) {
    const a = scoreAt(cube, row, m, prompt);
    const b = scoreAt(cube, row, n, prompt);
    low += (missing(a) ? limits.min : a) - (missing(b) ? limits.max : b);
    high += (missing(a) ? limits.max : a) - (missing(b) ? limits.min : b);
  }
  return [low / cube.prompts, high / cube.prompts];
}
