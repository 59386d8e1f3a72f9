import type { Random } from '../../../core/random.ts';
import type { PartMaterial } from '../../draft.ts';
import { BULB, CERAMICS, FABRICS, IRON, LINENS, METALS, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { cylinder, lathe, torus } from '../shapes/lathe.ts';
import { type Shape, scaled } from '../shapes/shape.ts';
import { ellipsoid } from '../shapes/soft-box.ts';
import { tube } from '../shapes/tube.ts';

/** An open conical shade with a wall, radius `low` at the bottom and `high` at the top. */
function shade(low: number, high: number, bottom: number, top: number): Shape {
  const wall = Math.min(0.006, 0.08 * Math.min(low, high));
  return lathe(
    [
      [low - wall, bottom],
      [low, bottom],
      [high, top],
      [high - wall, top],
      [low - wall, bottom],
    ],
    24,
  );
}

function shadeCloth(variant: Random): PartMaterial {
  return variant.next() < 0.6 ? variant.pick(LINENS) : variant.pick(FABRICS);
}

/** A table lamp: turned base, neck, conical shade, bulb. */
export function lamp([w, h, d]: Size, variant: Random): DraftPart[] {
  const r = w / 2;
  const base = variant.pick([...CERAMICS, ...WOODS]);
  const brass = variant.pick(METALS);
  const split = 0.52 * h;
  const b = Math.min(0.62 * r, 0.4 * split);
  const profile: [number, number][] =
    variant.next() < 0.5
      ? [
          [0, 0.01],
          [0.6 * b, 0.01],
          [b, 0.3 * split],
          [0.8 * b, 0.6 * split],
          [0.25 * b, 0.85 * split],
          [0.2 * b, 0.95 * split],
          [0, 0.95 * split],
        ]
      : [
          [0, 0.01],
          [0.9 * b, 0.01],
          [0.95 * b, 0.12 * split],
          [0.3 * b, 0.25 * split],
          [0.45 * b, 0.55 * split],
          [0.2 * b, 0.95 * split],
          [0, 0.95 * split],
        ];
  const round = (shape: Shape) => scaled(shape, 1, 1, d / w);
  return [
    part('foot', brass, round(cylinder(0.75 * b, 0.7 * b, 0, 0.02, 20))),
    part('base', base, round(lathe(profile, 20))),
    part(
      'neck',
      brass,
      cylinder(0.008, 0.008, 0.9 * split, h - 0.02, 8),
      round(cylinder(0.02, 0.005, h - 0.035, h, 10)),
    ),
    part('shade', shadeCloth(variant), round(shade(r, 0.62 * r, split, h - 0.015))),
    part(
      'bulb',
      BULB,
      ellipsoid([-0.2 * r, 0.2 * r], [split + 0.1 * (h - split), split + 0.55 * (h - split)], [-0.2 * r, 0.2 * r], 10),
    ),
    part('spider', brass, ...[0, 1, 2].map((arm) => spoke(0.61 * r, (2 * Math.PI * arm) / 3, h - 0.025))),
  ];
}

function spoke(reach: number, turn: number, y: number): Shape {
  return tube(
    [
      [0, y, 0],
      [reach * Math.sin(turn), y, reach * Math.cos(turn)],
    ],
    [0.003],
    5,
  );
}

/** A standing lamp: weighted foot, pole, drum shade, or an arc with a hanging dome. */
export function floorLamp([w, h, d]: Size, variant: Random): DraftPart[] {
  const r = Math.min(w, d) / 2;
  const pole = variant.pick([...METALS, IRON]);
  const tall = Math.min(0.32, 0.22 * h);
  const round = (shape: Shape) => scaled(shape, w / (2 * r), 1, d / (2 * r));
  const tripod = variant.next() < 0.4;
  const wood = variant.pick(WOODS);
  const legs = [0, 1, 2].map((leg) => {
    const turn = (2 * Math.PI * leg) / 3 + 0.4;
    const reach = 0.92 * r;
    return tube(
      [
        [reach * Math.sin(turn), 0.004, reach * Math.cos(turn)],
        [0.01 * Math.sin(turn), h - 1.2 * tall, 0.01 * Math.cos(turn)],
      ],
      [0.012, 0.016],
      8,
    );
  });
  return [
    tripod
      ? part('tripod', wood, ...legs)
      : part(
          'foot',
          pole,
          round(
            lathe(
              [
                [0, 0],
                [0.78 * r, 0],
                [0.78 * r, 0.015],
                [0.7 * r, 0.03],
                [0.08 * r, 0.045],
                [0, 0.045],
              ],
              24,
            ),
          ),
        ),
    part('pole', pole, cylinder(0.012, 0.012, tripod ? h - 1.4 * tall : 0.02, h - 0.01, 10)),
    part('shade', shadeCloth(variant), round(shade(r, 0.78 * r, h - tall, h - 0.004))),
    part('bulb', BULB, ellipsoid([-0.25 * r, 0.25 * r], [h - 0.8 * tall, h - 0.3 * tall], [-0.25 * r, 0.25 * r], 10)),
    part(
      'finial',
      pole,
      cylinder(0.02, 0.006, h - 0.03, h, 10),
      ...[0, 1, 2].map((arm) => spoke(0.77 * r, (2 * Math.PI * arm) / 3, h - 0.022)),
    ),
  ];
}

/** A lamp that hangs from the ceiling: rose at the top, cord, dome shade, bulb. */
export function pendantLamp([w, h, d]: Size, variant: Random): DraftPart[] {
  const r = w / 2;
  const dome = Math.min(0.5 * h, 0.75 * w);
  const round = (shape: Shape) => scaled(shape, 1, 1, d / w);
  const steps = 6;
  const outer: [number, number][] = Array.from({ length: steps + 1 }, (_, at) => {
    const turn = (Math.PI / 2) * (at / steps);
    return [r * Math.cos(turn) + 0.02 * Math.sin(turn), dome * Math.sin(turn)];
  });
  const inner = outer.map(([x, y]) => [x * 0.95, y * 0.97 - 0.001] as [number, number]).reverse();
  const colour = variant.pick([...METALS, ...FABRICS, ...CERAMICS]);
  return [
    part(
      'rose',
      variant.pick(METALS),
      lathe(
        [
          [0, h - 0.03],
          [0.02, h - 0.03],
          [Math.min(0.06, 0.5 * r), h - 0.006],
          [Math.min(0.06, 0.5 * r), h],
          [0, h],
        ],
        20,
      ),
    ),
    part('cord', IRON, cylinder(0.006, 0.006, 0.9 * dome, h - 0.01, 6)),
    part('shade', colour, round(lathe([...outer, ...inner, outer[0] as [number, number]], 24))),
    part('socket', IRON, cylinder(0.022, 0.022, 0.55 * dome, dome + 0.02, 10)),
    part('bulb', BULB, ellipsoid([-0.25 * r, 0.25 * r], [0.15 * dome, 0.6 * dome], [-0.25 * r, 0.25 * r], 12)),
  ];
}

/** A lamp flat on the ceiling: plate, ring, opal glass, finial. */
export function ceilingLamp([w, h, d]: Size, variant: Random): DraftPart[] {
  const r = w / 2;
  const round = (shape: Shape) => scaled(shape, 1, 1, d / w);
  const ring = variant.pick([...METALS, ...WOODS]);
  const bowl: [number, number][] = [
    [0, 0.12 * h],
    [0.35 * r, 0.16 * h],
    [0.66 * r, 0.3 * h],
    [0.86 * r, 0.55 * h],
    [0.9 * r, 0.75 * h],
    [0, 0.75 * h],
  ];
  return [
    part('plate', ring, round(cylinder(0.7 * r, 0.7 * r, 0.72 * h, h, 28))),
    part(
      'ring',
      ring,
      round(
        lathe(
          [
            [0.82 * r, 0.6 * h],
            [r, 0.6 * h],
            [r, 0.82 * h],
            [0.82 * r, 0.82 * h],
            [0.82 * r, 0.6 * h],
          ],
          32,
        ),
      ),
    ),
    part('glass', BULB, round(lathe(bowl, 28))),
    part(
      'finial',
      ring,
      lathe(
        [
          [0, 0],
          [0.05 * r, 0.04 * h],
          [0.07 * r, 0.2 * h],
          [0, 0.2 * h],
        ],
        12,
      ),
    ),
    part('bead', ring, round(torus(0.5 * r, 0.02 * r, 0.235 * h, 24, 6))),
  ];
}
