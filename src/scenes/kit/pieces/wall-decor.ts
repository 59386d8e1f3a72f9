import type { Random } from '../../../core/random.ts';
import { COVERS, FABRICS, IRON, METALS, MIRROR, other, PAPER, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { cylinder, lathe } from '../shapes/lathe.ts';
import { prism } from '../shapes/prism.ts';
import { moved, type Shape, scaled, turned } from '../shapes/shape.ts';
import { ellipsoid } from '../shapes/soft-box.ts';

/** Four mitre-free bars round a picture. */
function frame(w: number, h: number, z: readonly [number, number], bar: number): Shape[] {
  const lower = [z[0] + 0.001, z[1] - 0.002] as const;
  return [
    box([-w / 2, -w / 2 + bar], [0, h], z, 0.006),
    box([w / 2 - bar, w / 2], [0, h], z, 0.006),
    box([-w / 2 + bar - 0.008, w / 2 - bar + 0.008], [0.001, bar], lower, 0.006),
    box([-w / 2 + bar - 0.008, w / 2 - bar + 0.008], [h - bar, h - 0.001], lower, 0.006),
  ];
}

/** A looking glass in a frame: wall mirror, or standing with a strut when it is tall. */
export function mirror([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick([...WOODS, ...METALS]);
  const bar = Math.min(0.05, 0.12 * w);
  const back = -d / 2;
  const deep = Math.min(0.03, d);
  const strut = d - deep > 0.05;
  const face = d / 2;
  return [
    part('frame', wood, ...frame(w, h, [face - deep, face], bar)),
    part(
      'glass',
      MIRROR,
      box(
        [-w / 2 + bar - 0.004, w / 2 - bar + 0.004],
        [bar - 0.006, h - bar + 0.006],
        [face - 0.7 * deep, face - 0.38 * deep],
        0.001,
      ),
    ),
    part(
      'backing',
      IRON,
      box([-w / 2 + 0.01, w / 2 - 0.01], [0.01, h - 0.01], [face - 0.92 * deep, face - 0.6 * deep], 0.001),
    ),
    part(
      'bevel',
      PAPER,
      ...frame(w - 1.8 * bar, h - 1.8 * bar, [face - 0.5 * deep, face - 0.25 * deep], 0.15 * bar).map((shape) =>
        moved(shape, 0, 0.9 * bar, 0),
      ),
    ),
    ...(strut
      ? [
          part(
            'strut',
            wood,
            ...[-1, 1].map((side) =>
              box([side * 0.3 * w - 0.015, side * 0.3 * w + 0.015], [0, 0.02], [back, face - 0.01], 0.004),
            ),
            ...[-1, 1].map((side) =>
              box(
                [side * 0.3 * w - 0.012, side * 0.3 * w + 0.012],
                [0.005, 0.6 * h],
                [back + 0.002, back + 0.022],
                0.004,
              ),
            ),
            box([-0.3 * w, 0.3 * w], [0.58 * h, 0.6 * h + 0.004], [back + 0.004, face - 0.5 * deep], 0.004),
          ),
        ]
      : []),
  ];
}

/** A framed picture: mount, sky, hills, sun. */
export function painting([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick([...WOODS, ...METALS]);
  const sky = variant.pick(FABRICS);
  const hill = other(FABRICS, variant, sky);
  const near = other(FABRICS, variant, sky, hill);
  const bar = Math.min(0.04, 0.1 * Math.min(w, h));
  const mount = 1.9 * bar;
  const [x, low, high] = [w / 2 - mount, mount, h - mount];
  const ridge = (base: number, swing: number, phase: number, inset: number): [number, number][] => {
    const [half, bottom] = [x - inset, low + inset];
    const top: [number, number][] = Array.from({ length: 11 }, (_, at) => [
      half - (2 * half * at) / 10,
      low + (high - low) * (base + swing * Math.sin(phase + at * 0.8)),
    ]);
    return [[-half, bottom], [half, bottom], ...top];
  };
  const sun = 0.13 * Math.min(2 * x, high - low);
  // each layer starts a little further forward, so that no two share a plane
  const layer = (share: number) => [-d / 2 + (0.1 + 0.25 * share) * d, -d / 2 + share * d] as const;
  return [
    part('frame', wood, ...frame(w, h, [-d / 2, d / 2], bar)),
    part(
      'mount',
      PAPER,
      box(
        [-w / 2 + 0.6 * bar, w / 2 - 0.6 * bar],
        [0.6 * bar, h - 0.6 * bar],
        [-d / 2 + 0.1 * d, -d / 2 + 0.42 * d],
        0,
      ),
    ),
    part('sky', sky, box([-x, x], [low, high], layer(0.5), 0)),
    part(
      'sun',
      COVERS[3] as (typeof COVERS)[number],
      moved(
        turned(cylinder(sun, sun, layer(0.58)[0], layer(0.58)[1], 16), 'x', Math.PI / 2),
        0.4 * x,
        low + 0.72 * (high - low),
        0,
      ),
    ),
    part('hills', hill, prism(ridge(0.42, 0.1, 0, 0.0006), layer(0.66))),
    part('foreground', near, prism(ridge(0.2, 0.07, 2, 0.0012), layer(0.74))),
  ];
}

/** Curtains on a pole: two gathered lengths of cloth, rings, finials. */
export function curtain([w, h, d]: Size, variant: Random): DraftPart[] {
  const cloth = variant.pick(FABRICS);
  const pole = variant.pick([...METALS, ...WOODS]);
  const y = h - 0.03;
  const r = Math.min(0.015, 0.2 * d);
  const length = (from: number, to: number): Shape => {
    const folds = Math.max(3, Math.round((to - from) / 0.12));
    const steps = folds * 6;
    const swing = 0.5 * d - 0.006;
    const edge = (offset: number): [number, number][] =>
      Array.from({ length: steps + 1 }, (_, at) => [
        from + ((to - from) * at) / steps,
        offset + swing * 0.9 * Math.sin((2 * Math.PI * folds * at) / steps),
      ]);
    const outline = [...edge(-0.003), ...edge(0.003).reverse()];
    return turned(prism(outline, [0, y - 0.02]), 'x', -Math.PI / 2);
  };
  const share = variant.between(0.24, 0.4) * w;
  const rings = [-1, 1].flatMap((side) =>
    [0, 1, 2, 3].map((at) =>
      moved(
        turned(cylinder(1.6 * r, 1.6 * r, -0.006, 0.006, 10), 'z', Math.PI / 2),
        side * (w / 2 - 0.06 - (share * at) / 4),
        y,
        0,
      ),
    ),
  );
  return [
    part('left length', cloth, length(-w / 2 + 0.03, -w / 2 + 0.03 + share)),
    part('right length', cloth, length(w / 2 - 0.03 - share, w / 2 - 0.03)),
    part('pole', pole, moved(turned(cylinder(r, r, -w / 2 + 0.02, w / 2 - 0.02, 10), 'z', Math.PI / 2), 0, y, 0)),
    part(
      'finials',
      pole,
      ...[-1, 1].map((side) =>
        ellipsoid(
          side < 0 ? [-w / 2, -w / 2 + 0.06] : [w / 2 - 0.06, w / 2],
          [h - 0.06, h],
          [-Math.min(0.03, d / 2), Math.min(0.03, d / 2)],
          10,
        ),
      ),
    ),
    part('rings', pole, ...rings),
  ];
}

/** A round wall clock: rim, dial, hour marks, hands. */
export function clock([w, h, d]: Size, variant: Random): DraftPart[] {
  const rim = variant.pick([...WOODS, ...METALS]);
  const r = w / 2;
  const facing = (shape: Shape) => moved(scaled(turned(shape, 'x', Math.PI / 2), 1, h / w, 1), 0, h / 2, 0);
  const marks = Array.from({ length: 12 }, (_, hour) => {
    const mark = box([-0.025 * r, 0.025 * r], [0.72 * r, 0.86 * r], [0, 0.3 * d], 0);
    return moved(scaled(turned(mark, 'z', (hour * Math.PI) / 6), 1, h / w, 1), 0, h / 2, 0);
  });
  const hand = (long: number, wide: number, turn: number, top: number, back = 0.1) =>
    moved(
      scaled(turned(box([-wide, wide], [-0.12 * r, long], [back * d, top * d], 0), 'z', turn), 1, h / w, 1),
      0,
      h / 2,
      0,
    );
  return [
    part(
      'rim',
      rim,
      facing(
        lathe(
          [
            [0.9 * r, -d / 2],
            [r, -d / 2],
            [0.98 * r, d / 2],
            [0.9 * r, d / 2],
            [0.9 * r, -d / 2],
          ],
          32,
        ),
      ),
    ),
    part('dial', PAPER, facing(cylinder(0.93 * r, 0.93 * r, -0.45 * d, 0.2 * d, 28))),
    part('marks', IRON, ...marks),
    part('hands', IRON, hand(0.45 * r, 0.035 * r, -1.05, 0.34), hand(0.68 * r, 0.025 * r, 0.9, 0.4, 0.13)),
    part('pin', rim, facing(cylinder(0.06 * r, 0.06 * r, 0.05 * d, 0.46 * d, 10))),
  ];
}
