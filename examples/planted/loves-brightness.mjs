// Planted: loves brightness. The mean luma of the picture, 0..255.
import sharp from 'sharp';
import { serve } from './serve.mjs';

await serve({ name: 'loves-brightness', scale: { name: 'luma', min: 0, max: 255 } }, async ({ images }) => {
  const { data } = await sharp(images[0].path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let sum = 0;
  for (let at = 0; at < data.length; at += 3) sum += 0.2126 * data[at] + 0.7152 * data[at + 1] + 0.0722 * data[at + 2];
  return sum / (data.length / 3);
});
