import type { Command } from 'commander';
import { diffCards, diffText } from '../cards/diff-cards.ts';
import { readCard } from '../cards/read-results.ts';
import { prettyJson } from '../core/json.ts';
import type { CommandContext } from './context.ts';

/** `parallax diff`: what differs between two protocols, and whether their scores may be compared. */
export function registerDiff(program: Command, { print }: CommandContext): void {
  program
    .command('diff')
    .description('say what differs between two cards, and whether their scores may be compared')
    .argument('<a>', 'card.json or a results folder')
    .argument('<b>', 'card.json or a results folder')
    .option('--json', 'print JSON')
    .action((a: string, b: string, flags: { json?: boolean }) => {
      const diff = diffCards(readCard(a).card, readCard(b).card);
      print(flags.json === true ? prettyJson(diff) : diffText(diff).join('\n'));
    });
}
