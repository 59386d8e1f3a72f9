import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const sources = join(root, 'src', 'rendering');

function newest(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Math.max(...entries.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs));
}

/** Bundles the renderer's page if any of its sources is newer than the bundle; for tests that draw. */
export async function ensurePage(): Promise<void> {
  const bundle = join(root, 'dist', 'page', 'index.html');
  if (existsSync(bundle) && statSync(bundle).mtimeMs > newest(sources)) return;
  const { build } = await import('vite');
  // Built beside and put in place whole: another process may be using the page.
  const outDir = join(root, 'dist', `page-${process.pid}`);
  await build({
    root: join(sources, 'page'),
    configFile: join(sources, 'page', 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir },
  });
  const old = join(root, 'dist', `page-${process.pid}-old`);
  if (existsSync(join(root, 'dist', 'page'))) renameSync(join(root, 'dist', 'page'), old);
  renameSync(outDir, join(root, 'dist', 'page'));
  rmSync(old, { recursive: true, force: true });
}
