import type { Texture } from 'three';

/** Textures larger than this are scaled down: no picture shows more, and eight 8k textures would fill 2 GB. */
const LARGEST_TEXTURE = 1024;

/**
 * Scales a decoded picture down to the largest side that is of use; the large one is freed at once.
 *
 * @returns whether it was larger
 */
export function boundTexture(texture: Texture): boolean {
  const image: unknown = texture.image;
  if (!(image instanceof ImageBitmap)) return false;
  const longest = Math.max(image.width, image.height);
  if (longest <= LARGEST_TEXTURE) return false;
  const scale = LARGEST_TEXTURE / longest;
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(image.width * scale)),
    Math.max(1, Math.round(image.height * scale)),
  );
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  texture.image = canvas.transferToImageBitmap();
  texture.needsUpdate = true;
  return true;
}
