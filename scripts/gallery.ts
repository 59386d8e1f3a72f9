// npm run gallery: one contact sheet per render factor for three rooms, and Chromium beside Cycles where Blender exists; into gallery/.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rgba } from '../src/core/image.ts';
import { type Failure, isFailure } from '../src/core/outcome.ts';
import { LIGHTINGS, type RenderConfiguration } from '../src/core/protocol.ts';
import type { FrozenScene } from '../src/core/scene.ts';
import { createBlenderRenderer } from '../src/rendering/blender.ts';
import { createChromiumRenderer } from '../src/rendering/chromium.ts';
import { composite } from '../src/rendering/composite.ts';
import { contactSheet, type Tile } from '../src/rendering/contact-sheet.ts';
import { findBlender } from '../src/rendering/find-blender.ts';
import { readFloorTexture } from '../src/rendering/floor-texture.ts';
import { pictureDifference } from '../src/rendering/picture-difference.ts';
import { RENDERER_DEFAULTS, type Renderer } from '../src/rendering/renderer.ts';
import { frozen, SAMPLE_ROOMS } from '../tests/rendering/sample-rooms.ts';

const DEFAULT: RenderConfiguration = {
  resolution: 512,
  focal: 50,
  lighting: 'city',
  background: 'grey-255',
  pitch: 90,
  yaw: 0,
};
const FACTORS: Record<string, readonly Partial<RenderConfiguration>[]> = {
  resolution: [196, 224, 256, 336, 384, 448, 512, 768, 1024].map((resolution) => ({ resolution })),
  focal: [16, 24, 35, 50, 85, 100, 200].map((focal) => ({ focal })),
  lighting: LIGHTINGS.map((lighting) => ({ lighting })),
  background: [0, 65, 128, 186, 204, 255]
    .map((grey) => `grey-${grey}`)
    .concat('red', 'green', 'blue', 'floor')
    .map((background) => ({ background })),
  pitch: [0, 15, 30, 45, 60, 75, 90].map((pitch) => ({ pitch })),
  yaw: [0, 45, 90, 135, 180, 225, 270, 315].map((yaw) => ({ yaw, pitch: 45 })),
};
const out = join(import.meta.dirname, '..', 'gallery');
const signal = new AbortController().signal;

async function draw(renderer: Renderer, scene: FrozenScene, configurations: readonly RenderConfiguration[]) {
  const found = new Map<RenderConfiguration, Rgba | Failure>();
  for await (const [view, picture] of renderer.render(scene, configurations, signal))
    found.set(view as RenderConfiguration, picture);
  return configurations.map((configuration) => found.get(configuration) as Rgba | Failure);
}

mkdirSync(out, { recursive: true });
const chromium = await createChromiumRenderer(RENDERER_DEFAULTS);
const blender = findBlender() === null ? null : await createBlenderRenderer({ ...RENDERER_DEFAULTS, samples: 64 });
try {
  for (const [name, make] of Object.entries(SAMPLE_ROOMS)) {
    const scene = await frozen(await make());
    const floor = await readFloorTexture(scene);
    for (const [factor, levels] of Object.entries(FACTORS)) {
      const configurations = levels.map((level) => ({ ...DEFAULT, ...level }));
      const pictures = await draw(chromium, scene, configurations);
      const tiles = pictures.map((picture, index): Tile => {
        const { background } = configurations[index] as RenderConfiguration;
        const label = Object.values(levels[index] as object)[0];
        return {
          label: `${factor} ${String(label)}`,
          picture: isFailure(picture) ? picture : { ...picture, data: composite(picture, background, floor) },
        };
      });
      const file = join(out, `${name}-${factor}.png`);
      writeFileSync(file, await contactSheet(tiles, { title: `${name}: ${factor}` }));
      process.stdout.write(`${file}\n`);
    }
    if (blender === null) continue;
    const configurations = LIGHTINGS.flatMap((lighting) => [
      { ...DEFAULT, resolution: 256, lighting, pitch: 45, yaw: 30 },
      { ...DEFAULT, resolution: 256, lighting },
    ]);
    const [ours, cycles] = [await draw(chromium, scene, configurations), await draw(blender, scene, configurations)];
    const tiles: Tile[] = [];
    for (const [index, { lighting, pitch }] of configurations.entries()) {
      const [mine, reference] = [ours[index] as Rgba | Failure, cycles[index] as Rgba | Failure];
      const shown = (picture: Rgba | Failure) =>
        isFailure(picture) ? picture : { ...picture, data: composite(picture, 'grey-186', null) };
      const difference = isFailure(mine) || isFailure(reference) ? null : await pictureDifference(mine, reference);
      tiles.push({ label: `Cycles ${lighting} ${pitch}`, picture: shown(reference) });
      tiles.push({ label: `Chromium, differs by ${difference?.toFixed(1) ?? '?'} of 255`, picture: shown(mine) });
    }
    const file = join(out, `${name}-cycles.png`);
    writeFileSync(file, await contactSheet(tiles, { title: `${name}: Cycles, 64 samples, beside Chromium` }));
    process.stdout.write(`${file}\n`);
  }
} finally {
  await chromium.close();
  await blender?.close();
}
