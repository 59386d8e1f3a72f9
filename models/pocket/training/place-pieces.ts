import type { Random } from '../../../src/core/random.ts';
import { type Spot, spotOf } from './categories.ts';
import { collide, halfFootprint, type Piece } from './room-plan.ts';

/** How a whole room is laid out: with sense, scattered, or on a grid. Training sees all three, as generators differ so. */
export type LayoutStyle = 'ordered' | 'scattered' | 'grid';

interface Space {
  readonly width: number;
  readonly depth: number;
  readonly height: number;
}

/** A piece that has no place yet. */
export type Unplaced = Pick<Piece, 'category' | 'size' | 'variant'>;

const QUARTER = Math.PI / 2;

/** Places one piece where it fits; null when 30 draws found no free spot. */
export function placeOne(
  piece: Unplaced,
  others: readonly Piece[],
  space: Space,
  style: LayoutStyle,
  random: Random,
): Piece | null {
  const spot = spotOf(piece.category);
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const candidate = propose(piece, others, space, style, spot, random);
    if (candidate === null) continue;
    const [hx, hz] = halfFootprint(candidate);
    if (Math.abs(candidate.x) + hx > space.width / 2 - 0.01 || Math.abs(candidate.z) + hz > space.depth / 2 - 0.01)
      continue;
    const solid = (other: Piece): boolean =>
      spotOf(other.category) !== 'rug' && spot !== 'rug' && collide(candidate, other);
    // A scattered room may let pieces run into each other a little, as poor generators do.
    if (others.some(solid) && !(style === 'scattered' && attempt > 15 && random.next() < 0.3)) continue;
    return candidate;
  }
  return null;
}

function propose(
  piece: Unplaced,
  others: readonly Piece[],
  space: Space,
  style: LayoutStyle,
  spot: Spot,
  random: Random,
): Piece | null {
  const at = (x: number, z: number, yaw: number, y = 0): Piece => ({ ...piece, x, z, y, yaw });
  const anywhere = (yaw: number, y = 0): Piece => {
    const [hx, hz] = halfFootprint({ size: piece.size, yaw });
    const reach = (side: number, half: number): number => Math.max(0, side / 2 - half - 0.03);
    const [rx, rz] = [reach(space.width, hx), reach(space.depth, hz)];
    return at(random.between(-rx, rx), random.between(-rz, rz), yaw, y);
  };
  const quarter = (): number => random.integer(4) * QUARTER;
  if (spot === 'ceiling') return anywhere(quarter(), space.height - piece.size[1] - 0.01);
  if (spot === 'top') return onTop(piece, others, random) ?? (random.next() < 0.3 ? anywhere(quarter()) : null);
  if (spot === 'rug') return anywhere(random.next() < 0.8 ? quarter() : random.between(0, 6.28));
  if (spot === 'hung') {
    const lift = Math.min(space.height * random.between(0.45, 0.6), space.height - piece.size[1] - 0.05);
    return againstWall(piece, space, random, Math.max(0, lift));
  }
  if (style === 'scattered') return anywhere(random.next() < 0.5 ? quarter() : random.between(0, 6.28));
  if (style === 'grid') {
    const step = 1.1;
    const snapped = anywhere(random.next() < 0.7 ? 0 : quarter());
    return { ...snapped, x: Math.round(snapped.x / step) * step, z: Math.round(snapped.z / step) * step };
  }
  if (spot === 'seat') return bySurface(piece, others, random) ?? anywhere(quarter());
  if (spot === 'wall') return againstWall(piece, space, random, 0, others);
  if (spot === 'corner' && random.next() < 0.7) {
    const yaw = quarter();
    const [hx, hz] = halfFootprint({ size: piece.size, yaw });
    const side = (): number => (random.next() < 0.5 ? -1 : 1);
    const gap = random.between(0.03, 0.12);
    return at(side() * (space.width / 2 - hx - gap), side() * (space.depth / 2 - hz - gap), yaw);
  }
  return anywhere(quarter());
}

