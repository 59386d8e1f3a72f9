import type { Random } from '../../../core/random.ts';
import type { PartMaterial } from '../../draft.ts';
import {
  BLACK_PLASTIC,
  CHROME,
  GREY_PLASTIC,
  IRON,
  METALS,
  PAPER,
  plain,
  SCREEN,
  STEEL,
  WHITE_PLASTIC,
  WOODS,
} from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { cylinder, lathe, torus } from '../shapes/lathe.ts';
import { moved, type Shape, turned } from '../shapes/shape.ts';
import { softBox } from '../shapes/soft-box.ts';
import { tube } from '../shapes/tube.ts';

const HOUSINGS: readonly PartMaterial[] = [
  WHITE_PLASTIC,
  STEEL,
  BLACK_PLASTIC,
  plain('enamel mint', [0.66, 0.82, 0.74], 0.35),
  plain('enamel red', [0.7, 0.16, 0.14], 0.35),
];

/** A disc that faces +Z. */
function dial(radius: number, thickness: number, x: number, y: number, z: number, segments = 14): Shape {
  return moved(turned(cylinder(radius, radius, 0, thickness, segments), 'x', Math.PI / 2), x, y, z);
}

/** An upright bar handle standing off a door. */
function grip(x: number, low: number, high: number, z: number): Shape {
  return tube(
    [
      [x, low, z - 0.008],
      [x, low + 0.02, z + 0.03],
      [x, high - 0.02, z + 0.03],
      [x, high, z - 0.008],
    ],
    [0.01],
    6,
  );
}

/** A refrigerator: freezer door above the larger one, long handles, a note held by a magnet. */
export function fridge([w, h, d]: Size, variant: Random): DraftPart[] {
  const housing = variant.pick(HOUSINGS);
  const split = h * variant.pick([0.66, 0.36]);
  const front = d / 2 - 0.04;
  const doors = [
    softBox([-w / 2, w / 2], [0.05, split - 0.004], [front - 0.06, front], 0.02),
    softBox([-w / 2, w / 2], [split + 0.004, h], [front - 0.06, front], 0.02),
  ];
  const x = w / 2 - 0.07;
  return [
    part('body', GREY_PLASTIC, box([-w / 2 + 0.006, w / 2 - 0.006], [0.03, h - 0.01], [-d / 2, front - 0.05], 0.01)),
    part('doors', housing, ...doors),
    part(
      'handles',
      housing === STEEL ? IRON : CHROME,
      grip(x, split - 0.36 * h * 0.7, split - 0.05, front),
      grip(x, split + 0.05, Math.min(h - 0.05, split + 0.22 * h), front),
    ),
    part(
      'kick plate',
      BLACK_PLASTIC,
      box([-w / 2 + 0.02, w / 2 - 0.02], [0, 0.06], [-d / 2 + 0.03, front - 0.03], 0.004),
    ),
    part(
      'note',
      PAPER,
      box([-0.2 * w, -0.2 * w + 0.1], [0.72 * split, 0.72 * split + 0.13], [front - 0.004, front + 0.002], 0),
    ),
    part(
      'magnet',
      plain('magnet red', [0.8, 0.2, 0.15], 0.5),
      dial(0.014, 0.012, -0.2 * w + 0.05, 0.72 * split + 0.115, front - 0.002, 10),
    ),
  ];
}

