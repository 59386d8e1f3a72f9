import {
  BufferGeometry,
  ClampToEdgeWrapping,
  Color,
  Data3DTexture,
  DataTexture,
  DataUtils,
  DepthTexture,
  Float32BufferAttribute,
  FloatType,
  GLSL3,
  HalfFloatType,
  type IUniform,
  LessEqualCompare,
  LinearFilter,
  LinearSRGBColorSpace,
  Matrix4,
  Mesh,
  NearestFilter,
  NoBlending,
  NoToneMapping,
  OrthographicCamera,
  PerspectiveCamera,
  RGBAFormat,
  Scene,
  ShaderMaterial,
  type Texture,
  UnsignedByteType,
  UnsignedIntType,
  Vector3,
  WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import type { Camera, Vector } from '../framing.ts';
import { LIGHT_DETAILS, type LightDetail } from '../light/detail.ts';
import { solveLight } from '../light/light-volume.ts';
import { CUBE_FACES } from '../light/padded-lattice.ts';
import { SWEEP_DIRECTIONS } from '../light/prepare-light.ts';
import { ROUGH_TILE, SHARP_TILE } from '../light/reflections.ts';
import { seeSky, type Visibility } from '../light/see-sky.ts';
import type { LightVolume } from '../light/unfold-volume.ts';
import { type Lattice, latticeFor, type Matter, spreadMatter } from '../light/voxel-grid.ts';
import { disposeScene, type LoadedScene, loadScene } from './load-scene.ts';
import { MaterialKit } from './materials.ts';
import type { DrawRequest, LightHeader, LoadAnswer, LoadRequest, Picture, RendererPage } from './protocol.ts';
import { DEVELOP_FRAGMENT, MEAN_FRAGMENT, SCREEN_VERTEX, SUN_POINTS, SUN_TILES } from './shaders.ts';

/** Side of one tile of the sun's shadow atlas, pixels. */
const SHADOW_TILE = 1024;
const SHADOW_SIDE = SHADOW_TILE * SUN_TILES;

interface PageLight {
  readonly sun: { readonly direction: Vector; readonly irradiance: Vector; readonly radius: number } | null;
  readonly sky: Float32Array;
  readonly sharp: DataTexture;
  readonly rough: Data3DTexture;
}

/** What is drawn of a loaded scene: one mesh a batch, and one for its shadow. */
interface Stage {
  readonly loaded: LoadedScene;
  readonly scene: Scene;
  readonly shadowScene: Scene;
  readonly meshes: readonly {
    readonly wall: string | null;
    readonly blended: boolean;
    readonly drawn: Mesh;
    readonly shadow: Mesh;
  }[];
  readonly fine: { readonly lattice: Lattice; readonly matter: ReadonlyMap<string, Matter> };
  readonly coarse: { readonly lattice: Lattice; readonly matter: ReadonlyMap<string, Matter> };
  visibility: { readonly key: string; readonly fine: Visibility; readonly coarse: Visibility } | null;
  lit: string;
}

/** The renderer's state in the page: one WebGL context, kept for a whole run. */
export class Session implements RendererPage {
  readonly #renderer: WebGLRenderer;
  readonly #shared: Record<string, IUniform>;
  readonly #kit: MaterialKit;
  readonly #lights = new Map<string, Promise<PageLight>>();
  readonly #screen = new Mesh(new BufferGeometry());
  readonly #screenScene = new Scene();
  readonly #screenCamera = new OrthographicCamera();
  readonly #develop: ShaderMaterial;
  readonly #mean: ShaderMaterial;
  readonly #meanTarget = new WebGLRenderTarget(1, 1, { type: FloatType, depthBuffer: false });
  readonly #shadow: WebGLRenderTarget;
  readonly #targets = new Map<number, { linear: WebGLRenderTarget; developed: WebGLRenderTarget }>();
  #volume: Data3DTexture | null = null;
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
    const depth = new DepthTexture(SHADOW_SIDE, SHADOW_SIDE, UnsignedIntType);
    depth.compareFunction = LessEqualCompare;
    depth.magFilter = LinearFilter;
    depth.minFilter = LinearFilter;
    this.#shadow = new WebGLRenderTarget(SHADOW_SIDE, SHADOW_SIDE, { depthTexture: depth });
    this.#shared = {
      sharpSky: { value: null },
      roughSky: { value: null },
      volume: { value: null },
      volumeOrigin: { value: new Vector3() },
      volumeCells: { value: new Vector3() },
      volumeCell: { value: 1 },
      volumeScale: { value: 1 },
      sunlit: { value: false },
      sunDirection: { value: new Vector3(0, 1, 0) },
      sunIrradiance: { value: new Vector3() },
      sunShear: { value: 0 },
      sunMatrix: { value: new Matrix4() },
      sunTexel: { value: 0 },
      sunShadow: { value: depth },
    };
    this.#kit = new MaterialKit(this.#shared);
    const triangle = new BufferGeometry();
    triangle.setAttribute('position', new Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
    triangle.setAttribute('uv', new Float32BufferAttribute([0, 0, 2, 0, 0, 2], 2));
    this.#screen = new Mesh(triangle);
    this.#screen.frustumCulled = false;
    this.#screenScene.add(this.#screen);
    const pass = (fragmentShader: string, uniforms: Record<string, IUniform>) =>
      new ShaderMaterial({
        glslVersion: GLSL3,
        vertexShader: SCREEN_VERTEX,
        fragmentShader,
        uniforms,
        depthTest: false,
        depthWrite: false,
        blending: NoBlending,
      });
    this.#develop = pass(DEVELOP_FRAGMENT, { linear: { value: null }, exposure: { value: 1 } });
    this.#mean = pass(MEAN_FRAGMENT, { source: { value: null } });
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
    this.#renderer.compile(keepers, this.#screenCamera);
    this.#renderer.setRenderTarget(this.#shadow);
    // A shadow sampler needs a depth texture behind it even while no map has a sun.
    this.#renderer.clear();
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

  #runPass(material: ShaderMaterial, target: WebGLRenderTarget): void {
    this.#screen.material = material;
    this.#renderer.setRenderTarget(target);
    this.#renderer.render(this.#screenScene, this.#screenCamera);
  }

  #meanColour(texture: Texture): readonly [number, number, number, number] {
    this.#mean.uniforms['source']!.value = texture;
    this.#runPass(this.#mean, this.#meanTarget);
    this.#mean.uniforms['source']!.value = null;
    const pixel = new Float32Array(4);
    this.#renderer.readRenderTargetPixels(this.#meanTarget, 0, 0, 1, 1, pixel);
    return [pixel[0]!, pixel[1]!, pixel[2]!, pixel[3]!];
  }

  async load({ url, detail }: LoadRequest): Promise<LoadAnswer> {
    this.#detail = LIGHT_DETAILS[detail];
    await this.unload();
    this.#requireContext();
    const loaded = await loadScene(url, this.#renderer, (texture) => this.#meanColour(texture));
    this.use(loaded);
    return { box: loaded.box, walls: loaded.walls, triangles: loaded.triangles, notes: loaded.notes };
  }

  /** Makes a scene that is in memory already the one to draw; it is disposed of by the next one. */
  use(loaded: LoadedScene): void {
    void this.unload();
    const scene = new Scene();
    const shadowScene = new Scene();
    scene.matrixWorldAutoUpdate = false;
    shadowScene.matrixWorldAutoUpdate = false;
    const meshes = loaded.batches.map((batch) => {
      const drawn = new Mesh(batch.geometry, this.#kit.surface(batch.surface, batch.sides));
      const shadow = new Mesh(batch.geometry, this.#kit.depth(batch.surface, batch.sides));
      drawn.frustumCulled = false;
      shadow.frustumCulled = false;
      // Transparent batches are sorted by distance; three sorts by the object's position.
      scene.add(drawn);
      shadowScene.add(shadow);
      return { wall: batch.wall, blended: batch.surface.blended, drawn, shadow };
    });
    const spread = (budget: number, finest: number) => {
      const lattice = latticeFor(loaded.box, budget, finest);
      const matter = new Map<string, Matter>();
      for (const [owner, occluders] of loaded.occluders) matter.set(owner, spreadMatter(lattice, occluders));
      return { lattice, matter };
    };
    const { cells, finest } = this.#detail;
    const fine = spread(cells, finest);
    const coarse = spread(cells / 6, 2 * finest);
    this.#stage = { loaded, scene, shadowScene, meshes, fine, coarse, visibility: null, lit: '' };
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
    const key = JSON.stringify(walls);
    if (stage.visibility?.key !== key) {
      const see = ({ lattice, matter }: Stage['fine']) =>
        seeSky(
          lattice,
          ['', ...walls].flatMap((owner) => matter.get(owner) ?? []),
          SWEEP_DIRECTIONS,
        );
      stage.visibility = { key, fine: see(stage.fine), coarse: see(stage.coarse) };
      stage.lit = '';
    }
    const lit = `${name}|${key}`;
    if (stage.lit === lit) return;
    this.#upload(solveLight(stage.visibility.fine, stage.visibility.coarse, light, this.#detail.bounces));
    const shared = this.#shared;
    shared['sharpSky']!.value = light.sharp;
    shared['roughSky']!.value = light.rough;
    shared['sunlit']!.value = light.sun !== null;
    if (light.sun !== null) this.#castShadow(stage, light.sun, new Set(walls));
    stage.lit = lit;
  }

  #upload({ lattice, data }: LightVolume): void {
    const { nx, ny, nz } = lattice;
    const { bytes, scale } = toBytes(data);
    const size = [nx, ny, CUBE_FACES * nz] as const;
    const current = this.#volume?.image;
    if (
      this.#volume === null ||
      current?.width !== size[0] ||
      current.height !== size[1] ||
      current.depth !== size[2]
    ) {
      this.#volume?.dispose();
      const texture = filtered(new Data3DTexture(bytes, ...size), UnsignedByteType);
      this.#volume = texture;
    } else this.#volume.image.data = bytes;
    this.#volume.needsUpdate = true;
    const shared = this.#shared;
    shared['volume']!.value = this.#volume;
    (shared['volumeOrigin']!.value as Vector3).set(...lattice.origin);
    (shared['volumeCells']!.value as Vector3).set(nx, ny, nz);
    shared['volumeCell']!.value = lattice.size;
    shared['volumeScale']!.value = scale;
  }

  #castShadow(stage: Stage, sun: NonNullable<PageLight['sun']>, blocking: ReadonlySet<string>): void {
    const { min, max } = stage.loaded.box;
    const centre = new Vector3((min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2);
    const radius = 0.5 * Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
    // The disc's rim: a disc of this root mean square radius, evenly bright.
    const rim = Math.tan(Math.SQRT2 * sun.radius);
    const half = radius * (1 + 1.01 * rim);
    const depth = 2.02 * radius;
    const camera = new OrthographicCamera(-half, half, half, -half, 0, depth);
    camera.position.copy(centre).addScaledVector(new Vector3(...sun.direction), depth / 2);
    camera.lookAt(centre);
    camera.updateMatrixWorld();
    const shared = this.#shared;
    (shared['sunDirection']!.value as Vector3).set(...sun.direction);
    (shared['sunIrradiance']!.value as Vector3).set(...sun.irradiance);
    shared['sunShear']!.value = (rim * depth) / half;
    shared['sunTexel']!.value = (2 * half) / SHADOW_TILE;
    (shared['sunMatrix']!.value as Matrix4).multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    for (const { wall, shadow } of stage.meshes) shadow.visible = wall === null || blocking.has(wall);
    const upright = camera.projectionMatrix.clone();
    this.#renderer.setRenderTarget(this.#shadow);
    this.#renderer.clear();
    SUN_POINTS.forEach(([x, y], index) => {
      // View z runs towards the sun from -depth to 0; the shear turns about the middle of the scene.
      const shear = new Matrix4().set(
        1,
        0,
        -x * rim,
        -x * rim * (depth / 2),
        0,
        1,
        -y * rim,
        -y * rim * (depth / 2),
        0,
        0,
        1,
        0,
        0,
        0,
        0,
        1,
      );
      camera.projectionMatrix.multiplyMatrices(upright, shear);
      camera.projectionMatrixInverse.copy(camera.projectionMatrix).invert();
      this.#shadow.viewport.set(
        SHADOW_TILE * (index % SUN_TILES),
        SHADOW_TILE * Math.floor(index / SUN_TILES),
        SHADOW_TILE,
        SHADOW_TILE,
      );
      this.#renderer.setRenderTarget(this.#shadow);
      this.#renderer.render(stage.shadowScene, camera);
    });
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

  async draw({ pictures, wallsBlockLight, exposure }: DrawRequest): Promise<{ drawing: number; lighting: number }> {
    let drawing = 0;
    let lighting = 0;
    const posts: Promise<void>[] = [];
    for (const picture of pictures) {
      const drawn = await this.drawPixels(picture, wallsBlockLight, exposure);
      drawing += drawn.drawing;
      lighting += drawn.lighting;
      posts.push(post(picture.id, drawn.pixels));
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
    for (const { wall, drawn } of stage.meshes) drawn.visible = wall === null || !hidden.has(wall);
    const { linear, developed } = this.#target(picture.resolution);
    this.#renderer.setRenderTarget(linear);
    this.#renderer.clear();
    const camera = cameraOf(picture.camera);
    for (const { wall, blended, shadow } of stage.meshes)
      shadow.visible = !blended && (wall === null || !hidden.has(wall));

    this.#renderer.render(stage.scene, camera);
    this.#develop.uniforms['linear']!.value = linear.texture;
    this.#develop.uniforms['exposure']!.value = exposure;
    this.#runPass(this.#develop, developed);
    const side = picture.resolution;
    const pixels = new Uint8Array(4 * side * side);
    this.#renderer.readRenderTargetPixels(developed, 0, 0, side, side, pixels);
    const flipped = new Uint8Array(pixels.length);
    for (let row = 0; row < side; row += 1)
      flipped.set(pixels.subarray(4 * side * (side - 1 - row), 4 * side * (side - row)), 4 * side * row);
    return flipped;
  }

  unload(): Promise<void> {
    const stage = this.#stage;
    this.#stage = null;
    if (stage !== null) {
      for (const { drawn, shadow } of stage.meshes) {
        (drawn.material as ShaderMaterial).dispose();
        (shadow.material as ShaderMaterial).dispose();
      }
      disposeScene(stage.loaded);
    }
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

async function readLight(url: string): Promise<PageLight> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`light: ${await response.text()}`);
  const bytes = await response.arrayBuffer();
  const headerLength = new DataView(bytes).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, headerLength))) as LightHeader;
  let at = 4 + headerLength;
  const [sky, sharp, rough] = header.lengths.map((length) => {
    const array = new Float32Array(bytes, at, length);
    at += 4 * length;
    return array;
  }) as [Float32Array, Float32Array, Float32Array];
  const side = ROUGH_TILE + 2;
  return {
    sun: header.sun,
    sky,
    sharp: filtered(new DataTexture(toHalf(sharp), SHARP_TILE + 2, SHARP_TILE + 2)),
    rough: filtered(new Data3DTexture(toHalf(rough), side, side, rough.length / (4 * side * side))),
  };
}

