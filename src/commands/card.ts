import { join } from 'node:path';
import type { Command } from 'commander';
import { buildCard } from '../cards/build-card.ts';
import { cardJsonSchema } from '../cards/card-json-schema.ts';
import { readResults } from '../cards/read-results.ts';
import { writeCardFiles } from '../cards/write-card-files.ts';
import { AuditError } from '../core/errors.ts';
import { prettyJson } from '../core/json.ts';
import { relativePath } from '../core/paths.ts';
import type { CommandContext } from './context.ts';

/** `parallax card`: the Evaluator Configuration Card of a results folder. */
export function registerCard(program: Command, { print }: CommandContext): void {
  program
    .command('card')
    .description('write the Evaluator Configuration Card of a results folder')
    .argument('[results]', 'results folder')
    .option('--json-schema', 'print the JSON Schema of cards instead')
    .option('--json', 'print card.json')
    .action((folder: string | undefined, flags: { json?: boolean; jsonSchema?: boolean }) => {
      if (flags.jsonSchema === true) {
        print(prettyJson(cardJsonSchema()));
        return;
      }
      if (folder === undefined)
        throw new AuditError('card: missing results folder; expected `parallax card <results>`', { code: 'USAGE' });
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
