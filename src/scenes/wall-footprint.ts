import type { Point, Wall } from '../core/scene.ts';

/** How far a mitre may reach beyond the wall's end, in thicknesses; sharper corners are cut square. */
const MITRE_LIMIT = 4;

/**
 * Extent of a wall's OUTER face along the wall, metres from its start: longer than the wall at convex corners, shorter
 * at reflex ones, so that neighbours meet in a plane and never overlap. `from <= to` always.
 */
export function wallFootprint(
  wall: Wall,
  walls: readonly Wall[],
  thicknessOf: (wall: Wall) => number,
): { readonly from: number; readonly to: number } {
  const length = Math.hypot(wall.end[0] - wall.start[0], wall.end[1] - wall.start[1]);
  const direction: Point = [(wall.end[0] - wall.start[0]) / length, (wall.end[1] - wall.start[1]) / length];
  const reach = (corner: Point): number => {
    const neighbour = onlyNeighbour(wall, corner, walls);
    return neighbour === null ? 0 : mitre(wall, neighbour, direction, thicknessOf);
  };
  let from = reach(wall.start);
  let to = length + reach(wall.end);
  if (from > to) {
    // Both corners are reflex and the wall is shorter than their mitres: the outer face shrinks to a line.
    from = to = (from + to) / 2;
  }
  return { from, to };
}

/** The one other wall that ends here; none or several leave the end square. */
function onlyNeighbour(wall: Wall, corner: Point, walls: readonly Wall[]): Wall | null {
  const near = (point: Point): boolean => Math.hypot(point[0] - corner[0], point[1] - corner[1]) < 1e-3;
  const found = walls.filter((other) => other !== wall && (near(other.start) || near(other.end)));
  return found.length === 1 ? (found[0] as Wall) : null;
}

/** Where the two outer planes meet, measured along `direction` from the shared corner. */
function mitre(wall: Wall, other: Wall, direction: Point, thicknessOf: (wall: Wall) => number): number {
  const own = thicknessOf(wall);
  const theirs = thicknessOf(other);
  const slope = direction[0] * other.normal[0] + direction[1] * other.normal[1];
  if (Math.abs(slope) < 1e-6) return 0;
  const facing = wall.normal[0] * other.normal[0] + wall.normal[1] * other.normal[1];
  const reach = (theirs - own * facing) / slope;
  return Math.abs(reach) > MITRE_LIMIT * Math.max(own, theirs) ? 0 : reach;
}
