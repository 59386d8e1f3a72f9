import { beforeAll, expect, test } from 'vitest';
import type { Rgba } from '../../src/core/image.ts';
import { isFailure } from '../../src/core/outcome.ts';
import type { View } from '../../src/core/protocol.ts';
import type { FrozenScene } from '../../src/core/scene.ts';
import { createBlenderRenderer } from '../../src/rendering/blender.ts';
import { createChromiumRenderer } from '../../src/rendering/chromium.ts';
import { findBlender } from '../../src/rendering/find-blender.ts';
import { pictureDifference } from '../../src/rendering/picture-difference.ts';
import { RENDERER_DEFAULTS } from '../../src/rendering/renderer.ts';
import { rendererByView } from '../../src/rendering/renderer-by-view.ts';
import { ensurePage } from './bundle.ts';
import { frozen, SAMPLE_ROOMS } from './sample-rooms.ts';

const SIDE = 64;
const VIEWS: readonly View[] = [
  { resolution: SIDE, focal: 50, lighting: 'city', pitch: 90, yaw: 0 },
  { resolution: SIDE, focal: 16, lighting: 'night', pitch: 45, yaw: 30 },
  { resolution: SIDE, focal: 200, lighting: 'studio', pitch: 15, yaw: 180 },
];
const absent = findBlender() === null;
let pictures: { readonly chromium: readonly Rgba[]; readonly blender: readonly Rgba[] };

/** Both renderers at once, as an audit whose factor is the renderer draws. */
async function drawBoth(room: FrozenScene): Promise<typeof pictures> {
  const renderer = rendererByView({
    chromium: await createChromiumRenderer({ ...RENDERER_DEFAULTS, detail: 'quick' }),
    blender: await createBlenderRenderer({ ...RENDERER_DEFAULTS, samples: 16 }),
  });
  const by = (level: 'chromium' | 'blender') => VIEWS.map((view): View => ({ ...view, renderer: level }));
  const [chromium, blender] = [by('chromium'), by('blender')];
  const found = new Map<View, Rgba>();
  try {
    for await (const [view, picture] of renderer.render(
      room,
      [...blender, ...chromium],
      new AbortController().signal,
    )) {
      if (isFailure(picture)) throw new Error(picture.reason);
      found.set(view, picture);
    }
  } finally {
    await renderer.close();
  }
  return { chromium: chromium.map((view) => found.get(view)!), blender: blender.map((view) => found.get(view)!) };
}

beforeAll(async () => {
  if (absent) return;
  await ensurePage();
  // An L: which of its walls are hidden shows in the outline.
  pictures = await drawBoth(await frozen(await SAMPLE_ROOMS.study()));
});

test.skipIf(absent)('Blender frames the room and hides its walls as Chromium does: alpha agrees pixel by pixel', () => {
  for (const [index, view] of VIEWS.entries()) {
    const [ours, theirs] = [pictures.chromium[index]!, pictures.blender[index]!];
    let sum = 0;
    let opposite = 0;
    let covered = 0;
    for (let at = 3; at < ours.data.length; at += 4) {
      const [a, b] = [ours.data[at]!, theirs.data[at]!];
      sum += Math.abs(a - b) / 255;
      // A pixel that one fills and the other leaves out is an outline shifted by a pixel or a wall too many.
      if ((a === 255 && b === 0) || (a === 0 && b === 255)) opposite += 1;
      if (a === 255) covered += 1;
    }
    expect(covered, JSON.stringify(view)).toBeGreaterThan(400);
    expect(opposite, JSON.stringify(view)).toBe(0);
    // Blender filters over a pixel and a half, Chromium over one: outlines differ by a fraction of a step of alpha.
    expect(sum / (SIDE * SIDE), JSON.stringify(view)).toBeLessThan(0.02);
  }
});

test.skipIf(absent)('Blender lights the room as Chromium does, map by map', async () => {
  for (const [index, view] of VIEWS.entries())
    expect(
      await pictureDifference(pictures.chromium[index]!, pictures.blender[index]!),
      JSON.stringify(view),
    ).toBeLessThan(14);
});

test.skipIf(!absent)('without Blender the renderer says so', async () => {
  await expect(createBlenderRenderer(RENDERER_DEFAULTS)).rejects.toThrow('expected a program "blender" on PATH');
});
