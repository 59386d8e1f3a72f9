import { Matrix4, Vector3 } from 'three';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { Random } from '../core/random.ts';
import type { AssetMesh } from './assets.ts';
import type { CatalogueEntry } from './catalogue.ts';
import { completeSize } from './complete-size.ts';
import type { DraftGeometry } from './draft.ts';
import { type FittedAsset, fitAsset } from './fit-asset.ts';
import { decompose, matrixOf, numbersOf, radians } from './frames.ts';
import type { ImportOptions } from './importer.ts';
import { proxyGeometry } from './kit/proxy-geometry.ts';
import type { AssetPose, BoxPose, LayoutObject, PartialSize } from './layout.ts';
import { plainText } from './plain-text.ts';

type Size = readonly [number, number, number];

/** An object with its final size, transform and geometry. */
export interface PlacedObject {
  readonly transform: readonly number[];
  readonly size: Size;
  readonly geometry: DraftGeometry;
  /** Assumptions about this one object, counted over the scene by their text. */
  readonly remarks: readonly string[];
}

/** Objects thinner than this are given this thickness, metres. */
const THINNEST = 0.001;

/**
 * Gives objects their geometry: the mesh of their asset, else kit furniture of their label and size. Sizes come from the
 * file, the mesh or the catalogue, in this order.
 */
export class ObjectPlacer {
  readonly #options: ImportOptions;
  readonly #fits = new Map<string, Promise<FittedAsset>>();
  readonly #proxies = new Map<string, DraftGeometry>();

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  /**
   * @param label final label
   * @returns null when no size is known and the options do not allow a stand-in
   * @throws AuditError when the pose cannot be a rigid one, or an asset file is damaged
   */
  async place(object: LayoutObject, label: string): Promise<PlacedObject | null> {
    const { pose, asset } = object;
    if (pose.kind === 'mesh')
      return {
        transform: pose.transform,
        size: pose.size,
        geometry: { kind: 'mesh', glb: pose.glb },
        remarks: [],
      };
    const mesh = asset === null ? null : await this.#options.assets.find(asset.source, asset.id);
    const entry = asset === null ? undefined : this.#options.catalogue.get(asset.id);
    return pose.kind === 'box'
      ? this.#placeBox(object, pose, label, mesh, entry)
      : this.#placeAsset(object, pose, label, mesh, entry);
  }

