import { Euler, Matrix4, Quaternion, Vector3 } from 'three';

/**
 * Changes of frame. Canonical: metres, right-handed, y up, x to the right and -z up the page when seen from above; object
 * space has its front along +Z. All matrices are 4x4, column-major.
 */

const DEGREE = Math.PI / 180;

/** Degrees to radians. */
export function radians(degrees: number): number {
  return degrees * DEGREE;
}

/** Plain numbers of a matrix, float noise below 1e-12 rounded away, no -0. */
export function numbersOf(matrix: Matrix4): number[] {
  return matrix.elements.map((value) => Math.round(value * 1e12) / 1e12 + 0);
}

/** Matrix from column-major numbers. */
export function matrixOf(numbers: readonly number[]): Matrix4 {
  return new Matrix4().fromArray([...numbers]);
}

/** Turn about +Y by `yaw` radians (counter-clockwise from above; the front points to (sin yaw, cos yaw) in x/z), then move. */
export function yawTransform(yaw: number, place: readonly [number, number, number]): number[] {
  return numbersOf(new Matrix4().makeRotationY(yaw).setPosition(...place));
}

/** z-up right-handed -> canonical: (x, y, z) becomes (x, z, -y). */
export const Z_UP_TO_Y_UP: Matrix4 = new Matrix4().makeRotationX(-Math.PI / 2);

/** Object space -> a z-up local frame whose front is -Y (Blender, HSSD in SceneEval): x stays, y becomes z. */
export const OBJECT_TO_Z_UP_FRONT_MINUS_Y: Matrix4 = new Matrix4().makeRotationX(Math.PI / 2);

/** Object space -> a z-up local frame whose front is +X (LayoutVLM, SceneWeaver). */
export const OBJECT_TO_Z_UP_FRONT_X: Matrix4 = new Matrix4()
  .makeRotationZ(Math.PI / 2)
  .multiply(OBJECT_TO_Z_UP_FRONT_MINUS_Y);

/** Object space -> a z-up local frame whose front is +Y (SceneSmith, I-Design in the SceneEval fork). */
export const OBJECT_TO_Z_UP_FRONT_Y: Matrix4 = new Matrix4()
  .makeRotationZ(Math.PI)
  .multiply(OBJECT_TO_Z_UP_FRONT_MINUS_Y);

/** Transform of an object given in a z-up frame: `rotation` and `place` there, `toLocal` from object space to its local frame. */
export function zUpTransform(rotation: Matrix4, place: readonly [number, number, number], toLocal: Matrix4): number[] {
  const world = rotation.clone().setPosition(...place);
  return numbersOf(Z_UP_TO_Y_UP.clone().multiply(world).multiply(toLocal));
}

/** Blender Euler angles "XYZ" in radians (about x first, then y, then z, all fixed axes). */
export function eulerRotation([x, y, z]: readonly [number, number, number]): Matrix4 {
  return new Matrix4().makeRotationFromEuler(new Euler(x, y, z, 'ZYX'));
}

/** Canonical place of a z-up point. */
export function fromZUp([x, y, z]: readonly [number, number, number]): [number, number, number] {
  return [x + 0, z + 0, -y + 0];
}

/**
 * Unity (left-handed, y up, z forward) place -> canonical: z changes sign, so that the picture from above stays the same.
 */
export function fromUnity([x, y, z]: readonly [number, number, number]): [number, number, number] {
  return [x + 0, y + 0, -z + 0];
}

/**
 * Unity rotation (Euler degrees, applied z, then x, then y; yaw clockwise seen from above, 0 faces +Z of Unity) -> rotation
 * of object space in the canonical frame. Both handednesses flip (world along z, object along x), so nothing is mirrored.
 */
export function unityRotation([x, y, z]: readonly [number, number, number]): Matrix4 {
  const unity = new Matrix4()
    .makeRotationY(radians(y))
    .multiply(new Matrix4().makeRotationX(radians(x)))
    .multiply(new Matrix4().makeRotationZ(radians(z)));
  return new Matrix4()
    .makeScale(1, 1, -1)
    .multiply(unity)
    .multiply(new Matrix4().makeScale(-1, 1, 1));
}

/** Rotation of a quaternion [x, y, z, w]; it need not have length 1. */
export function quaternionRotation([x, y, z, w]: readonly [number, number, number, number]): Matrix4 {
  return new Matrix4().makeRotationFromQuaternion(new Quaternion(x, y, z, w).normalize());
}

/** Rotation, sizes along the rotated axes and place of a matrix without shear; null when it shears, mirrors or has no extent. */
export function decompose(matrix: Matrix4): {
  readonly rotation: Matrix4;
  readonly scale: readonly [number, number, number];
  readonly place: readonly [number, number, number];
} | null {
  const e = matrix.elements;
  const columns = [0, 4, 8].map((at) => new Vector3(e[at], e[at + 1], e[at + 2])) as [Vector3, Vector3, Vector3];
  const lengths = columns.map((column) => column.length()) as [number, number, number];
  if (lengths.some((length) => !(length > 1e-9) || !Number.isFinite(length))) return null;
  const [a, b, c] = columns.map((column, index) => column.divideScalar(lengths[index] as number)) as [
    Vector3,
    Vector3,
    Vector3,
  ];
  if (Math.abs(a.dot(b)) > 1e-3 || Math.abs(a.dot(c)) > 1e-3 || Math.abs(b.dot(c)) > 1e-3) return null;
  if (new Vector3().crossVectors(a, b).dot(c) < 0) return null;
  // Rounded numbers in files leave a rotation slightly off; a unit quaternion makes it exact.
  const rotation = new Matrix4().makeRotationFromQuaternion(
    new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(a, b, c)).normalize(),
  );
  return { rotation, scale: lengths, place: [e[12] as number, e[13] as number, e[14] as number] };
}

/** Where an object's front points in the scene: the third column of its transform. */
export function frontOf(transform: readonly number[]): [number, number, number] {
  return [transform[8] as number, transform[9] as number, transform[10] as number];
}
