import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { Random } from '../../src/core/random.ts';
import { freezeScene } from '../../src/scenes/freeze.ts';
import { proxyGeometry } from '../../src/scenes/kit/proxy-geometry.ts';
import { rectangularRoom } from '../../src/scenes/room-shell.ts';

/** What a tiny audit plants: the red channel of every picture. */
export interface TinyAudit {
  readonly generators: readonly string[];
  readonly prompts: readonly string[];
  readonly pitches: readonly number[];
  /** Red channel of a picture, 0..255. */
  readonly red: (generator: string, prompt: string, pitch: number) => number;
  /** Extra lines of the audit file. */
  readonly more?: string;
  readonly texts?: Readonly<Record<string, string>>;
}

const GRAMMAR = `schema: parallax/grammar@1
name: tiny
raw: true
branches:
  - name: nouns
    form: "a {noun} of {prompt}"
    slots: {noun: {photo: photo, image: image, rendering: rendering}}
`;

/**
 * Writes a whole audit to a folder: frozen scenes, prompts, grammar, one 32 px picture a (generator, prompt, pitch) in the published
 * harness's file names, and the audit file. Returns the audit file's path.
 */
export async function writeTinyAudit(folder: string, tiny: TinyAudit): Promise<string> {
  const texts = tiny.texts ?? {};
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'grammar.yaml'), GRAMMAR);
  writeFileSync(
    join(folder, 'prompts.csv'),
    `id,text,source\n${tiny.prompts.map((prompt) => `${prompt},${texts[prompt] ?? `the room ${prompt}`},tiny\n`).join('')}`,
  );
  for (const generator of tiny.generators) {
    for (const prompt of tiny.prompts) {
      await freezeScene(
        {
          id: `${generator}-${prompt}`,
          generator,
          prompt,
          rooms: [rectangularRoom({ id: 'room', type: 'bedroom', width: 3, depth: 3, height: 2.5 })],
          objects: ['bed', 'desk'].map((label, index) => ({
            id: `${label}-${index}`,
            label,
            asset: null,
            transform: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, index - 0.5, 0, 0, 1],
            size: [0.9, 0.8, 0.9] as const,
            supportedBy: null,
            geometry: { kind: 'proxy' as const, parts: proxyGeometry(label, [0.9, 0.8, 0.9], new Random(1, prompt)) },
          })),
          source: { format: 'test', file: 'tiny', sha256: '0'.repeat(64), notes: [] },
        },
        join(folder, 'scenes', generator, prompt),
      );
      const pictures = join(folder, 'pictures', generator, prompt);
      mkdirSync(pictures, { recursive: true });
      for (const pitch of tiny.pitches) {
        // One pixel differs, so that the picture is not blank; the mean of red stays exactly as planted.
        const red = tiny.red(generator, prompt, pitch);
        const data = Buffer.alloc(32 * 32 * 3, 0);
        for (let index = 0; index < 32 * 32; index += 1) {
          data[3 * index] = red;
          data[3 * index + 1] = index % 251;
        }
        await sharp(data, { raw: { width: 32, height: 32, channels: 3 } })
          .png()
          .toFile(join(pictures, `render_32_50_255_255_255_${pitch}_0_city.png`));
      }
    }
  }
  const script = join(import.meta.dirname, 'planted-evaluator.mjs');
  const file = join(folder, 'audit.yaml');
  writeFileSync(
    file,
    `schema: parallax/audit@1
name: tiny
seed: 0
scenes: scenes
prompts: prompts.csv
renderer: {name: files, folder: pictures}
grammar: grammar.yaml
evaluators:
  - {id: planted, kind: command, run: [node, ${script}], environment: [PLANTED_DELAY_MS]}
default: {resolution: 32, pitch: ${tiny.pitches[0]}, template: raw}
factors:
  pitch: [${tiny.pitches.join(', ')}]
  template: {levels: all}
statistics: {resamples: 500}
results: results
${tiny.more ?? ''}`,
  );
  return file;
}
