import { existsSync, mkdirSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AuditError, messageOf } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import type { Rgba } from '../core/image.ts';
import { decodePng, encodePng } from '../rendering/png.ts';

/** PNGs of transparent renders, named by content key, beside the store. Keys hash decoded pixels, never PNG bytes. */
export class ImageFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  path(key: string): string {
    return join(this.root, key.slice(0, 2), `${key}.png`);
  }

  has(key: string): boolean {
    return existsSync(this.path(key));
  }

  /** Writes a picture whole or not at all; returns the SHA-256 of its pixels (with width and height). */
  async write(key: string, picture: Rgba): Promise<string> {
    const path = this.path(key);
    const temporary = `${path}.${process.pid}.part`;
    try {
      mkdirSync(dirname(path), { recursive: true });
      await writeFile(temporary, await encodePng(picture));
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => {});
      throw new AuditError(
        `${this.root}: cannot write a picture (${messageOf(error)}); expected a writable folder with space`,
        {
          code: 'ENVIRONMENT',
          cause: error,
        },
      );
    }
    return pixelHash(picture);
  }

  /**
   * Reads a picture back.
   * @throws AuditError when the file is gone or its pixels are not the recorded ones.
   */
  async read(key: string, expectedPixels: string): Promise<Rgba> {
    let picture: Rgba;
    try {
      picture = await decodePng(await readFile(this.path(key)));
    } catch (error) {
      throw new AuditError(`${this.path(key)}: cannot read the picture (${messageOf(error)}); expected a PNG`, {
        code: 'MISSING_FILE',
        hint: 'Run the audit again: a missing picture is rendered anew.',
      });
    }
    if (pixelHash(picture) !== expectedPixels)
      throw new AuditError(
        `${this.path(key)}: the picture's pixels changed since it was rendered; expected the recorded ones`,
        {
          code: 'HASH_MISMATCH',
          hint: 'Delete the file and run the audit again: it is rendered anew.',
        },
      );
    return picture;
  }
}

/** SHA-256 of width, height and the RGBA bytes. */
export function pixelHash({ width, height, data }: Rgba): string {
  const header = new TextEncoder().encode(`rgba8 ${width} ${height}\n`);
  const joined = new Uint8Array(header.length + data.length);
  joined.set(header);
  joined.set(data, header.length);
  return sha256(joined);
}
