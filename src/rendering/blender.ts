import { AuditError, isAbort, messageOf } from '../core/errors.ts';
import type { Rgba } from '../core/image.ts';
import type { Json } from '../core/json.ts';
import { type Log, silentLog } from '../core/log.ts';
import type { Failure } from '../core/outcome.ts';
import { type Fingerprint, LIGHTINGS, type View } from '../core/protocol.ts';
import type { FrozenScene } from '../core/scene.ts';
import { sceneBounds } from '../scenes/read-scene.ts';
import { blankness } from './blankness.ts';
import { BlenderProcess } from './blender-process.ts';
import { develop } from './develop.ts';
import { describeMap } from './environment-maps.ts';
import { describeBlender, findBlender } from './find-blender.ts';
import { frameBox, hidesWall } from './framing.ts';
import type { Renderer, RendererSettings } from './renderer.ts';
import { Turns } from './turns.ts';
import { renameWalls } from './wall-names.ts';

/** Bumped whenever the same settings draw another picture. */
export const BLENDER_RENDERER_VERSION = '1';

/** Settings of the renderer `blender`. */
export interface BlenderSettings extends RendererSettings {
  /** Samples a pixel; the published study used 64. */
  readonly samples?: number;
  /** Seconds a picture may take; default 600. */
  readonly timeout?: number;
}

/**
 * Blender's Cycles on the CPU, one process for the whole run: the same framing, walls, maps and view transform (our closed
 * AgX, applied to Blender's linear picture) as the renderer `chromium`.
 *
 * @throws AuditError when there is no Blender.
 */
export async function createBlenderRenderer(settings: BlenderSettings, log: Log = silentLog): Promise<Renderer> {
  const program = findBlender();
  if (program === null)
    throw new AuditError('renderer: "blender" needs Blender; expected a program "blender" on PATH', {
      code: 'ENVIRONMENT',
      hint: 'Install Blender 3.4 to 4.x (Debian: apt-get install blender), or set PARALLAX_BLENDER to its program.',
    });
  const samples = settings.samples ?? 64;
  const maps = await Promise.all(LIGHTINGS.map((lighting) => describeMap(lighting, settings.maps)));
  const fingerprint: Fingerprint = {
    name: 'blender',
    version: BLENDER_RENDERER_VERSION,
    engine: 'Cycles, CPU, no denoiser, no adaptive sampling, seed 0',
    samples,
    viewTransform: 'AgX base, sRGB',
    margin: settings.margin,
    wallsBlockLight: settings.wallsBlockLight,
    light: settings.light,
    exposure: settings.exposure,
    hideWallsAbove: settings.hideWallsAbove,
    maps: Object.fromEntries(
      maps.map(({ lighting, file, sha256, standIn }) => [lighting, { file, sha256, ...(standIn ? { standIn } : {}) }]),
    ),
  };
  return new BlenderRenderer(fingerprint, program, { ...settings, samples }, log);
}

class BlenderRenderer implements Renderer {
  readonly fingerprint: Fingerprint;
  readonly #program: string;
  readonly #settings: BlenderSettings & { readonly samples: number };
  readonly #log: Log;
  #process: BlenderProcess | null = null;
  readonly #turns = new Turns();

  constructor(
    fingerprint: Fingerprint,
    program: string,
    settings: BlenderSettings & { readonly samples: number },
    log: Log,
  ) {
    this.fingerprint = fingerprint;
    this.#program = program;
    this.#settings = settings;
    this.#log = log;
  }

  async environment(): Promise<Json> {
    const { version } = await describeBlender();
    return { program: 'blender', version, node: process.version };
  }

  /** One scene at a time: later ones wait their turn. */
  render(
    scene: FrozenScene,
    views: readonly View[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly [View, Rgba | Failure]> {
    return this.#turns.take(() => this.#renderScene(scene, views, signal));
  }

  async *#renderScene(
    scene: FrozenScene,
    views: readonly View[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly [View, Rgba | Failure]> {
    const left = [...views];
    for (let attempt = 1; left.length > 0; ) {
      signal.throwIfAborted();
      let starting = false;
      try {
        const { glb, names } = renameWalls(scene.glb);
        starting = true;
        const blender = await this.#start();
        starting = false;
        await blender.load(glb, this.#settings.samples, signal);
        for (let view = left[0]; view !== undefined; view = left[0]) {
          const picture = await this.#draw(blender, scene, view, names, signal);
          left.shift();
          attempt = 1;
          yield [view, picture];
        }
      } catch (error) {
        if (isAbort(error) || signal.aborted) {
          await this.#stop();
          throw error;
        }
        const lost = starting || this.#process?.ended === true || this.#process?.hung === true;
        this.#log.warn(`renderer: ${messageOf(error)}${lost && attempt === 1 ? '; starting Blender again' : ''}`);
        if (lost) await this.#stop();
        if (lost && attempt === 1) {
          attempt = 2;
          continue;
        }
        for (const view of left.splice(0)) yield [view, { status: 'failed', reason: messageOf(error) }];
      }
    }
  }

  async #draw(
    blender: BlenderProcess,
    { scene, ...frozen }: FrozenScene,
    view: View,
    names: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<Rgba | Failure> {
    const settings = this.#settings;
    const hidden = scene.rooms.flatMap((room) =>
      room.walls
        .filter((wall) => hidesWall(wall, view, settings.hideWallsAbove))
        .flatMap((wall) => names.get(`wall:${room.id}:${wall.id}`) ?? []),
    );
    const map = await blender.map(view.lighting, settings.maps, settings.light === 'normalised');
    const linear = await blender.draw(
      {
        resolution: view.resolution,
        camera: frameBox(sceneBounds({ scene, ...frozen }), view, settings.margin),
        hidden,
        wallsBlockLight: settings.wallsBlockLight,
        ...map,
      },
      signal,
    );
    const picture = develop(linear, 2 ** settings.exposure);
    const blank = blankness(picture);
    return blank === null ? picture : { status: 'failed', reason: blank };
  }

  async #start(): Promise<BlenderProcess> {
    this.#process ??= await BlenderProcess.start(this.#program, (this.#settings.timeout ?? 600) * 1000, this.#log);
    return this.#process;
  }

  async #stop(): Promise<void> {
    const running = this.#process;
    this.#process = null;
    await running?.close();
  }

  async close(): Promise<void> {
    await this.#stop();
  }
}
