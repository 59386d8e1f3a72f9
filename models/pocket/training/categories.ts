import { Random } from '../../../src/core/random.ts';
import { categoryEntry, KIT_CATEGORIES, type KitCategory } from '../../../src/scenes/kit/categories.ts';

/** Where a piece of furniture goes when a training room is laid out. */
export type Spot = 'wall' | 'corner' | 'free' | 'rug' | 'ceiling' | 'hung' | 'top' | 'seat';

const CORNER: readonly string[] = ['corner-sofa', 'floor-lamp', 'plant', 'shower', 'trash-can', 'basket', 'coat-rack'];
const SEAT: readonly string[] = ['chair', 'dining-chair', 'office-chair'];

/** Spot of a category: the kit's placement, seats at tables, some things in corners. */
export function spotOf(category: KitCategory): Spot {
  const { placement, againstWall } = categoryEntry(category);
  if (placement === 'rug' || placement === 'ceiling') return placement;
  if (placement === 'on-surface') return 'top';
  if (placement === 'wall') return 'hung';
  if (SEAT.includes(category)) return 'seat';
  if (CORNER.includes(category)) return 'corner';
  return againstWall ? 'wall' : 'free';
}

const COUNTS: Readonly<Record<string, readonly number[]>> = {
  nightstand: [1, 2, 2],
  chair: [1, 2, 2, 3, 4, 4, 6],
  'dining-chair': [2, 4, 4, 6],
  armchair: [1, 1, 2],
  stool: [1, 1, 2, 3],
  plant: [1, 1, 2, 3],
  lamp: [1, 1, 2],
  'floor-lamp': [1, 1, 2],
  'pendant-lamp': [1, 1, 2],
  'ceiling-lamp': [1, 1, 2],
  'single-bed': [1, 1, 2],
  'office-chair': [1, 1, 2],
  bookshelf: [1, 1, 2],
  shelf: [1, 1, 2],
  cabinet: [1, 1, 2],
  table: [1, 1, 1, 2],
  sofa: [1, 1, 2],
  desk: [1, 1, 2],
  'side-table': [1, 2],
  picture: [1, 1, 2],
  painting: [1, 1, 2],
};

/** How many of a category, when a room has it. */
export function drawCount(category: KitCategory, random: Random): number {
  return random.pick(COUNTS[category] ?? [1]);
}

/** Numbered looks (style, colours and size) that a set of rooms draws from; held-out rooms have looks of their own. */
export interface Looks {
  readonly from: number;
  readonly count: number;
}

/** One look of a category. The size is near the usual one: each side up to 60% of the way to the kit's smallest or largest. */
export function drawLook(
  category: KitCategory,
  looks: Looks,
  random: Random,
): { readonly variant: number; readonly size: readonly [number, number, number] } {
  const variant = looks.from + random.integer(looks.count);
  const { defaultSize, sizeRange } = categoryEntry(category);
  const stream = new Random(variant, 'pocket', 'size', category);
  const size = defaultSize.map((usual, axis) => {
    const reach = stream.between(-0.6, 0.6);
    const end = (reach < 0 ? sizeRange.min[axis] : sizeRange.max[axis]) as number;
    return usual + Math.abs(reach) * (end - usual);
  }) as [number, number, number];
  return { variant, size };
}

