import sharp from 'sharp';

/** What the simulated judge sees in a picture; every number in 0..1. */
export interface Look {
  /** Share of pixels that differ from the border's median colour by more than 24 of 255 in some channel. */
  readonly foreground: number;
  /** Hasler and Suesstrunk's colourfulness (2003) over 109 ("extremely colourful"), cut at 1. */
  readonly colourfulness: number;
  /** Mean absolute luminance step to the right-hand neighbour, over 64, cut at 1. */
  readonly detail: number;
}

const MAX_PIXELS = 4096 * 4096;

/**
 * Decodes an encoded picture and measures it.
 * @throws Error when the bytes are no picture, or one of more than 4096 x 4096 pixels.
 */
export async function lookAt(bytes: Uint8Array): Promise<Look> {
  const { data, info } = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return measure(data, info.width, info.height);
}

function measure(data: Uint8Array, width: number, height: number): Look {
  const background = borderMedian(data, width, height);
  const count = width * height;
  let foreground = 0;
  let steps = 0;
  const rg = { sum: 0, squares: 0 };
  const yb = { sum: 0, squares: 0 };
  for (let pixel = 0; pixel < count; pixel += 1) {
    const at = pixel * 3;
    const [r, g, b] = [data[at] as number, data[at + 1] as number, data[at + 2] as number];
    const far = Math.max(Math.abs(r - background[0]), Math.abs(g - background[1]), Math.abs(b - background[2]));
    if (far > 24) foreground += 1;
    const redGreen = r - g;
    const yellowBlue = (r + g) / 2 - b;
    rg.sum += redGreen;
    rg.squares += redGreen * redGreen;
    yb.sum += yellowBlue;
    yb.squares += yellowBlue * yellowBlue;
    if (pixel % width !== width - 1)
      steps += Math.abs(r + g + b - (data[at + 3] as number) - (data[at + 4] as number) - (data[at + 5] as number)) / 3;
  }
  const spread = Math.hypot(deviation(rg, count), deviation(yb, count));
  const centre = Math.hypot(rg.sum / count, yb.sum / count);
  return {
    foreground: foreground / count,
    colourfulness: Math.min(1, (spread + 0.3 * centre) / 109),
    detail: Math.min(1, steps / count / 64),
  };
}

function deviation(moment: { sum: number; squares: number }, count: number): number {
  return Math.sqrt(Math.max(0, moment.squares / count - (moment.sum / count) ** 2));
}

function borderMedian(data: Uint8Array, width: number, height: number): [number, number, number] {
  const border: number[] = [];
  for (let x = 0; x < width; x += 1) border.push(x, (height - 1) * width + x);
  for (let y = 1; y < height - 1; y += 1) border.push(y * width, y * width + width - 1);
  const median = (channel: number) => {
    const values = border.map((pixel) => data[pixel * 3 + channel] as number).sort((a, b) => a - b);
    return values[values.length >> 1] as number;
  };
  return [median(0), median(1), median(2)];
}
