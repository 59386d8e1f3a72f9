import type { Random } from '../../core/random.ts';
import type { Room } from '../../core/scene.ts';
import { functional } from './functional.ts';
import type { ListedObject, PlacedObject } from './policy.ts';

/** As `functional`, but only a random half of the list (rounded up) is there at all. */
export function sparse(list: readonly ListedObject[], room: Room, random: Random): PlacedObject[] {
  const kept = new Set(
    random
      .derive('kept')
      .shuffle(list.map(({ id }) => id))
      .slice(0, Math.ceil(list.length / 2)),
  );
  return functional(
    list.filter(({ id }) => kept.has(id)),
    room,
    random,
  );
}
