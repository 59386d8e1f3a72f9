import { type MapSource, readMap } from './environment-maps.ts';
import { type PreparedLight, prepareLight } from './light/prepare-light.ts';
import type { LightHeader } from './page/protocol.ts';

const cache = new Map<string, Promise<PreparedLight>>();

/** A lighting level prepared for drawing; computed once a process (about half a second a map). */
export function preparedLight(lighting: string, source: MapSource, normalise: boolean): Promise<PreparedLight> {
  const key = JSON.stringify([lighting, source, normalise]);
  let light = cache.get(key);
  if (light === undefined) {
    light = readMap(lighting, source).then((map) => prepareLight(map, normalise));
    light.catch(() => cache.delete(key));
    cache.set(key, light);
  }
  return light;
}

/** The binary form the page reads: header length, JSON header padded to 4 bytes, then its float arrays. */
export function encodeLight(light: PreparedLight): Uint8Array {
  const arrays = [light.sky, light.sharp, light.rough];
  const header: LightHeader = { sun: light.sun, lengths: arrays.map(({ length }) => length) };
  let text = JSON.stringify(header);
  while (text.length % 4 !== 0) text += ' ';
  const bytes = new Uint8Array(4 + text.length + 4 * arrays.reduce((sum, { length }) => sum + length, 0));
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(new TextEncoder().encode(text), 4);
  let at = 4 + text.length;
  for (const array of arrays) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  return bytes;
}
