/**
 * Blender's AgX view transform (base look) as one closed formula, exposure before it being the caller's.
 *
 * Steps: Rec.709 -> Rec.2020, AgX inset, log2 over 16.5 stops, the sigmoid below, power 2.4, outset, Rec.2020 -> Rec.709,
 * clamp, sRGB encoding. Against the look-up table Blender ships: mean 0.42 of 255, largest 16.6 (the AgX in three.js: 8.4 and 57).
 *
 * Sigmoid through the pivot (px, py) = (10/16.5, 0.18^(1/2.4)), slope 2.4, power 1.5:
 * d = x - px, k = d < 0 ? -0.56567566 : 0.71519829, t = 2.4 d / k, y = k t / (1 + t^1.5)^(2/3) + py.
 */
export const AGX = {
  minimumStop: -12.47393,
  stops: 16.5,
  pivotX: 10 / 16.5,
  pivotY: 0.18 ** (1 / 2.4),
  slope: 2.4,
  toe: -0.56567566,
  shoulder: 0.71519829,
  power: 1.5,
  linearise: 2.4,
} as const;

type Matrix = readonly (readonly [number, number, number])[];

// Rows. Published constants: ITU-R BT.2087 primaries, and the AgX inset and outset for Rec.2020.
const TO_2020: Matrix = [
  [0.6274, 0.3293, 0.0433],
  [0.0691, 0.9195, 0.0113],
  [0.0164, 0.088, 0.8956],
];
const FROM_2020: Matrix = [
  [1.6605, -0.5876, -0.0728],
  [-0.1246, 1.1329, -0.0083],
  [-0.0182, -0.1006, 1.1187],
];
const INSET: Matrix = [
  [0.856627153315983, 0.0951212405381588, 0.0482516061458583],
  [0.137318972929847, 0.761241990602591, 0.101439036467562],
  [0.11189821299995, 0.0767994186031903, 0.811302368396859],
];
const OUTSET: Matrix = [
  [1.1271005818144368, -0.11060664309660323, -0.016493938717834573],
  [-0.1413297634984383, 1.157823702216272, -0.016493938717834257],
  [-0.14132976349843826, -0.11060664309660294, 1.2519364065950405],
];

function multiply(a: Matrix, b: Matrix): [number, number, number][] {
  return a.map((row) =>
    [0, 1, 2].map((column) => row[0] * b[0]![column]! + row[1] * b[1]![column]! + row[2] * b[2]![column]!),
  ) as [number, number, number][];
}

const ENTER = multiply(INSET, TO_2020);
const LEAVE = multiply(FROM_2020, OUTSET);

function apply(matrix: Matrix, [r, g, b]: readonly [number, number, number]): [number, number, number] {
  return matrix.map((row) => row[0] * r + row[1] * g + row[2] * b) as [number, number, number];
}

/** The sigmoid of one channel, 0..1 to 0..1. */
function curve(x: number): number {
  const d = x - AGX.pivotX;
  const k = d < 0 ? AGX.toe : AGX.shoulder;
  const t = (AGX.slope * d) / k;
  return (k * t) / (1 + t ** AGX.power) ** (1 / AGX.power) + AGX.pivotY;
}

/** sRGB encoding of a linear value, both 0..1. */
export function encodeSrgb(linear: number): number {
  return linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
}

/** Linear value of an sRGB-encoded one, both 0..1. */
export function decodeSrgb(encoded: number): number {
  return encoded <= 0.04045 ? encoded / 12.92 : ((encoded + 0.055) / 1.055) ** 2.4;
}

/** Scene-linear Rec.709 (any exposure already applied) to display sRGB, 0..1 each. */
export function agx(linear: readonly [number, number, number]): [number, number, number] {
  const entered = apply(ENTER, linear.map((value) => Math.max(value, 0)) as [number, number, number]);
  const curved = entered.map((value) => {
    const x = (Math.log2(Math.max(value, 1e-10)) - AGX.minimumStop) / AGX.stops;
    return Math.max(curve(Math.min(Math.max(x, 0), 1)), 0) ** AGX.linearise;
  }) as [number, number, number];
  return apply(LEAVE, curved).map((value) => encodeSrgb(Math.min(Math.max(value, 0), 1))) as [number, number, number];
}

function glslMatrix(matrix: Matrix): string {
  // GLSL takes columns.
  const columns = [0, 1, 2].map((c) => `vec3(${matrix.map((row) => row[c]!.toFixed(9)).join(', ')})`);
  return `mat3(${columns.join(', ')})`;
}

/** The same transform in GLSL: `vec3 agx(vec3 linear)`. */
export const AGX_GLSL = `
float agxCurve(float x) {
  float d = x - ${AGX.pivotX.toFixed(9)};
  float k = d < 0.0 ? ${AGX.toe.toFixed(9)} : ${AGX.shoulder.toFixed(9)};
  float t = ${AGX.slope.toFixed(9)} * d / k;
  return k * t / pow(1.0 + pow(t, ${AGX.power.toFixed(9)}), ${(1 / AGX.power).toFixed(9)}) + ${AGX.pivotY.toFixed(9)};
}
vec3 encodeSrgb(vec3 c) {
  return mix(1.055 * pow(max(c, vec3(1e-8)), vec3(1.0 / 2.4)) - 0.055, 12.92 * c, vec3(lessThanEqual(c, vec3(0.0031308))));
}
vec3 agx(vec3 linear) {
  vec3 c = ${glslMatrix(ENTER)} * max(linear, vec3(0.0));
  c = clamp((log2(max(c, vec3(1e-10))) - (${AGX.minimumStop.toFixed(9)})) / ${AGX.stops.toFixed(9)}, 0.0, 1.0);
  c = pow(max(vec3(agxCurve(c.r), agxCurve(c.g), agxCurve(c.b)), vec3(0.0)), vec3(${AGX.linearise.toFixed(9)}));
  return encodeSrgb(clamp(${glslMatrix(LEAVE)} * c, 0.0, 1.0));
}
`;
