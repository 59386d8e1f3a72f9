import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensureBuilt } from './support/ensure-built.ts';

const root = join(import.meta.dirname, '..');
let folder: string;
let installed: string;

/** The tarball, unpacked where a user's npm would put it, beside the dependencies it names. */
beforeAll(async () => {
  await ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'parallax-package-'));
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ filename: string }];
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
  installed = join(folder, 'package');
  symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the tarball holds what the program needs, and not the tests', () => {
  for (const path of [
    'bin/parallax.js',
    'dist/cli.js',
    'dist/index.d.ts',
    'dist/page/index.html',
    'models/pocket/onnx/vision_model.onnx',
    'grammars/reference.yaml',
    'grammars/rubrics',
    'cards/schema',
    'audits/demo.yaml',
    'examples/command/python_example.py',
    'LICENSE',
  ])
    expect([path, existsSync(join(installed, path))]).toEqual([path, true]);
  expect(existsSync(join(installed, 'tests'))).toBe(false);
  expect(existsSync(join(installed, 'src'))).toBe(false);
});

test('the binary of the installed package runs', () => {
  const out = execFileSync(process.execPath, [join(installed, 'bin', 'parallax.js'), '--version'], {
    encoding: 'utf8',
    cwd: folder,
  });
  expect(out.trim()).toBe(
    (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version,
  );
  const plan = execFileSync(
    process.execPath,
    [join(installed, 'bin', 'parallax.js'), 'plan', join(installed, 'audits', 'frozen-scenes.yaml'), '--json'],
    {
      encoding: 'utf8',
      cwd: folder,
    },
  );
  expect((JSON.parse(plan) as { contrasts: number }).contrasts).toBe(110_295);
});

test("the library is typed ESM: the README's example runs", () => {
  symlinkSync(installed, join(folder, 'parallax-audit'));
  const rows = ['a', 'b'].flatMap((generator, g) =>
    [0, 1, 2].map((prompt) => `e,${generator},p${prompt},f,x,${g + prompt + 1}`),
  );
  writeFileSync(join(folder, 'scores.csv'), `evaluator,generator,prompt,factor,level,score\n${rows.join('\n')}\n`);
  writeFileSync(
    join(folder, 'use.mjs'),
    `import { analyze, optionsFromTable, readScoreTable } from './parallax-audit/dist/index.js';
const table = await readScoreTable('scores.csv');
const estimates = await analyze(table, optionsFromTable(table, { c0: { f: 'x' }, seed: 7 }));
console.log(estimates.evaluators[0].generators.map(({ generator, score }) => generator + '=' + score.value).join(' '));
`,
  );
  expect(execFileSync(process.execPath, ['use.mjs'], { cwd: folder, encoding: 'utf8' }).trim()).toBe('a=2 b=3');
});
