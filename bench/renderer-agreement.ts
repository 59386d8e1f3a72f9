/**
 * npm run bench:renderers [-- --prompts 12 --kept DIR --out FILE.csv]
 *
 * Do scores under the fast renderer track scores under Cycles? Demo scenes (four layout policies x prompts) are drawn by Cycles, by
 * `chromium` with full and with quick light, at c0 of the demo audit (256 px) and at the extreme level of each render factor, and
 * scored by `pocket` with the caption of c0. Per configuration: Spearman's rho and Kendall's tau-b between the renderers over scenes,
 * over scenes less their prompt's mean (captions differ between prompts whatever draws the pictures, which alone correlates scores), and over
 * generators (means over prompts); share of pairs of generators, prompt by prompt, that both renderers order alike; what the level
 * does to the mean score in each. Intervals: 95% percentiles over 10,000 resamples of the prompts. Cycles' pictures are kept.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { caption, expandGrammar } from '../src/captions/expand.ts';
import { readGrammar } from '../src/captions/grammar.ts';
import { readPrompts } from '../src/captions/prompts.ts';
import { dualEncoderSpecSchema } from '../src/core/evaluator-spec.ts';
import type { Image } from '../src/core/image.ts';
import { silentLog } from '../src/core/log.ts';
import { isFailure } from '../src/core/outcome.ts';
import type { RenderConfiguration } from '../src/core/protocol.ts';
import { createDualEncoder } from '../src/evaluators/dual-encoder.ts';
import type { DualEncoder } from '../src/evaluators/evaluator.ts';
import { createBlenderRenderer } from '../src/rendering/blender.ts';
import { createChromiumRenderer } from '../src/rendering/chromium.ts';
import { composite } from '../src/rendering/composite.ts';
import { RENDERER_DEFAULTS, type Renderer } from '../src/rendering/renderer.ts';
import { readScene } from '../src/scenes/read-scene.ts';
import { ensurePage } from '../tests/rendering/bundle.ts';
import { agreement, type ScoredScene } from './agreement-statistics.ts';
import { keptPictures } from './kept-pictures.ts';

const root = join(import.meta.dirname, '..');
const demo = join(root, 'audits', 'demo');
const GENERATORS = ['functional', 'grid', 'scatter', 'sparse'];
const C0: RenderConfiguration = {
  resolution: 256,
  focal: 50,
  lighting: 'city',
  background: 'grey-255',
  pitch: 90,
  yaw: 0,
};
/** c0 and the level of each factor that changes the picture most. */
const CONFIGURATIONS: Readonly<Record<string, RenderConfiguration>> = {
  c0: C0,
  'resolution 128': { ...C0, resolution: 128 },
  'focal 16': { ...C0, focal: 16 },
  'lighting night': { ...C0, lighting: 'night' },
  'background grey-0': { ...C0, background: 'grey-0' },
  'pitch 0': { ...C0, pitch: 0 },
  'yaw 180 at pitch 45': { ...C0, pitch: 45, yaw: 180 },
};

const { values: flags } = parseArgs({
  options: {
    prompts: { type: 'string', default: '6' },
    kept: { type: 'string', default: join(root, 'gallery', 'kept') },
    out: { type: 'string' },
  },
});
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Scores of one renderer: configuration, then scene, in the order of `prompts` x GENERATORS. */
async function scoresUnder(
  renderer: Renderer,
  evaluator: DualEncoder,
  prompts: readonly { readonly id: string; readonly text: string }[],
  template: Parameters<typeof caption>[0],
  kept: string | null,
): Promise<Map<string, number[]>> {
  const signal = new AbortController().signal;
  const scores = new Map<string, number[]>();
  for (const prompt of prompts) {
    const [text] = await evaluator.embedCaptions([caption(template, prompt.text)], signal);
    for (const generator of GENERATORS) {
      const scene = await readScene(join(demo, 'scenes', generator, prompt.id));
      const names = Object.keys(CONFIGURATIONS);
      const views = names.map((name) => {
        const { background: _, ...view } = CONFIGURATIONS[name] as RenderConfiguration;
        return view;
      });
      // The black background is c0's picture once more.
      const distinct = new Map(views.map((view) => [JSON.stringify(view), view]));
      const drawn = await keptPictures(renderer, scene, [...distinct.values()], kept);
      const byView = new Map([...distinct.keys()].map((key, index) => [key, drawn[index]]));
      const images = names.map((name, index): Image => {
        const picture = byView.get(JSON.stringify(views[index]));
        if (picture === undefined || isFailure(picture))
          throw new Error(`${generator}/${prompt.id}, ${name}: ${picture?.reason ?? 'no picture'}`);
        const { background } = CONFIGURATIONS[name] as RenderConfiguration;
        return {
          key: name,
          width: picture.width,
          height: picture.height,
          data: composite(picture, background, null),
        };
      });
      const embedded = await evaluator.embedImages(images, signal);
      for (const [index, image] of embedded.entries()) {
        if (isFailure(image) || text === undefined || isFailure(text)) throw new Error('pocket gave no embedding');
        const name = names[index] as string;
        scores.set(name, [...(scores.get(name) ?? []), evaluator.combine(image, text)]);
      }
    }
  }
  return scores;
}

