import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { categoryEntry, categoryOfLabel, KIT_CATEGORIES, labelWords } from '../../../src/scenes/kit/categories.ts';

test('every name belongs to one category', () => {
  const names = KIT_CATEGORIES.flatMap((category) => {
    const { label, synonyms } = categoryEntry(category);
    return [label.toLowerCase(), ...synonyms];
  });
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  for (const category of KIT_CATEGORIES) {
    const { label, synonyms, defaultSize, sizeRange } = categoryEntry(category);
    for (const name of [label, ...synonyms]) expect([name, categoryOfLabel(name)]).toEqual([name, category]);
    defaultSize.forEach((side, axis) => {
      expect(side).toBeGreaterThanOrEqual(sizeRange.min[axis] as number);
      expect(side).toBeLessThanOrEqual(sizeRange.max[axis] as number);
    });
  }
});

test.for([
  ['Dining_Chairs_03', 'chair'],
  ['DiningChair|3|1', 'chair'],
  ['dining_table-0', 'table'],
  ['Wall_Decor_Painting_3', 'painting'],
  ['RoboTHOR dresser', 'dresser'],
  ['red wooden rocking chair', 'chair'],
  ['bowl of fruit', 'bowl'],
  ['vase with flowers', 'vase'],
  ['Bookshelves', 'bookshelf'],
  ['shelves', 'shelf'],
  ['TVStand', 'tv-stand'],
  ['tv', 'tv'],
  ['Houseplant', 'plant'],
  ['children_cabinet', 'cabinet'],
  ['lounge_chair', 'armchair'],
  ['potted plants (large)', 'plant'],
  ['L-shaped sofa', 'corner-sofa'],
  ['books', 'books'],
  ['', null],
  ['###', null],
  ['baseball bat', null],
  ['Pen', null],
  ['of', null],
  ['constructor', null],
] as const)('%s means %s', ([label, category]) => {
  expect(categoryOfLabel(label)).toBe(category);
});

test('labels are read as words', () => {
  expect(labelWords('DiningTable_12|left-0 (oak)')).toEqual(['dining', 'table', 'left']);
});

const layoutgpt = join(import.meta.dirname, '../../../../shared/corpus/layoutgpt');

test.skipIf(!existsSync(layoutgpt))('every label of the LayoutGPT rooms is mapped', () => {
  const unmapped = new Set<string>();
  const used = new Set<string>();
  for (const file of ['gpt4.bedroom.k-similar.k_8.px_regular.json', 'gpt4.livingroom.k-similar.k_4.px_regular.json']) {
    const rooms = JSON.parse(readFileSync(join(layoutgpt, file), 'utf8')) as { object_list: [string, unknown][] }[];
    for (const [label] of rooms.flatMap((room) => room.object_list)) {
      const category = categoryOfLabel(label);
      if (category === null) unmapped.add(label);
      else used.add(category);
    }
  }
  expect([...unmapped]).toEqual([]);
  expect(used.size).toBeGreaterThan(20);
});

/** Labels common in Holodeck, ProcTHOR and SceneEval scenes, and in SceneWeaver plans, that the kit draws as a box. */
const UNMAPPED = [
  'baseball bat',
  'bicycle',
  'pen',
  'plunger',
  'toilet paper',
  'whiteboard marker',
  'guitar',
  'dumbbell',
  'window',
  'door',
];

test('common labels the kit has no furniture for', () => {
  expect(UNMAPPED.map(categoryOfLabel)).toEqual(UNMAPPED.map(() => null));
});

test.for(
  'ArmChair BookColumn LargeShelf TableDining SimpleDesk OfficeChair FloorLamp SideTable CoffeeTable Sofa Blackboard Dresser Bed ShelvingUnit GarbageCan Fridge Sink Toilet Television Laptop DeskLamp Microwave CounterTop Bathtub Stool Ottoman HousePlant Painting Mirror DogBed WashingMachine LaundryHamper Safe'
    .split(' ')
    .filter((label) => label !== 'Safe')
    .map((label) => [label] as const),
)('dataset label %s is known', ([label]) => {
  expect(categoryOfLabel(label)).not.toBeNull();
});
