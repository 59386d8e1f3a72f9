import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rgba } from '../../src/core/image.ts';
import { isFailure } from '../../src/core/outcome.ts';
import type { View } from '../../src/core/protocol.ts';
import type { FrozenScene } from '../../src/core/scene.ts';
import { agx } from '../../src/rendering/agx.ts';
import { createChromiumRenderer } from '../../src/rendering/chromium.ts';
import { composite } from '../../src/rendering/composite.ts';
import { readFloorTexture } from '../../src/rendering/floor-texture.ts';
import { frameBox, project } from '../../src/rendering/framing.ts';
import { RENDERER_DEFAULTS, type Renderer } from '../../src/rendering/renderer.ts';
import { ensurePage } from './bundle.ts';
import { type FlatSquare, flatSquares, squareCorners } from './flat-squares.ts';
import { frozen, SAMPLE_ROOMS } from './sample-rooms.ts';

const above: View = { resolution: 192, focal: 50, lighting: 'city', pitch: 90, yaw: 0 };
let renderer: Renderer;

async function draw(scene: FrozenScene, view: View, by = renderer): Promise<Rgba> {
  for await (const [, picture] of by.render(scene, [view], new AbortController().signal)) {
    if (isFailure(picture)) throw new Error(picture.reason);
    return picture;
  }
  throw new Error('no picture');
}

beforeAll(async () => {
  await ensurePage();
  renderer = await createChromiumRenderer({ ...RENDERER_DEFAULTS, detail: 'quick' });
});
afterAll(async () => {
  await renderer.close();
});

const boxOf = (squares: readonly FlatSquare[]) => {
  const points = squares.flatMap(squareCorners);
  const [x, z] = [points.map(([value]) => value), points.map(([, value]) => value)];
  return {
    min: [Math.min(...x), 0, Math.min(...z)],
    max: [Math.max(...x), 0, Math.max(...z)],
  } as const;
};

/** Pixel coordinates (x right, y down) of a point on the ground. */
function pixelOf(squares: readonly FlatSquare[], view: View, [x, z]: readonly [number, number]): [number, number] {
  const camera = frameBox(boxOf(squares), view, RENDERER_DEFAULTS.margin);
  const at = project(camera, [x, 0, z]);
  return [(0.5 + at.x / 2) * view.resolution, (0.5 - at.y / 2) * view.resolution];
}

