// `npm run fuzz [count]`: the fuzz tests with many more mutations a format (10,000 by default; `npm test` runs a few hundred).
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const count = process.argv[2] ?? '10000';
if (!/^[1-9]\d*$/.test(count)) {
  console.error(`fuzz: invalid count "${count}"; expected a whole number from 1 up`);
  process.exit(2);
}
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'fuzz', '--testTimeout', '3600000'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PARALLAX_FUZZ: count },
});
process.exitCode = status ?? 1;
