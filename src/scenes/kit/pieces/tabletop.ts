import type { Random } from '../../../core/random.ts';
import { CERAMICS, COVERS, FABRICS, LEAVES, other, PAPER, plain, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { cushion as pillow } from '../shapes/cushion.ts';
import { cylinder, lathe, torus } from '../shapes/lathe.ts';
import { leaf } from '../shapes/leaf.ts';
import { moved, type Shape, scaled, turned, type Vector } from '../shapes/shape.ts';
import { ellipsoid } from '../shapes/soft-box.ts';
import { tube } from '../shapes/tube.ts';

/** A vase with cut flowers. */
export function vase([w, h, d]: Size, variant: Random): DraftPart[] {
  const r = Math.min(w, d) / 2;
  const tall = 0.55 * h;
  const b = Math.min(0.62 * r, 0.42 * tall);
  const stretch = (shape: Shape) => scaled(shape, w / (2 * r), 1, d / (2 * r));
  const petals = variant.pick([
    plain('petal red', [0.8, 0.16, 0.2], 0.8),
    plain('petal yellow', [0.95, 0.78, 0.2], 0.8),
    plain('petal pink', [0.93, 0.6, 0.7], 0.8),
    plain('petal white', [0.95, 0.94, 0.9], 0.8),
  ]);
  const glaze = variant.pick(CERAMICS);
  const stems: Shape[] = [];
  const heads: Shape[] = [];
  const leaves: Shape[] = [];
  const size = 0.22 * r;
  for (let at = 0; at < 9; at += 1) {
    const turn = at < 4 ? (at * Math.PI) / 2 : at * 2.4;
    const out = at < 4 ? r - size : (0.2 + 0.5 * variant.next()) * r;
    const y = at === 8 ? h - size : h - size - variant.between(0.04, 0.22) * h;
    const tip: Vector = [out * Math.sin(turn), y, out * Math.cos(turn)];
    stems.push(
      tube(
        [[0.02 * r * at, 0.5 * tall, 0], [0.25 * tip[0], tall + 0.02 * h, 0.25 * tip[2]], tip],
        [0.012 * r + 0.001],
        5,
      ),
    );
    heads.push(ellipsoid([tip[0] - size, tip[0] + size], [y - size, y + size], [tip[2] - size, tip[2] + size], 8));
    if (at % 2 === 0)
      leaves.push(leaf([0.1 * tip[0], tall, 0.1 * tip[2]], turn + 0.7, 0.6 * r, 0.2 * h, 0.03 * h, 0.25 * r));
  }
  return [
    part(
      'vase',
      glaze,
      lathe(
        [
          [0, 0],
          [0.6 * b, 0],
          [b, 0.35 * tall],
          [0.85 * b, 0.65 * tall],
          [0.42 * b, 0.88 * tall],
          [0.55 * b, tall],
          [0.45 * b, tall],
          [0.34 * b, 0.88 * tall],
          [0, 0.7 * tall],
        ],
        20,
      ),
    ),
    part('band', other(CERAMICS, variant, glaze), torus(0.96 * b, 0.05 * b, 0.45 * tall, 20, 6)),
    part('stems', LEAVES[0] as (typeof LEAVES)[number], ...stems.map(stretch)),
    part('flowers', petals, ...heads.map(stretch)),
    part('leaves', LEAVES[2] as (typeof LEAVES)[number], ...leaves.map(stretch)),
  ];
}

/** A stack of books, each turned a little. */
export function books([w, h, d]: Size, variant: Random): DraftPart[] {
  const count = Math.max(3, Math.min(7, Math.round(h / 0.04)));
  const each = h / count;
  const covers = variant.shuffle(COVERS);
  const pages: Shape[] = [];
  const bindings: Shape[] = [];
  const parts: DraftPart[] = [];
  for (let at = 0; at < count; at += 1) {
    const share = at === 0 ? 1 : variant.between(0.76, 0.94);
    const turn = at === 0 ? 0 : variant.between(-0.14, 0.14);
    const [x, z] = [(share * w) / 2, (share * d) / 2];
    const low = at * each;
    const lid = 0.14 * each;
    const place = (shape: Shape) => turned(shape, 'y', turn);
    pages.push(
      place(
        box([-x + 0.03 * w, x - 0.01 * w], [low + 0.5 * lid, low + each - 0.5 * lid], [-z + 0.02 * d, z - 0.02 * d], 0),
      ),
    );
    bindings.push(
      place(box([-x, x], [low + (at === 0 ? 0 : 0.0004), low + lid], [-z, z], 0)),
      place(box([-x, x], [low + each - lid, low + each - 0.0004], [-z, z], 0)),
      place(box([-x + 0.001, -x + 0.06 * w], [low + 0.6 * lid, low + each - 0.6 * lid], [-z + 0.001, z - 0.001], 0)),
    );
  }
  for (let colour = 0; colour < 3; colour += 1) {
    const own = bindings.filter((_, at) => Math.floor(at / 3) % 3 === colour);
    parts.push(part(`covers ${colour + 1}`, covers[colour] as (typeof COVERS)[number], ...own));
  }
  return [part('pages', PAPER, ...pages), ...parts];
}

/** A bowl of fruit. */
export function bowl([w, h, d]: Size, variant: Random): DraftPart[] {
  const r = w / 2;
  const rim = 0.68 * h;
  const stretch = (shape: Shape) => scaled(shape, 1, 1, d / w);
  const size = Math.min(0.26 * r, 0.24 * h);
  const at = (x: number, y: number, z: number, kind: Shape[]) =>
    kind.push(ellipsoid([x - size, x + size], [y - size, y + size], [z - size, z + size], 10));
  const fruit: [Shape[], Shape[]] = [[], []];
  for (let step = 0; step < 6; step += 1) {
    const turn = (step * Math.PI) / 3 + 0.2;
    at(0.46 * r * Math.sin(turn), 0.6 * h, 0.46 * r * Math.cos(turn), fruit[step % 2] as Shape[]);
  }
  at(0, h - size, 0, fruit[0]);
  at(0.05 * r, 0.5 * h, 0, fruit[1]);
  return [
    part(
      'bowl',
      variant.pick([...CERAMICS, ...WOODS]),
      stretch(
        lathe(
          [
            [0, 0.03 * h],
            [0.4 * r, 0.05 * h],
            [0.8 * r, 0.3 * h],
            [r, rim],
            [0.95 * r, rim],
            [0.72 * r, 0.34 * h],
            [0, 0.16 * h],
          ],
          24,
        ),
      ),
    ),
    part(
      'foot',
      variant.pick(CERAMICS),
      stretch(
        lathe(
          [
            [0, 0],
            [0.42 * r, 0],
            [0.36 * r, 0.08 * h],
            [0, 0.08 * h],
          ],
          20,
        ),
      ),
    ),
    part('apples', plain('apple', [0.74, 0.17, 0.14], 0.4), ...fruit[0].map(stretch)),
    part('oranges', plain('orange', [0.93, 0.55, 0.13], 0.6), ...fruit[1].map(stretch)),
  ];
}

/** A scatter cushion lying flat: two covers, piping, buttons. */
export function cushion([w, h, d]: Size, variant: Random): DraftPart[] {
  const cloth = variant.pick(FABRICS);
  const trim = other(FABRICS, variant, cloth);
  const pad = pillow([-w / 2 + 0.01, w / 2 - 0.01], [0, h - 0.004], [-d / 2 + 0.01, d / 2 - 0.01], 8);
  const corner = (x: number, z: number) => ellipsoid([x - 0.03, x + 0.03], [0.4 * h, 0.6 * h], [z - 0.03, z + 0.03], 6);
  const side = (from: Vector, middle: Vector, to: Vector) => tube([from, middle, to], [Math.min(0.012, 0.08 * h)], 6);
  const [x, z, y] = [w / 2 - 0.02, d / 2 - 0.02, h / 2];
  const pull = 0.93;
  return [
    part('cover', cloth, pad),
    part(
      'piping',
      trim,
      side([-x, y, -z], [-x * pull, y, 0], [-x, y, z]),
      side([x, y, -z], [x * pull, y, 0], [x, y, z]),
      side([-x, y, -z], [0, y, -z * pull], [x, y, -z]),
      side([-x, y, z], [0, y, z * pull], [x, y, z]),
    ),
    part(
      'corners',
      trim,
      ...[-1, 1].flatMap((sx) => [-1, 1].map((sz) => corner(sx * (w / 2 - 0.03), sz * (d / 2 - 0.03)))),
    ),
    part('button', trim, scaled(cylinder(0.05 * w, 0.04 * w, 0.8 * h, h, 12), 1, 1, d / w)),
  ];
}

/** An abstract sculpture on a plinth: a leaning ring and a ball. */
export function sculpture([w, h, d]: Size, variant: Random): DraftPart[] {
  const stone = variant.pick(CERAMICS);
  const bronze = variant.pick([plain('bronze', [0.45, 0.33, 0.2], 0.4), ...WOODS, ...CERAMICS]);
  const foot = 0.14 * h;
  const high = h - foot;
  const r = Math.min(0.4 * w, 0.42 * high);
  return [
    part('plinth', stone, box([-w / 2, w / 2], [0, 0.75 * foot], [-d / 2, d / 2], 0.008)),
    part('step', stone, box([-0.4 * w, 0.4 * w], [0.7 * foot, foot], [-0.4 * d, 0.4 * d], 0.006)),
    part(
      'ring',
      bronze,
      moved(
        scaled(
          turned(torus(0.78 * r, 0.22 * r, 0, 24, 8), 'x', Math.PI / 2),
          1,
          (0.52 * high) / r,
          Math.min(1, (0.3 * d) / (0.22 * r)),
        ),
        0,
        foot + 0.5 * high - 0.02 * h,
        0,
      ),
    ),
    part(
      'ball',
      stone,
      ellipsoid(
        [-0.3 * r, 0.3 * r],
        [foot + 0.3 * high, foot + 0.3 * high + 0.6 * r],
        [-0.28 * Math.min(d, 2 * r), 0.28 * Math.min(d, 2 * r)],
        12,
      ),
    ),
    part('pin', bronze, cylinder(0.06 * w, 0.04 * w, 0.9 * foot, foot + 0.12 * high, 10)),
  ];
}

/** A waste bin: tapered drum, rim, liner, paper balls. */
export function trashCan([w, h, d]: Size, variant: Random): DraftPart[] {
  const r = w / 2;
  const round = (shape: Shape) => scaled(shape, 1, 1, d / w);
  const drum = variant.pick([
    plain('bin steel', [0.6, 0.62, 0.64], 0.4),
    plain('bin black', [0.13, 0.13, 0.14], 0.6),
    ...CERAMICS.slice(0, 3),
    ...WOODS.slice(0, 2),
  ]);
  const ball = (x: number, y: number, z: number) =>
    ellipsoid([x - 0.24 * r, x + 0.24 * r], [y - 0.1 * h, y + 0.08 * h], [z - 0.24 * r, z + 0.24 * r], 6);
  return [
    part(
      'drum',
      drum,
      round(
        lathe(
          [
            [0, 0],
            [0.74 * r, 0],
            [0.95 * r, 0.97 * h],
            [0.88 * r, 0.97 * h],
            [0.76 * r, 0.3 * h],
            [0, 0.3 * h],
          ],
          24,
        ),
      ),
    ),
    part('rim', drum, round(torus(0.94 * r, 0.06 * r, h - 0.06 * r, 24, 6))),
    part(
      'liner',
      plain('liner', [0.2, 0.22, 0.25], 0.6),
      round(
        lathe(
          [
            [0, 0.35 * h],
            [0.76 * r, 0.35 * h],
            [0.86 * r, 0.8 * h],
            [0, 0.72 * h],
          ],
          20,
        ),
      ),
    ),
    part(
      'paper',
      PAPER,
      ...[ball(0.2 * r, 0.8 * h, 0.1 * r), ball(-0.3 * r, 0.78 * h, -0.2 * r), ball(0, 0.79 * h, -0.4 * r)].map(round),
    ),
  ];
}

/** A woven basket with handles and a folded cloth inside. */
export function basket([w, h, d]: Size, variant: Random): DraftPart[] {
  const r = w / 2;
  const round = (shape: Shape) => scaled(shape, 1, 1, d / w);
  const wicker = variant.pick([plain('wicker', [0.7, 0.53, 0.33], 0.9), plain('wicker dark', [0.42, 0.28, 0.18], 0.9)]);
  const rope = 0.045 * r + 0.004;
  const hoops = Array.from({ length: 5 }, (_, at) => {
    const share = (at + 0.5) / 5.5;
    return torus((0.74 + 0.2 * share) * r, rope, 0.08 * h + share * 0.8 * h, 24, 6);
  });
  return [
    part(
      'wall',
      wicker,
      round(
        lathe(
          [
            [0, 0],
            [0.74 * r, 0],
            [0.94 * r, 0.9 * h],
            [0.88 * r, 0.9 * h],
            [0.7 * r, 0.2 * h],
            [0, 0.2 * h],
          ],
          24,
        ),
      ),
    ),
    part('hoops', wicker, ...hoops.map(round)),
    part(
      'handles',
      plain('rope', [0.87, 0.8, 0.66], 0.9),
      ...[-1, 1].map((side) =>
        tube(
          [
            [side * 0.93 * r, 0.84 * h, -0.22 * r],
            [side * 0.96 * r, h - 0.015, -0.14 * r],
            [side * 0.96 * r, h - 0.015, 0.14 * r],
            [side * 0.93 * r, 0.84 * h, 0.22 * r],
          ],
          [Math.min(0.02, 0.04 * r)],
          6,
        ),
      ),
    ),
    part(
      'cloth',
      variant.pick(FABRICS),
      round(ellipsoid([-0.8 * r, 0.8 * r], [0.5 * h, 0.86 * h], [-0.8 * r, 0.8 * r], 14)),
    ),
  ];
}
