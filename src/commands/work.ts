import type { Command } from 'commander';
import { loadAudit } from '../sweep/load-audit.ts';
import { runSweep, type SweepResult } from '../sweep/run-sweep.ts';
import type { CommandContext } from './context.ts';
import { budgetOf, loadOptionsOf, type RunFlags, storeOf } from './run-options.ts';

/** Loads an audit and sweeps it as far as asked; shared by `render`, `score`, `run` and `analyze --partial`. */
export async function sweepAudit(
  file: string,
  flags: RunFlags,
  command: Command,
  context: CommandContext,
  until: 'render' | 'score' | 'export',
  how: { readonly partial?: boolean; readonly retry?: boolean } = {},
) {
  const loaded = await loadAudit(file, { ...loadOptionsOf(flags), picturesOnly: until === 'render' });
  const result = await runSweep(loaded, {
    store: storeOf(command, flags),
    evaluators: flags.evaluator ?? null,
    until,
    ...(flags.renderer === undefined ? {} : { renderer: flags.renderer }),
    partial: how.partial === true,
    retry: how.retry === true,
    budget: budgetOf(flags),
    signal: context.signal,
    log: context.log,
    onProgress: context.onProgress,
  });
  context.endProgress();
  return { loaded, result };
}

/** `384 rendered (0 failed), 0 found` and what each evaluator had to do. */
export function sweepText({ renders, scores }: SweepResult): string[] {
  const asked = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
  const lines = [
    `${renders.rendered} rendered${renders.failed > 0 ? `, ${renders.failed} failed` : ''}, ${renders.reused} found in the store`,
  ];
  for (const { evaluator, images, captions, requests } of scores) {
    const work = images + captions + requests;
    lines.push(
      work === 0
        ? `${evaluator}: 0 scored anew`
        : `${evaluator}: ${requests > 0 ? asked(requests, 'request') : `${asked(images, 'image')} and ${asked(captions, 'caption')}`} scored anew`,
    );
  }
  return lines;
}
