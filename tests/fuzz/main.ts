import { mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FUZZ_KINDS } from './all-kinds.ts';
import { type FuzzFinding, FuzzWorker } from './run-fuzz.ts';

/** `npm run fuzz`: every kind with many cases on two processes (`--processes`); a line a kind, exit code 1 when anything was found. */
const [countText = '10000', ...rest] = process.argv.slice(2);
const option = (name: string): string | null => {
  const at = rest.indexOf(name);
  return at < 0 ? null : (rest[at + 1] ?? '');
};
const [only, fromText, processes] = [option('--kind'), option('--from') ?? '0', Number(option('--processes') ?? '2')];
const kinds = FUZZ_KINDS.map(({ name }) => name).filter((name) => only === null || name === only);
if (
  !/^[1-9]\d*$/.test(countText) ||
  !/^\d+$/.test(fromText) ||
  !(processes >= 1 && processes <= 64) ||
  kinds.length === 0
) {
  process.stderr.write(
    `fuzz: expected [count] [--kind NAME] [--from CASE] [--processes N]; kinds: ${FUZZ_KINDS.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}
const [from, to] = [Number(fromText), Number(fromText) + Number(countText)];

const keep = mkdtempSync(join(tmpdir(), 'parallax-fuzz-findings-'));
const waiting = [...kinds];
const findings: FuzzFinding[] = [];
const begun = performance.now();
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(0)} s`;
let last = begun;
let cases = 0;

async function work(): Promise<void> {
  const worker = new FuzzWorker(keep);
  try {
    for (let kind = waiting.shift(); kind !== undefined; kind = waiting.shift()) {
      const since = performance.now();
      const name = kind;
      const result = await worker.run(name, from, to, (run) => {
        cases += 1;
        if (performance.now() - last < 15_000) return;
        last = performance.now();
        process.stderr.write(
          `${name}: ${run - from}/${to - from} cases, ${kinds.length - waiting.length} of ${kinds.length} kinds begun, ${seconds(begun)}\n`,
        );
      });
      findings.push(...result.findings);
      process.stdout.write(
        `${name.padEnd(24)} ${result.cases} cases: ${result.accepted} read, ${result.refused} refused, ${result.findings.length} found (${seconds(since)})\n`,
      );
      for (const { run, what, input } of result.findings.slice(0, 5))
        process.stdout.write(
          `  case ${run}: ${what.split('\n').slice(0, 4).join('\n    ')}\n  ${input === '' ? '' : `input ${input}; `}again: npm run fuzz -- 1 --kind "${name}" --from ${run}\n`,
        );
    }
  } finally {
    worker.close();
  }
}

await Promise.all(Array.from({ length: processes }, work));
process.stdout.write(`fuzz: ${cases} cases of ${kinds.length} kinds, ${findings.length} found, ${seconds(begun)}\n`);
if (readdirSync(keep).length === 0) rmdirSync(keep);
process.exitCode = findings.length > 0 ? 1 : 0;
