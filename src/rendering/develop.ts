import type { Rgba } from '../core/image.ts';
import { agx } from './agx.ts';
import type { LinearImage } from './exr.ts';

/**
 * Linear premultiplied RGBA (row 0 at the bottom) to straight-alpha sRGB: un-premultiply, exposure factor, AgX; alpha
 * untouched. The same steps as the page's last pass.
 */
export function develop({ width, height, channels, data }: LinearImage, exposure: number): Rgba {
  const out = new Uint8Array(4 * width * height);
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const from = channels * ((height - 1 - row) * width + column);
      const to = 4 * (row * width + column);
      const alpha = channels < 4 ? 1 : Math.min(Math.max(data[from + 3]!, 0), 1);
      if (alpha === 0) continue;
      const scale = exposure / alpha;
      const colour = agx([data[from]! * scale, data[from + 1]! * scale, data[from + 2]! * scale]);
      for (let channel = 0; channel < 3; channel += 1) out[to + channel] = Math.round(255 * colour[channel]!);
      out[to + 3] = Math.round(255 * alpha);
    }
  return { width, height, data: out };
}