/** A cooker: hob with four rings, knobs, oven door with a window. */
export function stove([w, h, d]: Size, variant: Random): DraftPart[] {
  const housing = variant.pick(HOUSINGS);
  const front = d / 2 - 0.035;
  const guard = Math.min(0.08, 0.09 * h);
  const hob = h - guard;
  const panel = hob - 0.13 * hob;
  const rings = [-1, 1].flatMap((x) =>
    [-1, 1].map((z) => {
      const size = Math.min(w, d) * (x * z > 0 ? 0.15 : 0.12);
      return { x: x * 0.23 * w, z: z * 0.2 * d - 0.01, size };
    }),
  );
  return [
    part(
      'body',
      housing,
      box([-w / 2 + 0.003, w / 2 - 0.003], [0.05, hob - 0.012], [-d / 2 + 0.004, front - 0.012], 0.008),
    ),
    part('plinth', BLACK_PLASTIC, box([-w / 2 + 0.03, w / 2 - 0.03], [0, 0.06], [-d / 2 + 0.03, front - 0.05], 0.004)),
    part('hob', BLACK_PLASTIC, box([-w / 2, w / 2], [hob - 0.025, hob], [-d / 2 + 0.002, front + 0.008], 0.006)),
    part(
      'burners',
      STEEL,
      ...rings.map(({ x, z, size }) => moved(cylinder(size, size, hob - 0.006, hob + 0.008, 14), x, 0, z)),
    ),
    part(
      'grates',
      IRON,
      ...rings.flatMap(({ x, z, size }) => [
        moved(torus(0.72 * size, 0.007, hob + 0.012, 12, 5), x, 0, z),
        moved(cylinder(0.26 * size, 0.26 * size, hob + 0.002, hob + 0.016, 8), x, 0, z),
      ]),
    ),
    part(
      'oven door',
      housing,
      softBox([-w / 2 + 0.02, w / 2 - 0.02], [0.14 * hob, panel - 0.02], [front - 0.03, front + 0.008], 0.012),
    ),
    part(
      'oven window',
      SCREEN,
      box([-0.34 * w, 0.34 * w], [0.25 * hob, 0.72 * panel], [front - 0.01, front + 0.012], 0.004),
    ),
    part(
      'handle',
      CHROME,
      tube(
        [
          [-0.36 * w, panel - 0.07, front],
          [-0.34 * w, panel - 0.07, front + 0.032],
          [0.34 * w, panel - 0.07, front + 0.032],
          [0.36 * w, panel - 0.07, front],
        ],
        [0.01],
        6,
      ),
    ),
    part(
      'knobs',
      IRON,
      ...[-2, -1, 0, 1, 2].map((at) => dial(0.02, 0.034, at * 0.16 * w, (panel + hob) / 2 - 0.01, front - 0.014, 10)),
    ),
    part('splashback', housing, box([-w / 2 + 0.002, w / 2 - 0.002], [hob - 0.02, h], [-d / 2, -d / 2 + 0.025], 0.006)),
  ];
}

/** A front-loading washing machine: round door, drawer, dial. */
export function washingMachine([w, h, d]: Size, variant: Random): DraftPart[] {
  const housing = variant.pick(HOUSINGS.slice(0, 3));
  const front = d / 2 - 0.05;
  const r = Math.min(0.34 * w, 0.28 * h);
  const y = 0.46 * h;
  const facing = (shape: Shape) => moved(turned(shape, 'x', Math.PI / 2), 0, y, front);
  return [
    part('body', housing, softBox([-w / 2, w / 2], [0.02, h], [-d / 2, front], 0.015)),
    part(
      'feet',
      IRON,
      ...[-1, 1].flatMap((x) =>
        [-1, 1].map((z) => moved(cylinder(0.025, 0.025, 0, 0.03, 10), x * 0.4 * w, 0, z * 0.4 * d)),
      ),
    ),
    part(
      'door ring',
      CHROME,
      facing(
        lathe(
          [
            [0.72 * r, -0.01],
            [r, -0.01],
            [0.94 * r, 0.035],
            [0.8 * r, 0.04],
            [0.72 * r, -0.01],
          ],
          28,
        ),
      ),
    ),
    part(
      'door glass',
      SCREEN,
      facing(
        lathe(
          [
            [0, -0.008],
            [0.75 * r, -0.008],
            [0.78 * r, 0.03],
            [0.5 * r, 0.046],
            [0, 0.05],
          ],
          24,
        ),
      ),
    ),
    part(
      'drawer',
      GREY_PLASTIC,
      box([-0.44 * w, -0.12 * w], [0.86 * h, 0.95 * h], [front - 0.02, front + 0.008], 0.004),
    ),
    part('dial', IRON, dial(0.045 * h, 0.03, 0.3 * w, 0.905 * h, front - 0.006, 16)),
    part('display', SCREEN, box([-0.06 * w, 0.18 * w], [0.88 * h, 0.93 * h], [front - 0.01, front + 0.004], 0.002)),
  ];
}

