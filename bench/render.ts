// npm run bench:render: Chromium and, where it is installed, Cycles on the same room in one run.

import { LIGHTINGS, type View } from '../src/core/protocol.ts';
import { createBlenderRenderer } from '../src/rendering/blender.ts';
import { createChromiumRenderer } from '../src/rendering/chromium.ts';
import { findBlender } from '../src/rendering/find-blender.ts';
import { RENDERER_DEFAULTS, type Renderer } from '../src/rendering/renderer.ts';
import { frozen, SAMPLE_ROOMS } from '../tests/rendering/sample-rooms.ts';

const c0: View = { resolution: 512, focal: 50, lighting: 'city', pitch: 90, yaw: 0 };
/** The distinct renders of the reference audit: backgrounds are composited, c0 is shared. */
const REFERENCE: View[] = [
  c0,
  ...[196, 224, 256, 336, 384, 448, 768, 1024].map((resolution) => ({ ...c0, resolution })),
  ...[16, 24, 35, 85, 100, 200].map((focal) => ({ ...c0, focal })),
  ...LIGHTINGS.slice(1).map((lighting) => ({ ...c0, lighting })),
  ...[0, 15, 30, 45, 60, 75].map((pitch) => ({ ...c0, pitch })),
  ...[45, 90, 135, 180, 225, 270, 315].map((yaw) => ({ ...c0, pitch: 45, yaw })),
];
const scene = await frozen(await SAMPLE_ROOMS.bedroom());
const signal = new AbortController().signal;

async function seconds(renderer: Renderer, views: readonly View[]): Promise<number> {
  const started = performance.now();
  for await (const _ of renderer.render(scene, views, signal));
  return (performance.now() - started) / 1000;
}

const print = (name: string, value: string) => process.stdout.write(`${name.padEnd(58)} ${value}\n`);
for (const detail of ['full', 'quick'] as const) {
  const chromium = await createChromiumRenderer({ ...RENDERER_DEFAULTS, detail });
  await seconds(chromium, [c0]);
  const views = Array.from({ length: 12 }, (_, index) => ({ ...c0, focal: 40 + index }));
  const frame = (await seconds(chromium, views)) / views.length;
  print(`chromium ${detail}: seconds a 512 px picture, 12 of one scene`, frame.toFixed(3));
  print(
    `chromium ${detail}: seconds for the ${REFERENCE.length} distinct renders`,
    (await seconds(chromium, REFERENCE)).toFixed(1),
  );
  await chromium.close();
  if (detail === 'full' && findBlender() !== null) {
    const blender = await createBlenderRenderer({ ...RENDERER_DEFAULTS, samples: 64 });
    await seconds(blender, [{ ...c0, resolution: 64 }]);
    const cycles = (await seconds(blender, views.slice(0, 3))) / 3;
    print('blender, 64 samples: seconds a 512 px picture', cycles.toFixed(2));
    print('chromium full: pictures a second, times those of Cycles', (cycles / frame).toFixed(0));
    await blender.close();
  }
}
