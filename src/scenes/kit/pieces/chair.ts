import type { Random } from '../../../core/random.ts';
import { BLACK_PLASTIC, CHROME, FABRICS, IRON, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { cylinder } from '../shapes/lathe.ts';
import { fourLegs } from '../shapes/leg.ts';
import { moved, type Shape, turned } from '../shapes/shape.ts';
import { ellipsoid, softBox } from '../shapes/soft-box.ts';
import { tube } from '../shapes/tube.ts';

/** A side or dining chair: backrest at -Z, padded seat, four legs. */
export function chair([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const cloth = variant.pick(FABRICS);
  const seat = Math.min(0.47, 0.54 * h);
  const post = Math.min(0.045, 0.1 * w);
  const inner = w / 2 - 0.01;
  const back = -d / 2;
  const lean = Math.min(0.06, 0.12 * d);
  const posts = [-inner + post / 2, inner - post / 2].map((x) =>
    tube(
      [
        [x, 0, back + lean + post / 2],
        [x, seat, back + lean + post / 2],
        [x, h - 0.02, back + post / 2],
      ],
      [post * 0.35, post * 0.5, post * 0.4],
    ),
  );
  const padded = variant.next() < 0.4;
  const rest: Shape[] = padded
    ? [softBox([-inner + 0.02, inner - 0.02], [seat + 0.1, h], [back + 0.002, back + lean + 0.045], 0.03)]
    : backSlats(inner - post, seat, h, back, lean, variant.next() < 0.5);
  return [
    part('posts', wood, ...posts),
    part(
      'legs',
      wood,
      ...fourLegs('square', [-inner, inner], [0, d / 2 - 0.015], seat - 0.02, post).filter((_, at) => at % 2 === 1),
    ),
    part(
      'apron',
      wood,
      box([-inner + 0.01, inner - 0.01], [seat - 0.1, seat - 0.035], [back + lean + 0.01, d / 2 - 0.025], 0.006),
    ),
    part('seat', cloth, softBox([-w / 2, w / 2], [seat - 0.045, seat + 0.015], [back + lean + 0.005, d / 2], 0.03)),
    part('backrest', padded ? cloth : wood, ...rest),
    part(
      'stretchers',
      wood,
      ...[-inner + post / 2, inner - post / 2].map((x) =>
        box([x - 0.011, x + 0.011], [0.3 * seat, 0.3 * seat + 0.028], [back + lean + 0.01, d / 2 - 0.03], 0.005),
      ),
    ),
  ];
}

function backSlats(half: number, seat: number, h: number, back: number, lean: number, upright: boolean): Shape[] {
  const at = (y: number) => back + lean * (1 - (y - seat) / (h - seat));
  const rail = (low: number, high: number) => {
    const z = at((low + high) / 2);
    return box([-half - 0.02, half + 0.02], [low, high], [z + 0.004, z + 0.03], 0.008);
  };
  const tall = h - seat;
  if (!upright) return [0.28, 0.52, 0.78].map((share) => rail(seat + share * tall, seat + (share + 0.18) * tall));
  const count = Math.max(3, Math.round(half / 0.05));
  const slats = Array.from({ length: count }, (_, step) => {
    const x = -half + (2 * half * (step + 0.5)) / count;
    const [low, high] = [seat + 0.12 * tall, h - 0.06];
    return tube(
      [
        [x, low, at(low) + 0.017],
        [x, high, at(high) + 0.017],
      ],
      [0.009],
      6,
    );
  });
  return [rail(h - 0.11 * tall - 0.05, h), rail(seat + 0.06 * tall, seat + 0.2 * tall), ...slats];
}

/** A swivel chair: five-spoke base on castors, gas post, padded seat and back, armrests. */
export function officeChair([w, h, d]: Size, variant: Random): DraftPart[] {
  const cloth = variant.pick(FABRICS);
  const dark = variant.next() < 0.5 ? BLACK_PLASTIC : CHROME;
  const seat = Math.min(0.5, 0.46 * h);
  const reach = Math.min(w, d) / 2 - 0.03;
  const spokes: Shape[] = [];
  const castors: Shape[] = [];
  for (let spoke = 0; spoke < 5; spoke += 1) {
    const turn = (2 * Math.PI * spoke) / 5;
    const [x, z] = [reach * Math.sin(turn), reach * Math.cos(turn)];
    spokes.push(
      tube(
        [
          [0, 0.11, 0],
          [x, 0.065, z],
        ],
        [0.028, 0.018],
      ),
    );
    castors.push(moved(turned(cylinder(0.03, 0.03, -0.018, 0.018, 10), 'z', Math.PI / 2), x, 0.03, z));
  }
  const arm = w / 2 - 0.03;
  const arms: Shape[] = [];
  for (const side of [-1, 1]) {
    arms.push(
      tube(
        [
          [side * arm * 0.6, seat - 0.05, 0.04],
          [side * arm, seat - 0.03, 0.04],
          [side * arm, seat + 0.2, 0.02],
        ],
        [0.016],
      ),
    );
  }
  const pads = [-1, 1].map((side) =>
    softBox([side * arm - 0.03, side * arm + 0.03], [seat + 0.19, seat + 0.23], [-0.12, 0.16], 0.02, 1),
  );
  return [
    part('base', dark, ...spokes),
    part('castors', BLACK_PLASTIC, ...castors),
    part('post', CHROME, cylinder(0.026, 0.026, 0.08, seat - 0.05, 12)),
    part('seat', cloth, softBox([-0.43 * w, 0.43 * w], [seat - 0.06, seat + 0.03], [-0.4 * d, 0.48 * d], 0.05)),
    part('backrest', cloth, reclined([-0.4 * w, 0.4 * w], seat + 0.1, h, -0.42 * d)),
    part(
      'spine',
      dark,
      box([-0.03, 0.03], [seat - 0.06, seat + 0.3 * (h - seat)], [-0.48 * d, -0.48 * d + 0.03], 0.008),
    ),
    part('arms', dark, ...arms),
    part('arm pads', BLACK_PLASTIC, ...pads),
  ];
}

function reclined(x: readonly [number, number], low: number, high: number, z: number): Shape {
  const slab = softBox(x, [0, high - low], [-0.03, 0.04], 0.04);
  return moved(turned(slab, 'x', -0.08), 0, low, z);
}

/** A backless seat on four legs. */
export function stool([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick([...WOODS, IRON]);
  const cloth = variant.pick([...FABRICS, ...WOODS]);
  const round = Math.abs(w - d) < 0.2 * w;
  const thick = Math.min(0.06, 0.25 * h);
  const reach = Math.min(w, d) / 2;
  const ring = 0.34 * h;
  const seat = round ? ellipsoidSeat(w, d, h, thick) : softBox([-w / 2, w / 2], [h - thick, h], [-d / 2, d / 2], 0.02);
  const share = round ? 0.72 : 0.9;
  const [x, z] = [share * (w / 2), share * (d / 2)];
  const bars = [-1, 1].flatMap((side) => [
    box([-0.82 * x, 0.82 * x], [ring, ring + 0.02], [side * 0.84 * z - 0.01, side * 0.84 * z + 0.01], 0.004),
    box([side * 0.84 * x - 0.01, side * 0.84 * x + 0.01], [ring + 0.03, ring + 0.05], [-0.82 * z, 0.82 * z], 0.004),
  ]);
  return [
    part('seat', cloth, seat),
    part('rim', wood, box([-0.7 * x, 0.7 * x], [h - thick - 0.03, h - 0.6 * thick], [-0.7 * z, 0.7 * z], 0.006)),
    part('legs', wood, ...fourLegs('square', [-x, x], [-z, z], h - 0.7 * thick, Math.min(0.045, 0.2 * reach))),
    part('stretchers', wood, ...bars),
  ];
}

function ellipsoidSeat(w: number, d: number, h: number, thick: number): Shape {
  const disc = cylinder(w / 2, w / 2, h - thick, h, 24);
  const positions = disc.positions.map((value, at) => (at % 3 === 2 ? (value * d) / w : value));
  return { ...disc, positions };
}

/** A long low seat: slatted or padded top on two trestles. */
export function bench([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const cloth = variant.pick(FABRICS);
  const padded = variant.next() < 0.5;
  const slab = Math.min(0.04, 0.1 * h);
  const top = padded ? h - Math.min(0.07, 0.18 * h) : h;
  const slats = Array.from({ length: 4 }, (_, at) => {
    const z = -d / 2 + (d * at) / 4;
    return box([-w / 2, w / 2], [top - slab, top], [z + 0.004, z + d / 4 - 0.004], 0.006);
  });
  return [
    part('seat', wood, ...slats),
    part(
      'trestles',
      wood,
      ...[-1, 1].flatMap((side) => [
        box(
          [side * 0.42 * w - 0.03, side * 0.42 * w + 0.03],
          [top - slab - 0.05, top - 0.6 * slab],
          [-0.45 * d, 0.45 * d],
          0.006,
        ),
      ]),
    ),
    part('legs', wood, ...fourLegs('square', [-0.45 * w, 0.45 * w], [-0.42 * d, 0.42 * d], top - slab - 0.02, 0.06)),
    part(
      'stretcher',
      wood,
      box([-0.42 * w, 0.42 * w], [0.35 * h, 0.35 * h + 0.04], [-0.015, 0.015], 0.006),
      ...[-1, 1].map((side) =>
        box(
          [side * 0.42 * w - 0.016, side * 0.42 * w + 0.016],
          [0.34 * h, 0.34 * h + 0.045],
          [-0.38 * d, 0.38 * d],
          0.006,
        ),
      ),
    ),
    ...(padded
      ? [
          part(
            'cushion',
            cloth,
            softBox([-w / 2 + 0.01, w / 2 - 0.01], [top - 0.01, h], [-d / 2 + 0.01, d / 2 - 0.01], 0.03),
          ),
        ]
      : []),
  ];
}

/** A stuffed footstool on short feet, buttoned. */
export function ottoman([w, h, d]: Size, variant: Random): DraftPart[] {
  const cloth = variant.pick(FABRICS);
  const wood = variant.pick(WOODS);
  const foot = Math.min(0.1, 0.25 * h);
  const mid = foot + 0.6 * (h - foot);
  const buttons = [-1, 0, 1].flatMap((x) =>
    [-1, 1].map((z) =>
      ellipsoid(
        [x * 0.27 * w - 0.015, x * 0.27 * w + 0.015],
        [h - 0.016, h],
        [z * 0.2 * d - 0.015, z * 0.2 * d + 0.015],
        8,
      ),
    ),
  );
  return [
    part(
      'body',
      cloth,
      softBox([-w / 2 + 0.01, w / 2 - 0.01], [foot - 0.01, mid], [-d / 2 + 0.01, d / 2 - 0.01], 0.04),
    ),
    part('top', cloth, softBox([-w / 2, w / 2], [mid - 0.02, h - 0.005], [-d / 2, d / 2], 0.05)),
    part('buttons', wood, ...buttons),
    part(
      'feet',
      wood,
      ...fourLegs('round', [-w / 2 + 0.03, w / 2 - 0.03], [-d / 2 + 0.03, d / 2 - 0.03], foot + 0.01, 0.05),
    ),
  ];
}
