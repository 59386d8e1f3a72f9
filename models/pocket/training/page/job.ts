import type { Camera } from '../../../../src/rendering/framing.ts';

/** One room in one view and one light; arrays follow in the binary body, in the order of `lengths`. */
export interface JobHeader {
  readonly sections: readonly { readonly name: string; readonly start: number; readonly count: number }[];
  readonly hidden: readonly string[];
  readonly texture: string | null;
  readonly lighting: string;
  readonly exposure: number;
  readonly camera: Camera;
  readonly box: { readonly min: readonly number[]; readonly max: readonly number[] };
  readonly lattice: {
    readonly nx: number;
    readonly ny: number;
    readonly nz: number;
    readonly size: number;
    readonly origin: readonly number[];
  };
  readonly resolution: number;
  /** Lengths of positions, normals, tints, surfaces, uvs, ids (floats), indices (uint32), volume (floats). */
  readonly lengths: readonly number[];
}

/** Side of the id picture and of the final picture, pixels. */
export const FINAL_SIZE = 96;

/** Header length (uint32), header JSON padded with spaces to 4 bytes, then the arrays. */
export function packJob(
  header: Omit<JobHeader, 'lengths'>,
  arrays: readonly (Float32Array | Uint32Array)[],
): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify({ ...header, lengths: arrays.map((array) => array.length) }));
  const padded = Math.ceil(text.length / 4) * 4;
  const body = new Uint8Array(4 + padded + arrays.reduce((sum, array) => sum + array.byteLength, 0));
  new DataView(body.buffer).setUint32(0, padded, true);
  body.fill(32, 4, 4 + padded);
  body.set(text, 4);
  let at = 4 + padded;
  for (const array of arrays) {
    body.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  return body;
}

/** What `packJob` packed. */
export function unpackJob(buffer: ArrayBuffer): { header: JobHeader; arrays: (Float32Array | Uint32Array)[] } {
  const padded = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, padded))) as JobHeader;
  let at = 4 + padded;
  const arrays = header.lengths.map((length, index) => {
    const array = index === 6 ? new Uint32Array(buffer, at, length) : new Float32Array(buffer, at, length);
    at += array.byteLength;
    return array;
  });
  return { header, arrays };
}
