import type { Random } from '../../../core/random.ts';
import { FABRICS, other } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { cylinder } from '../shapes/lathe.ts';
import { moved, type Shape, scaled, turned } from '../shapes/shape.ts';

/** A woven rug: border, band, field with motifs, fringe at the short sides; round when its box is square, at times. */
export function rug([w, h, d]: Size, variant: Random): DraftPart[] {
  const border = variant.pick(FABRICS);
  const band = other(FABRICS, variant, border);
  const field = other(FABRICS, variant, border, band);
  const motif = variant.next() < 0.5 ? border : other(FABRICS, variant, border, band, field);
  const step = h / 4;
  if (Math.max(w, d) / Math.min(w, d) < 1.1 && variant.next() < 0.5) {
    const disc = (share: number, top: number) =>
      scaled(cylinder((share * w) / 2, (share * w) / 2, 0.02 * h * top, step * top, 40), 1, 1, d / w);
    return [
      part('border', border, disc(1, 1)),
      part('band', band, disc(0.88, 2)),
      part('field', field, disc(0.76, 3)),
      part('medallion', motif, disc(0.3, 4)),
    ];
  }
  const long = w >= d;
  const fringeSpan = Math.min(0.06, 0.05 * Math.max(w, d));
  const [halfX, halfZ] = long ? [w / 2 - fringeSpan, d / 2] : [w / 2, d / 2 - fringeSpan];
  const layer = (inset: number, top: number) =>
    box([-halfX + inset, halfX - inset], [0.02 * h * top, step * top], [-halfZ + inset, halfZ - inset], 0.002);
  const b = 0.07 * Math.min(w, d);
  return [
    part('border', border, layer(0, 1)),
    part('band', band, layer(b, 2)),
    part('field', field, layer(1.8 * b, 3)),
    part('motifs', motif, ...motifs(halfX - 2.6 * b, halfZ - 2.6 * b, 0.1 * h, h, variant)),
    part('fringe', band, ...fringe(long, w, d, fringeSpan, h)),
  ];
}

function motifs(halfX: number, halfZ: number, low: number, high: number, variant: Random): Shape[] {
  const style = variant.pick(['diamonds', 'stripes', 'squares'] as const);
  const shapes: Shape[] = [];
  const long = halfX >= halfZ;
  const [run, across] = long ? [halfX, halfZ] : [halfZ, halfX];
  const count = Math.max(1, Math.min(7, Math.round(run / across)));
  const pitch = (2 * run) / count;
  const put = (shape: Shape, along: number) =>
    shapes.push(long ? moved(shape, along, 0, 0) : moved(shape, 0, 0, along));
  if (style === 'stripes') {
    const stripes = 2 * count + 1;
    const wide = (2 * run) / stripes;
    for (let at = 0; at < stripes; at += 2) {
      const half = wide / 2;
      put(
        long
          ? box([-half, half], [low, high], [-across, across], 0.001)
          : box([-across, across], [low, high], [-half, half], 0.001),
        -run + (at + 0.5) * wide,
      );
    }
    return shapes;
  }
  for (let at = 0; at < count; at += 1) {
    const side = 0.5 * Math.min(pitch, 2 * across) * (style === 'diamonds' ? Math.SQRT1_2 : 0.75);
    const tile = box([-side, side], [low, high], [-side, side], 0.001);
    put(style === 'diamonds' ? turned(tile, 'y', Math.PI / 4) : tile, -run + (at + 0.5) * pitch);
  }
  return shapes;
}

function fringe(long: boolean, w: number, d: number, span: number, h: number): Shape[] {
  const across = long ? d : w;
  const count = Math.max(6, Math.min(28, Math.round(across / 0.07)));
  const pitch = across / count;
  return [-1, 1].flatMap((side) =>
    Array.from({ length: count }, (_, at) => {
      const middle = -across / 2 + (at + 0.5) * pitch;
      const half = 0.3 * pitch;
      const end = (long ? w : d) / 2;
      const out: readonly [number, number] = side > 0 ? [end - span - 0.01, end] : [-end, -end + span + 0.01];
      const height: readonly [number, number] = [0.04 * h, 0.2 * h];
      return long
        ? box(out, height, [middle - half, middle + half], 0)
        : box([middle - half, middle + half], height, out, 0);
    }),
  );
}