  async #placeBox(
    object: LayoutObject,
    pose: BoxPose,
    label: string,
    mesh: AssetMesh | null,
    entry: CatalogueEntry | undefined,
  ): Promise<PlacedObject | null> {
    const remarks: string[] = [];
    const turn = new Matrix4().makeRotationY(radians(entry?.frontYaw ?? 0));
    if (mesh !== null) {
      const plain = await this.#fit(mesh, turn, object);
      // Sides guessed from a footprint or a height are worth less than the mesh itself.
      const stretch = isComplete(pose.size) ? stretchTo(pose.size, plain.size) : ([1, 1, 1] as const);
      if (stretch.some((factor) => Math.abs(factor - 1) > 0.05))
        remarks.push('mesh stretched over 5% to the size in the file');
      const close = stretch.every((factor) => Math.abs(factor - 1) < 1e-6);
      const fitted = close
        ? plain
        : await this.#fit(
            mesh,
            new Matrix4().makeScale(stretch[0] as number, stretch[1] as number, stretch[2] as number).multiply(turn),
            object,
          );
      return {
        transform: onBase(pose, fitted.size),
        size: fitted.size,
        geometry: { kind: 'mesh', glb: fitted.glb },
        remarks,
      };
    }
    const told = isComplete(pose.size) ? pose.size : (entry?.size ?? pose.size);
    const size = this.#size(told, label, remarks);
    if (size === null) return null;
    return { transform: onBase(pose, size), size, geometry: this.#proxy(object, label, size), remarks };
  }

  async #placeAsset(
    object: LayoutObject,
    pose: AssetPose,
    label: string,
    mesh: AssetMesh | null,
    entry: CatalogueEntry | undefined,
  ): Promise<PlacedObject | null> {
    const parts = decompose(matrixOf(pose.matrix));
    if (parts === null)
      throw new AuditError(
        `object ${quoted(object.id)}: invalid transform ${quoted(pose.matrix)}; expected a rotation, a positive scale and a translation`,
      );
    const remarks: string[] = [];
    const turn = new Matrix4().makeRotationY(radians(entry?.frontYaw ?? 0));
    const toObject = matrixOf(pose.toAsset).invert();
    const frame = new Matrix4()
      .setPosition(...parts.place)
      .multiply(parts.rotation)
      .multiply(toObject.clone().invert());
    const linear = toObject
      .clone()
      .multiply(new Matrix4().makeScale(...parts.scale))
      .multiply(turn);
    if (mesh !== null) {
      const fitted = await this.#fit(mesh, linear, object);
      return {
        transform: numbersOf(frame.multiply(new Matrix4().makeTranslation(...fitted.base))),
        size: fitted.size,
        geometry: { kind: 'mesh', glb: fitted.glb },
        remarks,
      };
    }
    if (pose.box !== undefined) {
      const box = boxUnder(pose.box, linear);
      const size = this.#size(box.size, label, remarks) as Size;
      const transform = numbersOf(frame.multiply(new Matrix4().makeTranslation(...box.base)));
      return { transform, size, geometry: this.#proxy(object, label, size), remarks };
    }
    // Without a mesh the scale along the asset's axes is taken along the object's.
    const own = pose.size ?? entry?.size ?? null;
    const along = toObject
      .clone()
      .multiply(new Matrix4().makeScale(...parts.scale))
      .multiply(toObject.clone().invert());
    const scaled =
      own === null
        ? null
        : (own.map((side, axis) => side * Math.abs(along.elements[axis * 5] as number)) as [number, number, number]);
    const size = this.#size(scaled, label, remarks);
    if (size === null) return null;
    const drop = pose.origin === 'centre' ? -size[1] / 2 : 0;
    remarks.push(
      `mesh missing: its origin is taken for the ${pose.origin === 'centre' ? 'centre' : 'bottom centre'} of its box`,
    );
    const transform = numbersOf(frame.multiply(new Matrix4().makeTranslation(0, drop, 0)));
    return { transform, size, geometry: this.#proxy(object, label, size), remarks };
  }

  #size(known: PartialSize | null, label: string, remarks: string[]): Size | null {
    const completed = completeSize(known, label, this.#options.allowUnknownSize);
    if (completed === null) return null;
    if (completed.remark !== null) remarks.push(completed.remark);
    if (completed.size.every((side) => side >= THINNEST)) return completed.size;
    remarks.push(`thinner than ${THINNEST * 1000} mm: made ${THINNEST * 1000} mm thick`);
    return completed.size.map((side) => Math.max(side, THINNEST)) as [number, number, number];
  }

  #proxy(object: LayoutObject, label: string, size: Size): DraftGeometry {
    // One look for one asset, or for one label where there is no asset: four dining chairs match.
    const look = plainText(object.asset === null ? label : object.asset.id, 200);
    const key = [label, look, ...size].join('\n');
    const known = this.#proxies.get(key);
    if (known !== undefined) return known;
    const parts = proxyGeometry(label, [size[0], size[1], size[2]], new Random(0, 'import-proxy', look));
    const made: DraftGeometry = { kind: 'proxy', parts };
    this.#proxies.set(key, made);
    return made;
  }

  #fit(mesh: AssetMesh, linear: Matrix4, object: LayoutObject): Promise<FittedAsset> {
    const key = `${object.asset?.source}/${object.asset?.id}/${numbersOf(linear).join()}`;
    const known = this.#fits.get(key);
    if (known !== undefined) return known;
    const fitted = fitAsset(mesh.glb, linear, `asset ${quoted(object.asset?.id)}`).catch((error: unknown) => {
      throw error instanceof AuditError
        ? error
        : new AuditError(`asset ${quoted(object.asset?.id)}: ${messageOf(error)}`);
    });
    this.#fits.set(key, fitted);
    return fitted;
  }
}

function isComplete(size: PartialSize | null): size is Size {
  return size?.every((side) => side !== null) ?? false;
}

/** Factors that bring a mesh to the size the file tells. */
function stretchTo(wanted: Size, own: Size): [number, number, number] {
  const factor = (axis: 0 | 1 | 2): number => Math.max(wanted[axis], THINNEST) / Math.max(own[axis], 1e-9);
  return [factor(0), factor(1), factor(2)];
}

/** Moves the anchor of a box pose to its bottom centre. */
function onBase(pose: BoxPose, size: Size): number[] {
  if (pose.anchor === 'bottom') return numbersOf(matrixOf(pose.transform));
  return numbersOf(matrixOf(pose.transform).multiply(new Matrix4().makeTranslation(0, -size[1] / 2, 0)));
}

/** Size and bottom centre of a box after a linear map. */
function boxUnder(
  box: { readonly min: Size; readonly max: Size },
  linear: Matrix4,
): { readonly size: Size; readonly base: Size } {
  const low = new Vector3(Infinity, Infinity, Infinity);
  const high = new Vector3(-Infinity, -Infinity, -Infinity);
  for (let corner = 0; corner < 8; corner += 1) {
    const pick = (axis: 0 | 1 | 2): number => (corner & (1 << axis) ? box.max[axis] : box.min[axis]);
    const point = new Vector3(pick(0), pick(1), pick(2)).applyMatrix4(linear);
    low.min(point);
    high.max(point);
  }
  return {
    size: [high.x - low.x, high.y - low.y, high.z - low.z],
    base: [(low.x + high.x) / 2, low.y, (low.z + high.z) / 2],
  };
}
