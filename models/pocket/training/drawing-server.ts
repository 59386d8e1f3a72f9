import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from 'puppeteer-core';
import { build } from 'vite';
import { encodeLight, preparedLight } from '../../../src/rendering/encode-light.ts';
import { findChromium } from '../../../src/rendering/find-chromium.ts';
import type { PreparedLight } from '../../../src/rendering/light/prepare-light.ts';
import { FLOOR_KINDS, floorTexture } from '../../../src/scenes/surfaces.ts';

/** Work for the page: a packed job and what to do with its picture. */
export interface Drawing {
  readonly body: Uint8Array;
  readonly done: (picture: Uint8Array) => void;
}

/** A lighting's map as the renderer prepares it, its own brightness kept. */
export function lightOf(name: string): Promise<PreparedLight> {
  return preparedLight(name, 'package', false);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/**
 * Starts one browser page that draws every job `drawings` yields, in order. The page asks for the next job while it draws
 * the last, so Node prepares one while Chromium draws another.
 *
 * @throws Error with the page's own message when drawing fails.
 */
export async function drawAll(drawings: AsyncIterator<Drawing>): Promise<{ readonly meanMilliseconds: number }> {
  let [spent, drawn] = [0, 0];
  const folder = await mkdtemp(join(tmpdir(), 'pocket-page-'));
  const page = join(import.meta.dirname, 'page');
  await build({
    root: page,
    base: './',
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 4000 },
  });
  const waiting = new Map<number, Drawing>();
  let number = 0;
  let finish: (error: Error | null) => void = () => {};
  const finished = new Promise<void>((resolve, reject) => {
    finish = (error) => (error === null ? resolve() : reject(error));
  });
  // One job at a time leaves the iterator, whatever the page asks for.
  let chain: Promise<unknown> = Promise.resolve();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const path = url.pathname;
    if (path === '/job') {
      const taken = chain.then(() => drawings.next());
      chain = taken.catch(() => {});
      const next = await taken;
      if (next.done === true) {
        response.writeHead(204).end();
        return;
      }
      number += 1;
      waiting.set(number, next.value);
      response.writeHead(200, { 'x-job': String(number) }).end(next.value.body);
    } else if (path === '/picture') {
      const job = Number(url.searchParams.get('job'));
      const picture = await bodyOf(request);
      spent += Number(url.searchParams.get('ms'));
      drawn += 1;
      waiting.get(job)?.done(picture);
      waiting.delete(job);
      response.writeHead(200).end();
    } else if (path === '/done') {
      const message = (await bodyOf(request)).toString();
      response.writeHead(200).end();
      finish(message === '' ? null : new Error(message));
    } else if (path.startsWith('/light/')) {
      response.writeHead(200).end(encodeLight(await lightOf(path.slice('/light/'.length))));
    } else if (path.startsWith('/floor/')) {
      const [kind, variant] = path.slice('/floor/'.length, -'.png'.length).split('/');
      const known = FLOOR_KINDS.find((name) => name === kind);
      if (known === undefined) throw new Error(`unknown floor "${kind}"`);
      response.writeHead(200, { 'content-type': 'image/png' }).end(await floorTexture(known, Number(variant)));
    } else {
      const name = path === '/' ? 'index.html' : path.slice(1);
      if (!/^(index\.html|assets\/[\w.-]+\.js)$/.test(name)) {
        response.writeHead(404).end();
        return;
      }
      const type = name.endsWith('.js') ? 'text/javascript' : 'text/html';
      response.writeHead(200, { 'content-type': type }).end(await readFile(join(folder, name)));
    }
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500).end();
      finish(error as Error);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const chromium = await findChromium();
  const browser = await launch({
    executablePath: chromium.path,
    env: { ...process.env, ...chromium.environment },
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist',
    ],
  });
  try {
    const tab = await browser.newPage();
    tab.on('pageerror', (error) => finish(error as Error));
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await finished;
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { meanMilliseconds: spent / Math.max(1, drawn) };
}
