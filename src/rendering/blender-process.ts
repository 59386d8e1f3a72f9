import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { messageOf } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { type TemporaryFolder, temporaryFolder } from '../core/temporary-folder.ts';
import { BLENDER_SCRIPT } from './blender-script.ts';
import { preparedLight } from './encode-light.ts';
import { type MapSource, readMap } from './environment-maps.ts';
import { type LinearImage, readExr, writeExr } from './exr.ts';
import type { Camera } from './framing.ts';

interface DrawRequest {
  readonly resolution: number;
  readonly camera: Camera;
  /** Names of wall nodes that are not drawn. */
  readonly hidden: readonly string[];
  readonly wallsBlockLight: boolean;
  /** File of the environment map. */
  readonly map: string;
  /** Factor on the map's radiance. */
  readonly strength: number;
}

type Answer = { readonly [key: string]: unknown };

/** One Blender in the background, asked one thing at a time. It dies with us. */
export class BlenderProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #folder: TemporaryFolder;
  readonly #timeout: number;
  readonly #answers: Answer[] = [];
  readonly #maps = new Map<string, Promise<{ map: string; strength: number }>>();
  #wake: () => void = () => undefined;
  #said = '';
  /** How it ended. */
  #end = 'it did not start';
  #serial = 0;
  #onExit: () => void = () => undefined;
  ended = false;
  hung = false;

  private constructor(child: ChildProcessWithoutNullStreams, folder: TemporaryFolder, timeout: number, log: Log) {
    this.#child = child;
    this.#folder = folder;
    this.#timeout = timeout;
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (!line.startsWith('PARALLAX ')) return;
      this.#answers.push(JSON.parse(line.slice(9)) as Answer);
      this.#wake();
    });
    child.stderr.on('data', (data: Buffer) => {
      this.#said = (this.#said + data.toString()).slice(-2000);
      log.debug(`blender: ${messageOf(data.toString(), 300)}`);
    });
    const end = () => {
      this.ended = true;
      this.#wake();
    };
    child.on('exit', (code, signal) => {
      this.#end = signal === null ? `exit code ${code}` : `killed by ${signal}`;
      end();
    });
    child.on('error', (error) => {
      this.#said = messageOf(error);
      end();
    });
    child.stdin.on('error', () => undefined);
    this.#onExit = () => child.kill('SIGKILL');
    process.once('exit', this.#onExit);
  }

  /** Starts Blender and waits until it listens. @throws Error when it does not come up. */
  static async start(program: string, timeout: number, log: Log): Promise<BlenderProcess> {
    const folder = await temporaryFolder('parallax-blender');
    const script = join(folder.path, 'scene.py');
    await writeFile(script, BLENDER_SCRIPT);
    const child = spawn(program, ['--background', '--factory-startup', '--python', script], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, TMPDIR: folder.path },
    });
    const blender = new BlenderProcess(child, folder, timeout, log);
    try {
      const { ready } = await blender.#answer(new AbortController().signal);
      log.debug(`blender ${String(ready)} is ready`);
      return blender;
    } catch (error) {
      await blender.close();
      throw error;
    }
  }

  /** Imports a scene in place of the one before. */
  async load(glb: Uint8Array, samples: number, signal: AbortSignal): Promise<void> {
    const file = join(this.#folder.path, 'scene.glb');
    await writeFile(file, glb);
    await this.#ask({ do: 'load', glb: file, samples }, signal);
  }

  /** File and strength of a lighting level's map, written once: clamped to non-negative radiance as Chromium sees it. */
  map(lighting: string, source: MapSource, normalise: boolean): Promise<{ map: string; strength: number }> {
    let found = this.#maps.get(lighting);
    if (found === undefined) {
      found = (async () => {
        const map = join(this.#folder.path, `map-${this.#maps.size}.exr`);
        await writeFile(map, writeExr(await readMap(lighting, source)));
        const strength = normalise ? Math.PI / (await preparedLight(lighting, source, false)).upward : 1;
        return { map, strength };
      })();
      this.#maps.set(lighting, found);
    }
    return found;
  }

  /** Draws one picture: linear, premultiplied, row 0 at the bottom. */
  async draw(request: DrawRequest, signal: AbortSignal): Promise<LinearImage> {
    this.#serial += 1;
    const out = join(this.#folder.path, `picture-${this.#serial}.exr`);
    await this.#ask({ do: 'draw', id: this.#serial, out, ...request }, signal);
    const picture = readExr(await readFile(out), out);
    await rm(out, { force: true });
    return picture;
  }

  async #ask(request: unknown, signal: AbortSignal): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    return await this.#answer(signal);
  }

  async #answer(signal: AbortSignal): Promise<Answer> {
    const until = performance.now() + this.#timeout;
    for (;;) {
      const answer = this.#answers.shift();
      if (answer !== undefined) {
        if (typeof answer['error'] === 'string') throw new Error(`Blender: ${answer['error']}`);
        return answer;
      }
      signal.throwIfAborted();
      if (this.ended) {
        const last = this.#said.trim().split('\n').at(-1) ?? '';
        throw new Error(`Blender ended (${this.#end})${last === '' ? '' : `: ${messageOf(last, 300)}`}`);
      }
      const left = until - performance.now();
      if (left <= 0) {
        this.hung = true;
        throw new Error(`Blender gave no answer for ${this.#timeout / 1000} s`);
      }
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, left);
        this.#wake = wake;
        signal.addEventListener('abort', wake, { once: true });
      });
    }
  }

  /** Ends Blender at once (it keeps nothing worth waiting for) and removes its folder. */
  async close(): Promise<void> {
    process.off('exit', this.#onExit);
    if (!this.ended) {
      const exited = new Promise<void>((resolve) => this.#child.once('exit', () => resolve()));
      this.#child.kill('SIGKILL');
      await exited;
    }
    await this.#folder.remove();
  }
}
