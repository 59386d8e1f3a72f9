import sharp from 'sharp';
import type { Image } from '../../core/image.ts';

/**
 * Base64 PNGs of pictures, made once for a picture that is asked about with many captions. Keeps the newest within a
 * bound; the same picture asked for twice at once is encoded once.
 */
export class PictureCache {
  readonly #limit: number;
  readonly #held = new Map<string, Promise<string>>();
  #size = 0;

  /** @param limit Characters of base64 text kept (one byte each in memory). */
  constructor(limit = 32 * 1024 * 1024) {
    this.#limit = limit;
  }

  /** @throws RangeError when width, height and number of bytes do not agree. */
  async png(image: Image): Promise<string> {
    if (image.data.length !== 3 * image.width * image.height || image.data.length === 0)
      throw new RangeError(
        `picture of ${image.width} x ${image.height} with ${image.data.length} bytes; expected three bytes a pixel`,
      );
    const held = this.#held.get(image.key);
    if (held !== undefined) {
      this.#held.delete(image.key);
      this.#held.set(image.key, held);
      return held;
    }
    const made = encode(image);
    this.#held.set(image.key, made);
    const text = await made;
    this.#size += text.length;
    for (const [key, old] of this.#held) {
      if (this.#size <= this.#limit || key === image.key) break;
      this.#held.delete(key);
      this.#size -= (await old).length;
    }
    return text;
  }
}

async function encode({ data, width, height }: Image): Promise<string> {
  const png = await sharp(data, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 6 })
    .toBuffer();
  return png.toString('base64');
}
