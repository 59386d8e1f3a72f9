import type { Rgba } from '../core/image.ts';
import { decodeSrgb } from './agx.ts';

const LINEAR = Float64Array.from({ length: 256 }, (_, value) => decodeSrgb(value / 255));

/**
 * Mean foreground luminance: sum(alpha Y) / sum(alpha), Y = 0.2126 R + 0.7152 G + 0.0722 B of the linear (sRGB-decoded)
 * pixels, 0..1. Null when nothing is in the foreground.
 */
export function foregroundLuminance({ data }: Rgba): number | null {
  let weight = 0;
  let sum = 0;
  for (let index = 0; index < data.length; index += 4) {
    const alpha = data[index + 3]!;
    if (alpha === 0) continue;
    weight += alpha;
    sum +=
      alpha *
      (0.2126 * LINEAR[data[index]!]! + 0.7152 * LINEAR[data[index + 1]!]! + 0.0722 * LINEAR[data[index + 2]!]!);
  }
  return weight === 0 ? null : sum / weight;
}
