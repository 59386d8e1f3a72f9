import { join } from 'node:path';
import type { Command } from 'commander';
import { buildCard } from '../cards/build-card.ts';
import { readResults } from '../cards/read-results.ts';
import { writeCardFiles } from '../cards/write-card-files.ts';
import { prettyJson } from '../core/json.ts';
import { relativePath } from '../core/paths.ts';
import type { CommandContext } from './context.ts';

/** `parallax card`: the Evaluator Configuration Card of a results folder. */
export function registerCard(program: Command, { print }: CommandContext): void {
  program
    .command('card')
    .description('write the Evaluator Configuration Card of a results folder')
    .argument('<results>', 'results folder')
    .option('--json', 'print card.json')
    .action((folder: string, flags: { json?: boolean }) => {
      const { manifest, estimates } = readResults(folder);
      const card = buildCard(manifest, estimates);
      writeCardFiles(folder, card);
      if (flags.json === true) print(prettyJson(card));
      else {
        for (const { evaluator, cardId, digest } of card.evaluators)
          print(`${evaluator}: ${cardId} (sha256 ${digest})`);
        print(relativePath(join(folder, 'card.json')));
      }
    });
}
