import type { Page } from 'puppeteer-core';
import { isAbort, messageOf } from '../core/errors.ts';
import type { Rgba } from '../core/image.ts';
import type { Json } from '../core/json.ts';
import type { Log } from '../core/log.ts';
import type { Failure } from '../core/outcome.ts';
import type { View } from '../core/protocol.ts';
import type { FrozenScene } from '../core/scene.ts';
import { blankness } from './blankness.ts';
import { encodeLight, preparedLight } from './encode-light.ts';
import { type Box, frameBox, hidesWall } from './framing.ts';
import { launchChromium, type RunningChromium } from './launch-chromium.ts';
import type { DrawRequest, LoadAnswer, LoadRequest, Picture } from './page/protocol.ts';
import { PageServer } from './page-server.ts';
import type { RendererSettings } from './renderer.ts';

export interface SessionOptions {
  readonly settings: RendererSettings;
  /** Milliseconds without an answer after which the page counts as hung. */
  readonly timeout: number;
  readonly log: Log;
}

/** A browser restarted after so many scenes: its memory grows a little with each. */
const SCENES_A_BROWSER = 200;
/** Largest side the page may be asked for, pixels. */
const LARGEST_SIDE = 4096;

/** The page or its browser is unusable (crash, hang, lost GPU): everything has to be started again. */
class PageLost extends Error {}

interface Live {
  readonly server: PageServer;
  readonly running: RunningChromium;
  readonly page: Page;
  /** Rejects when the browser or the page dies. */
  readonly lost: Promise<never>;
  scenes: number;
}

