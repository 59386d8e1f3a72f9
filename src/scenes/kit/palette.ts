import type { Random } from '../../core/random.ts';
import type { PartMaterial } from '../draft.ts';

type Colour = readonly [number, number, number];

/** Matt or glossy paint, cloth, stone: no metal. */
export function plain(name: string, colour: Colour, roughness = 0.7): PartMaterial {
  return { name, colour, roughness, metalness: 0 };
}

function metal(name: string, colour: Colour, roughness: number): PartMaterial {
  return { name, colour, roughness, metalness: 0.9 };
}

/** Furniture woods and wood paints, light to dark. */
export const WOODS: readonly PartMaterial[] = [
  plain('wood oak', [0.72, 0.53, 0.34], 0.55),
  plain('wood walnut', [0.4, 0.26, 0.17], 0.5),
  plain('wood pine', [0.84, 0.68, 0.45], 0.6),
  plain('wood birch', [0.87, 0.78, 0.63], 0.6),
  plain('wood cherry', [0.56, 0.29, 0.18], 0.5),
  plain('wood teak', [0.6, 0.4, 0.22], 0.55),
  plain('wood wenge', [0.23, 0.16, 0.12], 0.5),
  plain('wood white', [0.92, 0.91, 0.88], 0.5),
  plain('wood grey', [0.6, 0.58, 0.54], 0.6),
];

/** Upholstery, bedding, shades, curtains. */
export const FABRICS: readonly PartMaterial[] = [
  plain('fabric grey', [0.56, 0.57, 0.59], 0.95),
  plain('fabric linen', [0.82, 0.76, 0.66], 0.95),
  plain('fabric charcoal', [0.25, 0.26, 0.29], 0.95),
  plain('fabric navy', [0.16, 0.23, 0.4], 0.95),
  plain('fabric teal', [0.15, 0.44, 0.46], 0.95),
  plain('fabric sage', [0.53, 0.62, 0.48], 0.95),
  plain('fabric mustard', [0.81, 0.6, 0.19], 0.95),
  plain('fabric terracotta', [0.75, 0.39, 0.27], 0.95),
  plain('fabric rose', [0.81, 0.56, 0.57], 0.95),
  plain('fabric burgundy', [0.46, 0.14, 0.19], 0.95),
  plain('fabric sky', [0.5, 0.67, 0.81], 0.95),
  plain('fabric plum', [0.4, 0.25, 0.42], 0.95),
  plain('fabric forest', [0.15, 0.33, 0.23], 0.95),
];

/** Bed linen and lamp shades. */
export const LINENS: readonly PartMaterial[] = [
  plain('linen white', [0.95, 0.94, 0.92], 0.95),
  plain('linen cream', [0.95, 0.91, 0.82], 0.95),
  plain('linen pearl', [0.86, 0.88, 0.9], 0.95),
];

export const METALS: readonly PartMaterial[] = [
  metal('metal steel', [0.72, 0.73, 0.75], 0.35),
  metal('metal brass', [0.83, 0.66, 0.35], 0.35),
  metal('metal iron', [0.13, 0.13, 0.14], 0.5),
  metal('metal bronze', [0.5, 0.35, 0.22], 0.4),
];

/** Glazed pots, vases, lamp bases. */
export const CERAMICS: readonly PartMaterial[] = [
  plain('ceramic white', [0.93, 0.93, 0.91], 0.25),
  plain('ceramic clay', [0.72, 0.4, 0.27], 0.7),
  plain('ceramic cobalt', [0.15, 0.27, 0.56], 0.25),
  plain('ceramic celadon', [0.55, 0.69, 0.6], 0.3),
  plain('ceramic sand', [0.78, 0.68, 0.53], 0.6),
  plain('ceramic black', [0.12, 0.12, 0.13], 0.35),
];

/** Book covers. */
export const COVERS: readonly PartMaterial[] = [
  plain('book red', [0.66, 0.17, 0.15], 0.7),
  plain('book blue', [0.17, 0.31, 0.56], 0.7),
  plain('book green', [0.18, 0.42, 0.27], 0.7),
  plain('book ochre', [0.82, 0.62, 0.22], 0.7),
  plain('book cream', [0.9, 0.86, 0.75], 0.7),
];

export const LEAVES: readonly PartMaterial[] = [
  plain('leaf green', [0.22, 0.48, 0.2], 0.6),
  plain('leaf lime', [0.43, 0.6, 0.22], 0.6),
  plain('leaf deep', [0.12, 0.36, 0.2], 0.6),
];

export const BULB = plain('bulb', [1, 0.95, 0.8], 0.4);
export const SOIL = plain('soil', [0.22, 0.15, 0.1], 1);
export const PAPER = plain('paper', [0.96, 0.95, 0.91], 0.9);
export const PORCELAIN = plain('porcelain', [0.96, 0.96, 0.96], 0.2);
export const CHROME = metal('metal chrome', [0.86, 0.87, 0.88], 0.2);
export const STEEL = METALS[0] as PartMaterial;
export const IRON = METALS[2] as PartMaterial;
export const BLACK_PLASTIC = plain('plastic black', [0.08, 0.08, 0.09], 0.5);
export const GREY_PLASTIC = plain('plastic grey', [0.35, 0.36, 0.38], 0.5);
export const WHITE_PLASTIC = plain('plastic white', [0.92, 0.92, 0.92], 0.45);
export const SCREEN = plain('screen', [0.05, 0.07, 0.12], 0.15);
export const GLASS = plain('glass', [0.68, 0.8, 0.83], 0.1);
export const MIRROR = metal('mirror', [0.88, 0.92, 0.94], 0.08);
export const WATER = plain('water', [0.6, 0.78, 0.85], 0.1);

/** Another material of the list than those named. */
export function other(from: readonly PartMaterial[], variant: Random, ...not: readonly PartMaterial[]): PartMaterial {
  return variant.pick(from.filter((material) => !not.includes(material)));
}
