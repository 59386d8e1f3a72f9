import { Data3DTexture, type IUniform, UnsignedByteType, Vector3 } from 'three';
import { CUBE_FACES } from '../light/padded-lattice.ts';
import type { LightVolume } from '../light/unfold-volume.ts';
import { filtered } from './filtered-texture.ts';

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

/** The light volume as a texture, and the uniforms that say how to read it. */
export class VolumeTexture {
  readonly uniforms: Readonly<Record<string, IUniform>> = {
    volume: { value: null },
    volumeOrigin: { value: new Vector3() },
    volumeCells: { value: new Vector3() },
    volumeCell: { value: 1 },
    volumeScale: { value: 1 },
  };
  #texture: Data3DTexture | null = null;

  /** Puts another volume in place; its memory is reused when the size is the same. */
  upload({ lattice, data }: LightVolume): void {
    const { nx, ny, nz } = lattice;
    const { bytes, scale } = toBytes(data);
    const size = [nx, ny, CUBE_FACES * nz] as const;
    const current = this.#texture?.image;
    if (
      this.#texture === null ||
      current?.width !== size[0] ||
      current.height !== size[1] ||
      current.depth !== size[2]
    ) {
      this.#texture?.dispose();
      const texture = filtered(new Data3DTexture(bytes, ...size), UnsignedByteType);
      this.#texture = texture;
    } else this.#texture.image.data = bytes;
    this.#texture.needsUpdate = true;
    const shared = this.uniforms;
    shared['volume']!.value = this.#texture;
    (shared['volumeOrigin']!.value as Vector3).set(...lattice.origin);
    (shared['volumeCells']!.value as Vector3).set(nx, ny, nz);
    shared['volumeCell']!.value = lattice.size;
    shared['volumeScale']!.value = scale;
  }
}
