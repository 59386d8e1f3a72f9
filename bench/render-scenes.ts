import type { FrozenScene } from '../src/core/scene.ts';
import type { SceneDraft } from '../src/scenes/draft.ts';
import { rectangularRoom } from '../src/scenes/room-shell.ts';
import { floorMaterial, wallMaterial } from '../src/scenes/surfaces.ts';
import { heavyGlb } from '../tests/rendering/heavy-glb.ts';
import { frozen, type Piece, pieces } from '../tests/rendering/sample-rooms.ts';

/** Thirty pieces of kit furniture. */
const FURNITURE: readonly Piece[] = [
  ['double-bed', -1.9, -1.6],
  ['nightstand', -3.0, -2.4],
  ['nightstand', -0.8, -2.4],
  ['lamp', -3.0, -2.4, 0, 0.55],
  ['lamp', -0.8, -2.4, 0, 0.55],
  ['wardrobe', 0.4, -2.35],
  ['dresser', 1.8, -2.4],
  ['plant', 3.1, -2.4],
  ['rug', -1.9, 0.3],
  ['desk', -3.0, 1.0, 90],
  ['chair', -2.3, 1.0, -90],
  ['shelf', -3.1, 2.4, 90],
  ['sofa', 1.6, 2.3, 180],
  ['rug', 1.6, 1.1],
  ['coffee-table', 1.6, 1.1],
  ['armchair', 0.1, 1.1, 90],
  ['armchair', 3.0, 1.1, -90],
  ['floor-lamp', 3.1, 2.4],
  ['bookshelf', -0.4, 2.45, 180],
  ['bookshelf', -1.4, 2.45, 180],
  ['plant', -2.4, 2.4],
  ['table', 1.9, -0.5],
  ['chair', 1.3, -0.5, 90],
  ['chair', 2.5, -0.5, -90],
  ['chair', 1.9, -1.1],
  ['chair', 1.9, 0.1, 180],
  ['console-table', 3.2, -1.2, -90],
  ['lamp', 3.2, -1.2, 0, 0.8],
  ['plant', 0.2, -0.6],
  ['lamp', -3.0, 0.7, 0, 0.75],
];

async function draft(id: string): Promise<SceneDraft> {
  return {
    id,
    generator: 'bench',
    prompt: id,
    rooms: [
      rectangularRoom({
        id: 'room',
        type: 'bedroom',
        width: 7,
        depth: 5.4,
        height: 2.7,
        openings: { 3: [{ type: 'window', from: 1.4, to: 2.8, bottom: 0.9, top: 2.1 }] },
      }),
    ],
    surfaces: { room: { floor: await floorMaterial('wood', 0), wall: wallMaterial(0) } },
    objects: pieces(FURNITURE, 1),
    source: { format: 'bench', file: 'render-scenes.ts', sha256: '0'.repeat(64), notes: [] },
  };
}

/** A room with thirty objects. */
export async function furnishedRoom(): Promise<FrozenScene> {
  return await frozen(await draft('room-30'));
}

/** The same room where five plants and lamps are smooth bodies of many triangles: so many in all. */
export async function heavyRoom(triangles: number): Promise<FrozenScene> {
  const light = await draft('room-heavy');
  const heavy = new Set([7, 20, 28, 17, 4]);
  const glb = await heavyGlb(Math.round(triangles / heavy.size), 'smooth');
  const objects = light.objects.map((object, index) => {
    if (!heavy.has(index)) return object;
    const [x = 0, y = 0, z = 0] = object.transform.slice(12);
    // The ball's centre is its origin: it stands on the floor.
    const transform = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y + 0.5, z, 1];
    return { ...object, transform, size: [1, 1, 1] as const, geometry: { kind: 'mesh' as const, glb } };
  });
  return await frozen({ ...light, objects });
}

/** A small room of its own for each number: five objects, another floor and other places. */
export async function smallRoom(number: number): Promise<FrozenScene> {
  const shift = (0.8 * (number % 10)) / 10;
  const kinds = ['chair', 'plant', 'nightstand', 'armchair', 'lamp'] as const;
  return await frozen({
    id: `small-${number}`,
    generator: 'bench',
    prompt: 'small',
    rooms: [rectangularRoom({ id: 'room', type: 'study', width: 3 + shift, depth: 3, height: 2.5 })],
    surfaces: { room: { floor: await floorMaterial('carpet', number % 4), wall: wallMaterial(number % 4) } },
    objects: pieces(
      kinds.map((kind, index): Piece => [kind, -1 + 0.5 * index, shift - 0.5, 37 * number]),
      number,
    ),
    source: { format: 'bench', file: 'render-scenes.ts', sha256: '0'.repeat(64), notes: [] },
  });
}
