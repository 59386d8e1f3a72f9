import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Estimates } from '../../core/estimates.ts';
import type { Manifest } from '../../core/manifest.ts';
import { estimatesCsv } from '../estimates-csv.ts';

/**
 * Writes the raw tables of all evaluators as one `scores.parquet` and every estimate as `estimates.parquet` (zstd), for
 * pandas, Polars, R or DuckDB; returns the names of the files. Ids and levels stay text; scores are doubles, null where nothing was scored.
 */
export async function writeParquet(
  folder: string,
  manifest: Manifest,
  estimates: Estimates,
  target: string,
): Promise<string[]> {
  mkdirSync(target, { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), 'parallax-parquet-'));
  // One thread, so that rows keep the order of the query; nothing is fetched.
  const written: string[] = [];
  const instance = await DuckDBInstance.create(':memory:', { threads: '1', autoinstall_known_extensions: 'false' });
  try {
    const connection = await instance.connect();
    const copy = async (query: string, name: string) => {
      await connection.run(`COPY (${query}) TO ${literal(join(target, name))} (FORMAT parquet, COMPRESSION zstd)`);
      written.push(name);
    };
    const list = join(scratch, 'estimates.csv');
    writeFileSync(list, estimatesCsv(estimates));
    const raw = manifest.evaluators.map((entry) => join(folder, entry.raw));
    if (raw.length > 0)
      await copy(`SELECT * REPLACE (CAST(score AS DOUBLE) AS score) FROM ${table(raw)} ORDER BY ALL`, 'scores.parquet');
    await copy(
      `SELECT * REPLACE (CAST(value AS DOUBLE) AS value, CAST(lower AS DOUBLE) AS lower, CAST(upper AS DOUBLE) AS upper,
        CAST(level AS DOUBLE) AS level, CAST(unbounded AS BOOLEAN) AS unbounded, CAST(n AS BIGINT) AS n, CAST(excluded AS BIGINT) AS excluded) FROM ${table([list])}`,
      'estimates.parquet',
    );
    connection.closeSync();
    return written;
  } finally {
    instance.closeSync();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** CSV files as one table of text; an empty cell is null. */
function table(paths: readonly string[]): string {
  // DuckDB takes *, ? and [ in a path for a pattern.
  const files = paths.map((path) => literal(path.replace(/[*?[]/g, '[$&]')));
  return `read_csv([${files.join(', ')}], header = true, all_varchar = true, union_by_name = true, nullstr = '', quote = '"', escape = '"', delim = ',')`;
}

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
