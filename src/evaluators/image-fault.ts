import type { Image } from '../core/image.ts';

/** Why a picture cannot be scored (no pixels, wrong number of bytes, far too elongated), or null when it can. */
export function imageFault(image: Image): string | null {
  const { width, height, data } = image;
  if (!(width > 0) || !(height > 0)) return `the image has no pixels (${width} x ${height})`;
  if (data.length !== 3 * width * height)
    return `the image has ${data.length} bytes; expected ${3 * width * height} (RGB, 8 bits, no alpha)`;
  // A 1 x 5000 strip would be enlarged to an unbounded long edge before the crop.
  if (Math.max(width, height) > 64 * Math.min(width, height)) return `the image is ${width} x ${height}; too elongated`;
  return null;
}