/** One browser with one page, started on demand, restarted once per scene when it is lost. */
export class ChromiumSession {
  readonly #options: SessionOptions;
  #live: Live | null = null;
  #closed = false;
  #serial = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  #nextSerial(): number {
    this.#serial += 1;
    return this.#serial;
  }

  /** Browser version and GL strings; starts the browser. */
  async info(): Promise<{ readonly [key: string]: Json }> {
    const live = await this.#start();
    const info = await this.#ask(live, () => live.page.evaluate('window.parallax.info()'));
    return { browser: await live.running.browser.version(), source: live.running.found.source, ...(info as object) };
  }

  async *render(
    scene: FrozenScene,
    views: readonly View[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly [View, Rgba | Failure]> {
    const left = new Map<string, View>();
    for (const view of views) {
      if (view.resolution < 1 || view.resolution > LARGEST_SIDE || !Number.isInteger(view.resolution))
        yield [view, failed(`resolution ${view.resolution} is not a whole number from 1 to ${LARGEST_SIDE}`)];
      else left.set(`${this.#nextSerial()}`, view);
    }
    for (let attempt = 1; left.size > 0; attempt += 1) {
      signal.throwIfAborted();
      try {
        for await (const [id, result] of this.#attempt(scene, left, signal)) {
          const view = left.get(id)!;
          left.delete(id);
          yield [view, result];
        }
        return;
      } catch (error) {
        if (isAbort(error) || signal.aborted) throw error;
        const reason = messageOf(error);
        if (error instanceof PageLost) {
          this.#options.log.warn(
            `renderer: ${reason}; ${attempt === 1 ? 'starting the browser again' : 'giving up on this scene'}`,
          );
          await this.#stop();
          if (attempt === 1) continue;
        }
        for (const view of left.values()) yield [view, failed(reason)];
        return;
      }
    }
  }

  async *#attempt(
    scene: FrozenScene,
    views: ReadonlyMap<string, View>,
    signal: AbortSignal,
  ): AsyncGenerator<readonly [string, Rgba | Failure]> {
    const live = await this.#start();
    live.scenes += 1;
    const name = `${this.#nextSerial()}`;
    const arrived: (readonly [string, Uint8Array])[] = [];
    let wake: () => void = () => undefined;
    live.server.offerScene(name, scene.glb);
    const onAbort = () => wake();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const load: LoadRequest = { url: `scene/${name}`, detail: this.#options.settings.detail };
      const loaded = (await this.#ask(live, () =>
        live.page.evaluate(`window.parallax.load(${JSON.stringify(load)})`),
      )) as LoadAnswer;
      live.server.withdrawScene(name);
      for (const note of loaded.notes) this.#options.log.debug(`${scene.scene.id}: ${note}`);
      const request = this.#request(scene, views, loaded);
      let finished = false;
      let failure: unknown = null;
      for (const { id } of request.pictures)
        live.server.expectPixels(id, (pixels) => {
          arrived.push([id, pixels]);
          wake();
        });
      const drawing = live.page
        .evaluate(`window.parallax.draw(${JSON.stringify(request)})`)
        .then((spent) => this.#options.log.debug(`${scene.scene.id}: ${JSON.stringify(spent)}`))
        .catch((error: unknown) => {
          failure = error;
        })
        .finally(() => {
          finished = true;
          wake();
        });
      live.lost.catch((error: unknown) => {
        failure = error;
        finished = true;
        wake();
      });
      for (;;) {
        const next = arrived.shift();
        if (next !== undefined) {
          const [id, data] = next;
          const side = views.get(id)!.resolution;
          if (data.length !== 4 * side * side)
            yield [id, failed(`the page sent ${data.length} bytes for ${side} pixels`)];
          else {
            const picture = { width: side, height: side, data };
            const blank = blankness(picture);
            yield [id, blank === null ? picture : failed(blank)];
          }
          continue;
        }
        if (signal.aborted) {
          // The page goes on drawing what it was asked for; a new page is cheaper than waiting.
          await this.#stop();
          signal.throwIfAborted();
        }
        if (finished) break;
        const timely = await waitFor((resolve) => {
          wake = resolve;
          if (arrived.length > 0 || finished || signal.aborted) resolve();
        }, this.#options.timeout);
        if (!timely) throw new PageLost(`no picture for ${this.#options.timeout / 1000} s: the page hangs`);
      }
      await Promise.race([drawing, live.lost]);
      if (failure !== null) throw this.#classify(failure);
    } finally {
      signal.removeEventListener('abort', onAbort);
      live.server.withdrawScene(name);
      for (const id of views.keys()) live.server.forgetPixels(id);
    }
  }

  #request(scene: FrozenScene, views: ReadonlyMap<string, View>, loaded: LoadAnswer): DrawRequest {
    const { settings } = this.#options;
    const box: Box = scene.scene.frame ?? loaded.box;
    const drawable = new Set(loaded.walls);
    const pictures = [...views].map(([id, view]): Picture => {
      const hidden = scene.scene.rooms.flatMap((room) =>
        room.walls
          .filter((wall) => hidesWall(wall, view, settings.hideWallsAbove))
          .map((wall) => `wall:${room.id}:${wall.id}`)
          .filter((node) => drawable.has(node)),
      );
      return {
        id,
        resolution: view.resolution,
        camera: frameBox(box, view, settings.margin),
        lighting: view.lighting,
        hidden,
      };
    });
    // Pictures that share walls and light follow one another: each pair is baked once.
    const bake = ({ hidden, lighting }: Picture) => `${hidden.join(' ')}|${lighting}`;
    const order = new Map<string, number>();
    for (const picture of pictures) {
      const walls = picture.hidden.join(' ');
      if (!order.has(walls)) order.set(walls, order.size);
    }
    const rank = (picture: Picture) => order.get(picture.hidden.join(' '))!;
    pictures.sort((a, b) => rank(a) - rank(b) || (bake(a) < bake(b) ? -1 : bake(a) > bake(b) ? 1 : 0));
    return { pictures, wallsBlockLight: settings.wallsBlockLight, exposure: 2 ** settings.exposure };
  }

  /** Asks the page one thing, within the time limit, noticing its death. */
  async #ask(live: Live, question: () => Promise<unknown>): Promise<unknown> {
    let answer: unknown;
    let failure: unknown = null;
    let answered = false;
    const asked = question().then(
      (value) => {
        answer = value;
        answered = true;
      },
      (error: unknown) => {
        failure = error;
        answered = true;
      },
    );
    await waitFor((resolve, reject) => {
      asked.then(resolve, reject);
      live.lost.catch(reject);
    }, this.#options.timeout);
    if (!answered) throw new PageLost(`no answer for ${this.#options.timeout / 1000} s: the page hangs`);
    if (failure !== null) throw this.#classify(failure);
    return answer;
  }

  #classify(error: unknown): unknown {
    if (error instanceof PageLost) return error;
    const message = messageOf(error).replace(/^Evaluation failed: /, '');
    if (
      /CONTEXT_LOST|Target closed|Session closed|detached|crashed|Protocol error|Connection closed|Execution context/i.test(
        message,
      )
    )
      return new PageLost(message);
    return new Error(message);
  }

  async #start(): Promise<Live> {
    if (this.#closed) throw new Error('the renderer is closed');
    if (this.#live !== null && this.#live.scenes >= SCENES_A_BROWSER) await this.#stop();
    if (this.#live !== null) return this.#live;
    const { settings, timeout, log } = this.#options;
    const server = await PageServer.start(async (name) =>
      encodeLight(await preparedLight(name, settings.maps, settings.light === 'normalised')),
    );
    let running: RunningChromium | null = null;
    try {
      running = await launchChromium();
      log.debug(`renderer: ${running.found.path} (${running.found.source})`);
      const page = await running.browser.newPage();
      const lost = new Promise<never>((_, reject) => {
        running!.browser.once('disconnected', () => reject(new PageLost('the browser ended')));
        page.once('error', (error) => reject(new PageLost(`the page crashed: ${messageOf(error)}`)));
        page.once('close', () => reject(new PageLost('the page was closed')));
      });
      lost.catch(() => undefined);
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warn') log.debug(`page: ${messageOf(message.text())}`);
      });
      page.on('pageerror', (error) => log.debug(`page: ${messageOf(error)}`));
      await page.goto(server.url, { timeout, waitUntil: 'load' });
      await page.waitForFunction('window.parallax !== undefined', { timeout });
      this.#live = { server, running, page, lost, scenes: 0 };
      return this.#live;
    } catch (error) {
      await running?.close();
      await server.close();
      throw error;
    }
  }

  async #stop(): Promise<void> {
    const live = this.#live;
    this.#live = null;
    if (live === null) return;
    await live.running.close();
    await live.server.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#stop();
  }
}

function failed(reason: string): Failure {
  return { status: 'failed', reason };
}

/** Waits until `arm`'s callback is called; false after `milliseconds`. */
async function waitFor(
  arm: (resolve: () => void, reject: (error: unknown) => void) => void,
  milliseconds: number,
): Promise<boolean> {
  let handle: NodeJS.Timeout | undefined;
  try {
    return await new Promise<boolean>((resolve, reject) => {
      handle = setTimeout(() => resolve(false), milliseconds);
      arm(() => resolve(true), reject);
    });
  } finally {
    clearTimeout(handle);
  }
}
