// Runs vitest and prints, as the last line and alone, the count from vitest's own report.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(join(tmpdir(), 'parallax-test-'));
const file = join(folder, 'report.json');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(
  process.execPath,
  [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
);
if (!existsSync(file)) {
  console.error('vitest left no report');
  process.exit(status === 0 ? 1 : (status ?? 1));
}
const report = JSON.parse(readFileSync(file, 'utf8'));
rmSync(folder, { recursive: true, force: true });
// A file that fails to load has no tests of its own: it counts as one failure.
const broken = report.testResults.filter(
  (result) => result.status === 'failed' && result.assertionResults.length === 0,
).length;
const failed = report.numFailedTests + broken;
process.exitCode = status !== 0 || failed > 0 || report.numPassedTests === 0 ? status || 1 : 0;
console.log(
  `${report.numPassedTests} passed, ${failed} failed, ${report.numPendingTests + report.numTodoTests} skipped`,
);
