import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../../src/core/random.ts';
import { FUZZ_KINDS } from './all-kinds.ts';
import type { FuzzTarget, Verdict } from './fuzz-kind.ts';

/** Cases of one kind, asked for by the parent process. */
export interface FuzzJob {
  readonly kind: string;
  readonly from: number;
  readonly to: number;
  /** Folder that keeps the inputs of findings. */
  readonly keep: string;
}

/** What the worker tells: that a case begins, and how it ended (`finding` when it must not end so). */
export type FuzzMessage =
  | { readonly begins: number }
  | { readonly run: number; readonly verdict: Verdict }
  | { readonly run: number; readonly finding: string; readonly input: string }
  | { readonly done: true };

const tell = (message: FuzzMessage): Promise<void> =>
  new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));

let wild: unknown = null;
process.on('unhandledRejection', (error) => {
  wild = error;
});

async function runCase(target: FuzzTarget, { kind, keep }: FuzzJob, run: number): Promise<FuzzMessage> {
  const input = target.make(new Random(run, 'fuzz', kind));
  try {
    wild = null;
    const verdict = await target.check(input, run);
    if (wild !== null) throw wild;
    return { run, verdict };
  } catch (error) {
    const file = join(keep, `${kind.replaceAll(' ', '-')}-${run}-${input.name}`);
    writeFileSync(file, input.bytes);
    return { run, finding: error instanceof Error ? (error.stack ?? error.message) : String(error), input: file };
  }
}

process.on('message', async (job: FuzzJob) => {
  const kind = FUZZ_KINDS.find(({ name }) => name === job.kind);
  if (kind === undefined) throw new Error(`unknown kind ${job.kind}`);
  const folder = mkdtempSync(join(tmpdir(), 'parallax-fuzz-'));
  try {
    const target = await kind.prepare(folder);
    for (let run = job.from; run < job.to; run += 1) {
      await tell({ begins: run });
      await tell(await runCase(target, job, run));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  // Last, for the parent may end this process at once.
  await tell({ done: true });
});
