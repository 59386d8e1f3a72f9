import {
  CustomBlending,
  DoubleSide,
  FrontSide,
  GLSL3,
  type IUniform,
  LessEqualDepth,
  NoBlending,
  OneFactor,
  OneMinusSrcAlphaFactor,
  ShaderMaterial,
  Vector2,
  Vector3,
} from 'three';
import type { Sides } from './batch.ts';
import { DEPTH_FRAGMENT, DEPTH_VERTEX, SURFACE_FRAGMENT, SURFACE_VERTEX } from './shaders.ts';
import { type Surface, textured } from './surface.ts';

type Uniforms = Record<string, IUniform>;

/**
 * Materials for batches. Programs are shared by source text and freed with their last material, so one material of each
 * permutation is kept for the life of the page: a new scene never compiles anything.
 */
export class MaterialKit {
  readonly #shared: Uniforms;
  readonly keepers: readonly ShaderMaterial[];

  constructor(shared: Uniforms) {
    this.#shared = shared;
    const empty: Surface = {
      map: null,
      normalMap: null,
      normalScale: [1, 1],
      surfaceMap: null,
      emissionMap: null,
      emission: [0, 0, 0],
      alphaTest: 0,
      blended: false,
    };
    this.keepers = [
      ...(['front', 'both'] as const).flatMap((sides) => [
        this.surface(empty, sides),
        this.surface({ ...empty, alphaTest: 0.5 }, sides),
        this.depth(empty, sides),
        this.depth({ ...empty, alphaTest: 0.5 }, sides),
      ]),
    ];
  }

  #own(surface: Surface): Uniforms {
    return {
      baseMap: { value: surface.map },
      hasBaseMap: { value: surface.map !== null },
      normalMap: { value: surface.normalMap },
      hasNormalMap: { value: surface.normalMap !== null },
      normalScale: { value: new Vector2(...surface.normalScale) },
      surfaceMap: { value: surface.surfaceMap },
      hasSurfaceMap: { value: surface.surfaceMap !== null },
      emissionMap: { value: surface.emissionMap },
      hasEmissionMap: { value: surface.emissionMap !== null },
      emission: { value: new Vector3(...surface.emission) },
      alphaTest: { value: surface.alphaTest },
    };
  }

  /** Material that draws a batch. */
  surface(surface: Surface, sides: Sides): ShaderMaterial {
    const material = new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: SURFACE_VERTEX,
      fragmentShader: SURFACE_FRAGMENT,
      defines: textured(surface) ? { TEXTURED: '' } : {},
      uniforms: { ...this.#shared, ...this.#own(surface) },
      side: sides === 'front' ? FrontSide : DoubleSide,
      blending: NoBlending,
      // Opaque surfaces are shaded once a pixel, after a pass that wrote their depth.
      depthFunc: LessEqualDepth,
      depthWrite: !surface.blended,
    });
    if (surface.blended) {
      material.transparent = true;
      material.blending = CustomBlending;
      material.blendSrc = OneFactor;
      material.blendDst = OneMinusSrcAlphaFactor;
      material.blendSrcAlpha = OneFactor;
      material.blendDstAlpha = OneMinusSrcAlphaFactor;
    }
    return material;
  }

  /** Material that writes a batch's depth: before shading, and into the sun's shadow map. */
  depth(surface: Surface, sides: Sides): ShaderMaterial {
    return new ShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: DEPTH_VERTEX,
      fragmentShader: DEPTH_FRAGMENT,
      defines: textured(surface) ? { TEXTURED: '' } : {},
      uniforms: this.#own(surface),
      side: sides === 'front' ? FrontSide : DoubleSide,
      blending: NoBlending,
      colorWrite: false,
    });
  }
}
