import sharp from 'sharp';
import type { Rgba } from '../core/image.ts';
import { composite } from './composite.ts';

/**
 * Mean absolute difference of two pictures of one size, 0..255: both over mid grey, blurred (sigma 2 pixels at 512, in
 * proportion elsewhere) so that the grain of a path tracer does not count.
 */
export async function pictureDifference(a: Rgba, b: Rgba): Promise<number> {
  if (a.width !== b.width || a.height !== b.height)
    throw new RangeError('pictureDifference requires two pictures of one size');
  const smooth = async (picture: Rgba): Promise<Uint8Array> =>
    await sharp(composite(picture, 'grey-186', null), {
      raw: { width: picture.width, height: picture.height, channels: 3 },
    })
      .blur(Math.max(0.3, (2 * picture.width) / 512))
      .raw()
      .toBuffer();
  const [first, second] = [await smooth(a), await smooth(b)];
  let sum = 0;
  for (let index = 0; index < first.length; index += 1) sum += Math.abs(first[index]! - second[index]!);
  return sum / first.length;
}
