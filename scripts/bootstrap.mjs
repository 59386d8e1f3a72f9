// `npm test` and `npm run demo` on a machine where nobody has run anything: installs what is missing, builds what is stale.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [task, ...rest] = process.argv.slice(2);

if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) {
  console.error('installing packages (once)');
  execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
}
const { build } = await import(pathToFileURL(join(root, 'scripts', 'build.mjs')).href);
if (await build()) console.error('built');

const run = (file, args) => {
  const { status, signal } = spawnSync(process.execPath, [join(root, file), ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? (signal === 'SIGINT' ? 130 : 1));
};
if (task === 'demo') run('bin/parallax.js', ['run', 'audits/demo.yaml', ...rest]);
else if (task === 'test') run('scripts/test.mjs', rest);
else if (task === 'parallax') run('bin/parallax.js', rest);
else {
  console.error(`bootstrap: unknown task "${task}"; expected demo, test or parallax`);
  process.exit(2);
}
