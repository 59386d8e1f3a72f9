import type { Random } from '../../../core/random.ts';
import { GLASS, METALS, MIRROR, other, WOODS } from '../palette.ts';
import { type DraftPart, part, type Size } from '../part.ts';
import { box } from '../shapes/box.ts';
import { fourLegs } from '../shapes/leg.ts';
import type { Shape } from '../shapes/shape.ts';
import { drawers } from './chest.ts';

interface DoorShapes {
  doors: Shape[];
  panels: Shape[];
  handles: Shape[];
}

function doorRow(x: readonly [number, number], y: readonly [number, number], front: number, count: number): DoorShapes {
  const wide = (x[1] - x[0]) / count;
  const shapes: DoorShapes = { doors: [], panels: [], handles: [] };
  for (let at = 0; at < count; at += 1) {
    const left = x[0] + at * wide + 0.004;
    const right = x[0] + (at + 1) * wide - 0.004;
    shapes.doors.push(box([left, right], y, [front - 0.022, front], 0.006));
    const frame = Math.min(0.07, 0.18 * wide);
    const [low, high] = [y[0] + frame, y[1] - frame];
    shapes.panels.push(box([left + frame, right - frame], [low, high], [front - 0.012, front + 0.006], 0.006));
    const hinge = at % 2 === 0 ? right - 0.03 : left + 0.03;
    const middle = (y[0] + y[1]) / 2;
    const half = Math.min(0.12, 0.12 * (y[1] - y[0]));
    shapes.handles.push(
      box([hinge - 0.009, hinge + 0.009], [middle - half, middle + half], [front - 0.004, front + 0.028], 0.005),
    );
  }
  return shapes;
}

/** A tall cupboard with panelled doors on a plinth, under a cornice. */
export function wardrobe([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const faces = variant.next() < 0.5 ? other(WOODS, variant, wood) : wood;
  const panel = variant.next() < 0.3 ? MIRROR : variant.next() < 0.5 ? other(WOODS, variant, faces) : faces;
  const plinth = 0.07;
  const cornice = 0.06;
  const front = d / 2 - 0.028;
  const side = w / 2 - 0.015;
  const count = Math.max(2, Math.round(w / 0.5));
  const bottom = h > 1.9 && variant.next() < 0.5 ? 0.32 : 0;
  const doors = doorRow([-side, side], [plinth + 0.01 + bottom, h - cornice - 0.008], front, count);
  const chest = bottom > 0 ? drawers([-side, side], [plinth + 0.01, plinth + bottom], front, count, 1, 'bar') : null;
  return [
    part(
      'carcass',
      wood,
      box([-side, side], [plinth - 0.01, h - cornice + 0.01], [-d / 2 + 0.006, front - 0.014], 0.006),
    ),
    part('plinth', wood, box([-side + 0.02, side - 0.02], [0, plinth], [-d / 2 + 0.02, front - 0.04], 0.004)),
    part(
      'cornice',
      wood,
      box([-side - 0.005, side + 0.005], [h - cornice, h - 0.02], [-d / 2 + 0.003, front + 0.01], 0.01),
      box([-w / 2, w / 2], [h - 0.03, h], [-d / 2, front + 0.024], 0.012),
    ),
    part('doors', faces, ...doors.doors, ...(chest?.fronts ?? [])),
    part('panels', panel, ...doors.panels),
    part('handles', variant.pick(METALS), ...doors.handles, ...(chest?.handles ?? [])),
  ];
}

/** A waist-high sideboard: doors in the middle or all along, drawers above. */
export function cabinet([w, h, d]: Size, variant: Random): DraftPart[] {
  const wood = variant.pick(WOODS);
  const faces = variant.next() < 0.5 ? other(WOODS, variant, wood) : wood;
  const foot = Math.min(0.12, 0.15 * h);
  const lid = 0.03;
  const front = d / 2 - 0.028;
  const side = w / 2 - 0.012;
  const glazed = h > 1.2;
  const count = Math.max(2, Math.round(w / 0.45));
  const split = glazed ? foot + 0.42 * (h - foot) : h - lid - Math.min(0.2, 0.25 * h);
  const lower = doorRow([-side + 0.015, side - 0.015], [foot + 0.015, split], front, count);
  const upper = glazed
    ? doorRow([-side + 0.015, side - 0.015], [split + 0.02, h - lid - 0.01], front, count)
    : drawers([-side + 0.015, side - 0.015], [split + 0.01, h - lid - 0.01], front, count, 1, 'knob');
  const parts = [
    part('carcass', wood, box([-side, side], [foot, h - lid + 0.01], [-d / 2 + 0.006, front - 0.014], 0.006)),
    part('top', wood, box([-w / 2, w / 2], [h - lid, h], [-d / 2, front + 0.014], 0.008)),
    part('doors', faces, ...lower.doors, ...('doors' in upper ? upper.doors : upper.fronts)),
    part('panels', faces, ...lower.panels),
    part('handles', variant.pick(METALS), ...lower.handles, ...upper.handles),
    part(
      'legs',
      wood,
      ...fourLegs('square', [-side + 0.02, side - 0.02], [-d / 2 + 0.02, front - 0.03], foot + 0.02, 0.05),
    ),
  ];
  return 'panels' in upper ? [...parts, part('panes', GLASS, ...upper.panels)] : parts;
}
