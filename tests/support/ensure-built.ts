import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Builds dist/ when a source changed since; tests that start the binary need it. */
export async function ensureBuilt(): Promise<void> {
  const root = join(import.meta.dirname, '..', '..');
  execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { cwd: root, stdio: 'inherit' });
}
