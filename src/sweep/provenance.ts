import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** Folder of the installed package: holds package.json, models/, grammars/. */
export function packageRoot(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('parallax: package.json not found above the program');
    folder = parent;
  }
  return folder;
}

const packageSchema = z.object({ version: z.string(), dependencies: z.record(z.string(), z.string()).optional() });

function readPackage(folder: string) {
  return packageSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
}

/** Version of this package. */
export function ownVersion(): string {
  return readPackage(packageRoot()).version;
}

/** Versions of everything whose release could change a number or a picture. */
export function packageVersions(): Record<string, string> {
  const { version, dependencies } = readPackage(packageRoot());
  const versions: Record<string, string> = { node: process.versions.node, 'parallax-audit': version };
  const require = createRequire(join(packageRoot(), 'package.json'));
  for (const name of Object.keys(dependencies ?? {}).sort()) {
    const found = require.resolve
      .paths(name)
      ?.map((folder) => join(folder, name))
      .find((folder) => existsSync(join(folder, 'package.json')));
    if (found !== undefined) versions[name] = readPackage(found).version;
  }
  return versions;
}

/** Git revision of the program's own sources, and whether they were changed; null outside a checkout. */
export function sourceRevision(): { revision: string; dirty: boolean } | null {
  const root = packageRoot();
  if (!existsSync(join(root, '.git'))) return null;
  try {
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return { revision: git('rev-parse', 'HEAD'), dirty: git('status', '--porcelain', '--untracked-files=no') !== '' };
  } catch {
    return null;
  }
}
