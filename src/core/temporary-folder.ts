import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether a process with this id exists (ours or anybody's). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A folder under the system's temporary folder that does not outlive the work in it. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Makes `<prefix>-<our process id>-…` in `parent` (the system's temporary folder); it goes when `remove` is called or the process ends, however it ends: a shell that
 * waits for the end of its input removes what a kill -9 leaves. Folders of the same prefix whose process is gone (no shell,
 * or the machine went down) are removed on the way.
 */
export async function temporaryFolder(prefix: string, parent: string = tmpdir()): Promise<TemporaryFolder> {
  removeAbandoned(parent, prefix);
  const path = await mkdtemp(join(parent, `${prefix}-${process.pid}-`));
  const guard = startGuard(path);
  const onExit = () => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // A child that is still dying writes into it: the guard comes back.
    }
  };
  process.once('exit', onExit);
  return {
    path,
    async remove() {
      process.off('exit', onExit);
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      guard?.kill('SIGKILL');
    },
  };
}

/** Removes the folder when its input ends, several times: children of ours that die at the same moment may still write. */
const GUARD_SCRIPT = 'trap \'\' HUP INT TERM; read -r _; for pause in 0 1 3; do sleep $pause; rm -rf -- "$1"; done';

/** A shell in a session of its own (Ctrl+C does not reach it) that outlives us by seconds; null where there is none. */
function startGuard(path: string): ChildProcess | null {
  if (process.platform === 'win32') return null;
  const guard = spawn('/bin/sh', ['-c', GUARD_SCRIPT, 'parallax-guard', path], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  guard.stdin?.on('error', () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref(): void } | null)?.unref();
  return guard;
}

/** Removes folders `<prefix>-<process id>-…` in `folder` whose process is gone. */
export function removeAbandoned(folder: string, prefix: string): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names) {
    if (!name.startsWith(`${prefix}-`)) continue;
    const match = /^(\d+)-/.exec(name.slice(prefix.length + 1));
    if (match === null || isAlive(Number(match[1]))) continue;
    try {
      rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // Another user's folder.
    }
  }
}
