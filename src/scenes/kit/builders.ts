import type { KitCategory } from './categories.ts';
import type { FurnitureBuilder } from './part.ts';
import { counter, fridge, microwave, stove, washingMachine } from './pieces/appliances.ts';
import { bathtub, sink, toilet } from './pieces/bathroom.ts';
import { bunkBed, crib, doubleBed, singleBed } from './pieces/bed.ts';
import { bench, chair, officeChair, ottoman, stool } from './pieces/chair.ts';
import { dresser, nightstand } from './pieces/chest.ts';
import { desk, dressingTable } from './pieces/desk.ts';
import { laptop, monitor, tv } from './pieces/electronics.ts';
import { fireplace } from './pieces/fireplace.ts';
import { ceilingLamp, floorLamp, lamp, pendantLamp } from './pieces/lamp.ts';
import { piano } from './pieces/piano.ts';
import { plant } from './pieces/plant.ts';
import { rug } from './pieces/rug.ts';
import { bookshelf, shelf, wallShelf } from './pieces/shelf.ts';
import { armchair, cornerSofa, sofa } from './pieces/sofa.ts';
import { coffeeTable, consoleTable, sideTable, table } from './pieces/table.ts';
import { basket, books, bowl, cushion, sculpture, trashCan, vase } from './pieces/tabletop.ts';
import { tvStand } from './pieces/tv-stand.ts';
import { clock, curtain, mirror, painting } from './pieces/wall-decor.ts';
import { cabinet, wardrobe } from './pieces/wardrobe.ts';

/** How each category is built. */
export const BUILDERS: Readonly<Record<KitCategory, FurnitureBuilder>> = {
  'double-bed': doubleBed,
  'single-bed': singleBed,
  'bunk-bed': bunkBed,
  crib,
  nightstand,
  dresser,
  wardrobe,
  cabinet,
  bookshelf,
  shelf,
  'wall-shelf': wallShelf,
  desk,
  'dressing-table': dressingTable,
  chair,
  'office-chair': officeChair,
  armchair,
  sofa,
  'corner-sofa': cornerSofa,
  stool,
  ottoman,
  bench,
  table,
  'coffee-table': coffeeTable,
  'side-table': sideTable,
  'console-table': consoleTable,
  lamp,
  'floor-lamp': floorLamp,
  'pendant-lamp': pendantLamp,
  'ceiling-lamp': ceilingLamp,
  rug,
  plant,
  'tv-stand': tvStand,
  counter,
  fridge,
  stove,
  'washing-machine': washingMachine,
  microwave,
  sink,
  toilet,
  bathtub,
  tv,
  monitor,
  laptop,
  piano,
  fireplace,
  mirror,
  painting,
  curtain,
  clock,
  vase,
  books,
  bowl,
  cushion,
  sculpture,
  'trash-can': trashCan,
  basket,
};