function toHalf(values: Float32Array): Uint16Array<ArrayBuffer> {
  const half = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i += 1) half[i] = DataUtils.toHalfFloat(Math.min(values[i]!, 65504));
  return half;
}

/** Root table of `toBytes`: index sqrt(x), value 255 cbrt(x). */
const ROOTS = Uint8Array.from({ length: 4096 }, (_, index) => Math.round(255 * Math.cbrt((index / 4095) ** 2)));

/**
 * The volume as bytes, x = scale (byte / 255)^3 for light and byte / 255 for the share of sky: steps of 1 to 5 percent over a
 * thousandfold range, and software GL samples bytes much faster than half floats.
 */
function toBytes(values: Float32Array): { bytes: Uint8Array<ArrayBuffer>; scale: number } {
  let scale = 1e-9;
  for (let i = 0; i < values.length; i += 1) if ((i & 3) !== 3 && values[i]! > scale) scale = values[i]!;
  const inverse = 1 / scale;
  const bytes = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i += 4) {
    if (values[i + 1] === 0 && values[i + 3] === 0) continue;
    bytes[i] = ROOTS[(Math.sqrt(values[i]! * inverse) * 4095) | 0]!;
    bytes[i + 1] = ROOTS[(Math.sqrt(values[i + 1]! * inverse) * 4095) | 0]!;
    bytes[i + 2] = ROOTS[(Math.sqrt(values[i + 2]! * inverse) * 4095) | 0]!;
    bytes[i + 3] = Math.min(values[i + 3]!, 1) * 255 + 0.5;
  }
  return { bytes, scale };
}

/** Linear in every direction, clamped at the edges. */
function filtered<T extends Texture>(
  texture: T,
  type: typeof HalfFloatType | typeof UnsignedByteType = HalfFloatType,
): T {
  texture.format = RGBAFormat;
  texture.type = type;
  texture.minFilter = LinearFilter;
  texture.magFilter = LinearFilter;
  texture.wrapS = ClampToEdgeWrapping;
  texture.wrapT = ClampToEdgeWrapping;
  if (texture instanceof Data3DTexture) texture.wrapR = ClampToEdgeWrapping;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}
