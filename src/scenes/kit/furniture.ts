import { AuditError } from '../../core/errors.ts';
import { Random } from '../../core/random.ts';
import type { MeshPart } from '../draft.ts';
import { BUILDERS } from './builders.ts';
import { categoryEntry, type KitCategory } from './categories.ts';
import { fitExactly, type Size } from './part.ts';

/**
 * Builds a piece of kit furniture in object space: box centred on x = z = 0, standing on y = 0, front +Z, width, height
 * and depth exactly `size` (metres, float32 rounding apart). Every part is closed, wound outward, with unit normals.
 *
 * Style and colours depend on the seed and names of `variant` only, not on how far it has been drawn: derive a stream for
 * each piece that should differ. Without it the category has one fixed look.
 *
 * Sizes outside the category's usual range are built at the nearest usual size and stretched.
 *
 * @throws AuditError INVALID_INPUT when a side is not a finite number above 0.
 *
 * @example
 * buildFurniture('chair', [0.45, 0.9, 0.5], new Random(7, 'room', 3, 'chair', 0));
 */
export function buildFurniture(category: KitCategory, size: Size, variant?: Random): MeshPart[] {
  requireSize(`kit furniture ${category}`, size);
  const { sizeRange } = categoryEntry(category);
  const usual = size.map((side, axis) =>
    Math.min(Math.max(side, sizeRange.min[axis] as number), sizeRange.max[axis] as number),
  ) as unknown as Size;
  const stream = (variant ?? new Random(0, 'default look')).derive('kit', category);
  return fitExactly(BUILDERS[category](usual, stream), size);
}

/** @throws AuditError INVALID_INPUT when a side is not a finite number above 0. */
export function requireSize(where: string, size: Size): void {
  for (const side of size)
    if (!Number.isFinite(side) || side <= 0)
      throw new AuditError(`${where}: invalid size "${size.join(' x ')}"; expected width, height and depth above 0 m`);
}
