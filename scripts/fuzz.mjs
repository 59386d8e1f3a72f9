// `npm run fuzz [-- count] [--kind NAME] [--from CASE] [--processes N]`: damaged inputs of every kind, 10,000 each unless told otherwise (`npm test` runs
// 300). Case n of a kind is the same input on every machine.
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = join(fileURLToPath(import.meta.url), '..', '..');
const main = resolve(root, 'tests', 'fuzz', 'main.ts');
const rest = process.argv.slice(2);
process.argv = [process.argv[0], main, ...(/^\d/.test(rest[0] ?? '') ? rest : ['10000', ...rest])];
await runnerImport(main, { root, configFile: false, logLevel: 'error' });