test('the view transform on the GPU is the reference transform to a step of 255, over 16 stops of exposure', async () => {
  const hues = [
    [1, 1, 1],
    [1, 0.1, 0.05],
    [0.1, 0.9, 0.2],
    [0.05, 0.2, 1],
    [0.9, 0.7, 0.05],
    [0.5, 0.05, 0.6],
  ] as const;
  const squares = hues.flatMap((hue, row) =>
    [1, 0.5, 0.18, 0.05, 0.01, 0.001].map(
      (factor, column): FlatSquare => ({
        centre: [column, row],
        side: 0.9,
        colour: [hue[0] * factor, hue[1] * factor, hue[2] * factor],
      }),
    ),
  );
  const scene = await flatSquares(squares);
  for (const exposure of [-3, 0, 4]) {
    const exposed = await createChromiumRenderer({ ...RENDERER_DEFAULTS, detail: 'quick', exposure });
    try {
      const { width, data } = await draw(scene, above, exposed);
      const strayed = squares.flatMap((square) => {
        const [x, y] = pixelOf(squares, above, square.centre).map(Math.floor) as [number, number];
        const seen = [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
        const [r, g, b] = square.colour.map((value) => value * 2 ** exposure) as [number, number, number];
        const expected = [...agx([r, g, b]).map((value) => 255 * value), 255];
        const most = Math.max(...seen.map((value, channel) => Math.abs(value - expected[channel]!)));
        // Half floats carry 11 bits: a step more than rounding in the darkest and the steepest places.
        return most > 1.5 ? [{ colour: square.colour, exposure, seen, expected }] : [];
      });
      expect(strayed).toEqual([]);
    } finally {
      await exposed.close();
    }
  }
});

/** Area of a convex polygon inside the unit square at (left, top). */
function coverage(polygon: readonly (readonly [number, number])[], left: number, top: number): number {
  let points = polygon.map(([x, y]): [number, number] => [x - left, y - top]);
  for (const [axis, sign, limit] of [
    [0, 1, 0],
    [0, -1, -1],
    [1, 1, 0],
    [1, -1, -1],
  ] as const) {
    const inside = (point: readonly [number, number]) => sign * point[axis] - limit;
    points = points.flatMap((point, index) => {
      const next = points[(index + 1) % points.length]!;
      const [a, b] = [inside(point), inside(next)];
      const crossing = (): [number, number] => {
        const t = a / (a - b);
        return [point[0] + t * (next[0] - point[0]), point[1] + t * (next[1] - point[1])];
      };
      if (a >= 0) return b >= 0 ? [point] : [point, crossing()];
      return b >= 0 ? [crossing()] : [];
    });
  }
  let area = 0;
  for (const [index, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(index + 1) % points.length]!;
    area += (x * nextY - nextX * y) / 2;
  }
  return Math.abs(area);
}

test('straight alpha: edges composite over black, white and red without a fringe, against analytic coverage', async () => {
  const square: FlatSquare = { centre: [0, 0], side: 1, turn: 17, colour: [0.4, 0.15, 0.02] };
  const picture = await draw(await flatSquares([square]), above);
  const polygon = squareCorners(square).map((corner) => pixelOf([square], above, corner));
  const colour = agx([...square.colour]).map((value) => 255 * value);
  const edges: { at: number; covered: number }[] = [];
  let inside = 0;
  for (let y = 0; y < picture.height; y += 1)
    for (let x = 0; x < picture.width; x += 1) {
      const at = y * picture.width + x;
      const covered = coverage(polygon, x, y);
      if (covered > 0.999) {
        expect(picture.data[4 * at + 3]).toBe(255);
        inside += 1;
      } else if (covered === 0) expect(picture.data[4 * at + 3]).toBe(0);
      else if (covered > 0.001) edges.push({ at, covered });
    }
  expect(inside).toBeGreaterThan(5000);
  expect(edges.length).toBeGreaterThan(300);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  // Four samples a pixel: a quarter is the step of alpha, and there is no bias.
  expect(mean(edges.map(({ at, covered }) => Math.abs(picture.data[4 * at + 3]! / 255 - covered)))).toBeLessThan(0.1);
  expect(Math.abs(mean(edges.map(({ at, covered }) => picture.data[4 * at + 3]! / 255 - covered)))).toBeLessThan(0.01);
  // Colour under partial alpha is the surface's own: what premultiplied colour taken as straight would darken.
  for (const { at } of edges)
    if (picture.data[4 * at + 3]! > 0)
      for (let channel = 0; channel < 3; channel += 1)
        expect(Math.abs(picture.data[4 * at + channel]! - colour[channel]!)).toBeLessThanOrEqual(2);
  for (const [background, behind] of [
    ['grey-0', [0, 0, 0]],
    ['grey-255', [255, 255, 255]],
    ['red', [255, 0, 0]],
  ] as const) {
    const over = composite(picture, background, null);
    const errors = edges.flatMap(({ at, covered }) =>
      [0, 1, 2].map(
        (channel) => over[3 * at + channel]! - (covered * colour[channel]! + (1 - covered) * behind[channel]!),
      ),
    );
    expect({ background, fringe: Math.abs(mean(errors)) < 2, mean: mean(errors.map(Math.abs)) < 15 }).toEqual({
      background,
      fringe: true,
      mean: true,
    });
    for (const { at } of edges)
      for (let channel = 0; channel < 3; channel += 1) {
        const [low, high] = [
          Math.min(colour[channel]!, behind[channel]!),
          Math.max(colour[channel]!, behind[channel]!),
        ];
        expect(over[3 * at + channel]).toBeGreaterThanOrEqual(low - 2);
        expect(over[3 * at + channel]).toBeLessThanOrEqual(high + 2);
      }
  }
});

test('the floor background tiles the real floor texture behind the room, from the top left corner, unscaled', async () => {
  const room = await frozen(await SAMPLE_ROOMS.study());
  const floor = (await readFloorTexture(room))!;
  expect(Math.min(floor.width, floor.height)).toBeGreaterThan(16);
  const picture = await draw(room, above);
  const over = composite(picture, 'floor', floor);
  let behind = 0;
  let before = 0;
  const shown = new Set<string>();
  for (let y = 0; y < picture.height; y += 1)
    for (let x = 0; x < picture.width; x += 1) {
      const at = y * picture.width + x;
      const alpha = picture.data[4 * at + 3]!;
      const tile = 3 * ((y % floor.height) * floor.width + (x % floor.width));
      if (alpha === 0) {
        behind += 1;
        shown.add(over.subarray(3 * at, 3 * at + 3).join());
        expect([...over.subarray(3 * at, 3 * at + 3)]).toEqual([...floor.data.subarray(tile, tile + 3)]);
      } else if (alpha === 255) {
        before += 1;
        expect([...over.subarray(3 * at, 3 * at + 3)]).toEqual([...picture.data.subarray(4 * at, 4 * at + 3)]);
      }
    }
  // The L leaves a corner and two strips free.
  expect(behind / (picture.width * picture.height)).toBeGreaterThan(0.2);
  expect(before / (picture.width * picture.height)).toBeGreaterThan(0.4);
  expect(shown.size).toBeGreaterThan(3);
});
