import type { Page } from 'puppeteer-core';
import { messageOf } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { encodeLight, preparedLight } from './encode-light.ts';
import { launchChromium, type RunningChromium } from './launch-chromium.ts';
import { PageServer } from './page-server.ts';
import type { RendererSettings } from './renderer.ts';

export interface SessionOptions {
  readonly settings: RendererSettings;
  /** Milliseconds without an answer after which the page counts as hung. */
  readonly timeout: number;
  readonly log: Log;
}

/** The page or its browser is unusable (crash, hang, lost GPU): everything has to be started again. */
export class PageLost extends Error {}

/** What the page or Puppeteer says when page, browser or GPU context are gone; anything else is the scene's own failure. */
const LOSS =
  /CONTEXT_LOST|disconnected|Target closed|Session closed|detached|crashed|Protocol error|Connection closed|Execution context/i;

/** Milliseconds between two attempts to start a browser. */
const SECOND_START = 2000;
/** Milliseconds a browser may take to open a page. */
const OPENING = 60_000;

/** A browser of ours with one page, its loopback server, and whether it is still there. */
export class ChromiumPage {
  readonly server: PageServer;
  readonly running: RunningChromium;
  readonly #page: Page;
  readonly #timeout: number;
  /** Rejects with `PageLost` when the browser or the page dies. */
  readonly #lost: Promise<never>;
  #dead = false;
  /** Scenes loaded so far. */
  scenes = 0;

  private constructor(server: PageServer, running: RunningChromium, page: Page, timeout: number, log: Log) {
    this.server = server;
    this.running = running;
    this.#page = page;
    this.#timeout = timeout;
    this.#lost = new Promise<never>((_, reject) => {
      const lose = (reason: string) => {
        this.#dead = true;
        reject(new PageLost(reason));
      };
      running.browser.once('disconnected', () => lose('the browser ended'));
      page.once('error', (error) => lose(`the page crashed: ${messageOf(error)}`));
      page.once('close', () => lose('the page was closed'));
    });
    this.#lost.catch(() => undefined);
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warn') log.debug(`page: ${messageOf(message.text())}`);
    });
    page.on('pageerror', (error) => log.debug(`page: ${messageOf(error)}`));
  }

  /**
   * Starts a browser and opens the renderer's page in it; a browser that does not start is tried once more.
   *
   * @throws AuditError when no browser starts; PageLost when the page does not come up
   */
  static async open({ settings, timeout, log }: SessionOptions): Promise<ChromiumPage> {
    const server = await PageServer.start(async (name) =>
      encodeLight(await preparedLight(name, settings.maps, settings.light === 'normalised')),
    );
    let running: RunningChromium | null = null;
    try {
      running = await launchChromium().catch(async (error: unknown) => {
        log.warn(`renderer: ${messageOf(error)}; trying once more`);
        await pause(SECOND_START);
        return await launchChromium();
      });
      log.debug(`renderer: ${running.found.path} (${running.found.source})`);
      const { browser } = running;
      const page = await within(OPENING, 'the browser opened no page', browser.newPage());
      const opened = new ChromiumPage(server, running, page, timeout, log);
      await opened.#guarded(OPENING, page.goto(server.url, { timeout: 0, waitUntil: 'load' }));
      await opened.#guarded(OPENING, page.waitForFunction('window.parallax !== undefined', { timeout: 0 }));
      return opened;
    } catch (error) {
      await running?.close();
      await server.close();
      throw error instanceof PageLost || running === null ? error : classify(error);
    }
  }

  /** Whether the browser or the page died since it was opened. */
  get dead(): boolean {
    return this.#dead;
  }

  /**
   * Evaluates an expression in the page.
   *
   * @throws PageLost when page or browser die or do not answer in time; Error with the page's reason otherwise
   */
  async ask(expression: string): Promise<unknown> {
    return await this.#guarded(this.#timeout, this.#page.evaluate(expression));
  }

  /** Like `ask`, for work that shows its progress in another way: only death ends the waiting. */
  async follow(expression: string): Promise<unknown> {
    try {
      return await Promise.race([this.#page.evaluate(expression), this.#lost]);
    } catch (error) {
      throw classify(error);
    }
  }

  async #guarded<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
    try {
      const seconds = milliseconds / 1000;
      return await within(milliseconds, `no answer for ${seconds} s: the page hangs`, Promise.race([work, this.#lost]));
    } catch (error) {
      throw classify(error);
    }
  }

  async close(): Promise<void> {
    await this.running.close();
    await this.server.close();
  }
}

function classify(error: unknown): Error {
  if (error instanceof PageLost) return error;
  // The lines after the first are the page's stack: addresses that differ from run to run.
  const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  const message = messageOf(first).replace(/^Evaluation failed: /, '');
  return LOSS.test(message) ? new PageLost(message) : new Error(message);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** The work's value; `PageLost` with the reason given when it takes longer. */
async function within<Value>(milliseconds: number, reason: string, work: Promise<Value>): Promise<Value> {
  let handle: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    handle = setTimeout(() => reject(new PageLost(reason)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(handle);
    work.catch(() => undefined);
  }
}
