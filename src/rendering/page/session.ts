import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  HalfFloatType,
  type IUniform,
  LinearSRGBColorSpace,
  Mesh,
  NearestFilter,
  NoToneMapping,
  PerspectiveCamera,
  Scene,
  UnsignedByteType,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import type { Camera } from '../framing.ts';
import { LIGHT_DETAILS, type LightDetail } from '../light/detail.ts';
import { solveLight } from '../light/light-volume.ts';
import { FineLight } from './fine-light.ts';
import { type LoadedScene, loadScene } from './load-scene.ts';
import { MaterialKit } from './materials.ts';
import { type PageLight, readLight } from './page-light.ts';
import type { DrawRequest, LoadAnswer, LoadRequest, Picture, RendererPage } from './protocol.ts';
import { ScreenPasses } from './screen-passes.ts';
import { Stage } from './stage.ts';
import { SunShadow } from './sun-shadow.ts';
import { VolumeTexture } from './volume-texture.ts';

/** The renderer's state in the page: one WebGL context, kept for a whole run. */
export class Session implements RendererPage {
  readonly #renderer: WebGLRenderer;
  readonly #environment: Record<'sharpSky' | 'roughSky', IUniform> = {
    sharpSky: { value: null },
    roughSky: { value: null },
  };
  readonly #volume = new VolumeTexture();
  readonly #fine = new FineLight();
  readonly #sun: SunShadow;
  readonly #kit: MaterialKit;
  readonly #passes: ScreenPasses;
  readonly #lights = new Map<string, Promise<PageLight>>();
  readonly #targets = new Map<number, { linear: WebGLRenderTarget; developed: WebGLRenderTarget }>();
  #stage: Stage | null = null;
  #lost = false;
  #detail: LightDetail;

  constructor(detail: LightDetail = LIGHT_DETAILS.full) {
    this.#detail = detail;
    const canvas = document.createElement('canvas');
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.#lost = true;
    });
    this.#renderer = new WebGLRenderer({ canvas, antialias: false, alpha: true, depth: false, stencil: false });
    this.#renderer.toneMapping = NoToneMapping;
    this.#renderer.outputColorSpace = LinearSRGBColorSpace;
    this.#renderer.autoClear = false;
    this.#renderer.debug.checkShaderErrors = false;
    this.#renderer.setClearColor(new Color(0), 0);
    this.#passes = new ScreenPasses(this.#renderer);
    this.#sun = new SunShadow(this.#renderer);
    this.#kit = new MaterialKit({
      ...this.#environment,
      ...this.#volume.uniforms,
      ...this.#fine.uniforms,
      ...this.#sun.uniforms,
    });
    this.#compile();
  }

  /** Compiles every program there is, once. */
  #compile(): void {
    // Programs depend on which attributes there are: the keepers' triangle has those of every batch.
    const keepers = new Scene();
    const complete = new BufferGeometry();
    for (const [name, size] of [
      ['position', 3],
      ['normal', 3],
      ['uv', 2],
      ['tint', 3],
      ['surface', 4],
    ] as const)
      complete.setAttribute(name, new Float32BufferAttribute(new Float32Array(3 * size), size));
    for (const material of this.#kit.keepers) keepers.add(new Mesh(complete, material));
    this.#renderer.setRenderTarget(this.#target(1).linear);
    this.#renderer.compile(keepers, new PerspectiveCamera());
  }

  info(): Promise<{ glRenderer: string; glVersion: string; maxSamples: number }> {
    const gl = this.#renderer.getContext() as WebGL2RenderingContext;
    const extension = gl.getExtension('WEBGL_debug_renderer_info');
    return Promise.resolve({
      glRenderer: String(gl.getParameter(extension?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER)),
      glVersion: String(gl.getParameter(gl.VERSION)),
      maxSamples: Number(gl.getParameter(gl.MAX_SAMPLES)),
    });
  }

  #requireContext(): void {
    if (this.#lost || this.#renderer.getContext().isContextLost())
      throw new Error('CONTEXT_LOST: the GPU context was lost');
  }

  async load({ url, detail }: LoadRequest): Promise<LoadAnswer> {
    this.#detail = LIGHT_DETAILS[detail];
    await this.unload();
    this.#requireContext();
    const loaded = await loadScene(url, this.#renderer, (texture) => this.#passes.mean(texture));
    this.use(loaded);
    return { box: loaded.box, walls: loaded.walls, triangles: loaded.triangles, notes: loaded.notes };
  }

  /** Makes a scene that is in memory already the one to draw; it is disposed of by the next one. */
  use(loaded: LoadedScene): void {
    void this.unload();
    this.#stage = new Stage(loaded, this.#kit, this.#detail);
    this.#fine.stand(this.#stage.contact);
  }

  #light(name: string): Promise<PageLight> {
    let light = this.#lights.get(name);
    if (light === undefined) {
      light = readLight(`light/${encodeURIComponent(name)}`);
      this.#lights.set(name, light);
    }
    return light;
  }

  /** Bakes the light volume and the shadow map of one map and one set of walls, unless it is the one baked last. */
  #bake(stage: Stage, name: string, light: PageLight, hidden: ReadonlySet<string>, wallsBlockLight: boolean): void {
    const walls = stage.loaded.walls.filter((wall) => wallsBlockLight && !hidden.has(wall));
    const lit = JSON.stringify([name, walls]);
    if (stage.lit === lit) return;
    const { fine, coarse } = stage.visibility(walls);
    this.#volume.upload(solveLight(fine, coarse, light, this.#detail.bounces));
    this.#environment.sharpSky.value = light.sharp;
    this.#environment.roughSky.value = light.rough;
    this.#sun.cast(stage.blocking(new Set(walls)), stage.loaded.box, light.sun);
    this.#fine.enclose(stage.room, new Set(walls));
    stage.lit = lit;
  }

  #target(side: number): { linear: WebGLRenderTarget; developed: WebGLRenderTarget } {
    let target = this.#targets.get(side);
    if (target === undefined) {
      target = {
        linear: new WebGLRenderTarget(side, side, {
          type: HalfFloatType,
          samples: 4,
          minFilter: NearestFilter,
          magFilter: NearestFilter,
        }),
        developed: new WebGLRenderTarget(side, side, { type: UnsignedByteType, depthBuffer: false }),
      };
      this.#targets.set(side, target);
    }
    return target;
  }

  async draw({
    pictures,
    wallsBlockLight,
    exposure,
    discard,
  }: DrawRequest): Promise<{ drawing: number; lighting: number }> {
    let drawing = 0;
    let lighting = 0;
    const posts: Promise<void>[] = [];
    for (const picture of pictures) {
      const drawn = await this.drawPixels(picture, wallsBlockLight, exposure);
      drawing += drawn.drawing;
      lighting += drawn.lighting;
      if (discard !== true) posts.push(post(picture.id, drawn.pixels));
      // Two pictures on the way at most: bounded memory, and the next one draws meanwhile.
      if (posts.length >= 2) await posts.shift();
    }
    await Promise.all(posts);
    return { drawing, lighting };
  }

  /** Draws one picture of the scene in use: straight-alpha sRGB bytes, top row first, and milliseconds spent. */
  async drawPixels(
    picture: Picture,
    wallsBlockLight: boolean,
    exposure: number,
  ): Promise<{ pixels: Uint8Array<ArrayBuffer>; drawing: number; lighting: number }> {
    const light = await this.#light(picture.lighting);
    const stage = this.#stage;
    if (stage === null) throw new Error('no scene is loaded');
    this.#requireContext();
    const hidden = new Set(picture.hidden);
    const begun = performance.now();
    this.#bake(stage, picture.lighting, light, hidden, wallsBlockLight);
    const baked = performance.now();
    const pixels = this.#drawOne(stage, picture, hidden, exposure);
    this.#requireContext();
    return { pixels, drawing: performance.now() - baked, lighting: baked - begun };
  }

  #drawOne(stage: Stage, picture: Picture, hidden: ReadonlySet<string>, exposure: number): Uint8Array<ArrayBuffer> {
    const { linear, developed } = this.#target(picture.resolution);
    this.#renderer.setRenderTarget(linear);
    this.#renderer.clear();
    this.#renderer.render(stage.hide(hidden), cameraOf(picture.camera));
    return this.#passes.develop(linear.texture, exposure, developed);
  }

  unload(): Promise<void> {
    this.#stage?.dispose();
    this.#stage = null;
    return Promise.resolve();
  }
}

function cameraOf(camera: Camera): PerspectiveCamera {
  const made = new PerspectiveCamera((2 * Math.atan(camera.tangent) * 180) / Math.PI, 1, camera.near, camera.far);
  made.matrixAutoUpdate = false;
  made.matrix.makeBasis(new Vector3(...camera.right), new Vector3(...camera.up), new Vector3(...camera.back));
  made.matrix.setPosition(...camera.eye);
  made.updateMatrixWorld(true);
  return made;
}

/** A Blob body: Chromium takes a bare typed array 20 times more slowly. */
async function post(id: string, pixels: Uint8Array<ArrayBuffer>): Promise<void> {
  const response = await fetch(`pixels/${id}`, { method: 'POST', body: new Blob([pixels]) });
  if (!response.ok) throw new Error(`posting pixels answered ${response.status}`);
}
