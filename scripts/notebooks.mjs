// Runs the TypeScript cells of a notebook, in order, as one module on Node; --write stores what each cell printed.
//   node scripts/notebooks.mjs notebooks/score-table.ipynb [--write]
// Needs no notebook server: CI runs the very cells people open in Jupyter (Deno kernel) or VS Code.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const MARK = '\u0001cell\u0001';

const textOf = (source) => (Array.isArray(source) ? source.join('') : source);

/** The code cells of a notebook as one module; each announces itself, so that its output can be told apart. */
export function moduleOf(notebook) {
  const cells = notebook.cells.filter((cell) => cell.cell_type === 'code').map((cell) => textOf(cell.source));
  return cells.map((source, index) => `console.log(${JSON.stringify(MARK + index)});\n${source}\n`).join('\n');
}

/** Runs a notebook; returns what each code cell printed. @throws Error when a cell fails. */
export function runNotebook(path, environment = {}) {
  const notebook = JSON.parse(readFileSync(path, 'utf8'));
  // Inside node_modules, so that packages resolve as they do for the repository.
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'notebook-'));
  try {
    const file = join(folder, 'cells.ts');
    writeFileSync(file, moduleOf(notebook));
    const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--cells', file], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, ...environment },
      maxBuffer: 64 * 1024 * 1024,
    });
    if (run.status !== 0) throw new Error(`${path}: a cell failed\n${run.stderr}`);
    const outputs = run.stdout.split(new RegExp(`${MARK}\\d+\\n`)).slice(1);
    return outputs;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Stores outputs in the notebook's cells. */
export function writeOutputs(path, outputs) {
  const notebook = JSON.parse(readFileSync(path, 'utf8'));
  let index = 0;
  for (const cell of notebook.cells) {
    if (cell.cell_type !== 'code') continue;
    const text = outputs[index] ?? '';
    index += 1;
    cell.execution_count = index;
    cell.outputs =
      text === '' ? [] : [{ output_type: 'stream', name: 'stdout', text: text.match(/[^\n]*\n|[^\n]+$/g) }];
  }
  writeFileSync(path, `${JSON.stringify(notebook, null, 1)}\n`);
}

async function importCells(file) {
  const { runnerImport } = await import('vite');
  await runnerImport(file, {
    configFile: false,
    logLevel: 'error',
    resolve: { alias: { 'parallax-audit': join(root, 'src', 'index.ts') } },
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [first, second] = process.argv.slice(2);
  if (first === '--cells') await importCells(second);
  else if (first === undefined) {
    process.stderr.write('usage: node scripts/notebooks.mjs <notebook.ipynb> [--write]\n');
    process.exitCode = 2;
  } else {
    const outputs = runNotebook(resolve(first));
    process.stdout.write(outputs.join(''));
    if (second === '--write') writeOutputs(resolve(first), outputs);
  }
}
