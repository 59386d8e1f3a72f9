import { Random } from '../../src/core/random.ts';
import type { FrozenScene } from '../../src/core/scene.ts';
import type { DraftObject, SceneDraft } from '../../src/scenes/draft.ts';
import { freezeInMemory } from '../../src/scenes/freeze.ts';
import { categoryEntry, type KitCategory } from '../../src/scenes/kit/categories.ts';
import { buildFurniture } from '../../src/scenes/kit/furniture.ts';
import { polygonRoom, rectangularRoom } from '../../src/scenes/room-shell.ts';
import { floorMaterial, wallMaterial } from '../../src/scenes/surfaces.ts';

/** A piece: category, x, z, degrees about +Y, height it stands on, and a size other than the usual. */
export type Piece = readonly [KitCategory, number, number, number?, number?, (readonly [number, number, number])?];

/** Kit furniture as draft objects. */
export function pieces(list: readonly Piece[], seed: number): DraftObject[] {
  return list.map(([category, x, z, turn = 0, y = 0, size], index): DraftObject => {
    const measures = size ?? categoryEntry(category).defaultSize;
    const [s, c] = [Math.sin((turn * Math.PI) / 180), Math.cos((turn * Math.PI) / 180)];
    return {
      id: `${category}-${index}`,
      label: category,
      asset: null,
      transform: [c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, x, y, z, 1],
      size: measures,
      supportedBy: null,
      geometry: {
        kind: 'proxy',
        parts: buildFurniture(category, measures, new Random(seed, 'sample room', index)),
      },
    };
  });
}

/** Freezes a draft in memory, as `readScene` would give it back. */
export async function frozen(draft: SceneDraft): Promise<FrozenScene> {
  const { scene, glb } = await freezeInMemory(draft);
  return { scene, glb, folder: `/memory/${draft.id}` };
}

const source = { format: 'sample', file: 'sample-rooms.ts', sha256: '0'.repeat(64), notes: [] };

/** Floor of an L-shaped room, metres. */
export const L_SHAPE: readonly [number, number][] = [
  [-3, -2.5],
  [3, -2.5],
  [3, 0.3],
  [0.2, 0.3],
  [0.2, 2.5],
  [-3, 2.5],
];

/** Furnished rooms used by the rendering tests, the gallery and the bench: a bedroom, a living room, an L-shaped study. */
export const SAMPLE_ROOMS = {
  bedroom: async (): Promise<SceneDraft> => ({
    id: 'bedroom',
    generator: 'sample',
    prompt: 'bedroom',
    rooms: [
      rectangularRoom({
        id: 'room',
        type: 'bedroom',
        width: 4.6,
        depth: 4.2,
        height: 2.6,
        openings: {
          3: [{ type: 'window', from: 1.4, to: 2.8, bottom: 0.9, top: 2.1 }],
          2: [{ type: 'door', from: 0.3, to: 1.2, bottom: 0, top: 2.05 }],
        },
      }),
    ],
    surfaces: { room: { floor: await floorMaterial('wood', 0), wall: wallMaterial(0) } },
    objects: pieces(
      [
        ['double-bed', -0.5, -1.0],
        ['nightstand', -1.65, -1.85],
        ['nightstand', 0.65, -1.85],
        ['lamp', -1.65, -1.85, 0, 0.55],
        ['lamp', 0.65, -1.85, 0, 0.55],
        ['wardrobe', 1.95, -0.6, -90],
        ['dresser', 2.0, 1.2, -90],
        ['plant', -1.9, 1.7],
        ['rug', -0.4, 0.9],
        ['desk', -1.9, 0.5, 90],
        ['chair', -1.25, 0.5, -90],
        ['shelf', 1.0, 1.85, 180],
      ],
      1,
    ),
    source,
  }),
  living: async (): Promise<SceneDraft> => ({
    id: 'living',
    generator: 'sample',
    prompt: 'living room',
    rooms: [rectangularRoom({ id: 'room', type: 'living room', width: 6, depth: 5, height: 2.8 })],
    surfaces: { room: { floor: await floorMaterial('carpet', 1), wall: wallMaterial(2) } },
    objects: pieces(
      [
        ['sofa', 0, 1.9, 180],
        ['rug', 0, 0.4, 0, 0, [2.4, 0.012, 1.7]],
        ['coffee-table', 0, 0.5],
        ['console-table', 0, -2.2],
        ['lamp', 0.5, -2.2, 0, 0.8],
        ['armchair', -2.0, 0.4, 90],
        ['armchair', 2.0, 0.4, -90],
        ['floor-lamp', 2.5, 2.0],
        ['bookshelf', -2.75, -1.2, 90],
        ['plant', 2.6, -2.1],
        ['table', -1.7, -1.6],
        ['chair', -1.7, -2.3, 0],
      ],
      2,
    ),
    source,
  }),
  study: async (): Promise<SceneDraft> => ({
    id: 'study',
    generator: 'sample',
    prompt: 'study',
    rooms: [
      polygonRoom({
        id: 'room',
        type: 'study',
        floor: [...L_SHAPE],
        height: 2.6,
      }),
    ],
    surfaces: { room: { floor: await floorMaterial('tiles', 0), wall: wallMaterial(3) } },
    objects: pieces(
      [
        ['desk', 1.8, -2.0],
        ['chair', 1.8, -1.35, 180],
        ['shelf', -1.2, -2.3],
        ['bookshelf', -2.8, -0.8, 90],
        ['sofa', -2.3, 1.3, 90],
        ['coffee-table', -1.2, 1.3, 90],
        ['floor-lamp', -2.6, 2.2],
        ['plant', -0.3, 2.1],
        ['wardrobe', 2.6, -0.6, -90],
        ['lamp', 2.2, -2.1, 0, 0.75],
      ],
      3,
    ),
    source,
  }),
} as const;