/** A microwave oven: door with window, handle, key pad. */
export function microwave([w, h, d]: Size, variant: Random): DraftPart[] {
  const housing = variant.pick(HOUSINGS.slice(0, 3));
  const front = d / 2 - 0.03;
  const panel = 0.24 * w;
  const keys = [0, 1, 2, 3].flatMap((row) =>
    [-1, 0, 1].map((column) =>
      dial(0.03 * h, 0.01, w / 2 - panel / 2 + column * 0.28 * panel, h * (0.2 + 0.13 * row), front - 0.001, 8),
    ),
  );
  return [
    part('body', housing, softBox([-w / 2, w / 2], [0.02 * h, h], [-d / 2, front - 0.006], 0.012)),
    part(
      'door',
      BLACK_PLASTIC,
      box([-w / 2 + 0.008, w / 2 - panel], [0.06 * h, 0.96 * h], [front - 0.02, front + 0.006], 0.004),
    ),
    part(
      'window',
      SCREEN,
      box([-w / 2 + 0.07 * w, w / 2 - panel - 0.09 * w], [0.2 * h, 0.82 * h], [front - 0.01, front + 0.009], 0.003),
    ),
    part('handle', CHROME, grip(w / 2 - panel - 0.035 * w, 0.16 * h, 0.86 * h, front - 0.001)),
    part(
      'panel',
      GREY_PLASTIC,
      box([w / 2 - panel + 0.006, w / 2 - 0.008], [0.062 * h, 0.955 * h], [front - 0.018, front + 0.002], 0.003),
    ),
    part('keys', WHITE_PLASTIC, ...keys),
    part(
      'display',
      plain('display green', [0.2, 0.75, 0.5], 0.4),
      box([w / 2 - 0.85 * panel, w / 2 - 0.15 * panel], [0.78 * h, 0.9 * h], [front - 0.01, front + 0.005], 0.001),
    ),
    part(
      'feet',
      IRON,
      ...[-1, 1].flatMap((x) =>
        [-1, 1].map((z) => moved(cylinder(0.018, 0.018, 0, 0.05 * h, 8), x * 0.4 * w, 0, z * 0.38 * d)),
      ),
    ),
  ];
}

/** A run of kitchen cupboards under a worktop, with a basin and tap let in. */
export function counter([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const stone = variant.pick([
    plain('stone grey', [0.55, 0.55, 0.55], 0.4),
    plain('stone white', [0.88, 0.87, 0.85], 0.4),
    plain('stone dark', [0.2, 0.2, 0.22], 0.4),
  ]);
  const steel = variant.pick(METALS);
  const tap = Math.min(0.24, 0.26 * h);
  const top = h - tap;
  const front = d / 2 - 0.04;
  const count = Math.max(2, Math.min(6, Math.round(w / 0.5)));
  const wide = (w - 0.02) / count;
  const doors: Shape[] = [];
  const handles: Shape[] = [];
  for (let at = 0; at < count; at += 1) {
    const left = -w / 2 + 0.01 + at * wide;
    doors.push(box([left + 0.004, left + wide - 0.004], [0.11, top - 0.19], [front - 0.02, front], 0.005));
    doors.push(box([left + 0.004, left + wide - 0.004], [top - 0.18, top - 0.05], [front - 0.02, front], 0.005));
    for (const y of [top - 0.23, top - 0.115])
      handles.push(
        box([left + 0.3 * wide, left + 0.7 * wide], [y - 0.006, y + 0.006], [front - 0.004, front + 0.025], 0.003),
      );
  }
  const basin = Math.min(0.26, 0.2 * w);
  const x = -0.22 * w;
  const deep = 0.3 * d;
  return [
    part(
      'cupboards',
      wood,
      box([-w / 2 + 0.004, w / 2 - 0.004], [0.09, top - 0.03], [-d / 2 + 0.004, front - 0.012], 0.004),
    ),
    part('plinth', IRON, box([-w / 2 + 0.01, w / 2 - 0.01], [0, 0.1], [-d / 2 + 0.01, front - 0.06], 0.003)),
    part('doors', wood, ...doors),
    part('handles', steel, ...handles),
    part('worktop', stone, box([-w / 2, w / 2], [top - 0.04, top], [-d / 2, d / 2 - 0.006], 0.006)),
    part('basin rim', STEEL, ...basinRim(x, basin, deep, top)),
    part(
      'basin floor',
      GREY_PLASTIC,
      box([x - basin + 0.02, x + basin - 0.02], [top - 0.02, top + 0.003], [-deep + 0.025, deep - 0.025], 0.001),
    ),
    part(
      'tap',
      CHROME,
      tube(
        [
          [x, top - 0.01, -0.41 * d],
          [x, h - 0.05, -0.41 * d],
          [x, h - 0.012, -0.36 * d],
          [x, h - 0.012, -0.22 * d],
          [x, h - 0.06, -0.17 * d],
        ],
        [0.012],
        8,
      ),
    ),
  ];
}

function basinRim(x: number, basin: number, deep: number, top: number): Shape[] {
  const y = [top - 0.01, top + 0.012] as const;
  return [
    box([x - basin, x + basin], y, [-deep, -deep + 0.03], 0.004),
    box([x - basin, x + basin], y, [deep - 0.03, deep], 0.004),
    box([x - basin + 0.002, x - basin + 0.03], [top - 0.011, top + 0.0115], [-deep + 0.02, deep - 0.02], 0.003),
    box([x + basin - 0.03, x + basin - 0.002], [top - 0.011, top + 0.0115], [-deep + 0.02, deep - 0.02], 0.003),
  ];
}
