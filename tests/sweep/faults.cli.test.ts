import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ensureBuilt } from '../support/ensure-built.ts';
import { cli } from '../support/run-cli.ts';
import { writeTinyAudit } from '../support/tiny-audit.ts';

/** What happens to a machine in the middle of an audit: one clear line, exit 1, nothing half-written, and the run goes on when it is mended. */
let folder: string;
let expected: Map<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parallax-faults-'));
  await writeTinyAudit(join(folder, 'origin'), {
    generators: ['a', 'b'],
    prompts: ['p1', 'p2'],
    pitches: [90, 45],
    red: (generator, prompt, pitch) => (generator === 'a' ? 90 : 70) + Number(prompt.slice(1)) + pitch / 3,
  });
  const undisturbed = copy('undisturbed');
  expect(await run(undisturbed)).toMatchObject({ code: 0 });
  expected = resultsOf(undisturbed);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function copy(name: string): string {
  const target = join(folder, name);
  cpSync(join(folder, 'origin'), target, { recursive: true });
  return target;
}

const run = (audit: string, store = join(audit, 'store', 'store.duckdb')) =>
  cli('run', join(audit, 'audit.yaml'), '--store', store, '--log', 'quiet');

function resultsOf(audit: string): Map<string, string> {
  const root = join(audit, 'results');
  const entries = existsSync(root) ? readdirSync(root, { recursive: true, withFileTypes: true }) : [];
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      // The report's first line names the program that made it, which may change under a test of the sources.
      .map((file) => [relative(root, file), readFileSync(file, 'latin1').replace(/<!-- parallax report .*-->/, '')]),
  );
}

/** One line a user can act on: no stack, no second error. */
function expectOneLine({ code, stderr }: { code: number; stderr: string }, message: string | RegExp): void {
  const lines = stderr.split('\n').filter((line) => line.startsWith('parallax: '));
  expect([code, lines.length, lines[0], stderr]).toEqual([
    1,
    1,
    expect.stringMatching(message),
    expect.not.stringMatching(/\n\s+at /),
  ]);
}

/** Whatever stands in results is a whole file of the undisturbed run, and no temporary file is left. */
function expectNothingHalf(audit: string): void {
  for (const [file, bytes] of resultsOf(audit)) expect([file, bytes === expected.get(file)]).toEqual([file, true]);
}

async function expectMended(audit: string, store?: string): Promise<void> {
  const mended = await run(audit, store);
  expect([mended.code, mended.stderr]).toEqual([0, '']);
  const found = resultsOf(audit);
  expect([...found.keys()]).toEqual([...expected.keys()]);
  expect([...found].filter(([file, bytes]) => expected.get(file) !== bytes).map(([file]) => file)).toEqual([]);
}

const mount = (options: string, at: string): void => {
  mkdirSync(at, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at], { stdio: 'ignore' });
};
const unmount = (at: string): void => void execFileSync('umount', ['-l', at], { stdio: 'ignore' });

