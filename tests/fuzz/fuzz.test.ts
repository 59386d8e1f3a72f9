import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FUZZ_KINDS } from './all-kinds.ts';
import { FuzzWorker } from './run-fuzz.ts';

/** Damaged inputs a kind; `npm run fuzz` runs 10,000. */
const CASES = 300;

let folder: string;
let worker: FuzzWorker;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-fuzz-kept-'));
  worker = new FuzzWorker(folder);
});
afterAll(() => {
  worker.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(FUZZ_KINDS.map(({ name, tolerant = false }) => [name, tolerant] as const))(
  '%s: damaged inputs are read or refused, never worse',
  { timeout: 600_000 },
  async (kind, tolerant) => {
    const { accepted, refused, findings } = await worker.run(kind, 0, CASES);
    expect(findings).toEqual([]);
    expect(accepted + refused).toBe(CASES);
    // A fuzzer that only ever sees refusals, or never any, tests nothing.
    expect([accepted > 0, refused > 0]).toEqual([true, !tolerant]);
  },
);
