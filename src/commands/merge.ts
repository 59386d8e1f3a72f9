import { cpSync, existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { relativePath } from '../core/paths.ts';
import { Store } from '../sweep/store.ts';
import type { CommandContext } from './context.ts';
import { storeOf } from './run-options.ts';

/** `parallax merge`: brings the stores of several jobs together. */
export function registerMerge(program: Command, { print, signal }: CommandContext): void {
  program
    .command('merge')
    .description('copy what other stores hold (pictures, embeddings, outcomes) into this one')
    .argument('<stores...>', 'store files of other jobs')
    .action(async (paths: string[], flags: { store?: string }, command: Command) => {
      const target = storeOf(command, flags);
      const store = await Store.open(target);
      try {
        for (const path of paths) {
          signal.throwIfAborted();
          // Pictures first: a render's row must never stand without its picture.
          for (const folder of ['images', 'probes']) {
            const from = join(dirname(resolve(path)), folder);
            if (existsSync(from)) cpSync(from, join(dirname(target), folder), { recursive: true, force: false });
          }
          const added = await store.merge(resolve(path));
          print(
            `${relativePath(path)}: ${Object.entries(added)
              .map(([table, rows]) => `${rows} ${table}`)
              .join(', ')} added`,
          );
        }
      } finally {
        await store.close();
      }
    });
}
