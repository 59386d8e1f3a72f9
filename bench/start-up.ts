/**
 * npm run bench:start [-- --rounds 3]
 *
 * What commands cost before they do anything: wall and processor seconds (best of some rounds) and the largest resident memory of the
 * built program, against a Node that starts and ends. Needs `npm run build`.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processFamily } from './processor-time.ts';

const root = join(import.meta.dirname, '..');
const program = join(root, 'bin', 'parallax.js');
const at = process.argv.indexOf('--rounds');
const rounds = at < 0 ? 3 : Number(process.argv[at + 1]);
const folder = mkdtempSync(join(tmpdir(), 'parallax-bench-start-'));
const store = join(folder, 'store.duckdb');

const COMMANDS: readonly (readonly [string, readonly string[]])[] = [
  ['node alone', ['-e', '0']],
  ['parallax --version', [program, '--version']],
  ['parallax validate audits/demo.yaml', [program, 'validate', 'audits/demo.yaml']],
  ['parallax plan audits/demo.yaml', [program, 'plan', 'audits/demo.yaml', '--store', store]],
];

interface Cost {
  readonly wall: number;
  readonly cpu: number;
  readonly memory: number;
  readonly code: number | null;
}

/** Largest resident memory so far, bytes; 0 where /proc does not tell or the process ended. */
function peak(pid: number): number {
  try {
    return 1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function run(args: readonly string[]): Promise<Cost> {
  const before = processFamily().cpu;
  const started = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'ignore' });
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, peak(child.pid ?? 0));
  }, 5);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      clearInterval(watch);
      resolve({ wall: (performance.now() - started) / 1000, cpu: processFamily().cpu - before, memory, code });
    });
  });
}

if (!existsSync(join(root, 'dist', 'cli.js'))) throw new Error('dist/cli.js is missing; run npm run build');
try {
  for (const [name, args] of COMMANDS) {
    const costs: Cost[] = [];
    for (let round = 0; round < rounds; round += 1) costs.push(await run(args));
    const failed = costs.find(({ code }) => code !== 0);
    const least = (key: 'wall' | 'cpu') => Math.min(...costs.map((cost) => cost[key])).toFixed(2);
    const largest = Math.round(Math.max(...costs.map(({ memory }) => memory)) / 2 ** 20);
    const value =
      failed === undefined
        ? `${least('wall')} s (processor ${least('cpu')} s), ${largest} MB`
        : `exit code ${failed.code}`;
    process.stdout.write(`${name.padEnd(66)} ${value}\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
