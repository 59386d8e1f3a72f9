import type { Random } from '../../core/random.ts';
import type { Room } from '../../core/scene.ts';
import type { CategoryEntry } from '../kit/categories.ts';

/** The synthetic layout policies. They stand in for generators and are none. */
export const POLICY_NAMES = ['functional', 'grid', 'scatter', 'sparse'] as const;
export type PolicyName = (typeof POLICY_NAMES)[number];

/** An object of the list, with its size settled. */
export interface ListedObject {
  readonly id: string;
  readonly label: string;
  /** null: the kit does not know the label. */
  readonly entry: CategoryEntry | null;
  /** Width, height, depth, metres. */
  readonly size: readonly [number, number, number];
}

/** Where a policy puts an object: its box stands centred on (x, z) with its underside at y, its front towards (sin yaw, cos yaw). */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  /** Radians about +Y. */
  readonly yaw: number;
  readonly supportedBy: string | null;
}

export interface PlacedObject extends ListedObject, Pose {}

/**
 * Lays out a list of objects in a room. Pure: the same list, room and stream give the same layout. A policy may leave
 * objects out; it never changes a label or a size.
 */
export type LayoutPolicy = (list: readonly ListedObject[], room: Room, random: Random) => PlacedObject[];
