import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAULT_NAMES } from '../../src/evaluators/judge-sim/faults.ts';
import { type JudgeSim, startJudgeSim } from '../../src/evaluators/judge-sim/start-judge-sim.ts';
import { ensureBuilt } from '../support/ensure-built.ts';
import { writeTinyAudit } from '../support/tiny-audit.ts';
import { faults, figures } from './judge-harness.ts';

/** PARALLAX_LONG=1: ten thousand requests over the whole grammar; otherwise a few hundred. */
const LONG = process.env['PARALLAX_LONG'] === '1';
const PROMPTS = Array.from({ length: LONG ? 15 : 3 }, (_, index) => `p${index + 1}`);
const CONCURRENCY = 16;
const KEY = 'sk-secret-4711-do-not-print';
const HANGS = 0.0015;
const SHARES = Object.fromEntries(
  FAULT_NAMES.map((name) => [name, name === 'hang' ? HANGS : (0.3 - HANGS) / (FAULT_NAMES.length - 1)]),
);
const root = join(import.meta.dirname, '..', '..');
const sims: JudgeSim[] = [];
let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'parallax-judge-kill-'));
  await writeTinyAudit(join(folder, 'origin'), {
    generators: ['a', 'b'],
    prompts: PROMPTS,
    pitches: [90, 45],
    red: (generator, prompt, pitch) => (generator === 'a' ? 190 : 120) + 5 * Number(prompt.slice(1)) - pitch / 3,
  });
  const grammar = readFileSync(join(root, 'grammars', 'reference.yaml'), 'utf8');
  // The quick form drops a slot's choices; the long one has all 337 templates.
  const small = grammar
    .replaceAll(/noun: \{.*\}/g, 'noun: { rendering: rendering, image: image }')
    .replaceAll(/frame: \{.*\}/g, 'frame: { scene: "scene:", none: "" }')
    .replace('viewpoint: { top-down: top-down, bird-eye: bird-eye }', 'viewpoint: { top-down: top-down }');
  writeFileSync(join(folder, 'origin', 'grammar.yaml'), LONG ? grammar : small);
});
afterAll(async () => {
  for (const sim of sims) await sim.close();
  rmSync(folder, { recursive: true, force: true });
});

async function prepare(name: string, shares: typeof SHARES): Promise<JudgeSim> {
  const sim = await startJudgeSim({ seed: 8, faults: faults(shares, { latency: [5, 15] }), hang: 600_000 });
  sims.push(sim);
  cpSync(join(folder, 'origin'), join(folder, name), { recursive: true });
  const file = join(folder, name, 'audit.yaml');
  const judge = `  - {id: judge, kind: judge, provider: openai, model: judge-sim, baseUrl: "${sim.url}/v1", keyFrom: JUDGE_KEY, concurrency: ${CONCURRENCY}, timeout: 5, attempts: 8}`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/ {2}- \{id: planted.*\}/, judge));
  return sim;
}

interface Ended {
  /** Null when killed. */
  readonly code: number | null;
  readonly output: string;
  /** Largest resident size, bytes; null where /proc does not tell. */
  readonly peak: number | null;
}

function run(name: string, killWhen: () => boolean): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [
        join(root, 'bin', 'parallax.js'),
        'run',
        join(folder, name, 'audit.yaml'),
        '--store',
        join(folder, name, 'store', 'store.duckdb'),
        '--max-cost',
        '100',
      ],
      { env: { ...process.env, JUDGE_KEY: KEY }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    let peak: number | null = null;
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    child.stderr.on('data', (chunk) => (output += String(chunk)));
    const timer = setInterval(() => {
      try {
        const match = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
        if (match) peak = Number(match[1]) * 1024;
      } catch {
        // Not Linux, or gone already.
      }
      if (killWhen()) child.kill('SIGKILL');
    }, 20);
    child.on('exit', (code) => {
      clearInterval(timer);
      resolve({ code, output, peak });
    });
  });
}

type Row = Record<string, string>;
function scores(name: string): Map<string, Row> {
  const rows = parse(readFileSync(join(folder, name, 'results', 'raw', 'judge.csv')), { columns: true }) as Row[];
  return new Map(rows.map((row) => [[row['generator'], row['prompt'], row['factor'], row['level']].join('|'), row]));
}

test(
  'killed in the middle of faults and resumed: nothing is lost, nothing is paid for twice, no key on disk',
  async () => {
    const quiet = await prepare('quiet', {});
    expect(await run('quiet', () => false)).toMatchObject({ code: 0 });
    const planned = quiet.stats().answered;
    expect(quiet.stats().answeredAgain).toBe(0);

    const noisy = await prepare('noisy', SHARES);
    const killed = await run('noisy', () => noisy.stats().answered > planned / 2);
    expect(killed.code).toBeNull();
    const before = noisy.stats();
    expect(before.answered).toBeLessThan(planned);
    const resumed = await run('noisy', () => false);
    expect(resumed.code).toBe(0);
    // What was in flight at the kill, at most, is asked again.
    expect(noisy.stats().answeredAgain).toBeLessThanOrEqual(CONCURRENCY);

    const [truth, tried] = [scores('quiet'), scores('noisy')];
    expect([...tried.keys()].sort()).toEqual([...truth.keys()].sort());
    const counts: Record<string, number> = {};
    for (const [cell, row] of tried) {
      counts[row['status'] ?? ''] = (counts[row['status'] ?? ''] ?? 0) + 1;
      if (row['status'] === 'scored') expect([cell, row['score']]).toEqual([cell, truth.get(cell)?.['score']]);
      else expect(row).toMatchObject({ score: '', reason: expect.stringMatching(/^[a-z-]+: /) });
    }
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(truth.size);
    expect(counts['scored']).toBeGreaterThan(0.7 * truth.size);
    expect(counts['skipped']).toBeUndefined();

    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      expect(readFileSync(join(entry.parentPath, entry.name)).includes(KEY), entry.name).toBe(false);
    }
    expect(killed.output + resumed.output).not.toContain(KEY);
    for (const { peak } of [killed, resumed]) if (peak !== null) expect(peak).toBeLessThan(500 * 1024 * 1024);
    figures('kill -9', {
      planned: truth.size,
      distinct: planned,
      counts,
      answeredBeforeKill: before.answered,
      stats: noisy.stats(),
      peaks: [killed.peak, resumed.peak],
    });
  },
  LONG ? 1_800_000 : 300_000,
);
