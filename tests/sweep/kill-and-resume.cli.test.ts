import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/core/random.ts';
import { ensureBuilt } from '../support/ensure-built.ts';
import { writeTinyAudit } from '../support/tiny-audit.ts';

const program = join(import.meta.dirname, '..', '..', 'bin', 'parallax.js');
let folder: string;

beforeAll(async () => {
  await ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'parallax-kill-'));
  await writeTinyAudit(join(folder, 'origin'), {
    generators: ['a', 'b'],
    prompts: ['p1', 'p2', 'p3', 'p4', 'p5'],
    pitches: [90, 60, 30],
    red: (generator, prompt, pitch) => (generator === 'a' ? 90 : 70) + Number(prompt.slice(1)) + pitch / 3,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the audit of a copy; kills it without mercy after `milliseconds`. Returns its exit code, null when killed. */
function run(name: string, milliseconds: number | null, delay: number): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [
        program,
        'run',
        join(folder, name, 'audit.yaml'),
        '--store',
        join(folder, name, 'store', 'store.duckdb'),
        '--log',
        'quiet',
      ],
      { env: { ...process.env, PLANTED_DELAY_MS: String(delay) }, stdio: 'ignore' },
    );
    const timer = milliseconds === null ? null : setTimeout(() => child.kill('SIGKILL'), milliseconds);
    child.on('exit', (code) => {
      if (timer !== null) clearTimeout(timer);
      resolve(code);
    });
  });
}

function bytesOf(name: string): Map<string, string> {
  const results = join(folder, name, 'results');
  const files = (
    readdirSync(results, { recursive: true, withFileTypes: true }) as {
      isFile(): boolean;
      parentPath: string;
      name: string;
    }[]
  )
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return new Map(files.map((file) => [relative(results, file), readFileSync(file).toString('base64')]));
}

test('killed at five seeded moments and resumed, the results are the bytes of an undisturbed run', async () => {
  for (const name of ['undisturbed', 'killed']) cpSync(join(folder, 'origin'), join(folder, name), { recursive: true });
  expect(await run('undisturbed', null, 0)).toBe(0);
  const random = new Random(11, 'kill');
  let killed = 0;
  for (let round = 0; round < 5; round += 1) {
    const code = await run('killed', 800 + random.integer(2500), 20);
    if (code === null) killed += 1;
  }
  expect(killed).toBeGreaterThan(0);
  expect(await run('killed', null, 0)).toBe(0);
  const [undisturbed, resumed] = [bytesOf('undisturbed'), bytesOf('killed')];
  expect([...resumed.keys()]).toEqual([...undisturbed.keys()]);
  expect([...resumed].filter(([file, bytes]) => undisturbed.get(file) !== bytes).map(([file]) => file)).toEqual([]);
});
