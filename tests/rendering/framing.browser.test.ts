import { WebIO } from '@gltf-transform/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rgba } from '../../src/core/image.ts';
import { isFailure } from '../../src/core/outcome.ts';
import type { View } from '../../src/core/protocol.ts';
import type { FrozenScene } from '../../src/core/scene.ts';
import { createChromiumRenderer } from '../../src/rendering/chromium.ts';
import { frameBox, hidesWall, project, type Vector } from '../../src/rendering/framing.ts';
import { RENDERER_DEFAULTS, type Renderer } from '../../src/rendering/renderer.ts';
import { sceneBounds } from '../../src/scenes/read-scene.ts';
import { polygonRoom, rectangularRoom } from '../../src/scenes/room-shell.ts';
import { floorMaterial, wallMaterial } from '../../src/scenes/surfaces.ts';
import { ensurePage } from './bundle.ts';
import { frozen, L_SHAPE } from './sample-rooms.ts';

const SIDE = 96;
const { margin, hideWallsAbove } = RENDERER_DEFAULTS;
let renderer: Renderer;

beforeAll(async () => {
  await ensurePage();
  renderer = await createChromiumRenderer({ ...RENDERER_DEFAULTS, detail: 'quick' });
});
afterAll(async () => {
  await renderer.close();
});

type Room = ReturnType<typeof rectangularRoom>;

async function emptyRoom(id: string, room: Room): Promise<FrozenScene> {
  return await frozen({
    id,
    generator: 'sample',
    prompt: id,
    rooms: [room],
    surfaces: { room: { floor: await floorMaterial('wood', 0), wall: wallMaterial(0) } },
    objects: [],
    source: { format: 'sample', file: 'framing.browser.test.ts', sha256: '0'.repeat(64), notes: [] },
  });
}

const square = (side: number, height: number) =>
  emptyRoom(`square-${side}`, rectangularRoom({ id: 'room', type: 'room', width: side, depth: side, height }));

const ROOMS: Readonly<Record<string, () => Promise<FrozenScene>>> = {
  '1 m': () => square(1, 2.4),
  '5 m': () => square(5, 2.6),
  '50 m': () => square(50, 4),
  'L-shaped': () =>
    emptyRoom(
      'l-shaped',
      polygonRoom({
        id: 'room',
        type: 'room',
        floor: [...L_SHAPE],
        height: 2.6,
      }),
    ),
};

/** Every vertex that is drawn from a view: those of the floor and of the walls that stay. */
async function drawnVertices({ scene, glb }: FrozenScene, view: View): Promise<Vector[]> {
  const hidden = new Set(
    scene.rooms.flatMap((room) =>
      room.walls.filter((wall) => hidesWall(wall, view, hideWallsAbove)).map((wall) => `wall:${room.id}:${wall.id}`),
    ),
  );
  const document = await new WebIO().readBinary(glb);
  return document
    .getRoot()
    .listNodes()
    .filter((node) => !hidden.has(node.getName()))
    .flatMap((node) => {
      const matrix = node.getWorldMatrix();
      return (node.getMesh()?.listPrimitives() ?? []).flatMap((primitive) => {
        const positions = primitive.getAttribute('POSITION')!;
        return Array.from({ length: positions.getCount() }, (_, index): Vector => {
          const [x, y, z] = positions.getElement<[number, number, number]>(index, [0, 0, 0]);
          return [0, 1, 2].map(
            (row) => matrix[row]! * x + matrix[4 + row]! * y + matrix[8 + row]! * z + matrix[12 + row]!,
          ) as unknown as Vector;
        });
      });
    });
}

/** First and last column and row that anything covers by half or more; edges in pixels. */
function pixelBounds({ width, height, data }: Rgba) {
  const bounds = { left: width, right: 0, top: height, bottom: 0 };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (data[4 * (y * width + x) + 3]! >= 64) {
        bounds.left = Math.min(bounds.left, x);
        bounds.right = Math.max(bounds.right, x + 1);
        bounds.top = Math.min(bounds.top, y);
        bounds.bottom = Math.max(bounds.bottom, y + 1);
      }
  return bounds;
}

test('what is drawn reaches exactly as far as its vertices project: nothing is clipped at 16 or 200 mm, at any pitch, from 1 to 50 m', async () => {
  const views = [16, 200].flatMap((focal) =>
    [0, 45, 90].map(
      (pitch): View => ({ resolution: SIDE, focal, lighting: 'city', pitch, yaw: pitch === 45 ? 200 : 0 }),
    ),
  );
  const strayed: unknown[] = [];
  for (const [name, make] of Object.entries(ROOMS)) {
    const scene = await make();
    const seen = new Map<View, Rgba>();
    for await (const [view, picture] of renderer.render(scene, views, new AbortController().signal)) {
      if (isFailure(picture)) throw new Error(`${name}: ${picture.reason}`);
      seen.set(view, picture);
    }
    for (const view of views) {
      const camera = frameBox(sceneBounds(scene), view, margin);
      const points = (await drawnVertices(scene, view)).map((vertex) => project(camera, vertex));
      for (const { depth } of points) {
        expect(depth).toBeGreaterThan(camera.near);
        expect(depth).toBeLessThan(camera.far);
      }
      const expected = {
        left: (0.5 + Math.min(...points.map(({ x }) => x)) / 2) * SIDE,
        right: (0.5 + Math.max(...points.map(({ x }) => x)) / 2) * SIDE,
        top: (0.5 - Math.max(...points.map(({ y }) => y)) / 2) * SIDE,
        bottom: (0.5 - Math.min(...points.map(({ y }) => y)) / 2) * SIDE,
      };
      const bounds = pixelBounds(seen.get(view)!);
      // A corner that ends in a point covers little of its last pixel or two.
      for (const side of ['left', 'right', 'top', 'bottom'] as const)
        if (Math.abs(bounds[side] - expected[side]) > 2.5) strayed.push({ name, view, side, bounds, expected });
    }
  }
  expect(strayed).toEqual([]);
});

test('on pixels the top rim of a room stays where it is at every focal length', async () => {
  const scene = await ROOMS['5 m']!();
  const views = [16, 24, 35, 50, 85, 100, 200].map(
    (focal): View => ({ resolution: SIDE, focal, lighting: 'city', pitch: 90, yaw: 0 }),
  );
  const found: unknown[] = [];
  for await (const [, picture] of renderer.render(scene, views, new AbortController().signal)) {
    if (isFailure(picture)) throw new Error(picture.reason);
    found.push(pixelBounds(picture));
  }
  expect(found).toHaveLength(views.length);
  for (const bounds of found) expect(bounds).toEqual(found[0]);
  const rim = (margin / 2) * SIDE;
  expect(Math.abs((found[0] as { left: number }).left - rim)).toBeLessThanOrEqual(1);
});
