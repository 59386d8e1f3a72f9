// Compiles src/ to dist/ and bundles the renderer page; does nothing when no input changed since the last build.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stampFile = join(root, 'dist', '.stamp');

function inputs(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function stamp() {
  const hash = createHash('sha256');
  for (const file of [
    ...inputs('src'),
    join(root, 'package-lock.json'),
    join(root, 'tsconfig.json'),
    fileURLToPath(import.meta.url),
  ]) {
    if (!existsSync(file)) continue;
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** Lets npx find the program at once; without it, npm first installs this folder into a cache of its own. */
function linkProgram() {
  const link = join(root, 'node_modules', '.bin', 'parallax');
  if (process.platform === 'win32' || existsSync(link)) return;
  try {
    symlinkSync(join('..', '..', 'bin', 'parallax.js'), link);
  } catch {
    // Only a shortcut: npx works without.
  }
}

export async function build({ force = false } = {}) {
  const current = stamp();
  if (!force && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === current) return false;
  // Made beside and put in place at the end: a build that fails, or runs while the program does, takes nothing away.
  const next = join(root, 'node_modules', '.cache', `parallax-dist-${process.pid}`);
  try {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    execFileSync(process.execPath, [tsc, '-p', join(root, 'src'), '--outDir', next], { cwd: root, stdio: 'inherit' });
    const page = join(root, 'src', 'rendering', 'page');
    const { build: bundle } = await import('vite');
    await bundle({
      root: page,
      configFile: join(page, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: join(next, 'page') },
    });
    writeFileSync(join(next, '.stamp'), current);
    rmSync(join(root, 'dist'), { recursive: true, force: true });
    renameSync(next, join(root, 'dist'));
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!existsSync(join(root, 'src'))) process.exit(0);
  if (!existsSync(join(root, 'node_modules', 'typescript'))) process.exit(0);
  linkProgram();
  await build();
}
