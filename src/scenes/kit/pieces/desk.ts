import type { Random } from '../../../core/random.ts';
import { FABRICS, IRON, METALS, MIRROR, other, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { cylinder } from '../shapes/lathe.ts';
import { moved, type Shape, scaled, turned } from '../shapes/shape.ts';
import { drawers } from './chest.ts';

/** A writing desk: pedestal of drawers at +X, a pair of legs at -X, a leather pad where one writes (the front, +Z). */
export function desk([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const faces = variant.next() < 0.4 ? other(WOODS, variant, wood) : wood;
  const thick = Math.min(0.035, 0.06 * h);
  const below = h - thick - 0.004;
  const wide = Math.min(0.42, 0.36 * w);
  const inner = w / 2 - 0.03;
  const front = d / 2 - 0.05;
  const pads = variant.pick(FABRICS);
  const { fronts, handles } = drawers(
    [inner - wide + 0.012, inner - 0.012],
    [0.05, below - 0.01],
    front,
    1,
    Math.max(2, Math.round(h / 0.24)),
    'bar',
  );
  const leg = Math.min(0.055, 0.06 * w);
  const legs: Shape[] = [-d / 2 + 0.04, front - leg].map((z) =>
    box([-inner, -inner + leg], [0, below + 0.01], [z, z + leg], 0.006),
  );
  return [
    part('top', wood, box([-w / 2, w / 2], [h - thick - 0.003, h - 0.003], [-d / 2, d / 2], 0.008)),
    part(
      'pad',
      pads,
      box([-0.5 * w + 0.12 * w, -0.5 * w + 0.62 * w], [h - 0.01, h], [d / 2 - 0.62 * d, d / 2 - 0.06 * d], 0.003),
    ),
    part('pedestal', wood, box([inner - wide, inner], [0, below + 0.01], [-d / 2 + 0.03, front - 0.014], 0.006)),
    part('drawers', faces, ...fronts),
    part('handles', variant.pick(METALS), ...handles),
    part('legs', variant.next() < 0.3 ? IRON : wood, ...legs),
    part(
      'modesty panel',
      wood,
      box([-inner + 0.01, inner - wide + 0.01], [0.42 * h, below + 0.008], [-d / 2 + 0.05, -d / 2 + 0.068], 0.003),
    ),
  ];
}

/** A low table with drawers under the top and a mirror standing at the back. */
export function dressingTable([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const brass = variant.pick(METALS);
  const top = Math.min(0.75, 0.56 * h);
  const inner = w / 2 - 0.02;
  const box1 = Math.min(0.14, 0.25 * top);
  const { fronts, handles } = drawers(
    [-inner + 0.01, inner - 0.01],
    [top - box1, top - 0.03],
    d / 2 - 0.024,
    2,
    1,
    'knob',
  );
  const radius = Math.min(0.4 * w, (h - top - 0.06) / 2);
  const disc = (r: number, thickness: number) =>
    scaled(turned(cylinder(r, r, 0, thickness, 24), 'x', Math.PI / 2), Math.min(1, (0.36 * w) / r), 1, 1);
  const middle = h - radius;
  const legs: Shape[] = [];
  for (const x of [-inner + 0.005, inner - 0.045])
    for (const z of [-d / 2 + 0.02, d / 2 - 0.075])
      legs.push(box([x, x + 0.04], [0, top - box1 + 0.02], [z, z + 0.04], 0.006));
  return [
    part('top', wood, box([-w / 2, w / 2], [top - 0.03, top], [-d / 2, d / 2], 0.01)),
    part('carcass', wood, box([-inner, inner], [top - box1 - 0.01, top - 0.02], [-d / 2 + 0.01, d / 2 - 0.036], 0.005)),
    part('drawers', wood, ...fronts),
    part('handles', brass, ...handles),
    part('legs', wood, ...legs),
    part('mirror frame', brass, moved(disc(radius, 0.03), 0, middle, -d / 2 + 0.02)),
    part('mirror', MIRROR, moved(disc(0.9 * radius, 0.03), 0, middle, -d / 2 + 0.026)),
    part(
      'posts',
      wood,
      box([-0.03, 0.03], [top - 0.01, middle - 0.8 * radius], [-d / 2 + 0.012, -d / 2 + 0.04], 0.006),
    ),
  ];
}
