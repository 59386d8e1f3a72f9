import type { KitCategory } from '../kit/categories.ts';

/** What small things can stand on, most usual first. */
export const surfaceCategories: readonly KitCategory[] = [
  'side-table',
  'console-table',
  'table',
  'coffee-table',
  'desk',
  'dresser',
  'cabinet',
  'nightstand',
  'tv-stand',
  'counter',
  'dressing-table',
];
