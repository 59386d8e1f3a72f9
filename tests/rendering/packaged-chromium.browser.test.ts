import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Rgba } from '../../src/core/image.ts';
import { isFailure } from '../../src/core/outcome.ts';
import type { View } from '../../src/core/protocol.ts';
import { createChromiumRenderer } from '../../src/rendering/chromium.ts';
import { findInstalledChromium } from '../../src/rendering/find-chromium.ts';
import { RENDERER_DEFAULTS } from '../../src/rendering/renderer.ts';
import { ensurePage } from './bundle.ts';
import { frozen, SAMPLE_ROOMS } from './sample-rooms.ts';

let folder: string;

beforeAll(async () => {
  await ensurePage();
  folder = mkdtempSync(join(tmpdir(), 'parallax-package-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Pictures of the bedroom by the browser that the variables name, and what it says of itself. */
async function draw(environment: Record<string, string>): Promise<{ pictures: Rgba[]; facts: unknown }> {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const renderer = await createChromiumRenderer({ ...RENDERER_DEFAULTS, detail: 'quick' });
  try {
    const room = await frozen(await SAMPLE_ROOMS.bedroom());
    const views = [90, 30].map((pitch): View => ({ resolution: 96, focal: 50, lighting: 'city', pitch, yaw: 0 }));
    const pictures: Rgba[] = [];
    for await (const [, picture] of renderer.render(room, views, new AbortController().signal))
      if (isFailure(picture)) throw new Error(picture.reason);
      else pictures.push(picture);
    return { pictures, facts: await renderer.environment() };
  } finally {
    await renderer.close();
    vi.unstubAllEnvs();
  }
}

test('the Chromium that npm carries is unpacked into a folder of its own, draws, and is unpacked once', async () => {
  const environment = { PARALLAX_CHROMIUM: 'package', XDG_CACHE_HOME: folder };
  const { pictures, facts } = await draw(environment);
  expect(pictures.map(({ width, height }) => [width, height])).toEqual([
    [96, 96],
    [96, 96],
  ]);
  expect(facts).toMatchObject({
    source: 'package',
    browser: expect.stringMatching(/Chrome\/147\./),
    glRenderer: expect.stringMatching(/SwiftShader/),
  });
  const cache = join(folder, 'parallax');
  expect(readdirSync(cache)).toEqual(['chromium-147.0.0']);
  const { mtimeMs } = statSync(join(cache, 'chromium-147.0.0', 'chromium'));
  if (findInstalledChromium() !== null) {
    const installed = await draw({ PARALLAX_CHROMIUM: '' });
    expect(installed.facts).toMatchObject({ source: 'installed' });
    // Same three.js, same software GL: the same picture but for rounding.
    installed.pictures.forEach(({ data }, index) => {
      const off = data.reduce((sum, value, at) => sum + Math.abs(value - pictures[index]!.data[at]!), 0) / data.length;
      expect(off).toBeLessThan(0.5);
    });
  }
  expect(await draw(environment)).toEqual({ pictures, facts });
  expect(statSync(join(cache, 'chromium-147.0.0', 'chromium')).mtimeMs).toBe(mtimeMs);
});
