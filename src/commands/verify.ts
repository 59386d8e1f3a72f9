import type { Command } from 'commander';
import { verifyCard } from '../cards/verify-card.ts';
import { AuditError } from '../core/errors.ts';
import type { CommandContext } from './context.ts';

/** `parallax verify`: recomputes the hashes a card rests on, and its estimates from the raw files. */
export function registerVerify(program: Command, { print }: CommandContext): void {
  program
    .command('verify')
    .description('recompute every hash and estimate a card rests on; exit 1 on any difference')
    .argument('<card>', 'card.json or a results folder')
    .action(async (path: string) => {
      const { differences, notes, checked } = await verifyCard(path);
      for (const note of notes) print(`note: ${note}`);
      for (const difference of differences) print(`differs: ${difference}`);
      if (differences.length > 0)
        throw new AuditError(
          `${path}: ${differences.length} of ${checked} checks differ, first: ${differences[0]}; expected none`,
          { code: 'HASH_MISMATCH' },
        );
      print(`${path}: verified, ${checked} checks`);
    });
}
