import type { KitCategory } from './categories.ts';
import type { FurnitureBuilder } from './part.ts';
import { bunkBed, crib, doubleBed, singleBed } from './pieces/bed.ts';
import { bench, chair, officeChair, ottoman, stool } from './pieces/chair.ts';
import { dresser, nightstand } from './pieces/chest.ts';
import { desk, dressingTable } from './pieces/desk.ts';
import { ceilingLamp, floorLamp, lamp, pendantLamp } from './pieces/lamp.ts';
import { plant } from './pieces/plant.ts';
import { rug } from './pieces/rug.ts';
import { bookshelf, shelf, wallShelf } from './pieces/shelf.ts';
import { armchair, cornerSofa, sofa } from './pieces/sofa.ts';
import { coffeeTable, consoleTable, sideTable, table } from './pieces/table.ts';
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
};
