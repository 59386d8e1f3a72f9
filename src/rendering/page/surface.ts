import type { MeshPhysicalMaterial, MeshStandardMaterial, Texture } from 'three';

/** Textures and modes that meshes of one draw call share; the rest of their surface is in the vertices. */
export interface Surface {
  readonly map: Texture | null;
  readonly normalMap: Texture | null;
  readonly normalScale: readonly [number, number];
  readonly surfaceMap: Texture | null;
  readonly emissionMap: Texture | null;
  readonly emission: readonly [number, number, number];
  readonly alphaTest: number;
  readonly blended: boolean;
}

/** Any material GLTFLoader makes: standard, physical, or basic (unlit). */
export type AnyMaterial = MeshStandardMaterial & Partial<MeshPhysicalMaterial>;

/** What of a glTF material is shared by a draw call. */
export function surfaceOf(material: AnyMaterial): Surface {
  const unlit = material.type === 'MeshBasicMaterial';
  const blended = material.transparent || (material.transmission ?? 0) > 0;
  return {
    map: material.map ?? null,
    normalMap: unlit ? null : (material.normalMap ?? null),
    normalScale: unlit ? [1, 1] : [material.normalScale.x, material.normalScale.y],
    surfaceMap: unlit ? null : (material.roughnessMap ?? material.metalnessMap ?? null),
    emissionMap: unlit ? null : (material.emissiveMap ?? null),
    emission: unlit
      ? [0, 0, 0]
      : (material.emissive.clone().multiplyScalar(material.emissiveIntensity).toArray() as [number, number, number]),
    alphaTest: material.alphaTest,
    blended,
  };
}

/** Whether the textured shader is needed. */
export function textured(surface: Surface): boolean {
  return (
    surface.map !== null ||
    surface.normalMap !== null ||
    surface.surfaceMap !== null ||
    surface.emission.some((value) => value > 0) ||
    surface.alphaTest > 0
  );
}

/** Equal for meshes that one draw call can hold: same owner, textures and modes. */
export function surfaceKey(wall: string | null, surface: Surface): string {
  const id = (texture: Texture | null) => texture?.id ?? '';
  return [
    wall ?? '',
    id(surface.map),
    id(surface.normalMap),
    surface.normalScale,
    id(surface.surfaceMap),
    id(surface.emissionMap),
    surface.emission,
    surface.alphaTest,
    surface.blended,
  ].join('|');
}
