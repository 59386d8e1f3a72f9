import { hashJson, sha256 } from '../../src/core/hash.ts';
import { Random } from '../../src/core/random.ts';
import type { FrozenScene, Point, Room, Scene, SceneObject } from '../../src/core/scene.ts';
import { buildGlb } from '../../src/scenes/build-glb.ts';
import type { DraftObject } from '../../src/scenes/draft.ts';
import { sceneHash } from '../../src/scenes/freeze.ts';
import { proxyGeometry } from '../../src/scenes/kit/proxy-geometry.ts';

/** A room over any floor polygon, with one wall an edge. */
export function roomOver(
  floor: readonly Point[],
  openings: Readonly<Record<number, Room['walls'][number]['openings']>> = {},
): Room {
  const clockwise = floor.reduce((sum, [x, z], index) => {
    const [u, v] = floor[(index + 1) % floor.length] as Point;
    return sum + x * v - u * z;
  }, 0);
  return {
    id: 'room',
    type: 'bedroom',
    floor: floor.map(([x, z]) => [x, z]),
    wallHeight: 2.6,
    walls: floor.map((start, index) => {
      const end = floor[(index + 1) % floor.length] as Point;
      const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
      const side = clockwise > 0 ? 1 : -1;
      return {
        id: `wall-${index}`,
        start: [...start] as Point,
        end: [...end] as Point,
        normal: [(side * (end[1] - start[1])) / length + 0, (-side * (end[0] - start[0])) / length + 0] as Point,
        height: 2.6,
        openings: openings[index] ?? [],
      };
    }),
  };
}

export const RECTANGLE: readonly Point[] = [
  [-2.5, -2],
  [2.5, -2],
  [2.5, 2],
  [-2.5, 2],
];
export const L_SHAPE: readonly Point[] = [
  [-3, -2.5],
  [3, -2.5],
  [3, 0],
  [0, 0],
  [0, 2.5],
  [-3, 2.5],
];

/** An upright object of a label, size and pose. */
export function object(
  id: string,
  label: string,
  size: readonly [number, number, number],
  [x, y, z, degrees = 0]: readonly [number, number, number, number?],
  supportedBy: string | null = null,
): SceneObject {
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  return {
    id,
    label,
    asset: null,
    geometry: 'proxy',
    transform: [cos, 0, 0 - sin, 0, 0, 1, 0, 0, sin, 0, cos, 0, x, y, z, 1],
    size: [...size],
    supportedBy,
  };
}

/** A furnished bedroom: floor pieces, a lamp on a nightstand, a rug under the bed, a painting and a pendant lamp. */
export const BEDROOM: readonly SceneObject[] = [
  object('bed', 'double bed', [1.6, 0.9, 2], [-1.5, 0, -0.9, 0]),
  object('nightstand', 'nightstand', [0.45, 0.5, 0.4], [-0.4, 0, -1.75, 0]),
  object('lamp', 'table lamp', [0.25, 0.45, 0.25], [-0.4, 0.5, -1.75, 0], 'nightstand'),
  object('wardrobe', 'wardrobe', [1.4, 2, 0.6], [1.7, 0, -1.6, 0]),
  object('chair', 'chair', [0.45, 0.9, 0.5], [-1, 0, 1, 90]),
  object('rug', 'rug', [2, 0.02, 1.4], [-1.4, 0, -0.4, 0]),
  object('painting', 'painting', [0.8, 0.6, 0.05], [-1.5, 1.4, -1.95, 0]),
  object('pendant', 'pendant lamp', [0.4, 0.5, 0.4], [-1, 2.1, 0.2, 0]),
];

/** A frozen scene in memory. */
export async function frozen(
  objects: readonly SceneObject[],
  rooms: readonly Room[],
  id = 'scene',
): Promise<FrozenScene> {
  const source = { format: 'test', file: 'test', sha256: '0'.repeat(64), notes: [] };
  const drafts = objects.map(
    (one): DraftObject => ({
      ...one,
      geometry: { kind: 'proxy', parts: proxyGeometry(one.label, one.size, new Random(1, one.id)) },
    }),
  );
  const glb = await buildGlb({ id, generator: 'g', prompt: 'p', rooms, objects: drafts, source });
  const content = {
    schema: 'parallax/scene@1' as const,
    id,
    generator: 'g',
    prompt: 'p',
    rooms: [...rooms],
    objects: [...objects],
    frame: null,
    probe: null,
    source,
    glb: sha256(glb),
  };
  const scene: Scene = { ...content, hash: hashJson(content) };
  if (sceneHash(scene) !== scene.hash) throw new Error('the hash of a scene has changed its definition');
  return { scene, folder: '/nowhere', glb };
}
