// Planted: counts objects and sees nothing else. Reads the scene only.
import { readFileSync } from 'node:fs';
import { serve } from './serve.mjs';

await serve(
  { name: 'counts-objects', scale: { name: 'objects', min: 0 } },
  ({ scene }) => JSON.parse(readFileSync(scene.json, 'utf8')).objects.length,
);
