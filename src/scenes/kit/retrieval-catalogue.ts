import { compareText } from '../../core/json.ts';
import { Random } from '../../core/random.ts';
import type { MeshPart } from '../draft.ts';
import { type CategoryEntry, categoryEntry, KIT_CATEGORIES, type KitCategory } from './categories.ts';
import { buildFurniture } from './furniture.ts';
import type { Size } from './part.ts';

/** Looks of each category that stand in the catalogue. */
export const CATALOGUE_LOOKS = 4;

/** One piece a retrieval system over the kit could return. */
export interface RetrievalCandidate {
  /** `<category>#<look>`, as an asset id. */
  readonly id: string;
  readonly category: KitCategory;
  readonly look: number;
  /** Match with the category asked for, 0..1, higher is better. */
  readonly match: number;
}

/**
 * Every candidate of the kit for a category, best match first: its own looks, then pieces of the same family, then by
 * placement and likeness of shape; ties by id. The match is 1 for the category itself (less 0.01 a look), otherwise 0.05 +
 * 0.35 [same family] + 0.15 [same placement] + 0.05 [both or neither against a wall] + 0.35 exp(-distance), with the
 * distance between the logarithms of the default sizes, each divided by its own volume's cube root (shape, not size,
 * since a candidate is scaled to the object). The last entry is what the probe `worst-objects` puts in.
 */
export function retrievalCatalogue(category: KitCategory): readonly RetrievalCandidate[] {
  const asked = categoryEntry(category);
  return KIT_CATEGORIES.flatMap((other) =>
    Array.from({ length: CATALOGUE_LOOKS }, (_, look) => ({
      id: `${other}#${look}`,
      category: other,
      look,
      match: likeness(asked, categoryEntry(other)) - 0.01 * look,
    })),
  ).sort((a, b) => b.match - a.match || compareText(a.id, b.id));
}

/** The candidate's furniture at the size of the object it replaces. */
export function buildCandidate(candidate: RetrievalCandidate, size: Size): MeshPart[] {
  return buildFurniture(candidate.category, size, new Random(candidate.look, 'retrieval catalogue'));
}

function likeness(asked: CategoryEntry, other: CategoryEntry): number {
  if (asked.category === other.category) return 1;
  const [first, second] = [proportions(asked.defaultSize), proportions(other.defaultSize)];
  const distance = Math.hypot(...first.map((value, axis) => value - (second[axis] as number)));
  return (
    0.05 +
    (asked.family === other.family ? 0.35 : 0) +
    (asked.placement === other.placement ? 0.15 : 0) +
    (asked.againstWall === other.againstWall ? 0.05 : 0) +
    0.35 * Math.exp(-distance)
  );
}

function proportions([w, h, d]: Size): [number, number, number] {
  const side = Math.cbrt(w * h * d);
  return [Math.log(w / side), Math.log(h / side), Math.log(d / side)];
}
