import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { recordedPath, relativePath } from '../core/paths.ts';
import { writeWhole } from '../core/write-file.ts';
import { fieldFromScenes } from '../scenes/policies/field-from-scenes.ts';
import { packageRoot } from '../sweep/provenance.ts';
import type { CommandContext } from './context.ts';
import { wholeNumber } from './options.ts';

/** `parallax field`: the synthetic layout policies beside a real generator, on the same object lists. */
export function registerField(program: Command, context: CommandContext): void {
  program
    .command('field')
    .description(
      'lay out the object lists of frozen scenes with the four synthetic policies, and write an audit of all five',
    )
    .argument('<scenes>', 'folder of frozen scenes of one generator')
    .requiredOption('--out <folder>', 'folder that receives audit.yaml, prompts.csv, paraphrases.csv and scenes/')
    .option('--rooms <n>', 'only the first n scenes', wholeNumber(1))
    .option('--seed <n>', 'seed of the layouts and of the audit', wholeNumber(0), 7)
    .action(async (scenes: string, flags: { out: string; rooms?: number; seed: number }) => {
      const out = resolve(flags.out);
      const summary = await fieldFromScenes({
        scenes,
        out,
        seed: flags.seed,
        limit: flags.rooms ?? null,
        onProgress: context.onProgress,
        signal: context.signal,
      });
      context.endProgress();
      const file = join(out, 'audit.yaml');
      writeWhole(file, auditOf(summary.generators, flags.seed, out));
      for (const { scene, reason } of summary.skipped) context.log.warn(`${scene}: left out (${reason})`);
      context.print(
        `${relativePath(file)}: ${summary.prompts.length} prompts x ${summary.generators.length} generators (${summary.generators.join(', ')})\nrun it: parallax run ${relativePath(file)}`,
      );
    });
}

function auditOf(generators: readonly string[], seed: number, out: string): string {
  const root = packageRoot();
  return `schema: parallax/audit@1
name: field
seed: ${seed}
scenes: scenes
prompts: prompts.csv
generators: [${generators.join(', ')}]
renderer: {name: chromium}
grammar: ${JSON.stringify(recordedPath(join(root, 'grammars', 'reference.yaml'), out))}
evaluators:
  - {id: pocket, kind: dual-encoder, model: ${JSON.stringify(recordedPath(join(root, 'models', 'pocket'), out))}}
default: {resolution: 256}
factors:
  lighting: [city, studio, sunset, night]
  pitch: [45, 90]
  template: {levels: all}
  paraphrase: {levels: all, shared: false}
results: results
`;
}
