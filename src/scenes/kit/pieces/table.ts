import type { Random } from '../../../core/random.ts';
import { FABRICS, GLASS, IRON, METALS, other, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { cylinder, lathe } from '../shapes/lathe.ts';
import { fourLegs } from '../shapes/leg.ts';
import { prism, roundedOutline } from '../shapes/prism.ts';
import { type Shape, scaled, turned } from '../shapes/shape.ts';

/** A flat top with round corners in plan, from y[0] to y[1]. */
export function tableTop(
  x: readonly [number, number],
  y: readonly [number, number],
  z: readonly [number, number],
  radius: number,
): Shape {
  // the outline lies in x/-z, so that pushing it along +Z and tipping it back by a quarter turn points it up
  const outline = roundedOutline(x, [-z[1], -z[0]], [radius, radius, radius, radius]);
  return turned(prism(outline, y), 'x', -Math.PI / 2);
}

function roundTop(w: number, d: number, low: number, high: number): Shape {
  return scaled(cylinder(w / 2, w / 2, low, high, 32), 1, 1, d / w);
}

/** A dining table: planked or round top, apron, four legs (or a pedestal when round). */
export function table([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const legsOf = variant.next() < 0.3 ? other(WOODS, variant, wood) : wood;
  const thick = Math.min(0.04, 0.07 * h);
  const round = Math.max(w, d) / Math.min(w, d) < 1.15 && variant.next() < 0.6;
  if (round) {
    const r = Math.min(w, d) / 2;
    return [
      part('top', wood, roundTop(w, d, h - thick, h)),
      part('apron', wood, roundTop(0.8 * w, 0.8 * d, h - thick - 0.06, h - 0.4 * thick)),
      part(
        'column',
        legsOf,
        lathe(
          [
            [0, 0.05],
            [0.14 * r, 0.05],
            [0.1 * r, 0.3 * h],
            [0.16 * r, 0.6 * h],
            [0.1 * r, h - thick - 0.03],
            [0, h - thick - 0.03],
          ],
          16,
        ),
      ),
      part(
        'foot',
        legsOf,
        lathe(
          [
            [0, 0],
            [0.6 * r, 0],
            [0.6 * r, 0.025],
            [0.2 * r, 0.09],
            [0, 0.09],
          ],
          24,
        ),
      ),
    ];
  }
  const leg = Math.min(0.08, 0.12 * Math.min(w, d));
  const inset = 0.05 * Math.min(w, d);
  const planks = Math.max(3, Math.round(d / 0.18));
  const wide = d / planks;
  const seam = 0.0015;
  const boards = Array.from({ length: planks }, (_, at) =>
    box([-w / 2, w / 2], [h - thick, h], [-d / 2 + at * wide + seam, -d / 2 + (at + 1) * wide - seam], 0.005),
  );
  return [
    part('top', wood, ...boards),
    part(
      'apron',
      legsOf,
      box(
        [-w / 2 + inset + 0.01, w / 2 - inset - 0.01],
        [h - thick - 0.09, h - 0.5 * thick],
        [-d / 2 + inset + 0.01, d / 2 - inset - 0.01],
        0.006,
      ),
    ),
    part(
      'legs',
      legsOf,
      ...fourLegs(
        variant.pick(['square', 'round', 'block'] as const),
        [-w / 2 + inset, w / 2 - inset],
        [-d / 2 + inset, d / 2 - inset],
        h - 0.6 * thick,
        leg,
      ),
    ),
    part(
      'runner',
      variant.pick(FABRICS),
      box([-0.42 * w, 0.42 * w], [h - 0.01, h + 0.003], [-0.16 * d, 0.16 * d], 0.001),
    ),
  ];
}

/** A low table before a sofa: top over an open shelf. */
export function coffeeTable([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const frame = variant.next() < 0.4 ? variant.pick(METALS) : wood;
  const top = variant.next() < 0.35 ? GLASS : wood;
  const thick = Math.min(0.03, 0.1 * h);
  const shelf = 0.3 * h;
  const round = Math.max(w, d) / Math.min(w, d) < 1.2 && variant.next() < 0.5;
  const [x, z] = round ? [0.36 * w, 0.36 * d] : [w / 2 - 0.02, d / 2 - 0.02];
  return [
    part(
      'top',
      top,
      round ? roundTop(w, d, h - thick, h) : tableTop([-w / 2, w / 2], [h - thick, h], [-d / 2, d / 2], 0.05),
    ),
    part(
      'rim',
      frame,
      round
        ? roundTop(0.86 * w, 0.86 * d, h - thick - 0.03, h - 0.5 * thick)
        : box([-x + 0.01, x - 0.01], [h - thick - 0.03, h - 0.5 * thick], [-z + 0.01, z - 0.01], 0.005),
    ),
    part('legs', frame, ...fourLegs('square', [-x, x], [-z, z], h - 0.6 * thick, Math.min(0.05, 0.1 * Math.min(w, d)))),
    part('shelf', wood, box([-x + 0.012, x - 0.012], [shelf, shelf + 0.02], [-z + 0.012, z - 0.012], 0.005)),
  ];
}

/** A small table beside a seat: round on a pedestal or square with a shelf. */
export function sideTable([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const base = variant.next() < 0.5 ? variant.pick([...METALS, IRON]) : wood;
  const thick = Math.min(0.025, 0.08 * h);
  const r = Math.min(w, d) / 2;
  if (variant.next() < 0.6)
    return [
      part('top', wood, roundTop(w, d, h - thick, h)),
      part('collar', base, cylinder(0.4 * r, 0.5 * r, h - thick - 0.03, h - 0.5 * thick, 20)),
      part('column', base, cylinder(0.11 * r + 0.006, 0.09 * r + 0.006, 0.01, h - thick - 0.01, 12)),
      part(
        'foot',
        base,
        scaled(
          lathe(
            [
              [0, 0],
              [0.72 * r, 0],
              [0.72 * r, 0.014],
              [0.16 * r, 0.04],
              [0, 0.04],
            ],
            24,
          ),
          1,
          1,
          1,
        ),
      ),
    ];
  const [x, z] = [w / 2 - 0.012, d / 2 - 0.012];
  return [
    part('top', wood, tableTop([-w / 2, w / 2], [h - thick, h], [-d / 2, d / 2], 0.03)),
    part(
      'apron',
      base,
      box([-x + 0.008, x - 0.008], [h - thick - 0.05, h - 0.5 * thick], [-z + 0.008, z - 0.008], 0.005),
    ),
    part('legs', base, ...fourLegs('square', [-x, x], [-z, z], h - 0.6 * thick, Math.min(0.04, 0.2 * r))),
    part('shelf', wood, box([-x + 0.01, x - 0.01], [0.25 * h, 0.25 * h + 0.016], [-z + 0.01, z - 0.01], 0.004)),
  ];
}

/** A narrow high table for a wall: two drawers, legs, a low stretcher shelf. */
export function consoleTable([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const brass = variant.pick(METALS);
  const thick = 0.03;
  const deep = Math.min(0.13, 0.2 * h);
  const [x, z] = [w / 2 - 0.02, d / 2 - 0.03];
  const knobs = [-1, 1].map((side) =>
    box(
      [side * 0.25 * w - 0.04, side * 0.25 * w + 0.04],
      [h - thick - 0.55 * deep, h - thick - 0.45 * deep],
      [z + 0.004, d / 2 - 0.004],
      0.004,
    ),
  );
  return [
    part('top', wood, box([-w / 2, w / 2], [h - thick, h], [-d / 2, d / 2 - 0.006], 0.008)),
    part('carcass', wood, box([-x, x], [h - thick - deep, h - 0.5 * thick], [-z, z - 0.01], 0.005)),
    part(
      'drawers',
      wood,
      ...[-1, 1].map((side) =>
        box(
          side < 0 ? [-x + 0.02, -0.005] : [0.005, x - 0.02],
          [h - thick - deep + 0.012, h - thick - 0.008],
          [z - 0.03, z + 0.008],
          0.004,
        ),
      ),
    ),
    part('handles', brass, ...knobs),
    part(
      'legs',
      wood,
      ...fourLegs(
        'square',
        [-x + 0.005, x - 0.005],
        [-z + 0.005, z - 0.02],
        h - thick - deep + 0.02,
        Math.min(0.05, 0.3 * d),
      ),
    ),
    part('shelf', wood, box([-x + 0.012, x - 0.012], [0.16 * h, 0.16 * h + 0.022], [-z + 0.015, z - 0.03], 0.005)),
  ];
}