const prompts = readPrompts(join(demo, 'prompts.csv'), null).slice(0, Number(flags.prompts));
const template = expandGrammar(readGrammar(join(root, 'grammars', 'reference.yaml'))).find(
  ({ id }) => id === 'a-top-down-view-of',
);
if (template === undefined) throw new Error('the grammar has no template a-top-down-view-of');
const evaluator = await createDualEncoder(
  dualEncoderSpecSchema.parse({
    id: 'pocket',
    kind: 'dual-encoder',
    model: join(root, 'models', 'pocket'),
    scale: 'cosine100',
  }),
  { folder: root, log: silentLog },
);
const renderers: Record<string, () => Promise<Renderer>> = {
  cycles: () => createBlenderRenderer({ ...RENDERER_DEFAULTS, samples: 64 }),
  full: () => createChromiumRenderer(RENDERER_DEFAULTS),
  quick: () => createChromiumRenderer({ ...RENDERER_DEFAULTS, detail: 'quick' }),
};
await ensurePage();
const found = new Map<string, Map<string, number[]>>();
for (const [name, start] of Object.entries(renderers)) {
  const renderer = await start();
  try {
    found.set(name, await scoresUnder(renderer, evaluator, prompts, template, name === 'cycles' ? flags.kept : null));
  } finally {
    await renderer.close();
  }
}
await evaluator.close();

print(
  `pocket, ${prompts.length * GENERATORS.length} demo scenes (${GENERATORS.length} generators x ${prompts.length} prompts), 256 px, ` +
    'Cycles at 64 samples; estimate [95% interval over prompts]\n',
);
const rows: string[] = ['light,configuration,generator,prompt,chromium,cycles'];
for (const light of ['full', 'quick'] as const) {
  print(`chromium ${light} and Cycles`);
  const base = { chromium: found.get(light)?.get('c0') ?? [], cycles: found.get('cycles')?.get('c0') ?? [] };
  for (const name of Object.keys(CONFIGURATIONS)) {
    const [ours, theirs] = [found.get(light)?.get(name) ?? [], found.get('cycles')?.get(name) ?? []];
    const scenes = ours.map(
      (chromium, index): ScoredScene => ({
        prompt: prompts[Math.floor(index / GENERATORS.length)]?.id ?? '',
        generator: GENERATORS[index % GENERATORS.length] as string,
        chromium,
        cycles: theirs[index] as number,
      }),
    );
    for (const { prompt, generator, chromium, cycles } of scenes)
      rows.push([light, name, generator, prompt, chromium, cycles].join());
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const moved = (values: readonly number[], from: readonly number[]) => (mean(values) - mean(from)).toFixed(1);
    print(`  ${name}`);
    for (const { label, value, lower, upper } of agreement(scenes))
      print(`    ${label.padEnd(46)} ${value.toFixed(2)} [${lower.toFixed(2)}, ${upper.toFixed(2)}]`);
    print(
      `    ${'mean score, Chromium and Cycles (change from c0)'.padEnd(46)} ${mean(ours).toFixed(1)} (${moved(ours, base.chromium)}), ${mean(theirs).toFixed(1)} (${moved(theirs, base.cycles)})`,
    );
  }
}
if (flags.out !== undefined) writeFileSync(flags.out, `${rows.join('\n')}\n`);
