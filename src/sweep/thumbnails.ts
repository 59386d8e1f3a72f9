import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { z } from 'zod';
import { compareText, prettyJson } from '../core/json.ts';
import { isFailure } from '../core/outcome.ts';
import { writeWhole } from '../core/write-file.ts';
import type { ImageReference, ResolvedCell } from './cells.ts';
import type { PictureLoader } from './picture-loader.ts';

/** One picture of the report's montages. */
export const thumbnailSchema = z.strictObject({
  generator: z.string(),
  prompt: z.string(),
  /** Empty for c0; `probe` for probes. */
  factor: z.string(),
  level: z.string(),
  /** Relative to the results folder. */
  path: z.string(),
  image: z.string(),
});
export type Thumbnail = z.infer<typeof thumbnailSchema>;

const EDGE = 320;

/**
 * Pictures for the report: one prompt's c0, every level of every render factor and every probe, for each generator, as
 * JPEGs of at most 320 px under `images/`, listed in `images/index.json`. Unchanged pictures are not written again.
 */
export async function writeThumbnails(
  folder: string,
  cells: readonly ResolvedCell[],
  prompt: string,
  pictures: PictureLoader,
): Promise<void> {
  const before = readIndex(join(folder, 'images', 'index.json'));
  const wanted = new Map<string, { cell: ResolvedCell; image: ImageReference }>();
  for (const cell of cells) {
    const image = cell.asks[0]?.image;
    if (cell.prompt !== prompt || image === null || image === undefined || cell.repeat > 0) continue;
    // Caption levels share c0's picture.
    if (cell.factor !== '' && cell.factor !== 'probe' && !(cell.factor in image.configuration)) continue;
    wanted.set(`${cell.generator}/${prompt}/${cell.factor === '' ? 'c0' : `${cell.factor}-${cell.level}`}`, {
      cell,
      image,
    });
  }
  const index: Thumbnail[] = [];
  for (const [name, { cell, image }] of wanted) {
    const path = `images/${name}.jpg`;
    if (before.get(path) !== image.key || !existsSync(join(folder, path))) {
      const picture = await pictures.load(image);
      if (isFailure(picture)) continue;
      const { width, height, data } = picture;
      const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
        .resize({ width: EDGE, height: EDGE, fit: 'inside', withoutEnlargement: true })
        .jpeg({ quality: 86 })
        .toBuffer();
      writeWhole(join(folder, path), jpeg);
    }
    index.push({ generator: cell.generator, prompt, factor: cell.factor, level: cell.level, path, image: image.key });
  }
  if (index.length === 0) return;
  index.sort((a, b) => compareText(a.path, b.path));
  writeWhole(join(folder, 'images', 'index.json'), prettyJson(index));
}

function readIndex(path: string): Map<string, string> {
  if (!existsSync(path)) return new Map();
  try {
    return new Map(
      z
        .array(thumbnailSchema)
        .parse(JSON.parse(readFileSync(path, 'utf8')))
        .map((row) => [row.path, row.image]),
    );
  } catch {
    return new Map();
  }
}
