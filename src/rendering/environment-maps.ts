import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AuditError, quoted } from '../core/errors.ts';
import { sha256 } from '../core/hash.ts';
import { compareText } from '../core/json.ts';
import { LIGHTINGS } from '../core/protocol.ts';
import { readExr } from './exr.ts';

/** Where the eight maps come from: the CC0 photographs in @pmndrs/assets, or an installed Blender's own. */
export type MapSource = 'package' | 'blender';

/** Which file stands for a lighting level. The hash tells a look-alike from the original. */
export interface EnvironmentMap {
  readonly lighting: string;
  readonly source: MapSource;
  /** Name inside the source. */
  readonly file: string;
  /** SHA-256 of the EXR bytes. */
  readonly sha256: string;
  /** Set when the source has no photograph of this name and another place stands in for it. */
  readonly standIn: boolean;
}

/** Scene-linear equirectangular radiance, 3 floats a pixel; row 0 is the BOTTOM (straight down), columns run with azimuth. */
export interface Equirect {
  readonly width: number;
  readonly height: number;
  readonly data: Float32Array;
}

/** The package has no courtyard and no interior; the nearest places by kind stand in, and are named as stand-ins. */
const STAND_INS: Readonly<Record<string, string>> = { courtyard: 'venice', interior: 'lobby' };

async function packageBytes(name: string): Promise<Uint8Array> {
  const module = (await import(`@pmndrs/assets/hdri/${name}.exr.js`)) as { default: string };
  return Buffer.from(module.default.slice(module.default.indexOf(',') + 1), 'base64');
}

/**
 * Folder of an installed Blender's world lights (datafiles/studiolights/world), or null.
 * Searched: PARALLAX_BLENDER's folder, then Debian's and the usual places.
 */
export function blenderMapFolder(): string | null {
  const roots = ['/usr/share/blender', '/opt/blender', '/usr/local/share/blender'];
  const binary = process.env['PARALLAX_BLENDER'];
  if (binary !== undefined && binary !== '') roots.unshift(dirname(binary));
  for (const root of roots) {
    if (!existsSync(root)) continue;
    const versions = readdirSync(root)
      .filter((name) => /^\d+\.\d+$/.test(name))
      .sort((a, b) => -compareText(a, b));
    for (const version of ['', ...versions]) {
      const folder = join(root, version, 'datafiles', 'studiolights', 'world');
      if (existsSync(join(folder, 'city.exr'))) return folder;
    }
  }
  return null;
}

async function mapBytes(lighting: string, source: MapSource): Promise<{ file: string; bytes: Uint8Array }> {
  if (!(LIGHTINGS as readonly string[]).includes(lighting))
    throw new AuditError(`lighting: unknown level ${quoted(lighting)}; expected one of ${LIGHTINGS.join(', ')}`);
  if (source === 'package') {
    const name = STAND_INS[lighting] ?? lighting;
    return { file: `@pmndrs/assets/hdri/${name}.exr`, bytes: await packageBytes(name) };
  }
  const folder = blenderMapFolder();
  if (folder === null)
    throw new AuditError('renderer: maps "blender" need an installed Blender; expected datafiles/studiolights/world', {
      code: 'ENVIRONMENT',
      hint: 'Install Blender, set PARALLAX_BLENDER to its program, or use maps: package.',
    });
  return { file: `blender/studiolights/world/${lighting}.exr`, bytes: readFileSync(join(folder, `${lighting}.exr`)) };
}

/** Which file stands for a lighting level in a source, with its hash; the pixels stay undecoded. */
export async function describeMap(lighting: string, source: MapSource): Promise<EnvironmentMap> {
  const { file, bytes } = await mapBytes(lighting, source);
  return {
    lighting,
    source,
    file,
    sha256: sha256(bytes),
    standIn: source === 'package' && Object.hasOwn(STAND_INS, lighting),
  };
}

/**
 * Decodes a lighting's map. Negative pixels (some photographs have them) are clamped to 0, non-finite ones too.
 *
 * @throws AuditError for an unknown lighting, a missing Blender or a file that cannot be decoded.
 */
export async function readMap(lighting: string, source: MapSource): Promise<Equirect> {
  const { file, bytes } = await mapBytes(lighting, source);
  return decodeExr(bytes, file);
}

/** Scene-linear RGB of an EXR of one, three or four channels, negative and non-finite values clamped to 0. */
export function decodeExr(bytes: Uint8Array, file: string): Equirect {
  const { width, height, channels, data: source } = readExr(bytes, file);
  const data = new Float32Array(3 * width * height);
  for (let pixel = 0; pixel < width * height; pixel += 1)
    for (let channel = 0; channel < 3; channel += 1) {
      const value = source[channels * pixel + Math.min(channel, channels - 1)]!;
      data[3 * pixel + channel] = Number.isFinite(value) ? Math.max(value, 0) : 0;
    }
  return { width, height, data };
}