/** Back to a wall, facing the room; a nightstand prefers the side of a bed. */
function againstWall(piece: Unplaced, space: Space, random: Random, y: number, others: readonly Piece[] = []): Piece {
  const bed = others.find((other) => /-bed$/.test(other.category));
  if (piece.category === 'nightstand' && bed !== undefined && random.next() < 0.8) {
    const side = random.next() < 0.5 ? -1 : 1;
    const [c, s] = [Math.cos(bed.yaw), Math.sin(bed.yaw)];
    const dx = side * (bed.size[0] / 2 + piece.size[0] / 2 + random.between(0.03, 0.2));
    const dz = -bed.size[2] / 2 + piece.size[2] / 2;
    return { ...piece, x: bed.x + dx * c + dz * s, z: bed.z - dx * s + dz * c, y, yaw: bed.yaw };
  }
  const wall = random.integer(4);
  const yaw = wall * QUARTER;
  const gap = random.between(0.015, 0.06);
  const along = wall % 2 === 0 ? space.width : space.depth;
  const across = wall % 2 === 0 ? space.depth : space.width;
  const reach = Math.max(0, along / 2 - piece.size[0] / 2 - 0.03);
  const u = random.between(-reach, reach);
  const v = -(across / 2 - piece.size[2] / 2 - gap);
  // Wall 0 is the back wall (-z, facing +z); a turn of yaw takes (u, v) to the other three.
  return { ...piece, x: u * Math.cos(yaw) + v * Math.sin(yaw), z: -u * Math.sin(yaw) + v * Math.cos(yaw), y, yaw };
}

/** A seat at a table or desk, facing it. */
function bySurface(piece: Unplaced, others: readonly Piece[], random: Random): Piece | null {
  const tables = others.filter((other) => /table|desk|island/.test(other.category) && other.y === 0);
  if (tables.length === 0 || random.next() < 0.15) return null;
  const table = random.pick(tables);
  const side = random.integer(4);
  const long = side % 2 === 0 ? table.size[0] : table.size[2];
  const deep = side % 2 === 0 ? table.size[2] : table.size[0];
  const angle = table.yaw + side * QUARTER;
  const reach = Math.max(0, long / 2 - piece.size[0] / 2);
  const u = random.between(-reach, reach);
  const v = deep / 2 + piece.size[2] / 2 + random.between(0.03, 0.3);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return { ...piece, x: table.x + u * c + v * s, z: table.z - u * s + v * c, y: 0, yaw: angle + Math.PI };
}

/** A small thing on furniture wide enough and at most 1.2 m high. */
function onTop(piece: Unplaced, others: readonly Piece[], random: Random): Piece | null {
  if (piece.category === 'cushion') {
    const seats = others.filter((other) => /sofa|bed|armchair|bench/.test(other.category));
    if (seats.length === 0) return null;
    const seat = random.pick(seats);
    // Sunk a little into the seat, wherever exactly that is.
    return { ...piece, x: seat.x, z: seat.z, y: Math.min(0.5, 0.45 * seat.size[1]), yaw: seat.yaw };
  }
  const holders = others.filter(
    (other) =>
      /table|desk|stand|dresser|cabinet|counter/.test(other.category) &&
      other.y === 0 &&
      other.size[1] <= 1.2 &&
      other.size[0] >= piece.size[0] &&
      other.size[2] >= piece.size[2],
  );
  if (holders.length === 0) return null;
  const holder = random.pick(holders);
  const u = random.between(-1, 1) * (holder.size[0] - piece.size[0]) * 0.5;
  const v = random.between(-1, 1) * (holder.size[2] - piece.size[2]) * 0.5;
  const [c, s] = [Math.cos(holder.yaw), Math.sin(holder.yaw)];
  return { ...piece, x: holder.x + u * c + v * s, z: holder.z - u * s + v * c, y: holder.size[1], yaw: holder.yaw };
}
