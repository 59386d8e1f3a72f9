import { compareText } from '../../core/json.ts';
import type { SceneObject } from '../../core/scene.ts';
import { cornersOf, type Footprint } from '../../scenes/policies/footprint.ts';
import { insidePolygon } from '../../scenes/polygon.ts';
import type { SceneEdit } from '../probe.ts';
import { supportersOf } from './groups.ts';
import { standingBox } from './rigid.ts';

/** What becomes of an object whose supporter was removed: it falls onto what is left below it, or floats where it was. */
export const ORPHAN_CHOICES = ['fall', 'float'] as const;
export type OrphanChoice = (typeof ORPHAN_CHOICES)[number];

/**
 * The edit that removes objects. Objects that stood on a removed one fall straight down onto the highest kept thing under
 * their middle, else to the floor at 0 m, and take along what stands on them.
 */
export function removalEdit(
  objects: readonly SceneObject[],
  removed: ReadonlySet<string>,
  orphans: OrphanChoice,
): SceneEdit {
  const ids = [...removed].sort(compareText);
  if (orphans === 'float') return { removed: ids };
  const boxes = new Map(objects.map((object) => [object.id, standingBox(object)]));
  const supporters = supportersOf(objects, boxes);
  const low = ({ id }: SceneObject) => (boxes.get(id) as Footprint).low;
  const kept = objects.filter(({ id }) => !removed.has(id)).sort((a, b) => low(a) - low(b) || compareText(a.id, b.id));
  const drops = new Map<string, number>();
  for (const object of kept) {
    const supporter = supporters.get(object.id);
    if (supporter === undefined) continue;
    // a supporter is lower than what it bears, so its own fall is known already
    const drop = removed.has(supporter.id)
      ? low(object) - floorUnder(object, kept, boxes, drops)
      : (drops.get(supporter.id) ?? 0);
    if (drop > 0) drops.set(object.id, drop);
  }
  const moved = objects
    .filter(({ id }) => drops.has(id))
    .map(({ id, transform }) => ({
      id,
      from: [...transform],
      to: transform.map((value, index) => (index === 13 ? value - (drops.get(id) as number) : value)),
    }))
    .sort((a, b) => compareText(a.id, b.id));
  return { removed: ids, ...(moved.length === 0 ? {} : { moved }) };
}

/** Top of the highest kept thing under an object's middle, after its own fall; 0 for the floor. */
function floorUnder(
  object: SceneObject,
  kept: readonly SceneObject[],
  boxes: ReadonlyMap<string, Footprint>,
  drops: ReadonlyMap<string, number>,
): number {
  const box = boxes.get(object.id) as Footprint;
  const tops = kept
    .filter(({ id }) => id !== object.id)
    .map(({ id }) => ({ below: boxes.get(id) as Footprint, drop: drops.get(id) ?? 0 }))
    .filter(({ below }) => below.high <= box.low && insidePolygon([box.x, box.z], cornersOf(below)))
    .map(({ below, drop }) => below.high - drop);
  return Math.max(0, ...tops);
}
