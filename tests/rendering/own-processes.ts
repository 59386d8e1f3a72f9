import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import puppeteer, { type Page } from 'puppeteer-core';

/** A process as /proc shows it. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  readonly command: readonly string[];
  readonly environment: string;
}

/** Every process of this machine. */
export function processes(): Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const read = (file: string) => readFileSync(join('/proc', name, file), 'utf8');
        return [
          {
            pid: Number(name),
            parent: Number(parent),
            state,
            // Chromium's helpers write their arguments as one string.
            command: read('cmdline').split(/[\0 ]/),
            environment: read('environ'),
          },
        ];
      } catch {
        return [];
      }
    });
}

/** Children of this process whose command line holds a text. */
export function children(text: string): Process[] {
  return processes().filter(
    ({ parent, command, state }) =>
      parent === process.pid && state !== 'Z' && command.some((part) => part.includes(text)),
  );
}

/** The browser that this process drives; undefined while there is none. */
export function ownBrowser(): Process | undefined {
  return children('--user-data-dir=')[0];
}

/** Runs something in the renderer's page of our browser; it must have been started with --remote-debugging-port=0. */
export async function inPage<Value>(work: (page: Page) => Promise<Value>): Promise<Value> {
  const profile = ownBrowser()
    ?.command.find((part) => part.startsWith('--user-data-dir='))
    ?.slice('--user-data-dir='.length);
  if (profile === undefined) throw new Error('no browser of ours runs');
  const [port, path] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  const browser = await puppeteer.connect({ browserWSEndpoint: `ws://127.0.0.1:${port}${path}` });
  try {
    const page = (await browser.pages()).find((candidate) => candidate.url().startsWith('http://127.0.0.1'));
    if (page === undefined) throw new Error('the page is not open');
    return await work(page);
  } finally {
    await browser.disconnect();
  }
}

/** Loses every WebGL context of the page, as a GPU that resets does. */
export async function loseContext(page: Page): Promise<number> {
  const prototype = await page.evaluateHandle('WebGL2RenderingContext.prototype');
  const contexts = await page.queryObjects(prototype);
  return await page.evaluate((found) => {
    const list = found as unknown as { getExtension(name: string): { loseContext(): void } | null }[];
    for (const context of list) context.getExtension('WEBGL_lose_context')?.loseContext();
    return list.length;
  }, contexts);
}

/** Waits until a condition holds. @throws Error after `milliseconds` */
export async function until(condition: () => boolean, milliseconds = 20_000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > end) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
