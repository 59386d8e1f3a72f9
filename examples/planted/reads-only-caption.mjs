// Planted: reads the caption and never looks. 10 points and as many as the caption has letters.
import { serve } from './serve.mjs';

await serve(
  { name: 'reads-only-caption', scale: { name: 'letters', min: 0 } },
  ({ caption }) => 10 + [...caption].filter((letter) => /\p{L}/u.test(letter)).length,
);
