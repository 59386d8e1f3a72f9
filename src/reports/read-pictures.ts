import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import sharp from 'sharp';
import { z } from 'zod';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { type Thumbnail, thumbnailSchema } from '../sweep/thumbnails.ts';

/** One picture of the montage: a generator's example prompt under one level of a factor, made small. */
export interface Picture extends Thumbnail {
  /** The small picture itself, as a data address; null when the budget of the report was spent. */
  readonly data: string | null;
}

/** Side of an inlined picture, px. */
export const THUMBNAIL_SIDE = 168;
/** Bytes of all inlined pictures together. */
export const THUMBNAIL_BUDGET = 2_500_000;

/**
 * The pictures of `images/index.json`, made small and inlined until the budget is spent; none when nothing was exported.
 * A picture that is missing or unreadable is left out of the montage and named in `problems`.
 *
 * @throws AuditError when the index is not valid or a path leaves the results folder.
 */
export async function readPictures(
  folder: string,
  wanted: (generator: string) => boolean = () => true,
): Promise<{ pictures: Picture[]; problems: string[] }> {
  const file = join(folder, 'images', 'index.json');
  if (!existsSync(file)) return { pictures: [], problems: [] };
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new AuditError(`images/index.json: invalid JSON (${messageOf(error, 200)}); expected a list of pictures`);
  }
  const parsed = z.array(thumbnailSchema).safeParse(value);
  if (!parsed.success)
    throw new AuditError(
      `images/index.json: invalid value at ${quoted(parsed.error.issues[0]?.path.map(String).join('.') ?? '$')}; expected {generator, prompt, factor, level, path}`,
    );
  const root = `${resolve(folder)}${sep}`;
  const pictures: Picture[] = [];
  const problems: string[] = [];
  let spent = 0;
  for (const entry of parsed.data) {
    if (!wanted(entry.generator)) continue;
    const picture = resolve(folder, entry.path);
    if (!picture.startsWith(root))
      throw new AuditError(
        `images/index.json: path ${quoted(entry.path)} leaves the results folder; expected images/...`,
      );
    try {
      if (statSync(picture).size > 50_000_000) throw new RangeError('larger than 50 MB');
      const small =
        spent < THUMBNAIL_BUDGET
          ? await sharp(picture, { limitInputPixels: 8192 * 8192 })
              .resize(THUMBNAIL_SIDE, THUMBNAIL_SIDE, { fit: 'inside', withoutEnlargement: true })
              .webp({ quality: 78 })
              .toBuffer()
          : null;
      spent += small?.length ?? 0;
      pictures.push({ ...entry, data: small === null ? null : `data:image/webp;base64,${small.toString('base64')}` });
    } catch (error) {
      problems.push(`${entry.path}: ${messageOf(error, 120)}`);
    }
  }
  return { pictures, problems };
}

/** A relative path as an address that stays inside the folder beside the report. */
export function addressOf(path: string): string {
  return `./${path.split('/').map(encodeURIComponent).join('/')}`;
}