/** Chance of a category in a type of room; names the kit does not have are passed over. */
const AFFINITY: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  bedroom: {
    'double-bed': 0.7,
    'single-bed': 0.25,
    nightstand: 0.75,
    wardrobe: 0.7,
    dresser: 0.35,
    'dressing-table': 0.25,
    desk: 0.25,
    chair: 0.35,
    armchair: 0.2,
    rug: 0.4,
    plant: 0.35,
    lamp: 0.4,
    'floor-lamp': 0.25,
    'pendant-lamp': 0.25,
    'ceiling-lamp': 0.25,
    bookshelf: 0.15,
    shelf: 0.15,
    cabinet: 0.2,
    'tv-stand': 0.15,
    tv: 0.1,
    mirror: 0.2,
    stool: 0.15,
    bench: 0.15,
    ottoman: 0.15,
    painting: 0.2,
    crib: 0.08,
    'trash-can': 0.1,
    basket: 0.1,
    curtain: 0.2,
    cushion: 0.15,
    books: 0.1,
    'wall-shelf': 0.1,
    'coffee-table': 0.1,
    'side-table': 0.1,
  },
  living_room: {
    sofa: 0.65,
    'corner-sofa': 0.25,
    armchair: 0.5,
    'coffee-table': 0.6,
    'side-table': 0.35,
    'tv-stand': 0.5,
    tv: 0.35,
    bookshelf: 0.35,
    shelf: 0.25,
    cabinet: 0.25,
    'console-table': 0.2,
    rug: 0.5,
    plant: 0.5,
    lamp: 0.3,
    'floor-lamp': 0.4,
    'pendant-lamp': 0.2,
    'ceiling-lamp': 0.2,
    ottoman: 0.25,
    stool: 0.15,
    piano: 0.15,
    fireplace: 0.15,
    painting: 0.25,
    table: 0.25,
    chair: 0.25,
    bench: 0.1,
    vase: 0.15,
    clock: 0.1,
    sculpture: 0.15,
    cushion: 0.15,
    curtain: 0.15,
    bowl: 0.08,
    books: 0.1,
    'wall-shelf': 0.1,
    desk: 0.1,
  },
  dining_room: {
    table: 0.9,
    chair: 0.85,
    cabinet: 0.45,
    'console-table': 0.25,
    rug: 0.3,
    plant: 0.35,
    lamp: 0.2,
    'floor-lamp': 0.2,
    'pendant-lamp': 0.45,
    'ceiling-lamp': 0.2,
    shelf: 0.25,
    vase: 0.25,
    painting: 0.25,
    stool: 0.2,
    bench: 0.15,
    mirror: 0.1,
    bookshelf: 0.15,
    'side-table': 0.15,
    bowl: 0.25,
    clock: 0.15,
    sculpture: 0.1,
    fireplace: 0.08,
    curtain: 0.15,
  },
  office: {
    desk: 0.9,
    'office-chair': 0.65,
    chair: 0.45,
    bookshelf: 0.5,
    shelf: 0.3,
    cabinet: 0.4,
    lamp: 0.4,
    'floor-lamp': 0.25,
    plant: 0.45,
    rug: 0.25,
    sofa: 0.2,
    armchair: 0.25,
    table: 0.25,
    monitor: 0.4,
    laptop: 0.35,
    'trash-can': 0.3,
    clock: 0.2,
    'ceiling-lamp': 0.25,
    books: 0.2,
    'side-table': 0.15,
    painting: 0.15,
    'wall-shelf': 0.15,
    'coffee-table': 0.12,
    curtain: 0.1,
  },
  kids_room: {
    'single-bed': 0.6,
    'bunk-bed': 0.4,
    crib: 0.3,
    cabinet: 0.35,
    desk: 0.4,
    chair: 0.4,
    wardrobe: 0.4,
    shelf: 0.35,
    bookshelf: 0.25,
    rug: 0.5,
    lamp: 0.3,
    plant: 0.2,
    nightstand: 0.35,
    dresser: 0.3,
    stool: 0.3,
    'ceiling-lamp': 0.3,
    basket: 0.3,
    ottoman: 0.2,
    table: 0.2,
    painting: 0.2,
    cushion: 0.15,
    books: 0.15,
    laptop: 0.1,
    curtain: 0.15,
  },
  kitchen: {
    counter: 0.75,
    fridge: 0.75,
    stove: 0.7,
    sink: 0.5,
    cabinet: 0.45,
    table: 0.5,
    chair: 0.5,
    stool: 0.4,
    shelf: 0.3,
    plant: 0.2,
    'trash-can': 0.3,
    'washing-machine': 0.25,
    'pendant-lamp': 0.25,
    microwave: 0.4,
    bowl: 0.25,
    clock: 0.2,
    'wall-shelf': 0.2,
    'ceiling-lamp': 0.15,
    vase: 0.1,
  },
  bathroom: {
    bathtub: 0.7,
    toilet: 0.8,
    sink: 0.8,
    mirror: 0.45,
    cabinet: 0.4,
    'washing-machine': 0.4,
    rug: 0.35,
    plant: 0.25,
    basket: 0.35,
    shelf: 0.3,
    'trash-can': 0.3,
    stool: 0.25,
    'wall-shelf': 0.2,
    'ceiling-lamp': 0.2,
    curtain: 0.15,
    chair: 0.1,
  },
  studio: {
    'double-bed': 0.4,
    'single-bed': 0.4,
    sofa: 0.45,
    desk: 0.45,
    chair: 0.4,
    table: 0.4,
    wardrobe: 0.45,
    shelf: 0.3,
    rug: 0.4,
    plant: 0.35,
    lamp: 0.3,
    'floor-lamp': 0.25,
    'tv-stand': 0.3,
    tv: 0.2,
    'coffee-table': 0.3,
    fridge: 0.3,
    stove: 0.25,
    counter: 0.25,
    sink: 0.2,
    dresser: 0.2,
    bookshelf: 0.25,
    armchair: 0.25,
    nightstand: 0.2,
    'pendant-lamp': 0.15,
    microwave: 0.15,
    laptop: 0.15,
    curtain: 0.15,
  },
  waiting_room: {
    chair: 0.65,
    armchair: 0.45,
    sofa: 0.4,
    bench: 0.4,
    'coffee-table': 0.45,
    'side-table': 0.3,
    plant: 0.6,
    desk: 0.3,
    lamp: 0.2,
    rug: 0.3,
    shelf: 0.2,
    clock: 0.3,
    painting: 0.3,
    cabinet: 0.2,
    tv: 0.2,
    stool: 0.2,
    'console-table': 0.2,
    'trash-can': 0.25,
    sculpture: 0.2,
    vase: 0.15,
    'floor-lamp': 0.2,
  },
  hallway: {
    'console-table': 0.6,
    mirror: 0.45,
    bench: 0.45,
    cabinet: 0.4,
    wardrobe: 0.35,
    rug: 0.45,
    plant: 0.4,
    lamp: 0.25,
    painting: 0.35,
    stool: 0.3,
    shelf: 0.25,
    'ceiling-lamp': 0.3,
    chair: 0.25,
    'side-table': 0.2,
    vase: 0.2,
    sculpture: 0.15,
    clock: 0.2,
    basket: 0.2,
    'pendant-lamp': 0.2,
  },
  library: {
    bookshelf: 0.9,
    armchair: 0.6,
    desk: 0.45,
    table: 0.45,
    chair: 0.55,
    'floor-lamp': 0.45,
    lamp: 0.3,
    rug: 0.45,
    sofa: 0.3,
    'side-table': 0.35,
    books: 0.35,
    plant: 0.3,
    fireplace: 0.25,
    piano: 0.2,
    painting: 0.2,
    clock: 0.2,
    sculpture: 0.2,
    stool: 0.2,
    'wall-shelf': 0.2,
    shelf: 0.3,
    ottoman: 0.2,
  },
};

/** Types of room for which the kit has at least six of the things they hold. */
export function roomTypes(categories: readonly KitCategory[]): string[] {
  return Object.keys(AFFINITY).filter((type) => affinityOf(type, categories).size >= 6);
}

/** Categories of the kit a type of room may hold, with their chances. */
export function affinityOf(type: string, categories: readonly KitCategory[]): Map<KitCategory, number> {
  const own = AFFINITY[type] ?? {};
  return new Map(
    categories.filter((category) => category in own).map((category) => [category, own[category] as number]),
  );
}

/** Every category the kit builds. */
export const CATEGORIES: readonly KitCategory[] = KIT_CATEGORIES;
