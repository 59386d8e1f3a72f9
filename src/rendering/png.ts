import sharp from 'sharp';
import type { Image, Rgba } from '../core/image.ts';

/**
 * PNG of straight-alpha pixels: sRGB values as they are, no EXIF, gamma or profile chunk; colour under alpha 0 is kept.
 * `compression` is zlib's level (3 is a third of the time of 9 for about the size).
 */
export async function encodePng(picture: Rgba | Omit<Image, 'key'>, compression = 3): Promise<Uint8Array> {
  const channels = picture.data.length === 3 * picture.width * picture.height ? 3 : 4;
  return new Uint8Array(
    await sharp(picture.data, { raw: { width: picture.width, height: picture.height, channels } })
      .png({ compressionLevel: compression, adaptiveFiltering: false, palette: false })
      .toBuffer(),
  );
}

/** Exact inverse of `encodePng`; a PNG without alpha comes back opaque. Bounded to 64 megapixels. */
export async function decodePng(bytes: Uint8Array): Promise<Rgba> {
  const { data, info } = await sharp(bytes, { limitInputPixels: 64 * 1024 * 1024, failOn: 'warning' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data.buffer, data.byteOffset, data.length) };
}
