import type { Room, Scene } from '../core/scene.ts';

/** Surface of one mesh part; colour is sRGB 0..1. */
export interface PartMaterial {
  readonly name: string;
  readonly colour: readonly [number, number, number];
  /** 0 mirror .. 1 matt. */
  readonly roughness: number;
  /** 0 dielectric .. 1 metal. */
  readonly metalness: number;
  /** PNG of a tileable base-colour texture; then `uvs` are in texture repeats. */
  readonly texture?: Uint8Array;
  /** Draw both sides (thin leaves, cloth). */
  readonly doubleSided?: boolean;
}

/** Triangles in object space, metres, counter-clockwise seen from outside. */
export interface MeshPart {
  readonly name: string;
  /** 3 numbers a vertex. */
  readonly positions: Float32Array;
  readonly normals: Float32Array;
  /** 2 numbers a vertex. */
  readonly uvs?: Float32Array;
  readonly indices: Uint32Array;
  readonly material: PartMaterial;
}

/** Geometry of one object in object space: box centred on x = z = 0, standing on y = 0, front +Z, final size in metres. */
export type DraftGeometry =
  | { readonly kind: 'proxy'; readonly parts: readonly MeshPart[] }
  | { readonly kind: 'mesh'; readonly glb: Uint8Array };

export interface DraftObject {
  readonly id: string;
  readonly label: string;
  readonly asset: { readonly source: string; readonly id: string } | null;
  /** 4x4 column-major, rigid: object space -> scene space. */
  readonly transform: readonly number[];
  /** Width (x), height (y), depth (z), metres. */
  readonly size: readonly [number, number, number];
  readonly supportedBy: string | null;
  readonly geometry: DraftGeometry;
}

/** What an importer, a layout policy or a probe hands to `freezeScene`: canonical frame, geometry still apart. */
export interface SceneDraft {
  readonly id: string;
  readonly generator: string;
  readonly prompt: string;
  readonly rooms: readonly Room[];
  /** Floor and wall surfaces by room id; rooms not named get the default surfaces. */
  readonly surfaces?: Readonly<Record<string, { readonly floor: PartMaterial; readonly wall: PartMaterial }>>;
  readonly objects: readonly DraftObject[];
  readonly frame?: Scene['frame'];
  readonly probe?: Scene['probe'];
  readonly source: Scene['source'];
}
