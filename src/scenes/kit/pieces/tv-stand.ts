import type { Random } from '../../../core/random.ts';
import { BLACK_PLASTIC, METALS, other, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { fourLegs } from '../shapes/leg.ts';
import type { Shape } from '../shapes/shape.ts';
import { drawers } from './chest.ts';

/** A long low bench for a television: drawers at both ends, an open bay with a player between them. */
export function tvStand([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const faces = variant.next() < 0.6 ? other(WOODS, variant, wood) : wood;
  const foot = Math.min(0.12, 0.25 * h);
  const lid = Math.min(0.025, 0.08 * h);
  const side = w / 2 - 0.01;
  const bay = 0.36 * side;
  const front = d / 2 - 0.026;
  const rows = h > 0.5 ? 2 : 1;
  const ends = [
    drawers([-side + 0.01, -bay], [foot + 0.014, h - lid - 0.006], front, 1, rows, 'bar'),
    drawers([bay, side - 0.01], [foot + 0.014, h - lid - 0.006], front, 1, rows, 'bar'),
  ];
  const shell: Shape[] = [
    box([-side, -bay], [foot, h - lid + 0.005], [-d / 2 + 0.004, front - 0.012], 0.005),
    box([bay, side], [foot, h - lid + 0.005], [-d / 2 + 0.004, front - 0.012], 0.005),
    box([-bay - 0.01, bay + 0.01], [foot + 0.003, foot + 0.022], [-d / 2 + 0.007, front - 0.02], 0.004),
    box([-bay - 0.008, bay + 0.008], [foot + 0.01, h - lid + 0.003], [-d / 2 + 0.005, -d / 2 + 0.016], 0),
  ];
  const middle = foot + 0.022 + 0.5 * (h - lid - foot - 0.022);
  return [
    part('top', wood, box([-w / 2, w / 2], [h - lid, h], [-d / 2, d / 2 - 0.004], 0.006)),
    part('carcass', wood, ...shell),
    part('drawers', faces, ...ends.flatMap((end) => end.fronts)),
    part('handles', variant.pick(METALS), ...ends.flatMap((end) => end.handles)),
    part(
      'bay shelf',
      wood,
      box([-bay - 0.006, bay + 0.006], [middle, middle + 0.016], [-d / 2 + 0.012, front - 0.03], 0.003),
    ),
    part(
      'player',
      BLACK_PLASTIC,
      box(
        [-0.6 * bay, 0.6 * bay],
        [foot + 0.018, foot + 0.018 + 0.5 * (middle - foot - 0.02)],
        [-0.3 * d, front - 0.05],
        0.004,
      ),
    ),
    part(
      'legs',
      wood,
      ...fourLegs('square', [-side + 0.03, side - 0.03], [-d / 2 + 0.03, front - 0.03], foot + 0.008, 0.045),
    ),
  ];
}
