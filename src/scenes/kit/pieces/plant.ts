import type { Random } from '../../../core/random.ts';
import { CERAMICS, LEAVES, other, SOIL, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { lathe } from '../shapes/lathe.ts';
import { leaf } from '../shapes/leaf.ts';
import { type Shape, scaled, type Vector } from '../shapes/shape.ts';
import { tube } from '../shapes/tube.ts';

/** A potted plant: pot, soil, stem and many leaves (broad-leaved, palm or upright blades). */
export function plant([w, h, d]: Size, variant: Random): DraftPart[] {
  const r = Math.min(w, d) / 2;
  const potHigh = Math.min(0.32 * h, 1.1 * r);
  const potWide = Math.min(0.55 * r, 0.8 * potHigh);
  const style = variant.pick(['broad', 'palm', 'blades'] as const);
  const green = variant.pick(LEAVES);
  const second = other(LEAVES, variant, green);
  const stretch = (shape: Shape) => scaled(shape, w / (2 * r), 1, d / (2 * r));
  const { stems, leaves } = { broad, palm, blades }[style](r, h, potHigh, potWide, variant);
  return [
    part(
      'pot',
      variant.pick(CERAMICS),
      lathe(
        [
          [0, 0],
          [0.7 * potWide, 0],
          [0.95 * potWide, 0.88 * potHigh],
          [1.05 * potWide, 0.88 * potHigh],
          [1.05 * potWide, potHigh],
          [0.88 * potWide, potHigh],
          [0.8 * potWide, 0.6 * potHigh],
          [0, 0.6 * potHigh],
        ],
        20,
      ),
    ),
    part(
      'soil',
      SOIL,
      lathe(
        [
          [0, 0.55 * potHigh],
          [0.84 * potWide, 0.55 * potHigh],
          [0.89 * potWide, 0.86 * potHigh],
          [0, 0.9 * potHigh],
        ],
        16,
      ),
    ),
    part('stems', style === 'blades' ? second : (WOODS[5] as (typeof WOODS)[number]), ...stems),
    part('leaves', green, ...leaves.filter((_, at) => at % 3 !== 2).map(stretch)),
    part('young leaves', second, ...leaves.filter((_, at) => at % 3 === 2).map(stretch)),
  ];
}

interface Foliage {
  stems: Shape[];
  leaves: Shape[];
}

/** Golden angle: successive leaves never stand above each other. */
const SPIRAL = Math.PI * (3 - Math.sqrt(5));

function broad(r: number, h: number, pot: number, _wide: number, variant: Random): Foliage {
  const leaves: Shape[] = [];
  const count = 34;
  const crown = h - pot;
  for (let at = 0; at < count; at += 1) {
    const share = at / (count - 1);
    const turn = at < 4 ? (at * Math.PI) / 2 : at * SPIRAL + variant.between(-0.2, 0.2);
    const y = pot + crown * (at < 4 ? 0.45 : 0.18 + 0.7 * share);
    const reach = at < 4 ? r : r * (0.95 - 0.5 * share) * variant.between(0.75, 1);
    const rise = at === count - 1 ? h - y : crown * (0.04 + 0.16 * share) * variant.between(0.4, 1);
    leaves.push(leaf([0, y, 0], turn, reach, rise, at === count - 1 ? 0 : 0.05 * crown, 0.55 * r));
  }
  const stem: Vector[] = [
    [0, 0.5 * pot, 0],
    [0.03 * r, pot + 0.4 * crown, 0.02 * r],
    [0, pot + 0.88 * crown, 0],
  ];
  return { stems: [tube(stem, [0.05 * r + 0.006, 0.03 * r + 0.004], 7)], leaves };
}

function palm(r: number, h: number, pot: number, _wide: number, variant: Random): Foliage {
  const leaves: Shape[] = [];
  const stems: Shape[] = [];
  const fronds = 9;
  for (let at = 0; at < fronds; at += 1) {
    const turn = at < 4 ? (at * Math.PI) / 2 : at * SPIRAL;
    const reach = at < 4 ? r : r * variant.between(0.5, 0.85);
    const top = at === 4 ? h : pot + (h - pot) * variant.between(0.55, 0.92);
    const path: Vector[] = [0, 0.25, 0.5, 0.75, 1].map((t) => [
      reach * 0.86 * t ** 1.7 * Math.sin(turn),
      0.6 * pot + (top - 0.6 * pot) * Math.sin((t * Math.PI) / (2 - 0.9 * Math.min(0.4, reach / h))),
      reach * 0.86 * t ** 1.7 * Math.cos(turn),
    ]);
    const peak = Math.max(...path.map((point) => point[1]));
    const scaledPath = path.map(([x, y, z]) => [x, Math.min(y * (top / peak), top), z] as Vector);
    stems.push(
      tube(
        scaledPath,
        [0.05, 0.042, 0.034, 0.026, 0.018].map((share) => share * Math.min(r, 0.3) * (1 - 0.015 * at)),
        5,
      ),
    );
    for (let pair = 1; pair <= 4; pair += 1)
      for (const side of [-1, 1]) {
        const from = scaledPath[pair] as Vector;
        leaves.push(
          leaf(
            from,
            turn + side * (1.15 - 0.2 * pair),
            0.42 * r * (1.1 - 0.12 * pair),
            -0.06 * h,
            0.02 * h,
            0.1 * r,
            3,
          ),
        );
      }
  }
  return { stems, leaves };
}

function blades(r: number, h: number, pot: number, wide: number, variant: Random): Foliage {
  const leaves: Shape[] = [];
  const stems: Shape[] = [];
  const count = 22;
  for (let at = 0; at < count; at += 1) {
    const turn = at < 4 ? (at * Math.PI) / 2 : at * SPIRAL;
    const out = 0.55 * wide * Math.sqrt(at / count);
    const base: Vector = [out * Math.sin(turn), 0.7 * pot, out * Math.cos(turn)];
    const rise = at === 5 ? h - 0.7 * pot : (h - 0.7 * pot) * variant.between(0.55, 0.95);
    const reach = at < 4 ? r - out : (0.35 + 0.3 * variant.next()) * r;
    leaves.push(leaf(base, turn, reach, rise, 0, Math.max(0.3 * wide, 0.12 * r), 5));
  }
  for (let at = 0; at < 3; at += 1)
    stems.push(
      tube(
        [
          [0.063 * r * at, 0.6 * pot, 0.04 * r],
          [0.085 * r * at + 0.03 * r, pot + 0.25 * (h - pot), 0.08 * r],
        ],
        [0.04 * r, 0.02 * r],
        6,
      ),
    );
  return { stems, leaves };
}
