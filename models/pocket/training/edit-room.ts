import type { Random } from '../../../src/core/random.ts';
import type { KitCategory } from '../../../src/scenes/kit/categories.ts';
import { drawLook, type Looks, spotOf } from './categories.ts';
import { type LayoutStyle, placeOne } from './place-pieces.ts';
import type { Piece, RoomPlan } from './room-plan.ts';

export const EDITS = ['removed', 'replaced', 'added', 'thinned', 'swapped', 'floor'] as const;
export type Edit = (typeof EDITS)[number];

export interface EditedRoom {
  readonly plan: RoomPlan;
  /** Categories the edit is about: what went, then what came. */
  readonly named: readonly string[];
}

/** A twin of a room, one thing changed; null when the room does not allow the edit. */
export function editRoom(
  original: RoomPlan,
  edit: Edit,
  categories: readonly KitCategory[],
  looks: Looks,
  random: Random,
): EditedRoom | null {
  const { pieces } = original;
  const withPieces = (next: readonly Piece[], named: readonly string[]): EditedRoom => ({
    plan: { ...original, pieces: next },
    named,
  });
  if (edit === 'added') {
    const added = place(random.pick(categories), original, looks, random);
    return added === null ? null : withPieces([...pieces, added], [added.category]);
  }
  if (edit === 'floor') {
    const colour = [random.between(0.15, 0.9), random.between(0.15, 0.9), random.between(0.15, 0.9)] as const;
    return { plan: { ...original, floorColour: colour }, named: [] };
  }
  if (pieces.length === 0) return null;
  const gone = random.integer(pieces.length);
  const victim = pieces[gone] as Piece;
  const rest = pieces.filter((_, index) => index !== gone);
  if (edit === 'removed') return withPieces(rest, [victim.category]);
  if (edit === 'thinned') {
    if (pieces.length < 4) return null;
    const kept = random.shuffle(pieces.map((_, index) => index)).slice(0, Math.ceil(pieces.length / 2));
    return withPieces(
      pieces.filter((_, index) => kept.includes(index)),
      pieces.filter((_, index) => !kept.includes(index)).map((piece) => piece.category),
    );
  }
  if (edit === 'replaced') {
    const sort = spotOf(victim.category);
    const others = categories.filter((category) => category !== victim.category);
    const alike = others.filter((category) => spotOf(category) === sort);
    const category = random.pick(alike.length > 0 && random.next() < 0.7 ? alike : others);
    const look = drawLook(category, looks, random);
    const hangs = ['ceiling', 'hung', 'top'].includes(spotOf(category));
    if (hangs && spotOf(category) !== sort) {
      const placed = place(category, { ...original, pieces: rest }, looks, random);
      return placed === null ? null : withPieces([...rest, placed], [victim.category, category]);
    }
    const y = spotOf(category) === sort ? victim.y : 0;
    return withPieces([...rest, { ...victim, category, ...look, y }], [victim.category, category]);
  }
  const floor = pieces.filter((piece) => piece.y === 0 && spotOf(piece.category) !== 'rug');
  if (floor.length < 2) return null;
  const [a, b] = random.shuffle(floor) as [Piece, Piece];
  if (a.category === b.category) return null;
  return withPieces(
    pieces.map((piece) => {
      if (piece === a) return { ...a, x: b.x, z: b.z, yaw: b.yaw };
      return piece === b ? { ...b, x: a.x, z: a.z, yaw: a.yaw } : piece;
    }),
    [a.category, b.category],
  );
}

function place(category: KitCategory, original: RoomPlan, looks: Looks, random: Random): Piece | null {
  const [left, , right] = [original.room.floor[0], original.room.floor[1], original.room.floor[2]];
  const width = Math.abs((right?.[0] ?? 0) - (left?.[0] ?? 0));
  const depth = Math.abs((right?.[1] ?? 0) - (left?.[1] ?? 0));
  const piece = { category, ...drawLook(category, looks, random) };
  const style: LayoutStyle = random.next() < 0.5 ? 'ordered' : 'scattered';
  return placeOne(piece, original.pieces, { width, depth, height: original.room.wallHeight }, style, random);
}
