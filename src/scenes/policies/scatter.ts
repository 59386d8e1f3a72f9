import type { Random } from '../../core/random.ts';
import type { Room } from '../../core/scene.ts';
import { FloorPlan } from './floor-plan.ts';
import { footprintOf } from './footprint.ts';
import type { ListedObject, PlacedObject } from './policy.ts';

/** Draws before an object is left where it sticks out of the room. */
const TRIES = 60;

/** Every object at a random place and angle inside the room, whatever stands there already; ceiling lamps hang, the rest stands on the floor. */
export function scatter(list: readonly ListedObject[], room: Room, random: Random): PlacedObject[] {
  const plan = new FloorPlan(room);
  const { min, max } = plan.bounds;
  return list.map((object) => {
    const stream = random.derive(object.id);
    const y = object.entry?.placement === 'ceiling' ? Math.max(0, room.wallHeight - object.size[1]) : 0;
    let pose = { x: plan.centre[0], y, z: plan.centre[1], yaw: 0, supportedBy: null };
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const tried = {
        x: stream.between(min[0], max[0]),
        y,
        z: stream.between(min[1], max[1]),
        yaw: stream.between(-Math.PI, Math.PI),
        supportedBy: null,
      };
      pose = tried;
      if (plan.inside(footprintOf(object.size, tried))) break;
    }
    return { ...object, ...pose };
  });
}
