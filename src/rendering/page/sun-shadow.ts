import {
  DepthTexture,
  type IUniform,
  LessEqualCompare,
  LinearFilter,
  Matrix4,
  OrthographicCamera,
  type Scene,
  UnsignedIntType,
  Vector3,
  type WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import type { Box } from '../framing.ts';
import type { Sun } from '../light/prepare-light.ts';
import { SUN_POINTS, SUN_TILES } from './shaders.ts';

/** Side of one tile of the sun's shadow atlas, pixels. */
const SHADOW_TILE = 1024;
const SHADOW_SIDE = SHADOW_TILE * SUN_TILES;

/** Shadow maps of a sun: one parallel view of the scene for each point of its disc, and the uniforms that read them. */
export class SunShadow {
  readonly uniforms: Readonly<Record<string, IUniform>>;
  readonly #renderer: WebGLRenderer;
  readonly #target: WebGLRenderTarget;

  constructor(renderer: WebGLRenderer) {
    this.#renderer = renderer;
    const depth = new DepthTexture(SHADOW_SIDE, SHADOW_SIDE, UnsignedIntType);
    depth.compareFunction = LessEqualCompare;
    depth.magFilter = LinearFilter;
    depth.minFilter = LinearFilter;
    this.#target = new WebGLRenderTarget(SHADOW_SIDE, SHADOW_SIDE, { depthTexture: depth });
    this.uniforms = {
      sunlit: { value: false },
      sunDirection: { value: new Vector3(0, 1, 0) },
      sunIrradiance: { value: new Vector3() },
      sunShear: { value: 0 },
      sunMatrix: { value: new Matrix4() },
      sunTexel: { value: 0 },
      sunShadow: { value: depth },
    };
    // A shadow sampler needs a depth texture behind it even while no map has a sun.
    renderer.setRenderTarget(this.#target);
    renderer.clear();
  }

  /** Draws what stands between the sun and a scene; null takes the sun away. */
  cast(scene: Scene, { min, max }: Box, sun: Sun | null): void {
    const shared = this.uniforms;
    shared['sunlit']!.value = sun !== null;
    if (sun === null) return;
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
    (shared['sunDirection']!.value as Vector3).set(...sun.direction);
    (shared['sunIrradiance']!.value as Vector3).set(...sun.irradiance);
    shared['sunShear']!.value = (rim * depth) / half;
    shared['sunTexel']!.value = (2 * half) / SHADOW_TILE;
    (shared['sunMatrix']!.value as Matrix4).multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    const upright = camera.projectionMatrix.clone();
    this.#renderer.setRenderTarget(this.#target);
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
      this.#target.viewport.set(
        SHADOW_TILE * (index % SUN_TILES),
        SHADOW_TILE * Math.floor(index / SUN_TILES),
        SHADOW_TILE,
        SHADOW_TILE,
      );
      this.#renderer.setRenderTarget(this.#target);
      this.#renderer.render(scene, camera);
    });
  }
}
