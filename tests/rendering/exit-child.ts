// A program that draws and ends in the way it is told: exit-child.ts <chromium|blender> <normal|exception|exit|wait>,
// or exit-child.ts cli <arguments of parallax>.

import { main } from '../../src/cli.ts';
import type { View } from '../../src/core/protocol.ts';
import { createBlenderRenderer } from '../../src/rendering/blender.ts';
import { createChromiumRenderer } from '../../src/rendering/chromium.ts';
import { RENDERER_DEFAULTS } from '../../src/rendering/renderer.ts';
import { frozen, SAMPLE_ROOMS } from './sample-rooms.ts';

const [kind, ...rest] = process.argv.slice(2);
if (kind === 'cli') await main(rest);
else {
  const settings = { ...RENDERER_DEFAULTS, detail: 'quick' } as const;
  const renderer =
    kind === 'blender'
      ? await createBlenderRenderer({ ...settings, samples: 4 })
      : await createChromiumRenderer(settings);
  const [mode] = rest;
  const size = mode === 'wait' ? 512 : 32;
  const views = Array.from(
    { length: mode === 'wait' ? 400 : 2 },
    (_, index): View => ({
      resolution: index === 0 ? 32 : size,
      focal: 20 + index,
      lighting: 'city',
      pitch: 45,
      yaw: 0,
    }),
  );
  const scene = await frozen(await SAMPLE_ROOMS.bedroom());
  for await (const _ of renderer.render(scene, views, new AbortController().signal)) {
    process.stdout.write('drawing\n');
    if (mode === 'exception') throw new Error('as told');
    if (mode === 'exit') process.exit(3);
  }
  await renderer.close();
}
