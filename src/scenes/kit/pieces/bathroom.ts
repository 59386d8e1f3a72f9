import type { Random } from '../../../core/random.ts';
import { CHROME, IRON, PORCELAIN, plain, STEEL, WATER, WHITE_PLASTIC, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { cylinder, lathe } from '../shapes/lathe.ts';
import { prism, roundedOutline } from '../shapes/prism.ts';
import { moved, type Shape, scaled, turned } from '../shapes/shape.ts';
import { softBox } from '../shapes/soft-box.ts';
import { tube } from '../shapes/tube.ts';

/** A toilet: cistern at -Z, oval bowl, ring seat, lid leaning on the cistern. */
export function toilet([w, h, d]: Size, variant: Random): DraftPart[] {
  const seatColour = variant.next() < 0.7 ? WHITE_PLASTIC : variant.pick(WOODS);
  const tank = Math.min(0.2, 0.3 * d);
  const seat = 0.54 * h;
  const bowlDeep = (d - tank) / 2 - 0.005;
  const bowlWide = 0.46 * w;
  const z = d / 2 - bowlDeep;
  const oval = (shape: Shape) => moved(scaled(shape, 1, 1, bowlDeep / bowlWide), 0, 0, z);
  const bowl: [number, number][] = [
    [0, 0.28 * seat],
    [0.42 * bowlWide, 0.28 * seat],
    [0.78 * bowlWide, 0.62 * seat],
    [0.97 * bowlWide, 0.9 * seat],
    [0.97 * bowlWide, seat - 0.012],
    [0.68 * bowlWide, seat - 0.012],
    [0.5 * bowlWide, 0.7 * seat],
    [0, 0.62 * seat],
  ];
  return [
    part(
      'foot',
      PORCELAIN,
      softBox([-0.28 * w, 0.28 * w], [0, 0.5 * seat], [-d / 2 + 0.3 * tank, z + 0.3 * bowlDeep], 0.04),
    ),
    part(
      'bowl',
      PORCELAIN,
      oval(lathe(bowl, 24)),
      box([-0.3 * w, 0.3 * w], [0.55 * seat, seat - 0.02], [-d / 2 + 0.5 * tank, z - 0.5 * bowlDeep], 0.02),
    ),
    part(
      'water',
      WATER,
      oval(
        lathe(
          [
            [0, 0.6 * seat],
            [0.5 * bowlWide, 0.66 * seat],
            [0.56 * bowlWide, 0.78 * seat],
            [0, 0.78 * seat],
          ],
          20,
        ),
      ),
    ),
    part(
      'seat',
      seatColour,
      oval(
        lathe(
          [
            [0.6 * bowlWide, seat - 0.016],
            [bowlWide, seat - 0.016],
            [0.97 * bowlWide, seat + 0.012],
            [0.63 * bowlWide, seat + 0.012],
            [0.6 * bowlWide, seat - 0.016],
          ],
          28,
        ),
      ),
    ),
    part(
      'lid',
      seatColour,
      moved(
        turned(
          scaled(
            cylinder(0.95 * bowlWide, 0.95 * bowlWide, 0, 0.018, 24),
            1,
            1,
            (0.82 * (h - seat)) / (1.9 * bowlWide),
          ),
          'x',
          Math.PI / 2 - 0.12,
        ),
        0,
        seat + 0.43 * (h - seat),
        -d / 2 + tank + 0.015,
      ),
    ),
    part(
      'cistern',
      PORCELAIN,
      softBox([-0.46 * w, 0.46 * w], [0.8 * seat, h - 0.045], [-d / 2 + 0.006, -d / 2 + tank - 0.006], 0.025),
    ),
    part('cistern lid', PORCELAIN, softBox([-w / 2, w / 2], [h - 0.055, h - 0.008], [-d / 2, -d / 2 + tank], 0.015)),
    part('button', CHROME, moved(cylinder(0.025, 0.025, h - 0.02, h, 14), 0, 0, -d / 2 + tank / 2)),
  ];
}

/** A bathtub with water in it, tap at -X. */
export function bathtub([w, h, d]: Size, variant: Random): DraftPart[] {
  const apron = variant.next() < 0.5 ? PORCELAIN : variant.pick(WOODS);
  const rim = h - Math.min(0.16, 0.24 * h);
  const lip = Math.min(0.07, 0.1 * d);
  const radius = 0.4 * d;
  const upright = (x: number, z: number, low: number, high: number, round: number) =>
    turned(prism(roundedOutline([-x, x], [-z, z], [round, round, round, round], 5), [low, high]), 'x', -Math.PI / 2);
  return [
    part('apron', apron, box([-w / 2 + 0.02, w / 2 - 0.02], [0, rim - 0.03], [-d / 2 + 0.02, d / 2 - 0.02], 0.02)),
    part('rim', PORCELAIN, ...ring(w / 2, d / 2, lip, radius, rim)),
    part('inside', WHITE_PLASTIC, upright(w / 2 - lip + 0.01, d / 2 - lip + 0.01, 0.1 * h, rim - 0.024, 0.94 * radius)),
    part('water', WATER, upright(w / 2 - lip + 0.004, d / 2 - lip + 0.004, 0.2 * h, rim - 0.016, 0.92 * radius)),
    part(
      'tap',
      CHROME,
      tube(
        [
          [-w / 2 + lip / 2, rim - 0.01, 0],
          [-w / 2 + lip / 2, h - 0.02, 0],
          [-w / 2 + lip / 2 + 0.04, h - 0.012, 0],
          [-w / 2 + lip + 0.1, h - 0.03, 0],
          [-w / 2 + lip + 0.12, h - 0.07, 0],
        ],
        [0.014],
        8,
      ),
    ),
    part(
      'valves',
      CHROME,
      ...[-1, 1].map((side) =>
        moved(cylinder(0.02, 0.024, rim - 0.006, rim + 0.05, 12), -w / 2 + lip / 2, 0, side * 0.1),
      ),
    ),
    part('drain', STEEL, moved(cylinder(0.03, 0.03, rim - 0.05, rim - 0.01, 14), -w / 2 + lip + 0.18, 0, 0)),
  ];
}

/** The rim of a tub as an upright ring with a round-cornered hole. */
function ring(x: number, z: number, lip: number, radius: number, top: number): Shape[] {
  const outer = roundedOutline([-x, x], [-z, z], [0.06, 0.06, 0.06, 0.06], 5);
  const inner = roundedOutline([-x + lip, x - lip], [-z + lip, z - lip], [radius, radius, radius, radius], 5);
  // two halves, split along x = 0, so that each is a simple outline
  const half = (side: 1 | -1) => {
    const keep = (outline: [number, number][]) => outline.filter(([px]) => side * px > 1e-9);
    const cut = (outline: [number, number][]) => {
      const kept = keep(outline);
      // start each chain where it enters the half: kept points are contiguous around the outline
      const start = kept.findIndex((point, at) => {
        const before = outline[(outline.indexOf(point) + outline.length - 1) % outline.length] as [number, number];
        return at >= 0 && side * before[0] <= 1e-9;
      });
      return [...kept.slice(start), ...kept.slice(0, start)];
    };
    const out = cut(outer);
    const into = cut(inner).reverse();
    const [firstZ, lastZ] = [(out[0] as [number, number])[1], (out.at(-1) as [number, number])[1]];
    const [firstIn, lastIn] = [(into[0] as [number, number])[1], (into.at(-1) as [number, number])[1]];
    const seam = side * 0.0005;
    return [[seam, firstZ], ...out, [seam, lastZ], [seam, firstIn], ...into, [seam, lastIn]] as [number, number][];
  };
  return ([1, -1] as const).map((side) => turned(prism(half(side), [top - 0.045, top]), 'x', -Math.PI / 2));
}

/** A wash basin on a pedestal or on a small cupboard. */
export function sink([w, h, d]: Size, variant: Random): DraftPart[] {
  const tap = Math.min(0.16, 0.2 * h);
  const top = h - tap;
  const bowl = Math.min(w, d) * 0.36;
  const z = 0.06 * d;
  const oval = (shape: Shape) => moved(scaled(shape, (0.36 * w) / bowl, 1, (0.34 * d) / bowl), 0, 0, z);
  const vanity = w > 0.55 && variant.next() < 0.6;
  const wood = variant.pick(WOODS);
  const base = vanity
    ? [
        part(
          'cupboard',
          wood,
          box([-w / 2 + 0.02, w / 2 - 0.02], [0.08, top - 0.07], [-d / 2 + 0.01, d / 2 - 0.04], 0.006),
        ),
        part(
          'doors',
          wood,
          ...[-1, 1].map((side) =>
            box(
              side < 0 ? [-w / 2 + 0.03, -0.004] : [0.004, w / 2 - 0.03],
              [0.1, top - 0.08],
              [d / 2 - 0.06, d / 2 - 0.022],
              0.006,
            ),
          ),
        ),
        part(
          'handles',
          CHROME,
          ...[-1, 1].map((side) =>
            box(
              [side * 0.04 - 0.006, side * 0.04 + 0.006],
              [0.45 * top, 0.62 * top],
              [d / 2 - 0.03, d / 2 - 0.004],
              0.003,
            ),
          ),
        ),
        part('plinth', IRON, box([-w / 2 + 0.04, w / 2 - 0.04], [0, 0.09], [-d / 2 + 0.02, d / 2 - 0.07], 0.004)),
      ]
    : [
        part(
          'pedestal',
          PORCELAIN,
          moved(
            lathe(
              [
                [0, 0],
                [0.34 * bowl * 2, 0],
                [0.24 * bowl * 2, 0.2 * top],
                [0.22 * bowl * 2, 0.7 * top],
                [0.4 * bowl * 2, top - 0.1],
                [0, top - 0.1],
              ],
              20,
            ),
            0,
            0,
            -0.08 * d,
          ),
        ),
      ];
  return [
    ...base,
    part('slab', PORCELAIN, softBox([-w / 2, w / 2], [top - 0.14, top], [-d / 2, d / 2], 0.045)),
    part(
      'rim',
      PORCELAIN,
      oval(
        lathe(
          [
            [0.94 * bowl, top - 0.02],
            [1.08 * bowl, top - 0.02],
            [1.05 * bowl, top + 0.014],
            [0.97 * bowl, top + 0.014],
            [0.94 * bowl, top - 0.02],
          ],
          24,
        ),
      ),
    ),
    part(
      'basin',
      plain('porcelain shade', [0.78, 0.82, 0.85], 0.25),
      oval(
        lathe(
          [
            [0, top - 0.05],
            [0.96 * bowl, top - 0.05],
            [0.96 * bowl, top + 0.004],
            [0, top + 0.002],
          ],
          24,
        ),
      ),
    ),
    part('drain', STEEL, moved(cylinder(0.024, 0.024, top - 0.03, top + 0.007, 12), 0, 0, z)),
    part(
      'tap',
      CHROME,
      tube(
        [
          [0, top - 0.01, -0.4 * d],
          [0, h - 0.04, -0.4 * d],
          [0, h - 0.012, -0.34 * d],
          [0, h - 0.012, -0.16 * d],
          [0, h - 0.045, -0.1 * d],
        ],
        [0.012],
        8,
      ),
    ),
    part(
      'valves',
      CHROME,
      ...[-1, 1].map((side) => moved(cylinder(0.018, 0.022, top - 0.006, top + 0.045, 10), side * 0.1, 0, -0.4 * d)),
    ),
  ];
}
