import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AuditError, messageOf } from '../core/errors.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  wasm: 'application/wasm',
  json: 'application/json',
};
/** 4 bytes x 4096 x 4096: the largest picture the page may post. */
const LARGEST_POST = 4 * 4096 * 4096;

/**
 * Folder of the bundled page (index.html and its scripts): beside the compiled library, or dist/page of the checkout.
 *
 * @throws AuditError when the page was never bundled.
 */
export function pageFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [join(here, '..', 'page'), join(here, '..', '..', 'dist', 'page')])
    if (existsSync(join(folder, 'index.html'))) return folder;
  throw new AuditError('renderer: the page is not bundled; expected dist/page/index.html', {
    code: 'ENVIRONMENT',
    hint: 'Run npm run build.',
  });
}

/** Loopback server between Node and the page: hands out the page, scenes and lights, takes pixels. */
export class PageServer {
  readonly #server: Server;
  readonly #folder: string;
  readonly #token = randomBytes(18).toString('base64url');
  readonly #scenes = new Map<string, Uint8Array>();
  readonly #light: (name: string) => Promise<Uint8Array>;
  readonly #waiting = new Map<string, (pixels: Uint8Array) => void>();

  private constructor(folder: string, light: (name: string) => Promise<Uint8Array>) {
    this.#folder = folder;
    this.#light = light;
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
        response.end(messageOf(error));
      });
    });
  }

  /** Listens on a random port of 127.0.0.1; only who knows the token gets an answer. */
  static async start(light: (name: string) => Promise<Uint8Array>): Promise<PageServer> {
    const server = new PageServer(pageFolder(), light);
    await new Promise<void>((resolve, reject) => {
      server.#server.once('error', reject);
      server.#server.listen(0, '127.0.0.1', resolve);
    });
    server.#server.unref();
    return server;
  }

  /** Address of the page. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/${this.#token}/`;
  }

  /** Offers a GLB to the page under `scene/<id>` until it is withdrawn. */
  offerScene(id: string, glb: Uint8Array): void {
    this.#scenes.set(id, glb);
  }

  withdrawScene(id: string): void {
    this.#scenes.delete(id);
  }

  /** Calls `take` when the page posts pixels under this id. */
  expectPixels(id: string, take: (pixels: Uint8Array) => void): void {
    this.#waiting.set(id, take);
  }

  forgetPixels(id: string): void {
    this.#waiting.delete(id);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent((request.url ?? '').split('?')[0]!);
    if (!path.startsWith(`/${this.#token}/`)) {
      response.writeHead(404).end();
      return;
    }
    const [kind = '', name = '', ...more] = path.slice(this.#token.length + 2).split('/');
    if (kind === 'pixels' && request.method === 'POST' && more.length === 0) {
      await this.#take(name, request, response);
      return;
    }
    if (request.method !== 'GET') {
      response.writeHead(405).end();
      return;
    }
    if (kind === 'scene') {
      const glb = this.#scenes.get(name);
      if (glb === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'model/gltf-binary', 'cache-control': 'no-store' }).end(glb);
      return;
    }
    if (kind === 'light') {
      // Asked for first: an unknown lighting must become an error answer, not half a good one.
      const light = await this.#light(name);
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(light);
      return;
    }
    this.#file([kind, name, ...more].filter((part) => part !== '').join('/'), response);
  }

  #file(path: string, response: ServerResponse): void {
    const file = normalize(join(this.#folder, path === '' ? 'index.html' : path));
    if (!file.startsWith(this.#folder + sep) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type }).end(readFileSync(file));
  }

  async #take(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const take = this.#waiting.get(id);
    if (take === undefined) {
      response.writeHead(404).end();
      return;
    }
    this.#waiting.delete(id);
    const parts: Uint8Array[] = [];
    let length = 0;
    for await (const part of request) {
      length += (part as Uint8Array).length;
      if (length > LARGEST_POST) {
        response.writeHead(413).end();
        request.destroy();
        return;
      }
      parts.push(part as Uint8Array);
    }
    const pixels = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      pixels.set(part, at);
      at += part.length;
    }
    response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
    take(pixels);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    this.#scenes.clear();
    this.#waiting.clear();
  }
}
