import { expect, test } from 'vitest';
import type { RendererLevel, View } from '../../src/core/protocol.ts';
import type { FrozenScene } from '../../src/core/scene.ts';
import type { Renderer } from '../../src/rendering/renderer.ts';
import { rendererByView } from '../../src/rendering/renderer-by-view.ts';

const view = (renderer: RendererLevel | undefined, pitch: number): View => ({
  resolution: 16,
  focal: 50,
  lighting: 'city',
  pitch,
  yaw: 0,
  ...(renderer === undefined ? {} : { renderer }),
});

/** Answers each view with its own name as the reason, and notes what it was asked. */
function named(name: string, asked: string[]): Renderer {
  return {
    fingerprint: { name, version: '1' },
    environment: async () => ({ program: name }),
    async *render(_scene, views) {
      for (const asking of views) {
        asked.push(`${name} ${asking.pitch}`);
        yield [asking, { status: 'failed', reason: name }] as const;
      }
    },
    close: async () => void asked.push(`${name} closed`),
  };
}

test('each view goes to the renderer it names, and both are closed, in the fingerprint and in the environment', async () => {
  const asked: string[] = [];
  const both = rendererByView({ chromium: named('chromium', asked), blender: named('blender', asked) });
  const views = [view('blender', 0), view('chromium', 0), view('blender', 45)];
  const answers = new Map<View, unknown>();
  for await (const [seen, answer] of both.render({} as FrozenScene, views, new AbortController().signal))
    answers.set(seen, answer);
  expect(views.map((asking) => answers.get(asking))).toEqual(
    ['blender', 'chromium', 'blender'].map((reason) => ({ status: 'failed', reason })),
  );
  expect(both.fingerprint).toEqual({
    name: 'by-view',
    renderers: { chromium: { name: 'chromium', version: '1' }, blender: { name: 'blender', version: '1' } },
  });
  expect(await both.environment()).toEqual({ chromium: { program: 'chromium' }, blender: { program: 'blender' } });
  await both.close();
  expect(asked).toEqual(['chromium 0', 'blender 0', 'blender 45', 'chromium closed', 'blender closed']);
});

test('a view that names no renderer is an error, not a guess', async () => {
  const both = rendererByView({ chromium: named('chromium', []), blender: named('blender', []) });
  await expect(
    (async () => {
      for await (const _ of both.render({} as FrozenScene, [view(undefined, 0)], new AbortController().signal));
    })(),
  ).rejects.toThrow('names no renderer');
});
