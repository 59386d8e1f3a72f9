import type { Room } from '../../../src/core/scene.ts';
import type { KitCategory } from '../../../src/scenes/kit/categories.ts';

/** One piece of furniture of a training room: what it is, how large, where. */
export interface Piece {
  readonly category: KitCategory;
  /** Width, height, depth, metres. */
  readonly size: readonly [number, number, number];
  /** Seed of the kit's style and colours. */
  readonly variant: number;
  /** Centre of the footprint, metres. */
  readonly x: number;
  readonly z: number;
  /** Height of the underside, metres. */
  readonly y: number;
  /** Turn about +Y, radians; 0 faces +Z. */
  readonly yaw: number;
}

/** A furnished room before it has geometry. */
export interface RoomPlan {
  readonly room: Room;
  readonly floor: { readonly kind: 'wood' | 'tiles' | 'carpet'; readonly variant: number };
  /** A plain colour instead of the kind's texture, sRGB 0..1. */
  readonly floorColour: readonly [number, number, number] | null;
  readonly wallColour: readonly [number, number, number];
  readonly pieces: readonly Piece[];
}

/** Half extents of a piece's footprint along x and z after its turn. */
export function halfFootprint(piece: Pick<Piece, 'size' | 'yaw'>): [number, number] {
  const [c, s] = [Math.abs(Math.cos(piece.yaw)), Math.abs(Math.sin(piece.yaw))];
  return [(piece.size[0] * c + piece.size[2] * s) / 2, (piece.size[0] * s + piece.size[2] * c) / 2];
}

/** Whether two pieces share floor area and height (boxes round the turned footprints, 2 cm apart at least). */
export function collide(a: Piece, b: Piece, gap = 0.02): boolean {
  const [ax, az] = halfFootprint(a);
  const [bx, bz] = halfFootprint(b);
  return (
    Math.abs(a.x - b.x) < ax + bx + gap &&
    Math.abs(a.z - b.z) < az + bz + gap &&
    a.y < b.y + b.size[1] &&
    b.y < a.y + a.size[1]
  );
}
