import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { REVISION } from 'three';
import { AuditError, messageOf } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import type { Rgba } from '../core/image.ts';
import type { Json } from '../core/json.ts';
import { type Log, silentLog } from '../core/log.ts';
import type { Failure } from '../core/outcome.ts';
import { type Fingerprint, LIGHTINGS, type View } from '../core/protocol.ts';
import type { FrozenScene } from '../core/scene.ts';
import type { SessionOptions } from './chromium-page.ts';
import { ChromiumSession } from './chromium-session.ts';
import { describeMap } from './environment-maps.ts';
import { findChromium } from './find-chromium.ts';
import { chromiumArguments, launchChromium } from './launch-chromium.ts';
import { pageFolder } from './page-server.ts';
import type { Renderer, RendererSettings } from './renderer.ts';
import { Turns } from './turns.ts';

/** Bumped whenever the same settings draw another picture. */
export const CHROMIUM_RENDERER_VERSION = '1';

/** Settings of the renderer `chromium`, and how long a picture may take. */
export interface ChromiumSettings extends RendererSettings {
  /** Seconds without a picture after which the page counts as hung; default 120. */
  readonly timeout?: number;
}

/** Which browser would be used and with which arguments, without starting it: cheap, for caching `environment()`. */
export async function chromiumIdentity(): Promise<Json> {
  const found = await findChromium();
  const { size, mtimeMs } = statSync(found.path);
  return { path: found.path, size, modified: mtimeMs, arguments: chromiumArguments(), page: pageHash() };
}

/** SHA-256 over the page's bundle: in the environment, so that a rebuilt page never reuses another's pictures. */
function pageHash(): string {
  const folder = pageFolder();
  const names = (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => /\.(js|html)$/.test(name))
    .sort();
  return sha256(names.map((name) => `${name}\0${sha256(readFileSync(join(folder, name)))}`).join('\n'));
}

/**
 * three.js in headless Chromium: environment light with bounces solved per scene, the map's sun with a shadow, AgX. The browser starts
 * with the first picture and one page serves the run.
 *
 * @throws AuditError for an unknown setting combination (maps `blender` without Blender).
 */
export async function createChromiumRenderer(settings: ChromiumSettings, log: Log = silentLog): Promise<Renderer> {
  const maps = await Promise.all(LIGHTINGS.map((lighting) => describeMap(lighting, settings.maps)));
  const fingerprint: Fingerprint = {
    name: 'chromium',
    version: CHROMIUM_RENDERER_VERSION,
    engine: `three.js r${REVISION}`,
    viewTransform: 'AgX base, sRGB',
    margin: settings.margin,
    wallsBlockLight: settings.wallsBlockLight,
    light: settings.light,
    exposure: settings.exposure,
    hideWallsAbove: settings.hideWallsAbove,
    detail: settings.detail,
    maps: Object.fromEntries(
      maps.map(({ lighting, file, sha256, standIn }) => [lighting, { file, sha256, ...(standIn ? { standIn } : {}) }]),
    ),
  };
  const options: SessionOptions = { settings, timeout: (settings.timeout ?? 120) * 1000, log };
  return new ChromiumRenderer(fingerprint, options);
}

class ChromiumRenderer implements Renderer {
  readonly fingerprint: Fingerprint;
  readonly #session: ChromiumSession;
  readonly #turns = new Turns();

  constructor(fingerprint: Fingerprint, options: SessionOptions) {
    this.fingerprint = fingerprint;
    this.#session = new ChromiumSession(options);
  }

  async environment(): Promise<Json> {
    const info = await this.#session.info();
    return { ...info, three: REVISION, node: process.version, page: pageHash() };
  }

  /** One scene at a time: later ones wait their turn. */
  render(
    scene: FrozenScene,
    views: readonly View[],
    signal: AbortSignal,
  ): AsyncGenerator<readonly [View, Rgba | Failure]> {
    return this.#turns.take(() => this.#session.render(scene, views, signal));
  }

  async close(): Promise<void> {
    await this.#session.close();
  }
}

/** What `parallax doctor` prints about the browser. */
export interface ChromiumDescription {
  readonly source: 'variable' | 'installed' | 'package' | 'none';
  readonly path: string | null;
  readonly version: string | null;
  readonly glRenderer: string | null;
  /** What to do; null when all is well. */
  readonly advice: string | null;
}

/** Starts the browser once and says which it is, its version and what draws its graphics. Never throws. */
export async function describeChromium(): Promise<ChromiumDescription> {
  let found: Awaited<ReturnType<typeof findChromium>> | null = null;
  try {
    found = await findChromium();
    const running = await launchChromium(found);
    try {
      const version = await running.browser.version();
      const page = await running.browser.newPage();
      const glRenderer = await page.evaluate(GL_RENDERER_SCRIPT);
      return {
        source: found.source,
        path: found.path,
        version,
        glRenderer: typeof glRenderer === 'string' ? glRenderer : null,
        advice:
          typeof glRenderer === 'string'
            ? null
            : 'This Chromium offers no WebGL 2: set PARALLAX_CHROMIUM=package to use the one that npm carries.',
      };
    } finally {
      await running.close();
    }
  } catch (error) {
    const hint = error instanceof AuditError ? error.hint : undefined;
    return {
      source: found?.source ?? 'none',
      path: found?.path ?? null,
      version: null,
      glRenderer: null,
      advice: `${messageOf(error)}${hint === undefined ? '' : ` ${hint}`}`,
    };
  }
}

const GL_RENDERER_SCRIPT = `(() => {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (gl === null) return null;
  const extension = gl.getExtension('WEBGL_debug_renderer_info');
  return String(gl.getParameter(extension === null ? gl.RENDERER : extension.UNMASKED_RENDERER_WEBGL));
})()`;
