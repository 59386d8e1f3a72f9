import type { BufferGeometry, Vector3 } from 'three';
import type { Surface } from './surface.ts';

/** How much of a batch must be drawn: a closed surface hides its own back faces. */
export type Sides = 'front' | 'both';

/** One draw call: all triangles of one owner with one surface, in scene space. */
export interface Batch {
  /** Name of the wall node it belongs to, or null. */
  readonly wall: string | null;
  readonly surface: Surface;
  readonly sides: Sides;
  readonly geometry: BufferGeometry;
  readonly centre: Vector3;
}
