import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { exportKind } from '../../../src/cards/exports/export-kind.ts';
import { sha256 } from '../../../src/core/hash.ts';
import { type ResultsFixture, resultsFixture } from '../fixture.ts';
import { croissantRules, everyEvalEverRules, huggingFaceRules, inTotoRules } from './published-rules.ts';

let fixture: ResultsFixture;
let out: string;
beforeAll(async () => {
  fixture = await resultsFixture({ generators: ['functional', 'a b<script>'] });
  out = mkdtempSync(join(tmpdir(), 'parallax-export-'));
});
afterAll(() => {
  fixture.remove();
  rmSync(out, { recursive: true, force: true });
});

async function run(kind: string, options = {}) {
  const target = join(out, kind);
  const result = await exportKind(kind, fixture.folder, target, { date: '2026-01-02', ...options });
  const read = Object.fromEntries(result.files.map((path) => [path, readFileSync(join(target, path), 'utf8')]));
  return { target, ...result, read };
}

test('in-toto: a Statement about the very card file, naming every hashed file', async () => {
  const { read } = await run('in-toto');
  const statement = inTotoRules.parse(JSON.parse(read['card.intoto.json'] as string));
  expect(statement.subject).toEqual([
    { name: 'card.json', digest: { sha256: sha256(readFileSync(join(fixture.folder, 'card.json'))) } },
  ]);
  expect(statement.predicate.buildDefinition.resolvedDependencies).toHaveLength(
    fixture.manifest.files.length + fixture.manifest.inputs.length,
  );
});

test('Every Eval Ever: one valid record a generator, scored results only, failures apart', async () => {
  const { read } = await run('eee');
  const records = Object.entries(read).filter(([path]) => path.startsWith('data/'));
  expect(records).toHaveLength(2);
  for (const [path, text] of records) {
    expect(path).toMatch(
      /^data\/synthetic\/unknown\/[A-Za-z0-9._-]+\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.json$/,
    );
    const record = everyEvalEverRules.parse(JSON.parse(text));
    expect(record.evaluation_results.map((result) => result.evaluation_name)).toEqual([
      'pocket',
      'steady',
      'sharpness',
    ]);
  }
  expect(JSON.parse(read['adapter_reports/synthetic_failures.json'] as string)).toEqual([]);
});

test('Every Eval Ever: a withheld evaluator is in the failures, never a score', async () => {
  const failing = await resultsFixture({ failing: 0.4, generators: ['one', 'two'] });
  try {
    const target = join(out, 'eee-failing');
    const { files } = await exportKind('eee', failing.folder, target);
    expect(files).toEqual(['adapter_reports/synthetic_failures.json']);
    const failures = JSON.parse(readFileSync(join(target, files[0] as string), 'utf8'));
    expect(failures).toHaveLength(6);
    expect(failures[0]).toEqual({
      generator: 'one',
      evaluator: 'pocket',
      reason: expect.stringMatching(/^withheld: /),
    });
  } finally {
    failing.remove();
  }
});

test('Hugging Face: valid results whose task is the card ID', async () => {
  const { read, notes } = await run('hf', { dataset: 'owner/benchmark', url: 'https://example.org/card' });
  expect(Object.keys(read)).toEqual([
    'functional/.eval_results/synthetic.yaml',
    'a-b-script-/.eval_results/synthetic.yaml',
  ]);
  const results = huggingFaceRules.parse(parse(Object.values(read)[0] as string));
  expect(results[0]?.dataset).toEqual({
    id: 'owner/benchmark',
    task_id: `pocket/${fixture.card.evaluators[0]!.cardId}`,
    revision: fixture.card.evidenceHash,
  });
  expect(notes).toEqual([]);
});

test('Croissant 1.1: valid metadata whose addresses lead to files of the stated hash', async () => {
  const { read, target, notes } = await run('croissant', { license: 'https://spdx.org/licenses/CC0-1.0.html' });
  const metadata = croissantRules.parse(JSON.parse(read['croissant.json'] as string));
  expect(metadata.distribution).toHaveLength(
    1 + fixture.manifest.inputs.filter((record) => record.role === 'scene').length,
  );
  for (const file of metadata.distribution)
    expect(sha256(readFileSync(resolve(target, file.contentUrl)))).toBe(file.sha256);
  const ids = [...metadata.distribution, ...metadata.recordSet, ...metadata.recordSet.flatMap((set) => set.field)].map(
    (item) => item['@id'],
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(notes).toEqual([
    'url is not stated: an audit does not know it',
    'creator is not stated: an audit does not know it',
  ]);
});

test('paper: estimates, rows, tables, methods and BibTeX', async () => {
  const { read } = await run('paper');
  expect(Object.keys(read)).toEqual(['estimates.csv', 'scores.csv', 'tables.tex', 'methods.md', 'references.bib']);
  const rows = (read['scores.csv'] as string).trim().split('\n');
  expect(rows).toHaveLength(1 + 3 * 2);
  expect(rows[0]).toBe('generator,score,lower,upper,level,cardId,evaluator,scale,prompts,because');
});

test('an export repeats byte for byte and writes nowhere else', async () => {
  const before = readdirSync(fixture.root, { recursive: true, encoding: 'utf8' }).sort();
  const { read: first } = await run('eee');
  expect((await run('eee')).read).toEqual(first);
  expect(readdirSync(fixture.root, { recursive: true, encoding: 'utf8' }).sort()).toEqual(before);
  for (const path of Object.keys(first))
    expect(resolve(out, 'eee', dirname(path)).startsWith(join(out, 'eee'))).toBe(true);
});

test('an unknown kind is named', async () => {
  await expect(exportKind('pdf', fixture.folder, out)).rejects.toThrow(
    'export: unknown kind "pdf"; expected one of in-toto, eee, hf, croissant, paper',
  );
});

test('Parquet: the raw tables and the estimates, to the last digit', async () => {
  const { target, files } = await run('parquet');
  expect(files).toEqual(['scores.parquet', 'estimates.parquet']);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
  const scores = join(target, 'scores.parquet');
  expect(await ask(`SELECT evaluator, count(*)::INTEGER FROM '${scores}' GROUP BY ALL ORDER BY ALL`)).toEqual(
    fixture.manifest.evaluators
      .map(
        ({ id, raw }) => [id, readFileSync(join(fixture.folder, raw), 'utf8').trim().split('\n').length - 1] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const { value } = fixture.estimates.evaluators[0]!.peakRho;
  expect(
    await ask(`SELECT value FROM '${join(target, 'estimates.parquet')}' WHERE pointer = '/evaluators/0/peakRho'`),
  ).toEqual([[value]]);
  expect(await ask(`SELECT typeof(score), typeof(level) FROM '${scores}' LIMIT 1`)).toEqual([['DOUBLE', 'VARCHAR']]);
});
