import { AuditError, quoted } from '../core/errors.ts';
import type { Rgba } from '../core/image.ts';

/** The room's floor texture, opaque sRGB, tiled over the whole image behind the transparent render. */
export interface FloorTexture {
  readonly width: number;
  readonly height: number;
  /** 3 bytes a pixel, top row first. */
  readonly data: Uint8Array;
}

const NAMED: ReadonlyMap<string, readonly [number, number, number]> = new Map([
  ['red', [255, 0, 0]],
  ['green', [0, 255, 0]],
  ['blue', [0, 0, 255]],
]);

/**
 * sRGB colour of a background level: `grey-<0..255>`, `red`, `green`, `blue`; null for `floor`.
 *
 * @throws AuditError for any other text.
 */
export function backgroundColour(background: string): readonly [number, number, number] | null {
  if (background === 'floor') return null;
  const named = NAMED.get(background);
  if (named !== undefined) return named;
  const grey = /^grey-(0|[1-9]\d{0,2})$/.exec(background);
  const level = grey === null ? Number.NaN : Number(grey[1]);
  if (!(level <= 255))
    throw new AuditError(
      `background: unknown level ${quoted(background)}; expected grey-<0..255>, red, green, blue or floor`,
    );
  return [level, level, level];
}

/**
 * Straight-alpha `over` in sRGB values, before any resize: out = round(a C + (1 - a) B), a = alpha / 255.
 * A floor tile keeps its own pixels (no scaling) and starts at the top left corner.
 *
 * @returns 3 bytes a pixel, top row first.
 * @throws AuditError for an unknown background, or `floor` without a floor texture.
 */
export function composite(rgba: Rgba, background: string, floor: FloorTexture | null): Uint8Array {
  const colour = backgroundColour(background);
  if (colour === null && floor === null)
    throw new AuditError('background: "floor" needs a room with a floor texture; expected a scene with a room');
  const { width, height, data } = rgba;
  const out = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const pixel = y * width + x;
      const alpha = data[4 * pixel + 3]!;
      const tile = floor === null ? 0 : 3 * ((y % floor.height) * floor.width + (x % floor.width));
      for (let channel = 0; channel < 3; channel += 1) {
        const behind = colour === null ? floor!.data[tile + channel]! : colour[channel]!;
        out[3 * pixel + channel] = Math.floor(
          (2 * (alpha * data[4 * pixel + channel]! + (255 - alpha) * behind) + 255) / 510,
        );
      }
    }
  }
  return out;
}
