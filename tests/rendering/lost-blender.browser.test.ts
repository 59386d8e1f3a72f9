import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Log } from '../../src/core/log.ts';
import { isFailure } from '../../src/core/outcome.ts';
import type { View } from '../../src/core/protocol.ts';
import type { FrozenScene } from '../../src/core/scene.ts';
import { createBlenderRenderer } from '../../src/rendering/blender.ts';
import { findBlender } from '../../src/rendering/find-blender.ts';
import { RENDERER_DEFAULTS, type Renderer } from '../../src/rendering/renderer.ts';
import { children } from './own-processes.ts';
import { boxGlb, sceneOf } from './textured-box.ts';

const views = [20, 50, 80].map((focal): View => ({ resolution: 32, focal, lighting: 'city', pitch: 45, yaw: 0 }));
let box: FrozenScene;
let warnings: string[];
const log: Log = { debug() {}, info() {}, warn: (message) => warnings.push(message) };

beforeAll(async () => {
  box = await sceneOf(await boxGlb());
});
beforeEach(() => {
  warnings = [];
});

const blender = () => children('scene.py')[0];

async function draw(renderer: Renderer, after: () => void = () => undefined): Promise<(number | string)[]> {
  const found: (number | string)[] = [];
  for await (const [, picture] of renderer.render(box, views, new AbortController().signal)) {
    found.push(isFailure(picture) ? picture.reason : picture.width);
    if (found.length === 1) after();
  }
  return found;
}

async function withBlender(timeout: number, work: (renderer: Renderer) => Promise<void>): Promise<void> {
  const renderer = await createBlenderRenderer({ ...RENDERER_DEFAULTS, samples: 1, timeout }, log);
  try {
    await work(renderer);
  } finally {
    await renderer.close();
  }
  expect(blender()).toBeUndefined();
}

describe.skipIf(process.platform !== 'linux' || findBlender() === null)('a Blender that goes wrong', () => {
  test('killed in the middle of a scene: started again, every picture drawn', () =>
    withBlender(120, async (renderer) => {
      expect(await draw(renderer, () => process.kill(blender()!.pid, 'SIGKILL'))).toEqual([32, 32, 32]);
      expect(warnings).toEqual([
        expect.stringMatching(/^renderer: Blender ended \(killed by SIGKILL\).*; starting Blender again$/),
      ]);
    }));

  test('killed whenever it runs: the scene fails with the reason after one retry, and the next scene draws', () =>
    withBlender(120, async (renderer) => {
      const killer = setInterval(() => {
        const running = blender();
        if (running !== undefined) process.kill(running.pid, 'SIGKILL');
      }, 100);
      const reasons = await draw(renderer);
      clearInterval(killer);
      expect(reasons).toEqual(views.map(() => expect.stringMatching(/^Blender ended \(killed by SIGKILL\)/)));
      expect(warnings.map((line) => line.endsWith('; starting Blender again'))).toEqual([true, false]);
      expect(await draw(renderer)).toEqual([32, 32, 32]);
    }));

  test('hanging: noticed after the time limit, started again', () =>
    withBlender(40, async (renderer) => {
      expect(await draw(renderer, () => process.kill(blender()!.pid, 'SIGSTOP'))).toEqual([32, 32, 32]);
      expect(warnings).toEqual(['renderer: Blender gave no answer for 40 s; starting Blender again']);
    }));
});
