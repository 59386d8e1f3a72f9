import { Data3DTexture, DataTexture, DataUtils } from 'three';
import type { Sun } from '../light/prepare-light.ts';
import { ROUGH_TILE, SHARP_TILE } from '../light/reflections.ts';
import { filtered } from './filtered-texture.ts';
import type { LightHeader } from './protocol.ts';

/** A prepared environment map in the page: what the solver reads and the textures that reflections read. */
export interface PageLight {
  readonly sun: Sun | null;
  readonly sky: Float32Array;
  readonly sharp: DataTexture;
  readonly rough: Data3DTexture;
}

/** Fetches a map as encode-light.ts writes it. @throws Error with the server's reason. */
export async function readLight(url: string): Promise<PageLight> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`light: ${await response.text()}`);
  const bytes = await response.arrayBuffer();
  const headerLength = new DataView(bytes).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, headerLength))) as LightHeader;
  let at = 4 + headerLength;
  const [sky, sharp, rough] = header.lengths.map((length) => {
    const array = new Float32Array(bytes, at, length);
    at += 4 * length;
    return array;
  }) as [Float32Array, Float32Array, Float32Array];
  const side = ROUGH_TILE + 2;
  return {
    sun: header.sun,
    sky,
    sharp: filtered(new DataTexture(toHalf(sharp), SHARP_TILE + 2, SHARP_TILE + 2)),
    rough: filtered(new Data3DTexture(toHalf(rough), side, side, rough.length / (4 * side * side))),
  };
}

function toHalf(values: Float32Array): Uint16Array<ArrayBuffer> {
  const half = new Uint16Array(values.length);
  for (let i = 0; i < values.length; i += 1) half[i] = DataUtils.toHalfFloat(Math.min(values[i]!, 65504));
  return half;
}
