import { quoted } from '../../core/errors.ts';
import type { Random } from '../../core/random.ts';
import type { MeshPart } from '../draft.ts';
import { categoryOfLabel } from './categories.ts';
import { buildFurniture, requireSize } from './furniture.ts';
import { plain } from './palette.ts';
import { fitExactly, part, type Size } from './part.ts';
import { box } from './shapes/box.ts';

/**
 * Stands in for an asset that is missing: kit furniture of the label and exact size; a single part named `box` where the
 * kit has nothing of that label.
 *
 * @throws AuditError INVALID_INPUT when a side is not a finite number above 0.
 */
export function proxyGeometry(label: string, size: Size, variant?: Random): MeshPart[] {
  const category = categoryOfLabel(label);
  if (category !== null) return buildFurniture(category, size, variant);
  requireSize(`object ${quoted(label)}`, size);
  const [w, h, d] = size;
  const shape = box([-w / 2, w / 2], [0, h], [-d / 2, d / 2], 0.02 * Math.min(w, h, d));
  return fitExactly([part('box', plain('unknown object', [0.66, 0.64, 0.62], 0.8), shape)], size);
}
