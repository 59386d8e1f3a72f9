/**
 * Freezes the demonstration's scenes: every object list of objects.json, laid out by each of the four synthetic policies,
 * into audits/demo/scenes/<policy>/<prompt>/. The same seed gives the same bytes; tests/audits/demo.test.ts holds that.
 *
 * Run it in built form from the repository root:
 *
 *     npx vite build --ssr audits/demo/make-scenes.ts --outDir .parallax/demo
 *     node .parallax/demo/make-scenes.js audits/demo/scenes
 */
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freezeScene } from '../../src/scenes/freeze.ts';
import { demoDrafts } from './demo-drafts.ts';

async function makeScenes(lists: string, out: string): Promise<number> {
  rmSync(out, { recursive: true, force: true });
  let count = 0;
  for (const draft of await demoDrafts(JSON.parse(await readFile(lists, 'utf8')))) {
    await freezeScene(draft, join(out, draft.generator, draft.prompt));
    count += 1;
  }
  return count;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const out = resolve(process.argv[2] ?? 'audits/demo/scenes');
  process.stdout.write(`${await makeScenes(resolve('audits/demo/objects.json'), out)} scenes in ${out}\n`);
}
