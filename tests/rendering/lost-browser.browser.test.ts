import { chmodSync, copyFileSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { AuditError } from '../../src/core/errors.ts';
import type { Rgba } from '../../src/core/image.ts';
import type { Log } from '../../src/core/log.ts';
import { isFailure } from '../../src/core/outcome.ts';
import type { View } from '../../src/core/protocol.ts';
import type { FrozenScene } from '../../src/core/scene.ts';
import { createChromiumRenderer } from '../../src/rendering/chromium.ts';
import { RENDERER_DEFAULTS, type Renderer } from '../../src/rendering/renderer.ts';
import { ensurePage } from './bundle.ts';
import { inPage, loseContext, ownBrowser, processes, until } from './own-processes.ts';
import { frozen, SAMPLE_ROOMS } from './sample-rooms.ts';

const at = (resolution: number, focal: number): View => ({ resolution, focal, lighting: 'city', pitch: 45, yaw: 0 });
const few = [20, 30, 40, 50].map((focal) => at(48, focal));
/** Enough work that something can go wrong in the middle of it. */
const many = Array.from({ length: 12 }, (_, index) => at(256, 30 + index));
const never = new AbortController().signal;
let room: FrozenScene;
let warnings: string[];
let renderer: Renderer;
const log: Log = { debug() {}, info() {}, warn: (message) => warnings.push(message) };

/** Helpers name the profile of the browser they belong to. */
const isOwn = (command: readonly string[]) =>
  command.some((part) => part.includes(`parallax-chromium-${process.pid}-`));

const open = (timeout = 60) => createChromiumRenderer({ ...RENDERER_DEFAULTS, detail: 'quick', timeout }, log);

/** Draws the views; `after` runs once, after the first picture. Pictures become their size, failures their reason. */
async function draw(views = few, after: () => unknown = () => undefined): Promise<(number | string)[]> {
  const found = new Map<View, Rgba | string>();
  for await (const [view, picture] of renderer.render(room, views, never)) {
    found.set(view, isFailure(picture) ? picture.reason : picture);
    if (found.size === 1) await after();
  }
  return views.map((view) => {
    const picture = found.get(view);
    return typeof picture === 'object' ? picture.width : (picture ?? 'nothing');
  });
}
const whole = (views: readonly View[]) => views.map(({ resolution }) => resolution);

beforeAll(async () => {
  await ensurePage();
  room = await frozen(await SAMPLE_ROOMS.bedroom());
});
beforeEach(() => {
  warnings = [];
  vi.stubEnv('PARALLAX_CHROMIUM_ARGS', '--remote-debugging-port=0');
});
afterEach(async () => {
  await renderer.close();
  vi.unstubAllEnvs();
  expect(ownBrowser()).toBeUndefined();
});

describe.skipIf(process.platform !== 'linux')('a browser that goes wrong', () => {
  test('killed in the middle of a scene: started again, every picture drawn', async () => {
    renderer = await open();
    expect(await draw(many, () => process.kill(ownBrowser()!.pid, 'SIGKILL'))).toEqual(whole(many));
    expect(warnings).toEqual([expect.stringMatching(/^renderer: the browser ended; starting the browser again$/)]);
  });

  test('killed whenever it runs: the scene fails with the reason after one retry, and the next scene draws', async () => {
    renderer = await open();
    let killing = true;
    const killer = (async () => {
      while (killing) {
        const browser = ownBrowser();
        // Only once its page is up: a browser that does not start at all is another fault.
        if (
          browser !== undefined &&
          processes().some(({ command }) => command.includes('--type=renderer') && isOwn(command))
        )
          await inPage((page) => page.evaluate('1')).then(
            () => process.kill(browser.pid, 'SIGKILL'),
            () => undefined,
          );
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    const reasons = await draw(many);
    killing = false;
    await killer;
    expect(reasons.filter((reason) => typeof reason === 'string').length).toBeGreaterThan(0);
    for (const reason of reasons) if (typeof reason === 'string') expect(reason).toMatch(/browser ended|closed|Target/);
    expect(warnings.map((line) => line.split('; ')[1])).toEqual([
      'starting the browser again',
      'giving up on this scene',
    ]);
    expect(await draw()).toEqual(whole(few));
  });

  test('killed between two scenes: a new one, and no attempt is lost', async () => {
    renderer = await open();
    await draw();
    const browser = ownBrowser()!;
    process.kill(browser.pid, 'SIGKILL');
    await until(() => ownBrowser() === undefined);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await draw()).toEqual(whole(few));
    expect(warnings).toEqual([]);
  });

  test.each([
    [
      'its GPU process dies',
      () => {
        const gpu = processes().find(({ command }) => command.includes('--type=gpu-process') && isOwn(command));
        process.kill(gpu!.pid, 'SIGKILL');
      },
    ],
    ['its GPU context is lost', () => inPage(loseContext)],
  ])('%s: noticed, started again', async (_, harm) => {
    renderer = await open();
    await draw();
    await harm();
    expect(await draw()).toEqual(whole(few));
    expect(warnings).toEqual([expect.stringMatching(/GPU context was lost; starting the browser again$/)]);
  });

  test('its page hangs: noticed after the time limit, then drawn by a new one', async () => {
    renderer = await open(20);
    const hang = () => inPage((page) => page.evaluate('setTimeout(() => { for (;;); }); 0'));
    expect(await draw(many, hang)).toEqual(whole(many));
    expect(warnings).toEqual([
      expect.stringMatching(/^renderer: no picture for 20 s: the page hangs; starting the browser again$/),
    ]);
  });

  test('its program vanishes between two scenes: one clear line, no failures of scenes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parallax-vanish-'));
    try {
      const program = join(folder, 'chromium');
      symlinkSync((await import('../../src/rendering/find-chromium.ts')).findInstalledChromium()!, program);
      vi.stubEnv('PARALLAX_CHROMIUM', program);
      renderer = await open();
      expect(await draw()).toEqual(whole(few));
      process.kill(ownBrowser()!.pid, 'SIGKILL');
      await until(() => ownBrowser() === undefined);
      rmSync(program);
      const error = await draw().then(
        () => null,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(AuditError);
      expect((error as AuditError).message).toBe(
        `PARALLAX_CHROMIUM: no program at "${program}"; expected the path of a Chrome or Chromium, or "package"`,
      );
      // A program that is there but is no browser.
      copyFileSync('/bin/false', program);
      chmodSync(program, 0o755);
      await expect(draw()).rejects.toThrow(/^Chromium: ".*chromium" does not start: /);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
