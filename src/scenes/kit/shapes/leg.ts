import type { Span } from './box.ts';
import { box } from './box.ts';
import { cylinder } from './lathe.ts';
import { moved, type Shape } from './shape.ts';
import { tube } from './tube.ts';

/** How the legs of a piece look. */
export type LegStyle = 'square' | 'round' | 'splayed' | 'block';

/**
 * Four legs under the rectangle x, z, from the floor up to `top` (sink `top` into what they carry). `thickness` is the
 * width at the top; `round` and `splayed` legs taper to half of it at the floor, splayed ones lean outwards but stay
 * inside the rectangle.
 */
export function fourLegs(style: LegStyle, x: Span, z: Span, top: number, thickness: number): Shape[] {
  const legs: Shape[] = [];
  for (const sideX of [-1, 1])
    for (const sideZ of [-1, 1]) {
      const middleX = (x[0] + x[1]) / 2;
      const middleZ = (z[0] + z[1]) / 2;
      const cornerX = middleX + sideX * ((x[1] - x[0]) / 2 - thickness / 2);
      const cornerZ = middleZ + sideZ * ((z[1] - z[0]) / 2 - thickness / 2);
      legs.push(oneLeg(style, cornerX, cornerZ, sideX, sideZ, top, thickness));
    }
  return legs;
}

function oneLeg(
  style: LegStyle,
  x: number,
  z: number,
  sideX: number,
  sideZ: number,
  top: number,
  thickness: number,
): Shape {
  const half = thickness / 2;
  if (style === 'round') return moved(cylinder(half * 0.5, half, 0, top, 10), x, 0, z);
  if (style === 'splayed') {
    const lean = Math.min(0.18 * top, thickness * 1.5);
    return tube(
      [
        [x, 0, z],
        [x - sideX * lean, top, z - sideZ * lean],
      ],
      [half * 0.5, half],
      10,
    );
  }
  return taperedLeg(x, z, top, style === 'block' ? thickness : thickness * 0.62, thickness);
}

/** A square leg, `foot` wide at the floor and `head` wide at `top`. */
function taperedLeg(x: number, z: number, top: number, foot: number, head: number): Shape {
  const leg = box([-head / 2, head / 2], [0, top], [-head / 2, head / 2], 0.005);
  const positions = [...leg.positions];
  for (let at = 0; at < positions.length; at += 3) {
    const share = (positions[at + 1] as number) / top;
    const width = (foot + (head - foot) * share) / head;
    positions[at] = (positions[at] as number) * width;
    positions[at + 2] = (positions[at + 2] as number) * width;
  }
  return moved({ ...leg, positions }, x, 0, z);
}
