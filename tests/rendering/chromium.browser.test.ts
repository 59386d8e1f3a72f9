import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rgba } from '../../src/core/image.ts';
import { isFailure } from '../../src/core/outcome.ts';
import type { View } from '../../src/core/protocol.ts';
import type { FrozenScene } from '../../src/core/scene.ts';
import { createChromiumRenderer } from '../../src/rendering/chromium.ts';
import { RENDERER_DEFAULTS, type Renderer } from '../../src/rendering/renderer.ts';
import { ensurePage } from './bundle.ts';
import { frozen, SAMPLE_ROOMS } from './sample-rooms.ts';

const view = (changes: Partial<View> = {}): View => ({
  resolution: 128,
  focal: 50,
  lighting: 'city',
  pitch: 45,
  yaw: 0,
  ...changes,
});
const never = new AbortController().signal;
let renderer: Renderer;
let room: FrozenScene;

async function draw(views: readonly View[], scene = room, signal = never, by = renderer) {
  const found = new Map<View, Rgba | string>();
  for await (const [asked, picture] of by.render(scene, views, signal))
    found.set(asked, isFailure(picture) ? picture.reason : picture);
  return views.map((asked) => found.get(asked));
}

beforeAll(async () => {
  await ensurePage();
  room = await frozen(await SAMPLE_ROOMS.bedroom());
  renderer = await createChromiumRenderer({ ...RENDERER_DEFAULTS, detail: 'quick' });
});
afterAll(async () => {
  await renderer.close();
});

/** First and last column and row with any foreground. */
function bounds({ width, height, data }: Rgba) {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if (data[4 * (y * width + x) + 3]! > 127) {
        left = Math.min(left, x);
        right = Math.max(right, x);
        top = Math.min(top, y);
        bottom = Math.max(bottom, y);
      }
  return { left, right, top, bottom };
}

test('the room fills the frame less its margin at 16, 50 and 200 mm, and stays transparent outside', async () => {
  const pictures = await draw([16, 50, 200].map((focal) => view({ focal, pitch: 90 })));
  for (const picture of pictures as Rgba[]) {
    const { left, right } = bounds(picture);
    expect(Math.abs(left - 3)).toBeLessThanOrEqual(1);
    expect(Math.abs(right - 124)).toBeLessThanOrEqual(1);
    expect(picture.data[3]).toBe(0);
  }
});

test('the same view gives the same bytes, in this session and in a new one', async () => {
  const views = [view(), view({ lighting: 'studio', pitch: 90 })];
  const first = await draw(views);
  expect(await draw(views)).toEqual(first);
  const other = await createChromiumRenderer({ ...RENDERER_DEFAULTS, detail: 'quick' });
  try {
    expect(await draw(views, room, never, other)).toEqual(first);
  } finally {
    await other.close();
  }
});

test('every lighting and every pose gives another picture', async () => {
  const views = [
    ...['city', 'courtyard', 'night', 'sunset'].map((lighting) => view({ lighting })),
    view({ pitch: 15 }),
    view({ yaw: 90 }),
    view({ yaw: 180 }),
  ];
  const pictures = await draw(views);
  expect(pictures.every((picture) => typeof picture === 'object')).toBe(true);
  expect(new Set(pictures.map((picture) => Buffer.from((picture as Rgba).data).toString('base64'))).size).toBe(7);
});

test('a scene that cannot be read is a failure with its reason, and the next scene draws', async () => {
  const broken = { ...room, glb: room.glb.slice(0, 500) };
  const [reason] = await draw([view()], broken);
  expect(typeof reason).toBe('string');
  const [unknown] = await draw([view({ lighting: 'noon' })]);
  expect(unknown).toContain('noon');
  expect(typeof (await draw([view()]))[0]).toBe('object');
});

test('a cancelled run stops, and the renderer can be used again', async () => {
  const controller = new AbortController();
  const views = Array.from({ length: 8 }, (_, index) => view({ focal: 30 + index, resolution: 256 }));
  await expect(
    (async () => {
      for await (const _ of renderer.render(room, views, controller.signal)) controller.abort();
    })(),
  ).rejects.toThrow();
  expect(typeof (await draw([view()]))[0]).toBe('object');
});
