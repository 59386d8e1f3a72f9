import type { Room } from '../core/scene.ts';

/**
 * What an importer reads out of a foreign file, already in the canonical frame (metres, right-handed, y up, floor at
 * y = 0) but not yet a draft: sizes may be unknown, assets are only named, ids may collide. `assembleDraft` does the rest
 * in one way for all formats.
 */
export interface Layout {
  readonly rooms: readonly Room[];
  readonly objects: readonly LayoutObject[];
  /** Every assumption, repair and loss so far, one line each. */
  readonly notes: readonly string[];
  /** The prompt as the file tells it. */
  readonly promptText?: string;
}

export interface LayoutObject {
  /** As in the file; made safe and unique later. */
  readonly id: string;
  /** null: look it up by the asset, else "object". */
  readonly label: string | null;
  readonly asset: { readonly source: string; readonly id: string } | null;
  /** Id (as in the file) of the object it stands on. */
  readonly supportedBy: string | null;
  readonly pose: Pose;
}

/** The box of the object is known, or its size can be looked up. */
export interface BoxPose {
  readonly kind: 'box';
  /** Rigid, column-major: object space (front +Z, up +Y) -> scene; its translation is the anchor's place. */
  readonly transform: readonly number[];
  /** What the translation is the place of. */
  readonly anchor: 'bottom' | 'centre';
  /**
   * Width, height, depth in metres in object space; null (or a null side): from the asset, the catalogue or the usual size
   * of such things.
   */
  readonly size: PartialSize | null;
}

/** Width, height, depth; null where the file does not tell. */
export type PartialSize = readonly [number | null, number | null, number | null];

/** The file places the asset's own frame; the box follows from the mesh. */
export interface AssetPose {
  readonly kind: 'asset';
  /**
   * Column-major: asset frame (as stored in the asset's file, turned by the catalogue's `frontYaw` where it gives one) ->
   * scene; rotation, scale along the asset's axes, translation.
   */
  readonly matrix: readonly number[];
  /** Rotation (column-major 4x4) object space -> asset frame: says which way the asset faces and which of its axes is up. */
  readonly toAsset: readonly number[];
  /** Where the asset's origin lies in its box when there is no mesh to ask. */
  readonly origin: 'bottom' | 'centre';
  /** Width, height, depth in object space before the matrix's scale, when the file tells. */
  readonly size: readonly [number, number, number] | null;
  /** Box in the asset frame, when the file tells (then `origin` is not needed). */
  readonly box?: { readonly min: readonly [number, number, number]; readonly max: readonly [number, number, number] };
}

/** Geometry came with the file. */
export interface MeshPose {
  readonly kind: 'mesh';
  readonly transform: readonly number[];
  readonly size: readonly [number, number, number];
  /** In object space already. */
  readonly glb: Uint8Array;
}

export type Pose = BoxPose | AssetPose | MeshPose;
