import type { KitCategory } from '../kit/categories.ts';
import type { SurfaceSpot } from './raised-candidates.ts';

/** One way to place a category; the first whose targets exist and whose poses fit is taken. */
export type Rule =
  | {
      readonly kind: 'wall';
      readonly prefer: 'centre' | 'corner';
      /** Free floor wished for before it and on either side of it, metres. */
      readonly clearance?: number;
      readonly sides?: number;
    }
  | { readonly kind: 'beside'; readonly of: readonly KitCategory[]; readonly gap: number }
  | { readonly kind: 'front'; readonly of: readonly KitCategory[]; readonly gap: number; readonly faces: boolean }
  | { readonly kind: 'around'; readonly of: readonly KitCategory[]; readonly gap: number }
  | { readonly kind: 'opposite'; readonly of: readonly KitCategory[] }
  | { readonly kind: 'under'; readonly of: readonly KitCategory[]; readonly forward: number }
  | { readonly kind: 'on'; readonly of: readonly KitCategory[]; readonly spot: SurfaceSpot }
  | { readonly kind: 'hang'; readonly of: readonly KitCategory[]; readonly eye: number }
  | { readonly kind: 'window' }
  | { readonly kind: 'ceiling'; readonly of: readonly KitCategory[] }
  | { readonly kind: 'middle' };

const BEDS = ['double-bed', 'single-bed', 'bunk-bed', 'crib'] as const;
const SEATS = ['sofa', 'corner-sofa', 'armchair'] as const;
const TOPS = [
  'side-table',
  'console-table',
  'dresser',
  'cabinet',
  'coffee-table',
  'table',
  'tv-stand',
  'desk',
  'nightstand',
] as const;
const KITCHEN = ['counter', 'fridge', 'stove', 'washing-machine'] as const;

const wall = (prefer: 'centre' | 'corner', clearance?: number): Rule =>
  clearance === undefined ? { kind: 'wall', prefer } : { kind: 'wall', prefer, clearance };
const beside = (of: readonly KitCategory[], gap = 0.06): Rule => ({ kind: 'beside', of, gap });
const front = (of: readonly KitCategory[], gap: number, faces = true): Rule => ({ kind: 'front', of, gap, faces });
const on = (of: readonly KitCategory[], spot: SurfaceSpot): Rule => ({ kind: 'on', of, spot });
const corner = wall('corner');

/**
 * How the functional policy places each category, in the order in which it places them: what a room is arranged round
 * comes first, what stands by, on or above it later.
 */
