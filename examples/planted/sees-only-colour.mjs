// Planted: sees only colour, and likes it muted. 100 less the mean chroma (largest less smallest channel) in percent. Neither
// words nor places nor shapes count, so only a change of colours can move it much.
import sharp from 'sharp';
import { serve } from './serve.mjs';

await serve({ name: 'sees-only-colour', scale: { name: 'muteness', min: 0, max: 100 } }, async ({ images }) => {
  const { data } = await sharp(images[0].path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  let chroma = 0;
  for (let at = 0; at < data.length; at += 3) {
    const [r, g, b] = [data[at], data[at + 1], data[at + 2]];
    chroma += Math.max(r, g, b) - Math.min(r, g, b);
  }
  return 100 - (100 * chroma) / (255 * (data.length / 3));
});
