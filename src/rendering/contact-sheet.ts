import sharp, { type OverlayOptions } from 'sharp';
import type { Failure } from '../core/outcome.ts';
import { isFailure } from '../core/outcome.ts';

/** One labelled picture of a sheet: opaque RGB, or why it could not be made. */
export interface Tile {
  readonly label: string;
  readonly picture: { readonly width: number; readonly height: number; readonly data: Uint8Array } | Failure;
}

export interface ContactSheetOptions {
  readonly title: string;
  readonly columns?: number;
  /** Side of a tile, px; smaller pictures are not enlarged. */
  readonly side?: number;
}

const GAP = 12;
const LABEL = 26;
const TITLE = 44;

/** Pictures side by side, each with its label below, as a PNG. Labels are drawn with the system's sans-serif font. */
export async function contactSheet(tiles: readonly Tile[], options: ContactSheetOptions): Promise<Uint8Array> {
  const side = options.side ?? 256;
  const columns = Math.max(1, Math.min(options.columns ?? 4, tiles.length));
  const rows = Math.max(1, Math.ceil(tiles.length / columns));
  const width = GAP + columns * (side + GAP);
  const height = TITLE + rows * (side + LABEL + GAP);
  const text: string[] = [svgText(options.title, GAP, 29, 18, 600)];
  const layers: OverlayOptions[] = [];
  for (const [index, { label, picture }] of tiles.entries()) {
    const left = GAP + (index % columns) * (side + GAP);
    const top = TITLE + Math.floor(index / columns) * (side + LABEL + GAP);
    text.push(svgText(label, left, top + side + 18, 14, 400));
    if (isFailure(picture)) {
      text.push(`<rect x="${left}" y="${top}" width="${side}" height="${side}" fill="none" stroke="#b00020"/>`);
      text.push(svgText(`${picture.status}: ${picture.reason}`.slice(0, 40), left + 8, top + 24, 13, 400, '#b00020'));
      continue;
    }
    const { data, info } = await sharp(picture.data, {
      raw: { width: picture.width, height: picture.height, channels: 3 },
    })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer({ resolveWithObject: true });
    layers.push({
      input: data,
      left: left + Math.floor((side - info.width) / 2),
      top: top + Math.floor((side - info.height) / 2),
    });
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${text.join('')}</svg>`;
  return await sharp({ create: { width, height, channels: 3, background: '#f4f4f2' } })
    .composite([...layers, { input: Buffer.from(svg), left: 0, top: 0 }])
    .png()
    .toBuffer();
}

function svgText(text: string, x: number, y: number, size: number, weight: number, fill = '#222'): string {
  const safe = text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<text x="${x}" y="${y}" font-family="sans-serif" font-size="${size}" font-weight="${weight}" fill="${fill}">${safe}</text>`;
}
