import type { Random } from '../../../core/random.ts';
import type { PartMaterial } from '../../draft.ts';
import { FABRICS, other, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { cushion } from '../shapes/cushion.ts';
import { fourLegs } from '../shapes/leg.ts';
import { moved, type Shape, turned } from '../shapes/shape.ts';
import { softBox } from '../shapes/soft-box.ts';

/** A sofa: back at -Z, arms at the sides, seat and back cushions by its width, two scatter cushions. */
export function sofa([w, h, d]: Size, variant: Random): DraftPart[] {
  return seating([w, h, d], variant, Math.max(2, Math.min(4, Math.round((w - 0.4) / 0.65))));
}

/** An upholstered chair for one. */
export function armchair(size: Size, variant: Random): DraftPart[] {
  return seating(size, variant, 1);
}

function seating([w, h, d]: Size, variant: Random, seats: number): DraftPart[] {
  const cloth = variant.pick(FABRICS);
  const accent = other(FABRICS, variant, cloth);
  const wood = variant.pick(WOODS);
  const foot = Math.min(0.1, 0.14 * h);
  const arm = Math.min(0.22, 0.17 * w);
  const seat = Math.min(0.44, 0.56 * h);
  const armTop = Math.min(h - 0.03, seat + 0.2);
  const back = Math.min(0.24, 0.28 * d);
  const inner = w / 2 - arm;
  return [
    part(
      'base',
      cloth,
      softBox([-inner - 0.02, inner + 0.02], [foot, seat - 0.1], [-d / 2 + 0.02, d / 2 - 0.03], 0.02, 1),
    ),
    part(
      'arms',
      cloth,
      softBox([-w / 2, -inner], [foot - 0.01, armTop], [-d / 2 + 0.015, d / 2 - 0.012], 0.06),
      softBox([inner, w / 2], [foot - 0.01, armTop], [-d / 2 + 0.015, d / 2 - 0.012], 0.06),
    ),
    part(
      'back',
      cloth,
      softBox([-w / 2 + 0.03, w / 2 - 0.03], [foot + 0.02, h - 0.02], [-d / 2, -d / 2 + 0.6 * back], 0.06),
    ),
    part('seat cushions', cloth, ...seatCushions(seats, inner, seat, -d / 2 + 0.5 * back, d / 2)),
    part('back cushions', cloth, ...backCushions(seats, inner, seat, h, -d / 2 + 0.5 * back, back)),
    ...scatter(seats, inner, seat, h, -d / 2 + back, accent),
    part(
      'feet',
      wood,
      ...fourLegs('round', [-w / 2 + 0.03, w / 2 - 0.03], [-d / 2 + 0.05, d / 2 - 0.05], foot + 0.03, 0.06),
    ),
  ];
}

function seatCushions(seats: number, inner: number, seat: number, from: number, to: number): Shape[] {
  const wide = (2 * inner) / seats;
  return Array.from({ length: seats }, (_, at) =>
    softBox([-inner + at * wide + 0.004, -inner + (at + 1) * wide - 0.004], [seat - 0.14, seat], [from, to], 0.045),
  );
}

function backCushions(seats: number, inner: number, seat: number, h: number, z: number, thick: number): Shape[] {
  const wide = (2 * inner) / seats;
  return Array.from({ length: seats }, (_, at) => {
    const tall = h - seat + 0.02;
    const pad = softBox([-wide / 2 + 0.006, wide / 2 - 0.006], [0, tall], [0, 0.75 * thick], 0.05);
    return moved(turned(pad, 'x', -0.06), -inner + (at + 0.5) * wide, seat - 0.03, z + 0.02);
  });
}

function scatter(seats: number, inner: number, seat: number, h: number, z: number, cloth: PartMaterial): DraftPart[] {
  const side = Math.min(0.42, 0.9 * (h - seat), 0.7 * inner);
  if (seats < 2 || side < 0.12) return [];
  const one = (x: number, lean: number) =>
    moved(
      turned(turned(cushion([-side / 2, side / 2], [-0.07, 0.07], [-side / 2, side / 2], 4), 'x', 1.2), 'y', lean),
      x,
      seat + 0.46 * side,
      z + 0.1,
    );
  return [part('scatter cushions', cloth, one(-inner + 0.55 * side, 0.35), one(inner - 0.55 * side, -0.35))];
}

/** An L-shaped sofa: the long side at -Z, the chaise reaching forward at -X. */
export function cornerSofa([w, h, d]: Size, variant: Random): DraftPart[] {
  const cloth = variant.pick(FABRICS);
  const accent = other(FABRICS, variant, cloth);
  const wood = variant.pick(WOODS);
  const foot = Math.min(0.1, 0.14 * h);
  const seat = Math.min(0.44, 0.56 * h);
  const arm = 0.17;
  const back = 0.22;
  const deep = Math.min(0.92, 0.6 * d);
  const long = -d / 2 + deep;
  const chaise = -w / 2 + Math.min(0.95, 0.42 * w);
  const inner = [-w / 2 + arm, w / 2 - arm] as const;
  const seats = Math.max(2, Math.min(3, Math.round((inner[1] - chaise) / 0.75)));
  const wide = (inner[1] - chaise) / seats;
  const armTop = Math.min(h - 0.03, seat + 0.18);
  return [
    part(
      'base',
      cloth,
      softBox([-w / 2 + 0.04, w / 2 - 0.04], [foot, seat - 0.1], [-d / 2 + 0.02, long - 0.03], 0.02, 1),
      softBox([-w / 2 + 0.05, chaise - 0.01], [foot + 0.004, seat - 0.105], [-d / 2 + 0.03, d / 2 - 0.03], 0.02, 1),
    ),
    part('back', cloth, softBox([-w / 2 + 0.02, w / 2 - 0.02], [foot + 0.01, h - 0.02], [-d / 2, -d / 2 + 0.14], 0.06)),
    part(
      'arms',
      cloth,
      softBox([inner[1], w / 2], [foot - 0.01, armTop], [-d / 2 + 0.01, long - 0.01], 0.06),
      softBox([-w / 2, inner[0]], [foot - 0.01, armTop], [-d / 2 + 0.012, d / 2 - 0.2 * (d - deep)], 0.06),
    ),
    part(
      'seat cushions',
      cloth,
      softBox([inner[0] + 0.004, chaise - 0.004], [seat - 0.14, seat], [-d / 2 + 0.12, d / 2], 0.045),
      ...Array.from({ length: seats }, (_, at) =>
        softBox(
          [chaise + at * wide + 0.004, chaise + (at + 1) * wide - 0.004],
          [seat - 0.138, seat - 0.002],
          [-d / 2 + 0.12, long],
          0.045,
        ),
      ),
    ),
    part(
      'back cushions',
      cloth,
      ...[
        [inner[0], chaise] as const,
        ...Array.from({ length: seats }, (_, at) => [chaise + at * wide, chaise + (at + 1) * wide] as const),
      ].map(([from, to]) => softBox([from + 0.006, to - 0.006], [seat - 0.02, h], [-d / 2 + 0.1, -d / 2 + back], 0.05)),
    ),
    ...scatter(2, inner[1], seat, h, -d / 2 + back, accent),
    part(
      'feet',
      wood,
      ...fourLegs('round', [-w / 2 + 0.04, w / 2 - 0.04], [-d / 2 + 0.05, long - 0.05], foot + 0.03, 0.06),
    ),
  ];
}
