import type { Random } from '../../../core/random.ts';
import { FABRICS, LINENS, other, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { cushion } from '../shapes/cushion.ts';
import { fourLegs } from '../shapes/leg.ts';
import { type Shape, turned } from '../shapes/shape.ts';
import { softBox } from '../shapes/soft-box.ts';

/** A bed for two: headboard at -Z, two pillows, a turned-down blanket. */
export function doubleBed(size: Size, variant: Random): DraftPart[] {
  return bed(size, variant, 2);
}

/** A bed for one: one pillow. */
export function singleBed(size: Size, variant: Random): DraftPart[] {
  return bed(size, variant, 1);
}

function bed([w, h, d]: Size, variant: Random, pillows: number): DraftPart[] {
  const wood = variant.pick(WOODS);
  const cover = variant.pick(FABRICS);
  const second = other(FABRICS, variant, cover);
  const linen = variant.pick(LINENS);
  const sheet = other(LINENS, variant, linen);
  const upholstered = variant.next() < 0.4;
  const thick = Math.min(0.08, 0.05 * d);
  const top = Math.min(0.52, 0.62 * h);
  const rail = 0.55 * top;
  const back = -d / 2;
  const inner = w / 2 - 0.05;
  const from = back + thick * 0.77;
  const front = d / 2 - 0.04;
  const fold = back + 0.36 * d;
  return [
    part(
      'frame',
      wood,
      box([-w / 2 + 0.004, w / 2 - 0.004], [0.35 * rail, rail], [back + 0.01, d / 2], 0.015),
      ...fourLegs('square', [-w / 2 + 0.03, w / 2 - 0.03], [back + 0.03, d / 2 - 0.03], 0.4 * rail, 0.08),
    ),
    part('headboard', upholstered ? second : wood, ...headboard(w, h, back, thick, upholstered, variant)),
    part('mattress', sheet, softBox([-inner, inner], [rail - 0.02, top], [from, front], 0.06)),
    part('pillows', linen, ...pillowRow(pillows, inner, top, from, d, h)),
    part(
      'blanket',
      cover,
      softBox([-inner - 0.03, inner + 0.03], [rail - 0.06, top + 0.025], [fold, front + 0.025], 0.05),
    ),
    part(
      'fold',
      linen,
      softBox([-inner - 0.036, inner + 0.036], [rail + 0.03, top + 0.04], [fold - 0.02, fold + 0.085 * d], 0.03, 1),
    ),
    part(
      'throw',
      second,
      softBox(
        [-inner - 0.036, inner + 0.036],
        [rail - 0.03, top + 0.036],
        [d / 2 - 0.3 * d, d / 2 - 0.12 * d],
        0.03,
        1,
      ),
    ),
  ];
}

function pillowRow(count: number, inner: number, top: number, from: number, d: number, h: number): Shape[] {
  const deep = Math.min(0.45, 0.22 * d);
  const high = Math.min(0.17, 0.9 * (h - top));
  const wide = (2 * inner) / count;
  return Array.from({ length: count }, (_, at) => {
    const left = -inner + at * wide;
    return cushion([left + 0.05 * wide, left + 0.95 * wide], [top - 0.01, top + high], [from + 0.02, from + deep]);
  });
}

function headboard(w: number, h: number, back: number, thick: number, soft: boolean, variant: Random): Shape[] {
  const across = [-w / 2, w / 2] as const;
  if (soft) {
    const panels = 3;
    const wide = w / panels;
    return [
      box([-w / 2 + 0.02, w / 2 - 0.02], [0, h - 0.03], [back + 0.02, back + 0.4 * thick], 0.01),
      ...Array.from({ length: panels }, (_, at) =>
        softBox(
          [-w / 2 + at * wide + 0.002, -w / 2 + (at + 1) * wide - 0.002],
          [0.25 * h, h],
          [back, back + thick],
          0.03,
        ),
      ),
    ];
  }
  if (variant.next() < 0.5) return [box(across, [0, h], [back, back + thick], 0.02)];
  const slats = Math.max(4, Math.round(w / 0.16));
  const post = 0.035;
  return [
    box([-w / 2, -w / 2 + 2 * post], [0, h - 0.02], [back, back + thick], 0.012),
    box([w / 2 - 2 * post, w / 2], [0, h - 0.02], [back, back + thick], 0.012),
    box([-w / 2 + 0.005, w / 2 - 0.005], [h - 0.1, h], [back + 0.003, back + thick - 0.003], 0.02),
    ...Array.from({ length: slats }, (_, at) => {
      const x = -w / 2 + (w * (at + 1)) / (slats + 1);
      return box([x - 0.02, x + 0.02], [0.3 * h, h - 0.08], [back + 0.2 * thick, back + 0.7 * thick], 0.005);
    }),
  ];
}

/** Two bunks, one above the other, with a ladder at the front of +X. */
export function bunkBed([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const cover = variant.pick(FABRICS);
  const linen = variant.pick(LINENS);
  const second = other(FABRICS, variant, cover);
  const post = 0.07;
  const decks = [0.18 * h, 0.62 * h];
  const inner = w / 2 - post / 2;
  const frame: Shape[] = [];
  for (const x of [-w / 2, w / 2 - post])
    for (const z of [-d / 2, d / 2 - post]) frame.push(box([x, x + post], [0, h], [z, z + post], 0.01));
  for (const deck of decks) {
    frame.push(box([-inner, inner], [deck, deck + 0.09], [-d / 2 + 0.02, d / 2 - 0.02], 0.008));
    for (const x of [-w / 2 + 0.015, w / 2 - 0.055])
      frame.push(box([x, x + 0.04], [deck + 0.2, deck + 0.3], [-d / 2 + 0.03, d / 2 - 0.03], 0.01));
  }
  const ladder: Shape[] = [];
  const [near, far] = [d / 2 - 0.5, d / 2 - 0.12];
  for (const z of [near, far]) ladder.push(box([w / 2 - 0.03, w / 2 + 0.02], [0.004, 0.95 * h], [z, z + 0.04], 0.006));
  for (let rung = 1; rung <= 5; rung += 1)
    ladder.push(
      box([w / 2 - 0.024, w / 2 + 0.012], [(rung * h) / 7, (rung * h) / 7 + 0.03], [near + 0.01, far + 0.03], 0.006),
    );
  const bedding = (name: string, deck: number, colour: typeof cover) => [
    part(
      `${name} mattress`,
      linen,
      softBox([-inner + 0.04, inner - 0.04], [deck + 0.08, deck + 0.2], [-d / 2 + 0.06, d / 2 - 0.08], 0.04, 1),
    ),
    part(
      `${name} blanket`,
      colour,
      softBox([-inner + 0.035, inner - 0.035], [deck + 0.1, deck + 0.22], [-d / 2 + 0.34 * d, d / 2 - 0.074], 0.04, 1),
    ),
    part(
      `${name} pillow`,
      second,
      cushion([-inner + 0.1, inner - 0.1], [deck + 0.19, deck + 0.31], [-d / 2 + 0.09, -d / 2 + 0.09 + 0.2 * d]),
    ),
  ];
  return [
    part('frame', wood, ...frame),
    part('ladder', wood, ...ladder),
    ...bedding('lower', decks[0] as number, cover),
    ...bedding('upper', decks[1] as number, cover),
  ];
}

/** A cot with bars on all sides. */
export function crib([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const cover = variant.pick(FABRICS);
  const linen = variant.pick(LINENS);
  const post = 0.05;
  const deck = 0.32 * h;
  const bars: Shape[] = [];
  const rails: Shape[] = [];
  for (const x of [-w / 2, w / 2 - post])
    for (const z of [-d / 2, d / 2 - post]) rails.push(box([x, x + post], [0, h], [z, z + post], 0.01));
  const side = (from: number, to: number, at: number, along: 'x' | 'z') => {
    const count = Math.max(4, Math.round((to - from) / 0.11));
    // the side rails lie a hair lower than the end rails they meet
    const lift = along === 'x' ? 0 : -0.004;
    const place = (shape: Shape) => (along === 'x' ? shape : turned(shape, 'y', -Math.PI / 2));
    for (const [low, high] of [
      [h - 0.07, h - 0.02],
      [deck - 0.05, deck],
    ] as const)
      rails.push(place(box([from, to], [low + lift, high + lift], [at - 0.015, at + 0.015], 0.006)));
    for (let bar = 1; bar < count; bar += 1) {
      const x = from + ((to - from) * bar) / count;
      bars.push(place(box([x - 0.011, x + 0.011], [deck - 0.02, h - 0.04], [at - 0.008, at + 0.008], 0)));
    }
  };
  for (const z of [-d / 2 + post / 2, d / 2 - post / 2]) side(-w / 2 + 0.02, w / 2 - 0.02, z, 'x');
  for (const x of [-w / 2 + post / 2, w / 2 - post / 2]) side(-d / 2 + 0.02, d / 2 - 0.02, x, 'z');
  const [innerX, innerZ] = [w / 2 - post, d / 2 - post];
  return [
    part('rails', wood, ...rails),
    part('bars', wood, ...bars),
    part('mattress', linen, softBox([-innerX, innerX], [deck - 0.03, deck + 0.1], [-innerZ, innerZ], 0.04, 1)),
    part(
      'blanket',
      cover,
      softBox(
        [-innerX - 0.004, innerX + 0.004],
        [deck, deck + 0.12],
        [-innerZ + 0.7 * innerZ, innerZ + 0.004],
        0.04,
        1,
      ),
    ),
    part(
      'pillow',
      linen,
      cushion([-innerX + 0.05, innerX - 0.05], [deck + 0.09, deck + 0.18], [-innerZ + 0.04, -innerZ + 0.5 * innerZ]),
    ),
  ];
}
