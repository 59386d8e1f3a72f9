import type { Random } from '../../../src/core/random.ts';
import type { Opening, Room } from '../../../src/core/scene.ts';
import { categoryEntry, type KitCategory } from '../../../src/scenes/kit/categories.ts';
import { LAYOUT_POLICIES } from '../../../src/scenes/policies/lay-out.ts';
import { rectangularRoom } from '../../../src/scenes/room-shell.ts';
import { affinityOf, drawCount, drawLook, type Looks, roomTypes, spotOf } from './categories.ts';
import { type LayoutStyle, placeOne, type Unplaced } from './place-pieces.ts';
import type { Piece, RoomPlan } from './room-plan.ts';

/** Share of rooms whose contents ignore the type of the room, so that room words are not only read off the furniture. */
const UNRELATED = 0.12;

/** Bedrooms and living rooms are what layout generators are asked for most. */
const WEIGHTS: Readonly<Record<string, number>> = { bedroom: 4, living_room: 3, dining_room: 2, office: 2 };

/** A random room: type, size, surfaces, an object list drawn for the type, and a layout in a random style. */
export function sampleRoom(categories: readonly KitCategory[], looks: Looks, random: Random): RoomPlan {
  const types = roomTypes(categories);
  const type = random.pick(types.flatMap((each) => Array(WEIGHTS[each] ?? 1).fill(each) as string[]));
  const wanted = objectList(type, categories, looks, random);
  const area = wanted.reduce((sum, { size }) => sum + size[0] * size[2], 0);
  // Furnished to between a fifth and nearly half of the floor.
  const floorArea = Math.min(45, Math.max(6, area / random.between(0.2, 0.46)));
  const aspect = random.between(0.7, 1.45);
  const [width, depth] = [Math.sqrt(floorArea * aspect), Math.sqrt(floorArea / aspect)];
  const height = random.between(2.4, 3);
  const style: LayoutStyle = random.pick(['ordered', 'ordered', 'ordered', 'scattered', 'scattered', 'grid']);
  const room = rectangularRoom({ id: 'room', type, width, depth, height, openings: openings(width, depth, random) });
  let pieces: Piece[] = [];
  if (random.next() < 0.5) pieces = byPolicy(wanted, room, random);
  else
    for (const piece of wanted) {
      const placed = placeOne(piece, pieces, { width, depth, height }, style, random);
      if (placed !== null) pieces.push(placed);
    }
  return {
    room,
    floor: { kind: random.pick(['wood', 'wood', 'tiles', 'carpet']), variant: random.integer(6) },
    floorColour:
      random.next() < 0.25 ? [random.between(0.2, 0.9), random.between(0.2, 0.85), random.between(0.15, 0.8)] : null,
    wallColour: wallColour(random),
    pieces,
  };
}

/** Half of the rooms are laid out by the project's own synthetic policies, as the demo's are (with other lists and seeds). */
function byPolicy(wanted: readonly Unplaced[], room: Room, random: Random): Piece[] {
  const policy = random.pick([
    'functional',
    'functional',
    'functional',
    'grid',
    'scatter',
    'scatter',
    'sparse',
  ] as const);
  const list = wanted.map(({ category, size }, index) => {
    const entry = categoryEntry(category);
    return { id: String(index), label: entry.label, entry, size };
  });
  return LAYOUT_POLICIES[policy](list, room, random.derive('policy')).map(({ id, x, y, z, yaw }) => ({
    ...(wanted[Number(id)] as Unplaced),
    x,
    y,
    z,
    yaw,
  }));
}

function wallColour(random: Random): [number, number, number] {
  const base = random.between(0.6, 0.95);
  const spread = random.next() < 0.3 ? 0.25 : 0.06;
  return [0, 1, 2].map(() => Math.min(1, Math.max(0.1, base + random.between(-spread, spread)))) as [
    number,
    number,
    number,
  ];
}

/** Large pieces first, so that small ones fill what is left. */
function objectList(type: string, categories: readonly KitCategory[], looks: Looks, random: Random): Unplaced[] {
  const own = affinityOf(type, categories);
  const unrelated = random.next() < UNRELATED;
  const pool = unrelated ? categories : [...own.keys()];
  const most = random.pick([2, 3, 4, 5, 6, 6, 7, 7, 8, 8, 9]);
  const chosen: KitCategory[] = [];
  for (const category of random.shuffle(pool)) {
    if (chosen.length >= most) break;
    if (unrelated || random.next() < (own.get(category) ?? 0)) chosen.push(category);
  }
  if (chosen.length === 0) chosen.push(random.pick(pool));
  const list: Unplaced[] = [];
  for (const category of chosen) {
    const look = drawLook(category, looks, random);
    const count = drawCount(category, random);
    // Pieces of one kind look alike in most rooms.
    const alike = random.next() < 0.85;
    for (let each = 0; each < count; each += 1)
      list.push({ category, ...(alike ? look : drawLook(category, looks, random)) });
  }
  const last = (category: KitCategory): number => (spotOf(category) === 'top' ? 1 : 0);
  return list.sort((a, b) => last(a.category) - last(b.category) || b.size[0] * b.size[2] - a.size[0] * a.size[2]);
}

/** A door in one wall and perhaps a window in another. */
function openings(width: number, depth: number, random: Random): Record<number, Opening[]> {
  const found: Record<number, Opening[]> = {};
  const length = (edge: number): number => (edge % 2 === 0 ? width : depth);
  const door = random.integer(4);
  if (random.next() < 0.7) {
    const from = random.between(0.1, Math.max(0.11, length(door) - 1.1));
    found[door] = [{ type: 'door', from, to: from + 0.9, bottom: 0, top: 2.1 }];
  }
  const window = (door + 1 + random.integer(3)) % 4;
  if (random.next() < 0.6 && window !== door) {
    const wide = Math.min(length(window) - 0.4, random.between(0.9, 2));
    const from = random.between(0.15, Math.max(0.16, length(window) - wide - 0.15));
    found[window] = [{ type: 'window', from, to: from + wide, bottom: 0.9, top: 2.1 }];
  }
  return found;
}
