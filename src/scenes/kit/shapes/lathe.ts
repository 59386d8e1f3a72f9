import { normalised, type Shape } from './shape.ts';

/** Profile corners sharper than this stay sharp, radians. */
const CREASE = 0.6;

/**
 * A profile of [radius, y] points turned about the y axis. Runs from the axis (radius 0) at the bottom outwards, up and
 * back to the axis, so that the solid is closed; going down again inside makes a hollow vessel. A profile whose last
 * point equals its first is a ring (torus, shade). `segments` round.
 */
export function lathe(profile: readonly (readonly [number, number])[], segments = 16): Shape {
  const positions: number[] = [];
  const normals: number[] = [];
  const indices: number[] = [];
  const pieces = profile.slice(1).map((point, at) => {
    const [r0, y0] = profile[at] as readonly [number, number];
    const [r1, y1] = point;
    const length = Math.hypot(r1 - r0, y1 - y0);
    return { r0, y0, r1, y1, normal: length > 0 ? [(y1 - y0) / length, (r0 - r1) / length] : [0, 0], length };
  });
  const first = profile[0] as readonly [number, number];
  const last = profile.at(-1) as readonly [number, number];
  const ring = first[0] > 0 && first[0] === last[0] && first[1] === last[1];
  pieces.forEach((piece, at) => {
    if (piece.length === 0) return;
    const before = pieces[at - 1] ?? (ring ? pieces.at(-1) : undefined);
    const after = pieces[at + 1] ?? (ring ? pieces[0] : undefined);
    const low = blended(piece.normal, before?.normal);
    const high = blended(piece.normal, after?.normal);
    const base = positions.length / 3;
    for (let step = 0; step <= segments; step += 1) {
      // the seam repeats the first angle exactly, so that the solid is watertight
      const turn = (2 * Math.PI * (step % segments)) / segments;
      const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
      positions.push(piece.r0 * sin, piece.y0, piece.r0 * cos, piece.r1 * sin, piece.y1, piece.r1 * cos);
      for (const [across, up] of [low, high] as [number, number][]) normals.push(across * sin, up, across * cos);
    }
    for (let step = 0; step < segments; step += 1) {
      const p = base + step * 2;
      if (piece.r0 > 0) indices.push(p, p + 2, p + 1);
      if (piece.r1 > 0) indices.push(p + 2, p + 3, p + 1);
    }
  });
  return { positions, normals: normalised(normals), indices };
}

function blended(own: number[], other: number[] | undefined): number[] {
  if (other === undefined) return own;
  const [a, b] = own as [number, number];
  const [c, d] = other as [number, number];
  const cos = a * c + b * d;
  return cos > Math.cos(CREASE) ? [a + c, b + d] : own;
}

/** An upright cylinder or frustum at the origin with slightly rounded rims. */
export function cylinder(bottom: number, top: number, low: number, high: number, segments = 16): Shape {
  const rim = Math.min(0.006, 0.2 * bottom, 0.2 * top, 0.2 * (high - low));
  return lathe(
    [
      [0, low],
      [bottom - rim, low],
      [bottom, low + rim],
      [top, high - rim],
      [top - rim, high],
      [0, high],
    ],
    segments,
  );
}

/** A horizontal ring (torus) of tube radius `tube` about the y axis at height `y`. */
export function torus(radius: number, tube: number, y: number, segments = 20, sides = 8): Shape {
  const profile: [number, number][] = [];
  for (let step = 0; step <= sides; step += 1) {
    const turn = (2 * Math.PI * (step % sides)) / sides;
    profile.push([radius - tube * Math.cos(turn), y - tube * Math.sin(turn)]);
  }
  return lathe(profile, segments);
}
