import sharp from 'sharp';
import { Random } from '../core/random.ts';
import type { PartMaterial } from './draft.ts';

/** Floor coverings the importer and the layout policies can lay; each is a tile of 1 m x 1 m. */
export const FLOOR_KINDS = ['wood', 'tiles', 'carpet'] as const;
export type FloorKind = (typeof FLOOR_KINDS)[number];

/** Edge of a floor texture in pixels; it covers one metre. */
export const FLOOR_TEXTURE_PIXELS = 256;

const cache = new Map<string, Promise<Uint8Array>>();

/**
 * PNG of a floor covering that tiles without a seam, 256 x 256 px for 1 m x 1 m. Drawn from seeded noise, so the same
 * kind and variant give the same pixels everywhere.
 */
export function floorTexture(kind: FloorKind, variant = 0): Promise<Uint8Array> {
  const key = `${kind}/${variant}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = encode(drawFloor(kind, variant));
  cache.set(key, made);
  return made;
}

/** Material of a floor covering; the texture's repeats are metres. */
export async function floorMaterial(kind: FloorKind, variant = 0): Promise<PartMaterial> {
  const roughness = kind === 'carpet' ? 0.95 : kind === 'tiles' ? 0.35 : 0.55;
  return {
    name: `floor-${kind}-${variant}`,
    colour: [1, 1, 1],
    roughness,
    metalness: 0,
    texture: await floorTexture(kind, variant),
  };
}

const WALL_PAINTS: readonly (readonly [number, number, number])[] = [
  [0.9, 0.88, 0.84],
  [0.86, 0.88, 0.87],
  [0.88, 0.84, 0.78],
  [0.83, 0.86, 0.89],
];

/** Matt wall paint; four tints, taken round by `variant`. */
export function wallMaterial(variant = 0): PartMaterial {
  const tint = ((variant % WALL_PAINTS.length) + WALL_PAINTS.length) % WALL_PAINTS.length;
  const colour = WALL_PAINTS[tint] as readonly [number, number, number];
  return { name: `wall-paint-${tint}`, colour, roughness: 0.9, metalness: 0 };
}

/** Surfaces of a room nobody chose surfaces for: wood with white walls, tiles in bathrooms and kitchens. */
export async function defaultSurfaces(roomType: string): Promise<{ floor: PartMaterial; wall: PartMaterial }> {
  const wet = /bath|kitchen|toilet|laundry|restroom/i.test(roomType);
  return { floor: await floorMaterial(wet ? 'tiles' : 'wood'), wall: wallMaterial(0) };
}

async function encode(pixels: Uint8Array): Promise<Uint8Array> {
  const size = FLOOR_TEXTURE_PIXELS;
  const png = await sharp(pixels, { raw: { width: size, height: size, channels: 3 } })
    .png({ compressionLevel: 9, adaptiveFiltering: false, palette: false })
    .toBuffer();
  return new Uint8Array(png);
}

type Colour = readonly [number, number, number];

function drawFloor(kind: FloorKind, variant: number): Uint8Array {
  const random = new Random(variant, 'floor-texture', kind);
  const shade =
    kind === 'wood' ? wood(random, variant) : kind === 'tiles' ? tiles(random, variant) : carpet(random, variant);
  const size = FLOOR_TEXTURE_PIXELS;
  const pixels = new Uint8Array(size * size * 3);
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1) {
      const [base, light] = shade(x, y);
      // Shades are rounded to steps of 4 so that the file stays small.
      for (let channel = 0; channel < 3; channel += 1)
        pixels[(y * size + x) * 3 + channel] = clamp(Math.round(((base[channel] as number) * light) / 4) * 4);
    }
  return pixels;
}

type Shade = (x: number, y: number) => readonly [Colour, number];

const WOODS: readonly Colour[] = [
  [176, 132, 88],
  [140, 98, 62],
  [198, 164, 122],
];

/** Eight planks across a metre, two lengths each, with sine grain that closes on itself. */
function wood(random: Random, variant: number): Shade {
  const base = WOODS[variant % WOODS.length] as Colour;
  const planks = Array.from({ length: 8 }, () => ({
    joint: random.integer(256),
    lights: [random.between(0.88, 1.08), random.between(0.88, 1.08)] as const,
    phases: Array.from({ length: 3 }, () => random.between(0, 2 * Math.PI)),
    waves: Array.from({ length: 3 }, () => 1 + random.integer(3)),
  }));
  return (x, y) => {
    const plank = planks[x >> 5] as (typeof planks)[number];
    const across = x & 31;
    const along = (y - plank.joint + 256) & 255;
    if (across === 0 || along % 128 === 0) return [base, 0.62];
    let grain = 0;
    for (const [index, phase] of plank.phases.entries()) {
      const bend = Math.sin((2 * Math.PI * y * (plank.waves[index] as number)) / 256 + phase) * 1.6;
      grain += Math.sin((across + bend) * (0.55 + 0.5 * index) + phase * 3);
    }
    return [base, (plank.lights[along < 128 ? 0 : 1] as number) * (1 + 0.022 * grain)];
  };
}

const TILES: readonly Colour[] = [
  [214, 210, 202],
  [178, 184, 186],
  [196, 178, 158],
];

/** Sixteen square tiles of 25 cm with a light joint. */
function tiles(random: Random, variant: number): Shade {
  const base = TILES[variant % TILES.length] as Colour;
  const lights = Array.from({ length: 16 }, () => random.between(0.94, 1.04));
  return (x, y) => {
    if ((x & 63) < 2 || (y & 63) < 2) return [[160, 158, 152], 1];
    return [base, lights[(y >> 6) * 4 + (x >> 6)] as number];
  };
}

const CARPETS: readonly Colour[] = [
  [150, 146, 140],
  [120, 132, 148],
  [168, 150, 128],
];

/** Loop pile: rows of bright and dark loops with a little noise. */
function carpet(random: Random, variant: number): Shade {
  const base = CARPETS[variant % CARPETS.length] as Colour;
  const noise = Uint8Array.from({ length: 64 * 64 }, () => random.integer(5));
  return (x, y) => {
    const loop = ((x >> 1) + (y >> 2)) & 1 ? 0.06 : -0.04;
    return [base, 1 + loop + 0.02 * ((noise[(y >> 2) * 64 + (x >> 2)] as number) - 2)];
  };
}

function clamp(value: number): number {
  return Math.min(255, Math.max(0, value));
}
