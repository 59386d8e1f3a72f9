import type { Random } from '../../../core/random.ts';
import { BLACK_PLASTIC, GREY_PLASTIC, plain, SCREEN, STEEL } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { moved, type Shape, turned } from '../shapes/shape.ts';

const PICTURES = [plain('screen blue', [0.12, 0.3, 0.55], 0.3), plain('screen green', [0.14, 0.38, 0.3], 0.3), SCREEN];

/** A flat television on two feet: bezel, screen facing +Z, back housing. */
export function tv([w, h, d]: Size, variant: Random): DraftPart[] {
  const foot = Math.min(0.07, 0.12 * h);
  const z = Math.min(0.02, 0.2 * d);
  return [
    part('bezel', BLACK_PLASTIC, box([-w / 2, w / 2], [foot, h], [-z, z], 0.006)),
    part(
      'screen',
      variant.pick(PICTURES),
      box([-w / 2 + 0.018, w / 2 - 0.018], [foot + 0.024, h - 0.016], [0, z + 0.003], 0.001),
    ),
    part(
      'housing',
      GREY_PLASTIC,
      box([-0.34 * w, 0.34 * w], [foot + 0.12 * h, 0.72 * h], [-z - Math.min(0.04, 0.2 * d), -0.2 * z], 0.012),
    ),
    part(
      'feet',
      BLACK_PLASTIC,
      ...[-1, 1].flatMap((side) => [
        box([side * 0.3 * w - 0.02, side * 0.3 * w + 0.02], [0, 0.014], [-d / 2, d / 2], 0.004),
        box([side * 0.3 * w - 0.014, side * 0.3 * w + 0.014], [0.006, foot + 0.02], [-0.6 * z, 0.6 * z], 0.003),
      ]),
    ),
  ];
}

/** A computer monitor on a stand with a foot plate. */
export function monitor([w, h, d]: Size, variant: Random): DraftPart[] {
  const low = 0.26 * h;
  return [
    part('bezel', BLACK_PLASTIC, box([-w / 2, w / 2], [low, h], [0, 0.03], 0.006)),
    part(
      'screen',
      variant.pick(PICTURES),
      box([-w / 2 + 0.014, w / 2 - 0.014], [low + 0.022, h - 0.014], [0.01, 0.033], 0.001),
    ),
    part('housing', GREY_PLASTIC, box([-0.2 * w, 0.2 * w], [0.42 * h, 0.86 * h], [-0.025, 0.013], 0.008)),
    part('neck', STEEL, box([-0.03, 0.03], [0.005, 0.6 * h], [-0.045, -0.018], 0.006)),
    part('foot', STEEL, box([-0.26 * w, 0.26 * w], [0, 0.014], [-d / 2, d / 2], 0.005)),
  ];
}

/** An open laptop: keyboard deck, keys, touchpad, tilted screen. */
export function laptop([w, h, d]: Size, variant: Random): DraftPart[] {
  const body = variant.pick([STEEL, GREY_PLASTIC, BLACK_PLASTIC]);
  const deck = Math.min(0.02, 0.1 * h);
  const hinge = -0.36 * d;
  const tilt = Math.atan2(0.14 * d, h - deck);
  const tall = (h - deck) / Math.cos(tilt);
  const tilted = (shape: Shape) => moved(turned(shape, 'x', -tilt), 0, deck * 0.6, hinge);
  const keys: Shape[] = [];
  for (let row = 0; row < 4; row += 1)
    for (let key = 0; key < 10; key += 1) {
      const x = -0.4 * w + (0.8 * w * (key + 0.5)) / 10;
      const z = hinge + 0.1 * d + (0.42 * d * (row + 0.5)) / 4;
      keys.push(box([x - 0.033 * w, x + 0.033 * w], [0.8 * deck, deck + 0.002], [z - 0.04 * d, z + 0.04 * d], 0));
    }
  return [
    part('deck', body, box([-w / 2, w / 2], [0, deck], [hinge - 0.02 * d, d / 2], 0.004)),
    part('keys', BLACK_PLASTIC, ...keys),
    part(
      'touchpad',
      GREY_PLASTIC,
      box([-0.15 * w, 0.15 * w], [0.7 * deck, deck + 0.001], [0.24 * d, 0.44 * d], 0.0005),
    ),
    part('lid', body, tilted(box([-w / 2 + 0.002, w / 2 - 0.002], [0, tall], [-0.006, 0.004], 0.002))),
    part(
      'screen',
      variant.pick(PICTURES),
      tilted(box([-w / 2 + 0.014, w / 2 - 0.014], [0.06 * tall, 0.95 * tall], [-0.002, 0.0055], 0.0005)),
    ),
  ];
}
