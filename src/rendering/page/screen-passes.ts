import {
  BufferGeometry,
  Float32BufferAttribute,
  FloatType,
  GLSL3,
  type IUniform,
  Mesh,
  NoBlending,
  OrthographicCamera,
  Scene,
  ShaderMaterial,
  type Texture,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import { DEVELOP_FRAGMENT, MEAN_FRAGMENT, SCREEN_VERTEX } from './shaders.ts';

function pass(fragmentShader: string, uniforms: Record<string, IUniform>): ShaderMaterial {
  return new ShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: SCREEN_VERTEX,
    fragmentShader,
    uniforms,
    depthTest: false,
    depthWrite: false,
    blending: NoBlending,
  });
}

/** Passes over a whole target: one triangle, one material. */
export class ScreenPasses {
  readonly #renderer: WebGLRenderer;
  readonly #triangle: Mesh;
  readonly #scene = new Scene();
  readonly #camera = new OrthographicCamera();
  readonly #develop = pass(DEVELOP_FRAGMENT, { linear: { value: null }, exposure: { value: 1 } });
  readonly #mean = pass(MEAN_FRAGMENT, { source: { value: null } });
  readonly #meanTarget = new WebGLRenderTarget(1, 1, { type: FloatType, depthBuffer: false });

  constructor(renderer: WebGLRenderer) {
    this.#renderer = renderer;
    const triangle = new BufferGeometry();
    triangle.setAttribute('position', new Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
    triangle.setAttribute('uv', new Float32BufferAttribute([0, 0, 2, 0, 0, 2], 2));
    this.#triangle = new Mesh(triangle);
    this.#triangle.frustumCulled = false;
    this.#scene.add(this.#triangle);
  }

  #run(material: ShaderMaterial, target: WebGLRenderTarget): void {
    this.#triangle.material = material;
    this.#renderer.setRenderTarget(target);
    this.#renderer.render(this.#scene, this.#camera);
  }

  /** Premultiplied linear light to straight-alpha sRGB bytes; top row first. */
  develop(linear: Texture, exposure: number, target: WebGLRenderTarget): Uint8Array<ArrayBuffer> {
    this.#develop.uniforms['linear']!.value = linear;
    this.#develop.uniforms['exposure']!.value = exposure;
    this.#run(this.#develop, target);
    const { width, height } = target;
    const pixels = new Uint8Array(4 * width * height);
    this.#renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
    const flipped = new Uint8Array(pixels.length);
    const row = 4 * width;
    for (let y = 0; y < height; y += 1)
      flipped.set(pixels.subarray(row * (height - 1 - y), row * (height - y)), row * y);
    return flipped;
  }

  /** Mean linear RGB of a texture, weighted by alpha, and its mean alpha. */
  mean(texture: Texture): readonly [number, number, number, number] {
    this.#mean.uniforms['source']!.value = texture;
    this.#run(this.#mean, this.#meanTarget);
    this.#mean.uniforms['source']!.value = null;
    const pixel = new Float32Array(4);
    this.#renderer.readRenderTargetPixels(this.#meanTarget, 0, 0, 1, 1, pixel);
    return [pixel[0]!, pixel[1]!, pixel[2]!, pixel[3]!];
  }
}