/** File systems of a given size need the right to mount; without it the machine's own cannot be filled or locked. */
const mayMount = ((): boolean => {
  const at = mkdtempSync(join(tmpdir(), 'parallax-mount-'));
  try {
    mount('size=1m', at);
    unmount(at);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
})();

describe.skipIf(!mayMount)('a disk', () => {
  test.each([8, 40, 120])('full after %i kB of results', async (kilobytes) => {
    const audit = copy(`full-results-${kilobytes}`);
    mount(`size=${kilobytes}k`, join(audit, 'results'));
    try {
      expectOneLine(await run(audit), /cannot write|writable results folder/);
      expectNothingHalf(audit);
    } finally {
      unmount(join(audit, 'results'));
    }
    await expectMended(audit);
  });

  test('full at any moment of the store', async () => {
    const failed: number[] = [];
    for (const kilobytes of [8, 16, 24, 32, 48, 64]) {
      const audit = copy(`full-store-${kilobytes}`);
      const disk = join(audit, 'store');
      const store = join(disk, 'store.duckdb');
      mount(`size=${kilobytes}k`, disk);
      try {
        const result = await run(audit, store);
        if (result.code !== 0) {
          failed.push(kilobytes);
          expectOneLine(result, /store/);
        }
        expectNothingHalf(audit);
        execFileSync('mount', ['-o', 'remount,size=200m', disk], { stdio: 'ignore' });
        await expectMended(audit, store);
      } finally {
        unmount(disk);
      }
    }
    // DuckDB writes its log as it goes and the file when it closes: the small disks are full in the middle of the work.
    expect(failed.length).toBeGreaterThanOrEqual(2);
    expect(failed).toEqual([8, 16, 24, 32, 48, 64].slice(0, failed.length));
  });

  test('full while scenes are imported', async () => {
    const out = join(folder, 'full-import');
    mount('size=64k', out);
    try {
      const imported = await cli(
        'import',
        'auto',
        join(import.meta.dirname, '..', 'fixtures', 'scenes', 'holodeck'),
        '--out',
        out,
      );
      expectOneLine(imported, /cannot write/);
      const left = readdirSync(out, { recursive: true }) as string[];
      expect(left.filter((file) => /\.(tmp|part)$|scene\.json$/.test(file))).toEqual([]);
    } finally {
      unmount(out);
    }
  });

  test.each(['results', 'store'])('read-only where the %s belong', async (what) => {
    const audit = copy(`read-only-${what}`);
    const at = join(audit, what);
    mount('size=100m,ro', at);
    try {
      expectOneLine(await run(audit), what === 'results' ? /writable results folder|cannot write/ : /store/);
      execFileSync('mount', ['-o', 'remount,rw', at], { stdio: 'ignore' });
      await expectMended(audit);
    } finally {
      unmount(at);
    }
  });
});

describe('a store', () => {
  test('that is a folder', async () => {
    const audit = copy('store-folder');
    mkdirSync(join(audit, 'store', 'store.duckdb'), { recursive: true });
    expectOneLine(await run(audit), /store\.duckdb: .*expected a writable DuckDB file/);
    rmSync(join(audit, 'store'), { recursive: true });
    await expectMended(audit);
  });

  test.each(['cut short', 'overwritten', 'empty'])('that is %s', async (how) => {
    const audit = copy(`store-${how.replace(' ', '-')}`);
    const store = join(audit, 'store', 'store.duckdb');
    expect(await run(audit)).toMatchObject({ code: 0 });
    if (how === 'cut short') truncateSync(store, 5000);
    else writeFileSync(store, how === 'empty' ? '' : 'not a database '.repeat(1000));
    const result = await run(audit);
    expectOneLine(result, /store\.duckdb: .*expected a writable DuckDB file/);
    expectNothingHalf(audit);
    rmSync(store);
    await expectMended(audit);
  });

  test('that another process holds', async () => {
    const audit = copy('store-held');
    const store = join(audit, 'store', 'store.duckdb');
    mkdirSync(join(audit, 'store'));
    const duckdb = pathToFileURL(
      join(import.meta.dirname, '..', '..', 'node_modules', '@duckdb', 'node-api', 'lib', 'index.js'),
    ).href;
    const script = `const { DuckDBInstance } = (await import(${JSON.stringify(duckdb)})); const held = await DuckDBInstance.create(${JSON.stringify(store)}); console.log('held'); setInterval(() => held, 1000);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await new Promise((resolve) => holder.stdout.once('data', resolve));
      expectOneLine(await run(audit), /in use by another process; expected one writer at a time/);
    } finally {
      holder.kill('SIGKILL');
      await new Promise((resolve) => holder.once('exit', resolve));
    }
    await expectMended(audit);
  });
});

describe('a browser', () => {
  test('that is not there', async () => {
    // The renderer's page is bundled by the build; without it that would be the first thing missing.
    await ensureBuilt();
    const audit = copy('no-browser');
    const before = process.env['PARALLAX_CHROMIUM'];
    process.env['PARALLAX_CHROMIUM'] = join(folder, 'nowhere', 'chromium');
    try {
      const shown = await cli('view', join(audit, 'scenes', 'a', 'p1'), '--out', join(audit, 'view.png'));
      expectOneLine(shown, /nowhere\/chromium/);
      expect(existsSync(join(audit, 'view.png'))).toBe(false);
    } finally {
      if (before === undefined) delete process.env['PARALLAX_CHROMIUM'];
      else process.env['PARALLAX_CHROMIUM'] = before;
    }
  });
});
