import type { Random } from '../../../core/random.ts';
import { IRON, plain, SOIL, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { cylinder } from '../shapes/lathe.ts';
import { leaf } from '../shapes/leaf.ts';
import { moved, turned } from '../shapes/shape.ts';

const STONES = [
  plain('brick', [0.6, 0.3, 0.23], 0.9),
  plain('limestone', [0.82, 0.79, 0.72], 0.85),
  plain('slate', [0.36, 0.38, 0.41], 0.8),
];

/** A fireplace: jambs and lintel round a dark hearth with logs and flames, mantel shelf above. */
export function fireplace([w, h, d]: Size, variant: Random): DraftPart[] {
  const stone = variant.pick(STONES);
  const mantel = variant.next() < 0.5 ? variant.pick(WOODS) : stone;
  const base = Math.min(0.08, 0.1 * h);
  const jamb = 0.2 * w;
  const opening = 0.66 * h;
  const front = d / 2 - 0.12 * d;
  const inner = w / 2 - 0.03;
  return [
    part('hearth', stone, box([-w / 2 + 0.005, w / 2 - 0.005], [0, base], [-d / 2 + 0.004, d / 2], 0.012)),
    part(
      'surround',
      stone,
      box([-inner, -inner + jamb], [base - 0.01, h - 0.05], [-d / 2 + 0.006, front], 0.012),
      box([inner - jamb, inner], [base - 0.01, h - 0.05], [-d / 2 + 0.006, front], 0.012),
      box([-inner + 0.01, inner - 0.01], [opening, h - 0.04], [-d / 2 + 0.01, front - 0.008], 0.012),
    ),
    part(
      'firebox',
      plain('soot', [0.07, 0.06, 0.06], 1),
      box(
        [-inner + jamb - 0.02, inner - jamb + 0.02],
        [base - 0.005, opening + 0.02],
        [-d / 2 + 0.008, -d / 2 + 0.3 * d],
        0.004,
      ),
    ),
    part('mantel', mantel, box([-w / 2, w / 2], [h - 0.06, h], [-d / 2, d / 2 - 0.02], 0.012)),
    part(
      'grate',
      IRON,
      ...[-2, -1, 0, 1, 2].map((at) =>
        box([at * 0.08 * w - 0.01, at * 0.08 * w + 0.01], [base - 0.004, base + 0.06], [0, front - 0.05], 0.004),
      ),
    ),
    part(
      'logs',
      SOIL,
      ...[-1, 0, 1].map((at) =>
        moved(
          turned(cylinder(0.045, 0.045, -0.15 * w, 0.15 * w, 8), 'z', Math.PI / 2 + 0.1 * at),
          0.02 * at,
          base + (at === 0 ? 0.16 : 0.09),
          0.12 * d + 0.06 * at,
        ),
      ),
    ),
    part(
      'flames',
      plain('flame', [1, 0.62, 0.16], 0.6),
      ...[-2, -1, 0, 1, 2].map((at) =>
        leaf([at * 0.05 * w, base + 0.1, 0.12 * d], at, 0.03, (0.5 - 0.08 * Math.abs(at)) * opening, 0, 0.09 * w),
      ),
    ),
  ];
}
