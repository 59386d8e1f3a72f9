// Runs a TypeScript file of this repository on Node 20: node scripts/run-ts.mjs bench/stats.ts [arguments].
import { resolve } from 'node:path';
import { runnerImport } from 'vite';

const [file, ...rest] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('usage: node scripts/run-ts.mjs <file.ts> [arguments]\n');
  process.exitCode = 2;
} else {
  process.argv = [process.argv[0], resolve(file), ...rest];
  await runnerImport(resolve(file), { configFile: false, logLevel: 'error' });
}
