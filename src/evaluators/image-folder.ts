import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { AuditError, messageOf } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import type { Image } from '../core/image.ts';
import { temporaryFolder } from '../core/temporary-folder.ts';

/** Bytes of pixels whose files are kept at once: an image is scored with many captions, so its file is written once. */
const KEPT_BYTES = 512 << 20;

/** A temporary folder of PNG files for programs that read pictures by path. */
export interface ImageFolder {
  /** Absolute path of the picture as an RGB PNG without metadata. */
  path(image: Image): Promise<string>;
  /** Removes the oldest files beyond the limit; call it while no program is reading. */
  tidy(): Promise<void>;
  remove(): Promise<void>;
}

/** Writes a picture as a PNG: 8-bit RGB, no metadata, fast compression. */
export async function writePng(image: Pick<Image, 'width' | 'height' | 'data'>, path: string): Promise<void> {
  await sharp(image.data, { raw: { width: image.width, height: image.height, channels: 3 } })
    .png({ compressionLevel: 1, adaptiveFiltering: false })
    .toFile(path);
}

/** Makes the folder in the system's temporary folder; it does not outlive this process. */
export async function createImageFolder(): Promise<ImageFolder> {
  const folder = await temporaryFolder('parallax-images');
  const written = new Map<string, { path: Promise<string>; bytes: number }>();
  return {
    path(image) {
      const known = written.get(image.key);
      if (known !== undefined) {
        // Moved to the end: the order of the map is the order of last use.
        written.delete(image.key);
        written.set(image.key, known);
        return known.path;
      }
      const path = join(folder.path, `${sha256(image.key).slice(0, 32)}.png`);
      const made = writePng(image, path).then(
        () => path,
        (error: unknown) => {
          written.delete(image.key);
          throw new AuditError(`${path}: cannot write (${messageOf(error, 160)}); expected free space in ${tmpdir()}`, {
            code: 'ENVIRONMENT',
            cause: error,
          });
        },
      );
      written.set(image.key, { path: made, bytes: image.data.length });
      return made;
    },
    async tidy() {
      let bytes = 0;
      for (const item of written.values()) bytes += item.bytes;
      for (const [key, item] of written) {
        if (bytes <= KEPT_BYTES) break;
        bytes -= item.bytes;
        written.delete(key);
        await rm(await item.path, { force: true });
      }
    },
    remove: () => folder.remove(),
  };
}
