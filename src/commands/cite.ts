import type { Command } from 'commander';
import { cite } from '../cards/cite-card.ts';
import { readCard } from '../cards/read-results.ts';
import type { CommandContext } from './context.ts';

/** `parallax cite`: the (generator, score, card ID) line of a paper. */
export function registerCite(program: Command, { print }: CommandContext): void {
  program
    .command('cite')
    .description('print the (generator, score, card ID) line for a paper')
    .argument('<card>', 'card.json or a results folder')
    .requiredOption('--generator <name>', 'generator to cite')
    .option('--evaluator <id>', 'only this evaluator')
    .action((path: string, flags: { generator: string; evaluator?: string }) => {
      const { card } = readCard(path);
      for (const line of cite(card, flags.generator, flags.evaluator)) print(line);
    });
}
