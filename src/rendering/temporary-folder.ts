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
 * Makes `<prefix>-<our process id>-…`; it goes when `remove` is called or the process exits. Folders of the same prefix whose
 * process is gone (killed with -9) are removed on the way.
 */
export async function temporaryFolder(prefix: string): Promise<TemporaryFolder> {
  removeAbandoned(tmpdir(), prefix);
  const path = await mkdtemp(join(tmpdir(), `${prefix}-${process.pid}-`));
  const onExit = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', onExit);
  return {
    path,
    async remove() {
      process.off('exit', onExit);
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
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
