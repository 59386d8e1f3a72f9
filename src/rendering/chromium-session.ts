import { AuditError, isAbort, messageOf } from '../core/errors.ts';
import type { Rgba } from '../core/image.ts';
import type { Json } from '../core/json.ts';
import type { Failure } from '../core/outcome.ts';
import type { View } from '../core/protocol.ts';
import type { FrozenScene } from '../core/scene.ts';
import { blankness } from './blankness.ts';
import { type BrowserMemory, browserMemory } from './browser-memory.ts';
import { ChromiumPage, PageLost, type SessionOptions } from './chromium-page.ts';
import { drawRequest } from './draw-request.ts';
import type { LoadAnswer, LoadRequest } from './page/protocol.ts';

/** A browser is restarted after so many scenes: its memory grows a little with each. */
const SCENES_A_BROWSER = 200;
/** A browser that holds more than this between two scenes is restarted, bytes. */
const LARGEST_BROWSER = 2 * 2 ** 30;
/** Largest side the page may be asked for, pixels. */
const LARGEST_SIDE = 4096;

type Answer = readonly [string, Rgba | Failure];

/** One browser with one page, started on demand, restarted once per scene when it is lost. */
export class ChromiumSession {
  readonly #options: SessionOptions;
  /** The page in use, or on its way up. */
  #opening: Promise<ChromiumPage> | null = null;
  #live: ChromiumPage | null = null;
  #closed = false;
  #serial = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  #nextSerial(): string {
    this.#serial += 1;
    return `${this.#serial}`;
  }

  /** Browser version and GL strings; starts the browser. */
  async info(): Promise<{ readonly [key: string]: Json }> {
    const live = await this.#start();
    const info = await live.ask('window.parallax.info()');
    return { browser: await live.running.browser.version(), source: live.running.found.source, ...(info as object) };
  }

  /** Memory of the running browser; null when none runs or the system does not tell. */
  memory(): BrowserMemory | null {
    const leader = this.#live?.running.browser.process()?.pid;
    return leader === undefined ? null : browserMemory(leader);
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
      else left.set(this.#nextSerial(), view);
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
        // Without a browser there are no pictures of any scene: no failure of this one, and the run can be resumed.
        if (isAbort(error) || signal.aborted || error instanceof AuditError) throw error;
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

  async *#attempt(scene: FrozenScene, views: ReadonlyMap<string, View>, signal: AbortSignal): AsyncGenerator<Answer> {
    const { settings, timeout, log } = this.#options;
    const live = await this.#start();
    live.scenes += 1;
    const name = this.#nextSerial();
    const { id } = scene.scene;
    const arrived: (readonly [string, Uint8Array])[] = [];
    let wake: () => void = () => undefined;
    const onAbort = () => wake();
    signal.addEventListener('abort', onAbort, { once: true });
    live.server.offerScene(name, scene.glb);
    try {
      const load: LoadRequest = { url: `scene/${name}`, detail: settings.detail };
      const asked = live.ask(`window.parallax.load(${JSON.stringify(load)})`);
      const loaded = (await this.#unlessAborted(asked, signal)) as LoadAnswer;
      live.server.withdrawScene(name);
      for (const note of loaded.notes) log.debug(`${id}: ${note}`);
      const request = drawRequest(scene.scene, views, loaded, settings);
      for (const { id: picture } of request.pictures)
        live.server.expectPixels(picture, (pixels) => {
          arrived.push([picture, pixels]);
          wake();
        });
      let finished = false;
      let failure: unknown = null;
      live
        .follow(`window.parallax.draw(${JSON.stringify(request)})`)
        .then(
          (spent) => log.debug(`${id}: ${JSON.stringify(spent)}`),
          (error: unknown) => {
            failure = error;
          },
        )
        .finally(() => {
          finished = true;
          wake();
        });
      for (;;) {
        const next = arrived.shift();
        if (next !== undefined) {
          yield pictureOf(next, views);
          continue;
        }
        if (signal.aborted) {
          await this.#stop();
          signal.throwIfAborted();
        }
        if (finished) break;
        const timely = await woken((resolve) => {
          wake = resolve;
          if (arrived.length > 0 || finished || signal.aborted) resolve();
        }, timeout);
        if (!timely) throw new PageLost(`no picture for ${timeout / 1000} s: the page hangs`);
      }
      if (failure !== null) throw failure;
    } finally {
      signal.removeEventListener('abort', onAbort);
      live.server.withdrawScene(name);
      for (const picture of views.keys()) live.server.forgetPixels(picture);
    }
  }

  /** Waits for the page unless the run is cancelled: it would go on working, and a new page is cheaper than waiting for it. */
  async #unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
    let onAbort: () => void = () => undefined;
    const aborted = new Promise<void>((resolve) => {
      onAbort = resolve;
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      await Promise.race([work, aborted]);
      if (signal.aborted) {
        work.catch(() => undefined);
        await this.#stop();
        signal.throwIfAborted();
      }
      return await work;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #start(): Promise<ChromiumPage> {
    const worn = this.#wornOut();
    if (worn !== null) {
      this.#options.log.debug(`renderer: ${worn}; a new browser`);
      await this.#stop();
    }
    if (this.#closed) throw new Error('the renderer is closed');
    this.#opening ??= ChromiumPage.open(this.#options);
    const opening = this.#opening;
    try {
      this.#live = await opening;
      return this.#live;
    } catch (error) {
      if (this.#opening === opening) this.#opening = null;
      throw error;
    }
  }

  /** Why the running browser must not serve another scene; null when it may, or none runs. */
  #wornOut(): string | null {
    if (this.#live === null) return null;
    if (this.#live.dead) return 'the browser ended between two scenes';
    if (this.#live.scenes === 0) return null;
    if (this.#live.scenes >= SCENES_A_BROWSER) return `${SCENES_A_BROWSER} scenes`;
    const own = this.memory()?.own ?? 0;
    return own > LARGEST_BROWSER ? `${Math.round(own / 2 ** 20)} MB of memory` : null;
  }

  async #stop(): Promise<void> {
    const opening = this.#opening;
    this.#opening = null;
    this.#live = null;
    const live = await opening?.catch(() => null);
    await live?.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#stop();
  }
}

function failed(reason: string): Failure {
  return { status: 'failed', reason };
}

/** A picture as it came from the page; a failure when it is blank or not of the size asked for. */
function pictureOf([id, data]: readonly [string, Uint8Array], views: ReadonlyMap<string, View>): Answer {
  const side = views.get(id)!.resolution;
  if (data.length !== 4 * side * side) return [id, failed(`the page sent ${data.length} bytes for ${side} pixels`)];
  const picture = { width: side, height: side, data };
  const blank = blankness(picture);
  return [id, blank === null ? picture : failed(blank)];
}

/** Waits until `arm`'s callback is called; false after `milliseconds`. */
async function woken(arm: (resolve: () => void) => void, milliseconds: number): Promise<boolean> {
  let handle: NodeJS.Timeout | undefined;
  try {
    return await new Promise<boolean>((resolve) => {
      handle = setTimeout(() => resolve(false), milliseconds);
      arm(() => resolve(true));
    });
  } finally {
    clearTimeout(handle);
  }
}
