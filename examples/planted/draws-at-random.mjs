// Planted: draws at random. A number in 1..100 that follows from a hash of all it is given, so that a run can be repeated.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { serve } from './serve.mjs';

await serve(
  {
    name: 'draws-at-random',
    scale: { name: 'draw', min: 1, max: 100 },
  },
  ({ images, caption, scene }) => {
    const hash = createHash('sha256')
      .update(readFileSync(images[0].path))
      .update(readFileSync(scene.json))
      .update(caption);
    return 1 + (99 * hash.digest().readUInt32BE(0)) / 2 ** 32;
  },
);