export const FUNCTIONAL_RULES: readonly (readonly [KitCategory, readonly Rule[]])[] = [
  ['double-bed', [{ kind: 'wall', prefer: 'centre', clearance: 0.7, sides: 0.6 }]],
  ['sofa', [wall('centre', 1)]],
  ['corner-sofa', [wall('corner', 0.8)]],
  ['bathtub', [wall('corner', 0.5)]],
  ['counter', [wall('corner', 0.9)]],
  ['single-bed', [wall('corner', 0.4)]],
  ['bunk-bed', [wall('corner', 0.4)]],
  ['crib', [wall('corner', 0.4)]],
  ['nightstand', [beside(BEDS, 0.04), wall('corner', 0.3)]],
  ['fireplace', [{ kind: 'opposite', of: ['sofa'] }, wall('centre', 0.8)]],
  ['wardrobe', [wall('corner', 0.7)]],
  ['piano', [wall('centre', 0.9)]],
  ['fridge', [beside(KITCHEN, 0.02), wall('corner', 0.7)]],
  ['stove', [beside(KITCHEN, 0.02), wall('corner', 0.7)]],
  ['washing-machine', [beside([...KITCHEN, 'bathtub'], 0.02), wall('corner', 0.7)]],
  ['toilet', [wall('corner', 0.6)]],
  ['sink', [wall('centre', 0.6)]],
  ['desk', [wall('centre', 0.8)]],
  ['dressing-table', [wall('centre', 0.7)]],
  ['table', [{ kind: 'middle' }, wall('centre')]],
  ['tv-stand', [{ kind: 'opposite', of: ['sofa', 'corner-sofa', ...BEDS] }, wall('centre', 0.6)]],
  ['bookshelf', [wall('corner', 0.6)]],
  ['cabinet', [wall('corner', 0.6)]],
  ['dresser', [wall('centre', 0.6)]],
  ['shelf', [wall('corner', 0.5)]],
  ['console-table', [wall('centre', 0.5)]],
  ['coffee-table', [front(SEATS, 0.38, false), { kind: 'middle' }]],
  [
    'armchair',
    [beside(['coffee-table'], 0.35), { kind: 'around', of: ['coffee-table'], gap: 0.35 }, wall('corner', 0.5)],
  ],
  ['office-chair', [front(['desk', 'dressing-table'], 0.02), { kind: 'around', of: ['table'], gap: 0.04 }, corner]],
  [
    'chair',
    [
      front(['desk', 'dressing-table'], 0.04),
      { kind: 'around', of: ['table'], gap: 0.04 },
      { kind: 'around', of: ['coffee-table'], gap: 0.2 },
      wall('corner', 0.4),
    ],
  ],
  [
    'stool',
    [
      front(['piano', 'dressing-table'], 0.05),
      { kind: 'around', of: ['table'], gap: 0.06 },
      front(['counter', 'desk'], 0.05),
      { kind: 'around', of: ['coffee-table'], gap: 0.06 },
      corner,
    ],
  ],
  [
    'bench',
    [
      front(['double-bed', 'single-bed'], 0.08, false),
      front(['piano'], 0.1),
      { kind: 'around', of: ['table'], gap: 0.05 },
      wall('centre', 0.4),
    ],
  ],
  ['ottoman', [front(['armchair'], 0.15), front(['sofa', ...BEDS], 0.2), corner]],
  ['side-table', [beside([...SEATS, 'single-bed', 'double-bed']), beside(['chair']), corner]],
  ['floor-lamp', [beside(SEATS, 0.08), beside(['desk', 'piano', ...BEDS], 0.1), corner]],
  [
    'rug',
    [
      { kind: 'under', of: ['coffee-table', 'table'], forward: 0 },
      { kind: 'under', of: BEDS, forward: 0.45 },
      { kind: 'under', of: ['desk', ...SEATS, 'piano'], forward: 0.9 },
      { kind: 'middle' },
    ],
  ],
  ['trash-can', [beside(['desk', 'toilet', ...KITCHEN], 0.08), corner]],
  ['basket', [beside(['washing-machine', 'dresser', 'wardrobe', 'sofa'], 0.1), corner]],
  ['tv', [on(['tv-stand', 'console-table', 'cabinet', 'dresser'], 'middle'), { kind: 'hang', of: [], eye: 1.3 }]],
  ['monitor', [on(['desk', 'table'], 'back')]],
  ['laptop', [on(['desk', 'table', 'coffee-table'], 'front')]],
  ['microwave', [on(['counter', 'cabinet', 'table'], 'end')]],
  [
    'lamp',
    [
      on(['nightstand', 'desk', 'side-table', 'dresser', 'console-table', 'cabinet', 'dressing-table'], 'end'),
      on(TOPS, 'end'),
    ],
  ],
  ['plant', [corner]],
  [
    'vase',
    [
      on(['table', 'coffee-table', 'console-table', 'cabinet', 'dresser', 'fireplace', 'side-table'], 'middle'),
      on(TOPS, 'end'),
    ],
  ],
  ['bowl', [on(['table', 'coffee-table', 'counter', ...TOPS], 'middle')]],
  ['books', [on(['coffee-table', 'desk', 'nightstand', ...TOPS], 'end')]],
  ['sculpture', [on(['console-table', 'cabinet', 'dresser', 'fireplace', ...TOPS], 'end'), corner]],
  ['cushion', [on([...SEATS, 'bench', 'ottoman', 'chair'], 'middle'), on(BEDS, 'middle')]],
  [
    'painting',
    [
      {
        kind: 'hang',
        of: ['sofa', ...BEDS, 'console-table', 'dresser', 'desk', 'cabinet', 'fireplace', 'piano', 'corner-sofa'],
        eye: 1.5,
      },
    ],
  ],
  ['mirror', [{ kind: 'hang', of: ['sink', 'dresser', 'console-table'], eye: 1.35 }]],
  ['wall-shelf', [{ kind: 'hang', of: ['desk', 'sofa', 'single-bed', 'counter'], eye: 1.55 }]],
  ['clock', [{ kind: 'hang', of: ['desk', 'tv-stand', 'fireplace', 'counter'], eye: 1.75 }]],
  ['curtain', [{ kind: 'window' }, { kind: 'hang', of: [], eye: 1.3 }]],
  [
    'pendant-lamp',
    [
      { kind: 'ceiling', of: ['table', 'coffee-table'] },
      { kind: 'ceiling', of: [] },
    ],
  ],
  ['ceiling-lamp', [{ kind: 'ceiling', of: [] }]],
];
