import type { Random } from '../../../core/random.ts';
import { BLACK_PLASTIC, METALS, PAPER, plain, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { fourLegs } from '../shapes/leg.ts';
import { prism } from '../shapes/prism.ts';
import { type Shape, turned } from '../shapes/shape.ts';

const LACQUERS = [plain('lacquer black', [0.07, 0.07, 0.08], 0.2), ...WOODS.slice(0, 6)];

/** A piano: upright by its shallow box, a grand when deep. Keys at +Z. */
export function piano(size: Size, variant: Random): DraftPart[] {
  return size[2] > 1.05 ? grand(size, variant) : upright(size, variant);
}

/** White keys between x and the black ones above them. */
function keys(half: number, y: number, back: number, front: number): { white: Shape[]; black: Shape[] } {
  const count = 28;
  const wide = (2 * half) / count;
  const white: Shape[] = [];
  const black: Shape[] = [];
  for (let key = 0; key < count; key += 1) {
    const x = -half + key * wide;
    white.push(box([x + 0.0008, x + wide - 0.0008], [y, y + 0.022], [back, front], 0));
    if (![2, 6].includes(key % 7) && key + 1 < count)
      black.push(
        box([x + 0.68 * wide, x + 1.32 * wide], [y + 0.01, y + 0.034], [back + 0.003, back + 0.6 * (front - back)], 0),
      );
  }
  return { white, black };
}

function upright([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(LACQUERS);
  const bed = 0.52 * h;
  const body = -d / 2 + 0.56 * d;
  const { white, black } = keys(w / 2 - 0.09, bed + 0.02, body - 0.01, d / 2 - 0.035);
  return [
    part('case', wood, box([-w / 2 + 0.005, w / 2 - 0.005], [0.05, h - 0.03], [-d / 2 + 0.01, body], 0.012)),
    part('lid', wood, box([-w / 2, w / 2], [h - 0.04, h], [-d / 2, body + 0.02], 0.01)),
    part('key bed', wood, box([-w / 2 + 0.03, w / 2 - 0.03], [bed - 0.06, bed + 0.026], [body - 0.03, d / 2], 0.01)),
    part(
      'cheeks',
      wood,
      ...[-1, 1].map((side) =>
        box(
          [side * (w / 2 - 0.05) - 0.035, side * (w / 2 - 0.05) + 0.035],
          [bed - 0.07, bed + 0.1],
          [body - 0.02, d / 2 - 0.006],
          0.015,
        ),
      ),
    ),
    part('white keys', PAPER, ...white),
    part('black keys', BLACK_PLASTIC, ...black),
    part(
      'legs',
      wood,
      ...[-1, 1].map((side) =>
        box(
          [side * (w / 2 - 0.055) - 0.03, side * (w / 2 - 0.055) + 0.03],
          [0, bed - 0.05],
          [d / 2 - 0.09, d / 2 - 0.03],
          0.012,
        ),
      ),
      box([-w / 2 + 0.01, w / 2 - 0.01], [0, 0.07], [-d / 2 + 0.02, body + 0.03], 0.01),
    ),
    part(
      'music stand',
      wood,
      turned(
        box([-0.24 * w, 0.24 * w], [0.66 * h, 0.84 * h], [body + 0.02 + 0.03, body + 0.04 + 0.03], 0.004),
        'x',
        -0.04,
      ),
    ),
    part(
      'sheet music',
      PAPER,
      turned(box([-0.12 * w, 0.12 * w], [0.67 * h, 0.83 * h], [body + 0.067, body + 0.073], 0), 'x', -0.04),
    ),
    part(
      'pedals',
      variant.pick(METALS),
      ...[-1, 0, 1].map((at) => box([at * 0.07 - 0.014, at * 0.07 + 0.014], [0.02, 0.04], [body, body + 0.1], 0.005)),
    ),
  ];
}

function grand([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = LACQUERS[variant.next() < 0.7 ? 0 : 1 + variant.integer(6)] as (typeof LACQUERS)[number];
  const low = 0.58 * h;
  const rim = 0.86 * h;
  const front = d / 2 - 0.28;
  // plan in x/-z: straight bass side at -x, curved treble side at +x
  const plan = (inset: number): [number, number][] => {
    const [l, r, f, b] = [-w / 2 + inset, w / 2 - inset, -front + inset, d / 2 - inset];
    const curve: [number, number][] = Array.from({ length: 9 }, (_, step) => {
      const t = step / 8;
      return [r - (r - l) * 0.52 * (t * t * (3 - 2 * t)), f + (b - f) * (0.22 + 0.6 * t)];
    });
    return [
      [l, f],
      [r, f],
      ...curve,
      [l + (r - l) * 0.36, b - 0.04 * (b - f)],
      [l + (r - l) * 0.22, b],
      [l + 0.04, b - 0.02 * (b - f)],
      [l, b - 0.1 * (b - f)],
    ];
  };
  const slab = (inset: number, y: readonly [number, number]) => turned(prism(plan(inset), y), 'x', -Math.PI / 2);
  const { white, black } = keys(w / 2 - 0.1, low + 0.05, front - 0.02, d / 2 - 0.05);
  return [
    part('case', wood, slab(0, [low, rim])),
    part('lid', wood, slab(0.012, [rim - 0.01, rim + 0.018])),
    part('key bed', wood, box([-w / 2 + 0.01, w / 2 - 0.01], [low + 0.004, low + 0.055], [front - 0.04, d / 2], 0.01)),
    part(
      'cheeks',
      wood,
      ...[-1, 1].map((side) =>
        box(
          [side * (w / 2 - 0.045) - 0.04, side * (w / 2 - 0.045) + 0.04],
          [low + 0.008, rim - 0.05],
          [front - 0.03, d / 2 - 0.008],
          0.012,
        ),
      ),
    ),
    part('white keys', PAPER, ...white),
    part('black keys', BLACK_PLASTIC, ...black),
    part(
      'legs',
      wood,
      ...fourLegs('round', [-w / 2 + 0.05, w / 2 - 0.05], [-d / 2 + 0.22 * d, front + 0.1], low + 0.02, 0.1).filter(
        (_, at) => at !== 2,
      ),
      ...fourLegs('round', [-w / 2 + 0.12, -w / 2 + 0.24], [-d / 2 + 0.12, -d / 2 + 0.24], low + 0.02, 0.1).slice(0, 1),
    ),
    part('music stand', wood, box([-0.22 * w, 0.22 * w], [rim - 0.005, h], [front - 0.1, front - 0.08], 0.004)),
    part('sheet music', PAPER, box([-0.12 * w, 0.12 * w], [rim + 0.022, h - 0.01], [front - 0.084, front - 0.076], 0)),
    part(
      'pedals',
      variant.pick(METALS),
      ...[-1, 0, 1].map((at) =>
        box([at * 0.07 - 0.014, at * 0.07 + 0.014], [0.05, 0.07], [front - 0.1, front + 0.04], 0.005),
      ),
      box([-0.05, 0.05], [0.04, low + 0.01], [front - 0.16, front - 0.105], 0.008),
    ),
  ];
}
