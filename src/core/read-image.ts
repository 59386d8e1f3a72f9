import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { messageOf } from './errors.ts';
import type { Rgba } from './image.ts';
import type { Failure } from './outcome.ts';

/** Largest picture that is decoded: 8192 x 8192. */
const MOST_PIXELS = 8192 * 8192;
const FORMATS = ['png', 'jpeg', 'webp'];

/** A decoded picture file and what was done to it on the way. */
export interface DecodedImage extends Rgba {
  /** Some pixel is not opaque: the picture needs a declared background before anything can score it. */
  readonly transparent: boolean;
  /** Each change in words: `EXIF rotation 6 applied`, `16 bits reduced to 8`, ... */
  readonly notes: readonly string[];
}

function failure(reason: string): Failure {
  return { status: 'failed', reason };
}

/** Description of an ICC profile contains "sRGB", in ASCII or UTF-16. */
function isSrgbProfile(profile: Buffer): boolean {
  return profile.includes('sRGB') || profile.includes(Buffer.from('\u0000s\u0000R\u0000G\u0000B', 'latin1'));
}

/** A PNG's gAMA chunk x 100000, unless an sRGB or iCCP chunk overrules it; null when there is none. */
function pngGamma(bytes: Buffer): number | null {
  let gamma: number | null = null;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    const kind = bytes.toString('latin1', at + 4, at + 8);
    if (kind === 'sRGB' || kind === 'iCCP') return null;
    if (kind === 'gAMA' && size === 4 && at + 12 <= bytes.length) gamma = bytes.readUInt32BE(at + 8);
    if (kind === 'IDAT') break;
    at += 12 + size;
  }
  return gamma;
}

/**
 * Decodes a picture file to straight-alpha sRGB, 8 bits. EXIF rotation is applied once; 16 bits keep their upper 8;
 * grey and palette pictures become RGB. What would need a guess is a failure: a colour profile other than sRGB, a gamma other than
 * 1/2.2, CMYK, a damaged or oversized file. Alpha is kept, never flattened here.
 */
export async function decodeImage(bytes: Uint8Array): Promise<DecodedImage | Failure> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const options = { failOn: 'warning', limitInputPixels: MOST_PIXELS, ignoreIcc: true } as const;
    const metadata = await sharp(buffer, options).metadata();
    if (!FORMATS.includes(metadata.format))
      return failure(`picture format "${metadata.format}"; expected ${FORMATS.join(', ')}`);
    if ((metadata.pages ?? 1) > 1) return failure('an animated picture; expected a single one');
    if (metadata.space === 'cmyk') return failure('CMYK colours; expected sRGB');
    if (metadata.icc !== undefined && !isSrgbProfile(metadata.icc))
      return failure('a colour profile that is not sRGB; expected sRGB (convert the picture and say so)');
    const gamma = metadata.format === 'png' ? pngGamma(buffer) : null;
    if (gamma !== null && Math.abs(gamma - 45455) > 500)
      return failure(`gamma ${gamma / 100000}; expected 0.45455 (sRGB) or no gamma chunk`);
    const notes: string[] = [];
    const orientation = metadata.orientation ?? 1;
    if (orientation !== 1) notes.push(`EXIF rotation ${orientation} applied`);
    const wide = metadata.depth === 'ushort';
    if (wide) notes.push('16 bits reduced to 8');
    if (metadata.space === 'b-w' || metadata.space === 'grey16') notes.push('grey made RGB');
    const decoded = wide ? await decodeWide(buffer, options) : await decode(buffer, options);
    let transparent = false;
    for (let at = 3; at < decoded.data.length && !transparent; at += 4) transparent = decoded.data[at] !== 255;
    return { ...decoded, transparent, notes };
  } catch (error) {
    return failure(`cannot be decoded: ${messageOf(error, 160)}`);
  }
}

type Options = { failOn: 'warning'; limitInputPixels: number; ignoreIcc: boolean };

async function decode(buffer: Buffer, options: Options): Promise<Rgba> {
  const { data, info } = await sharp(buffer, options)
    .autoOrient()
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data.buffer, data.byteOffset, data.length) };
}

/** 16 bits a channel are read as they are and keep the upper byte, as libpng strips them (and so Pillow). */
async function decodeWide(buffer: Buffer, options: Options): Promise<Rgba> {
  const { data, info } = await sharp(buffer, options)
    .autoOrient()
    .toColourspace('rgb16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  const wide = new Uint16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
  const { width, height, channels } = info;
  const out = new Uint8Array(width * height * 4).fill(255);
  const grey = channels < 3;
  for (let pixel = 0; pixel < width * height; pixel += 1)
    for (let channel = 0; channel < 4; channel += 1) {
      const from = channel === 3 ? (channels % 2 === 0 ? channels - 1 : -1) : grey ? 0 : channel;
      if (from >= 0) out[pixel * 4 + channel] = (wide[pixel * channels + from] as number) >> 8;
    }
  return { width, height, data: out };
}

/** Reads and decodes a picture file; a missing file is a failure like any other. */
export async function readImageFile(path: string): Promise<DecodedImage | Failure> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return failure(`cannot be read: ${messageOf(error, 160)}`);
  }
  return decodeImage(bytes);
}

/**
 * Opaque RGB from a decoded picture: over `background` in sRGB (rounded half up), or as it is when it has no
 * transparency. Transparency without a declared background is a failure, never a black background.
 */
export function opaqueRgb(
  picture: DecodedImage,
  background: readonly [number, number, number] | null,
): { width: number; height: number; data: Uint8Array } | Failure {
  if (picture.transparent && background === null)
    return failure('transparent pixels and no declared background; expected an opaque picture or a background');
  const { width, height } = picture;
  const data = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const alpha = picture.data[pixel * 4 + 3] as number;
    for (let channel = 0; channel < 3; channel += 1) {
      const over = (picture.data[pixel * 4 + channel] as number) * alpha;
      const under = background === null ? 0 : (background[channel] as number) * (255 - alpha);
      data[pixel * 3 + channel] = Math.floor((over + under) / 255 + 0.5);
    }
  }
  return { width, height, data };
}
