/** Resampling filters, named as in Pillow; the number is Pillow's code, which `preprocessor_config.json` stores as `resample`. */
export const RESAMPLE_CODES = { nearest: 0, lanczos: 1, bilinear: 2, bicubic: 3, box: 4, hamming: 5 } as const;
export type Resample = keyof typeof RESAMPLE_CODES;

/** RGB pixels, 8 bits, top row first; `data.length = 3 * width * height`. */
export interface Rgb {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** Fixed-point fraction bits of Pillow's 8-bit path: 32 - 8 - 2. */
const PRECISION = 22;

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI);
}

/** Half width of each filter in source pixels at scale 1, and its weight at a distance x. */
const FILTERS: Record<Exclude<Resample, 'nearest'>, { support: number; weight: (x: number) => number }> = {
  box: { support: 0.5, weight: (x) => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  bilinear: { support: 1, weight: (x) => Math.max(0, 1 - Math.abs(x)) },
  hamming: {
    support: 1,
    weight: (x) => {
      const distance = Math.abs(x);
      if (distance >= 1) return 0;
      return sinc(distance) * (0.54 + 0.46 * Math.cos(distance * Math.PI));
    },
  },
  bicubic: {
    support: 2,
    weight: (x) => {
      const a = -0.5;
      const d = Math.abs(x);
      if (d < 1) return ((a + 2) * d - (a + 3)) * d * d + 1;
      if (d < 2) return (((d - 5) * d + 8) * d - 4) * a;
      return 0;
    },
  },
  lanczos: { support: 3, weight: (x) => (x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0) },
};

/** For each output position: first source position, number of taps, fixed-point weights (row-major, `taps` a row). */
interface Coefficients {
  readonly taps: number;
  readonly first: Int32Array;
  readonly count: Int32Array;
  readonly weights: Int32Array;
}

const cache = new Map<string, Coefficients>();

/** The filter widened by the scale when shrinking (antialias), normalised, rounded half away from zero to 22 bits. */
function coefficients(from: number, to: number, resample: Exclude<Resample, 'nearest'>): Coefficients {
  const key = `${resample} ${from} ${to}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const { support: halfWidth, weight } = FILTERS[resample];
  const scale = from / to;
  const filterScale = Math.max(scale, 1);
  const support = halfWidth * filterScale;
  const taps = Math.ceil(support) * 2 + 1;
  const first = new Int32Array(to);
  const count = new Int32Array(to);
  const weights = new Int32Array(to * taps);
  const exact = new Float64Array(taps);
  const inverse = 1 / filterScale;
  for (let position = 0; position < to; position += 1) {
    const centre = (position + 0.5) * scale;
    const low = Math.max(0, Math.trunc(centre - support + 0.5));
    const high = Math.min(from, Math.trunc(centre + support + 0.5));
    let sum = 0;
    for (let tap = 0; tap < high - low; tap += 1) {
      exact[tap] = weight((tap + low - centre + 0.5) * inverse);
      sum += exact[tap] as number;
    }
    for (let tap = 0; tap < high - low; tap += 1) {
      const share = sum === 0 ? (exact[tap] as number) : (exact[tap] as number) / sum;
      weights[position * taps + tap] = Math.trunc((share < 0 ? -0.5 : 0.5) + share * (1 << PRECISION));
    }
    first[position] = low;
    count[position] = high - low;
  }
  const made = { taps, first, count, weights };
  // A sweep uses a handful of sizes; bounded all the same.
  if (cache.size >= 64) cache.clear();
  cache.set(key, made);
  return made;
}

/** Fixed point back to 0..255. */
function clip(value: number): number {
  return Math.max(0, Math.min(255, value >> PRECISION));
}

const HALF = 1 << (PRECISION - 1);

function horizontal(source: Uint8Array, width: number, height: number, to: number, table: Coefficients): Uint8Array {
  const out = new Uint8Array(to * height * 3);
  const { taps, first, count, weights } = table;
  for (let y = 0; y < height; y += 1) {
    const row = y * width * 3;
    let target = y * to * 3;
    for (let x = 0; x < to; x += 1) {
      const end = x * taps + (count[x] as number);
      let at = row + (first[x] as number) * 3;
      let red = HALF;
      let green = HALF;
      let blue = HALF;
      for (let tap = x * taps; tap < end; tap += 1) {
        const weight = weights[tap] as number;
        red = (red + Math.imul(source[at] as number, weight)) | 0;
        green = (green + Math.imul(source[at + 1] as number, weight)) | 0;
        blue = (blue + Math.imul(source[at + 2] as number, weight)) | 0;
        at += 3;
      }
      out[target] = clip(red);
      out[target + 1] = clip(green);
      out[target + 2] = clip(blue);
      target += 3;
    }
  }
  return out;
}

function vertical(source: Uint8Array, width: number, to: number, table: Coefficients): Uint8Array {
  const row = width * 3;
  const out = new Uint8Array(row * to);
  const sums = new Int32Array(row);
  const { taps, first, count, weights } = table;
  for (let y = 0; y < to; y += 1) {
    sums.fill(HALF);
    const size = count[y] as number;
    for (let tap = 0; tap < size; tap += 1) {
      const weight = weights[y * taps + tap] as number;
      const at = ((first[y] as number) + tap) * row;
      for (let x = 0; x < row; x += 1)
        sums[x] = ((sums[x] as number) + Math.imul(source[at + x] as number, weight)) | 0;
    }
    const target = y * row;
    for (let x = 0; x < row; x += 1) out[target + x] = clip(sums[x] as number);
  }
  return out;
}

function nearest(image: Rgb, width: number, height: number): Uint8Array {
  const out = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    const sourceY = Math.min(image.height - 1, Math.floor(((y + 0.5) * image.height) / height));
    for (let x = 0; x < width; x += 1) {
      const sourceX = Math.min(image.width - 1, Math.floor(((x + 0.5) * image.width) / width));
      const at = (sourceY * image.width + sourceX) * 3;
      out.set(image.data.subarray(at, at + 3), (y * width + x) * 3);
    }
  }
  return out;
}

/**
 * Resizes 8-bit RGB the way Pillow's `Image.resize` does (which the reference image processors call): a separable
 * filter widened when shrinking, horizontal then vertical, 22-bit fixed-point weights, rounded to 8 bits between the passes. The
 * result equals Pillow's bit for bit (tests/evaluators/resize.test.ts). An axis that keeps its size is not filtered.
 *
 * @throws RangeError when a size is not a positive whole number or the data does not fit the size.
 */
export function resize(image: Rgb, width: number, height: number, resample: Resample): Rgb {
  for (const size of [width, height, image.width, image.height])
    if (!Number.isSafeInteger(size) || size < 1)
      throw new RangeError(`resize: invalid size "${size}"; expected a positive whole number`);
  if (image.data.length !== image.width * image.height * 3)
    throw new RangeError(
      `resize: invalid data length "${image.data.length}"; expected ${image.width * image.height * 3} (RGB, 8 bits)`,
    );
  if (image.width === width && image.height === height) return { width, height, data: image.data };
  if (resample === 'nearest') return { width, height, data: nearest(image, width, height) };
  let data = image.data;
  if (image.width !== width)
    data = horizontal(data, image.width, image.height, width, coefficients(image.width, width, resample));
  if (image.height !== height) data = vertical(data, width, height, coefficients(image.height, height, resample));
  return { width, height, data };
}
