import type { Random } from '../../../core/random.ts';
import { CERAMICS, COVERS, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box, type Span } from '../shapes/box.ts';
import { cylinder } from '../shapes/lathe.ts';
import { moved, type Shape, turned } from '../shapes/shape.ts';

/** Upright books of varied height along x, standing on `floor`; one list of shapes a cover colour. */
function bookRow(
  x: Span,
  floor: number,
  tall: number,
  z: Span,
  variant: Random,
  covers: Shape[][],
  thickest = 0.055,
): void {
  let at = x[0];
  while (true) {
    const thick = thickest * variant.between(0.45, 1);
    if (at + thick > x[1]) return;
    const height = tall * variant.between(0.68, 0.95);
    const front = z[1] - variant.between(0, 0.3) * (z[1] - z[0]);
    (covers[variant.integer(covers.length)] as Shape[]).push(
      box([at + 0.0012, at + thick - 0.0012], [floor - 0.002, floor + height], [z[0], front], 0),
    );
    at += thick;
  }
}

/** A tall open case full of books. */
export function bookshelf([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const board = Math.min(0.025, 0.05 * w);
  const rows = Math.max(2, Math.round(h / 0.36));
  const plinth = 0.06;
  const pitch = (h - plinth - board) / rows;
  const covers: Shape[][] = COVERS.map(() => []);
  const inner = w / 2 - board;
  // large cases hold thicker books, so that the piece stays small to draw
  const thickest = Math.max(0.055, (w * rows) / 75);
  const boards: Shape[] = [];
  for (let row = 0; row < rows; row += 1) {
    const y = plinth + row * pitch;
    boards.push(box([-inner - 0.005, inner + 0.005], [y, y + board], [-d / 2 + 0.006, d / 2 - 0.008], 0.003));
    const full = variant.between(0.55, 1);
    const left = variant.next() < 0.5;
    const span: Span = left ? [-inner + 0.004, -inner + full * 2 * inner] : [inner - full * 2 * inner, inner - 0.004];
    bookRow(span, y + board, pitch - board, [-d / 2 + 0.03, d / 2 - 0.03], variant, covers, thickest);
  }
  return [
    part(
      'sides',
      wood,
      box([-w / 2, -inner], [0, h - 0.002], [-d / 2 + 0.002, d / 2], 0.005),
      box([inner, w / 2], [0, h - 0.002], [-d / 2 + 0.002, d / 2], 0.005),
    ),
    part(
      'boards',
      wood,
      ...boards,
      box([-w / 2 + 0.004, w / 2 - 0.004], [h - board, h], [-d / 2, d / 2 - 0.004], 0.005),
    ),
    part(
      'back',
      wood,
      box([-inner - 0.006, inner + 0.006], [plinth - 0.02, h - 0.006], [-d / 2 + 0.001, -d / 2 + 0.012], 0),
    ),
    part(
      'plinth',
      wood,
      box([-inner - 0.004, inner + 0.004], [0.004, plinth + 0.004], [-d / 2 + 0.01, d / 2 - 0.03], 0.003),
    ),
    ...covers.flatMap((shapes, at) =>
      shapes.length === 0 ? [] : [part(`books ${at + 1}`, COVERS[at] as (typeof COVERS)[number], ...shapes)],
    ),
  ];
}

/** An open stand of shelves on posts, with a few books, boxes and pots. */
export function shelf([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const post = Math.min(0.035, 0.1 * w, 0.15 * d);
  const rows = Math.max(2, Math.round(h / 0.4));
  const pitch = (h - 0.06 - post) / rows;
  const covers: Shape[][] = COVERS.slice(0, 3).map(() => []);
  const pots: Shape[] = [];
  const boards: Shape[] = [];
  const inner = w / 2 - post;
  for (let row = 0; row <= rows; row += 1) {
    const y = 0.06 + row * pitch;
    boards.push(
      box([-w / 2 + 0.004, w / 2 - 0.004], [y, row === rows ? h : y + 0.022], [-d / 2 + 0.004, d / 2 - 0.004], 0.005),
    );
    if (row === rows) break;
    const cut = variant.between(-0.3, 0.3) * w;
    bookRow(
      [-inner + 0.01, cut],
      y + 0.022,
      0.85 * (pitch - 0.03),
      [-d / 2 + 0.05, d / 2 - 0.04],
      variant,
      covers,
      Math.max(0.055, (w * rows) / 60),
    );
    const r = Math.min(0.3 * d, 0.35 * (inner - cut), 0.4 * pitch);
    pots.push(moved(cylinder(0.75 * r, r, y + 0.018, y + 0.022 + 1.5 * r, 14), (cut + inner) / 2, 0, 0));
  }
  const posts: Shape[] = [];
  for (const x of [-w / 2, w / 2 - post])
    for (const z of [-d / 2, d / 2 - post]) posts.push(box([x, x + post], [0, h - 0.004], [z, z + post], 0.005));
  return [
    part('posts', wood, ...posts),
    part('boards', wood, ...boards),
    part('pots', variant.pick(CERAMICS), ...pots),
    part(
      'cross braces',
      wood,
      ...[-1, 1].map((side) =>
        moved(
          turned(
            box([-0.01, 0.01], [-0.42 * h, 0.42 * h], [-0.006, 0.006], 0.003),
            'z',
            side * Math.atan2(w - 2 * post, 0.9 * h),
          ),
          0,
          0.5 * h,
          -d / 2 + 0.012 + side * 0.004,
        ),
      ),
    ),
    ...covers.flatMap((shapes, at) =>
      shapes.length === 0 ? [] : [part(`books ${at + 1}`, COVERS[at] as (typeof COVERS)[number], ...shapes)],
    ),
  ];
}

/** A board on brackets for a wall, with books and a pot. */
export function wallShelf([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const covers: Shape[][] = COVERS.slice(0, 3).map(() => []);
  const y = Math.min(0.12, 0.4 * h);
  const tall = h - y;
  bookRow([-0.46 * w, 0.1 * w], y, tall, [-d / 2 + 0.02, d / 2 - 0.03], variant, covers);
  const r = Math.min(0.3 * d, 0.1 * w, 0.4 * tall);
  const bracket = (x: number) => [
    box([x - 0.01, x + 0.01], [0, y - 0.01], [-d / 2, -d / 2 + 0.02], 0.003),
    box([x - 0.009, x + 0.009], [y - 0.035, y - 0.015], [-d / 2 + 0.004, 0.4 * d], 0.003),
  ];
  return [
    part('board', wood, box([-w / 2, w / 2], [y - 0.022, y], [-d / 2 + 0.002, d / 2], 0.005)),
    part('brackets', wood, ...bracket(-0.35 * w), ...bracket(0.35 * w)),
    part('pot', variant.pick(CERAMICS), moved(cylinder(0.75 * r, r, y - 0.004, h, 16), 0.32 * w, 0, 0)),
    ...covers.flatMap((shapes, at) =>
      shapes.length === 0 ? [] : [part(`books ${at + 1}`, COVERS[at] as (typeof COVERS)[number], ...shapes)],
    ),
  ];
}
