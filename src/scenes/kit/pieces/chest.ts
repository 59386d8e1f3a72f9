import type { Random } from '../../../core/random.ts';
import type { PartMaterial } from '../../draft.ts';
import { METALS, other, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box, type Span } from '../shapes/box.ts';
import { fourLegs } from '../shapes/leg.ts';
import type { Shape } from '../shapes/shape.ts';
import { ellipsoid } from '../shapes/soft-box.ts';

/** Drawer or door fronts that stand proud of the carcass at z = `front`, with knobs or bar handles. */
export function drawers(
  x: Span,
  y: Span,
  front: number,
  columns: number,
  rows: number,
  handle: 'knob' | 'bar',
): { fronts: Shape[]; handles: Shape[] } {
  const fronts: Shape[] = [];
  const handles: Shape[] = [];
  const wide = (x[1] - x[0]) / columns;
  const high = (y[1] - y[0]) / rows;
  const gap = Math.min(0.008, 0.06 * Math.min(wide, high));
  for (let column = 0; column < columns; column += 1)
    for (let row = 0; row < rows; row += 1) {
      const left = x[0] + column * wide;
      const bottom = y[0] + row * high;
      const [middleX, middleY] = [left + wide / 2, bottom + high / 2];
      fronts.push(
        box([left + gap, left + wide - gap], [bottom + gap, bottom + high - gap], [front - 0.02, front], 0.005),
      );
      if (handle === 'knob') {
        const r = Math.min(0.018, 0.2 * high);
        const spread = wide > 0.7 ? 0.25 * wide : 0;
        for (const side of spread > 0 ? [-1, 1] : [0])
          handles.push(
            ellipsoid(
              [middleX + side * spread - r, middleX + side * spread + r],
              [middleY - r, middleY + r],
              [front - 0.006, front + 0.022],
              6,
            ),
          );
      } else {
        const half = Math.min(0.09, 0.3 * wide);
        const r = Math.min(0.008, 0.1 * high);
        handles.push(
          box([middleX - half, middleX + half], [middleY - r, middleY + r], [front - 0.004, front + 0.022], 0.004),
        );
      }
    }
  return { fronts, handles };
}

/** A chest of drawers by its bedside size: two drawers on legs. */
export function nightstand(size: Size, variant: Random): DraftPart[] {
  return chest(size, variant, 1, size[1] > 0.38 && variant.next() < 0.7 ? 2 : 1);
}

/** A wide chest with rows of drawers. */
export function dresser(size: Size, variant: Random): DraftPart[] {
  return chest(size, variant, size[0] > 0.75 ? 2 : 1, Math.max(3, Math.min(5, Math.round(size[1] / 0.25))));
}

function chest([w, h, d]: Size, variant: Random, columns: number, rows: number): DraftPart[] {
  const wood = variant.pick(WOODS);
  const top = variant.next() < 0.4 ? other(WOODS, variant, wood) : wood;
  const faces: PartMaterial = variant.next() < 0.4 ? other(WOODS, variant, wood) : wood;
  const brass = variant.pick(METALS);
  const foot = Math.min(0.14, 0.22 * h);
  const lid = Math.min(0.03, 0.08 * h);
  const front = d / 2 - 0.022;
  const side = w / 2 - 0.012;
  const { fronts, handles } = drawers(
    [-side + 0.02, side - 0.02],
    [foot + 0.015, h - lid - 0.008],
    front,
    columns,
    rows,
    variant.pick(['knob', 'bar'] as const),
  );
  return [
    part('carcass', wood, box([-side, side], [foot, h - lid + 0.01], [-d / 2 + 0.006, front - 0.012], 0.006)),
    part('top', top, box([-w / 2, w / 2], [h - lid, h], [-d / 2, front + 0.012], 0.008)),
    part('drawers', faces, ...fronts),
    part('handles', brass, ...handles),
    part(
      'legs',
      wood,
      ...fourLegs(
        variant.pick(['square', 'round', 'splayed'] as const),
        [-side + 0.01, side - 0.01],
        [-d / 2 + 0.02, front - 0.02],
        foot + 0.02,
        Math.min(0.05, 0.15 * w),
      ),
    ),
  ];
}
