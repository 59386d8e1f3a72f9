import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findBlender } from '../../src/rendering/find-blender.ts';
import { freezeScene } from '../../src/scenes/freeze.ts';
import { ensurePage } from './bundle.ts';
import { processes, until } from './own-processes.ts';
import { SAMPLE_ROOMS } from './sample-rooms.ts';

const root = join(import.meta.dirname, '..', '..');
let folder: string;

beforeAll(ensurePage);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'px-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Processes that inherited our mark: the program, its browser or Blender, their helpers and guards. */
const family = () =>
  processes().filter(({ environment, state }) => state !== 'Z' && environment.includes(`PARALLAX_EXIT=${folder}\0`));

/** Whether a browser of ours has a page. */
const hasPage = () => family().some(({ command }) => command.includes('--type=renderer'));

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Starts the program in a temporary folder of its own, sends a signal once it draws (or is ready otherwise), and waits for its end. */
async function run(args: readonly string[], signal?: NodeJS.Signals, ready?: () => boolean): Promise<Ended> {
  const child = spawn(process.execPath, ['scripts/run-ts.mjs', 'tests/rendering/exit-child.ts', ...args], {
    cwd: root,
    env: { ...process.env, TMPDIR: folder, PARALLAX_EXIT: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let said = '';
  child.stdout.on('data', (data: Buffer) => {
    said += data.toString();
  });
  const ended = new Promise<Ended>((resolve) => child.once('exit', (code, by) => resolve({ code, signal: by })));
  if (signal !== undefined) {
    await until(ready ?? (() => said.includes('drawing')), 120_000);
    child.kill(signal);
  }
  return await ended;
}

/** Nothing of the program may be left, neither running nor on disk; what a kill leaves goes within seconds. */
async function expectNothingLeft(): Promise<void> {
  await until(() => family().length === 0, 30_000);
  expect(
    readdirSync(folder).filter((name) => /^(parallax-|org\.chromium|\.org\.chromium|puppeteer)/.test(name)),
  ).toEqual([]);
}

describe.skipIf(process.platform !== 'linux')('nothing is left behind', () => {
  test.each<[string, string, NodeJS.Signals | undefined, Ended]>([
    ['a normal end', 'normal', undefined, { code: 0, signal: null }],
    ['an exception nobody catches', 'exception', undefined, { code: 1, signal: null }],
    ['process.exit', 'exit', undefined, { code: 3, signal: null }],
    ['SIGINT that nobody handles', 'wait', 'SIGINT', { code: null, signal: 'SIGINT' }],
    ['SIGTERM that nobody handles', 'wait', 'SIGTERM', { code: null, signal: 'SIGTERM' }],
    ['kill -9', 'wait', 'SIGKILL', { code: null, signal: 'SIGKILL' }],
  ])('chromium, %s', async (_, mode, signal, end) => {
    expect(await run(['chromium', mode], signal)).toEqual(end);
    await expectNothingLeft();
  });

  test.skipIf(findBlender() === null).each<[string, string, NodeJS.Signals | undefined, Ended]>([
    ['a normal end', 'normal', undefined, { code: 0, signal: null }],
    ['an exception nobody catches', 'exception', undefined, { code: 1, signal: null }],
    ['kill -9', 'wait', 'SIGKILL', { code: null, signal: 'SIGKILL' }],
  ])('blender, %s', async (_, mode, signal, end) => {
    expect(await run(['blender', mode], signal)).toEqual(end);
    await expectNothingLeft();
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('the command line, %s while the browser draws', async (signal) => {
    const scene = join(folder, 'scene');
    await freezeScene(await SAMPLE_ROOMS.bedroom(), scene);
    const args = ['cli', 'view', scene, '--factor', 'yaw', '--out', join(folder, 'sheet.png'), '--log', 'quiet'];
    expect(await run(args, signal, hasPage)).toEqual({ code: 130, signal: null });
    await expectNothingLeft();
    expect(readdirSync(folder)).toEqual(['scene']);
  });
});
