import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse';
import { AuditError, messageOf } from '../core/errors.ts';
import type { Estimates } from '../core/estimates.ts';
import { prettyJson } from '../core/json.ts';
import { writeWhole } from '../core/write-file.ts';
import { type AnalysisSettings, optionsFromManifest } from '../statistics/analysis-options.ts';
import { analyze } from '../statistics/analyze.ts';
import { readScoreTable } from '../statistics/score-table.ts';
import { readManifest } from './read-results.ts';

/**
 * Every estimate of a results folder from its raw tables and manifest alone; nothing is written.
 *
 * @throws AuditError when a file is missing or malformed.
 */
export async function estimateResults(folder: string, settings: AnalysisSettings = {}): Promise<Estimates> {
  const manifest = readManifest(folder);
  const table = await readScoreTable(manifest.evaluators.map(({ raw }) => join(folder, raw)));
  const luminance = settings.luminance ?? (await readLuminance(join(folder, 'images.csv')));
  return await analyze(table, optionsFromManifest(manifest, table, { ...settings, luminance }));
}

/** As `estimateResults`, and writes `estimates.json`. */
export async function analyzeResults(folder: string, settings: AnalysisSettings = {}): Promise<Estimates> {
  const estimates = await estimateResults(folder, settings);
  writeWhole(join(folder, 'estimates.json'), prettyJson(estimates));
  return estimates;
}

/** Mean foreground luminance by image key, from `images.csv`. */
async function readLuminance(path: string): Promise<Map<string, number>> {
  const luminance = new Map<string, number>();
  try {
    const rows = createReadStream(path).pipe(parse({ columns: true, bom: true }));
    for await (const row of rows as AsyncIterable<Record<string, string>>) {
      const value = row['luminance'] ?? '';
      if (value !== '' && Number.isFinite(Number(value))) luminance.set(row['key'] ?? '', Number(value));
    }
  } catch (error) {
    throw new AuditError(
      `${path}: cannot read the picture list (${messageOf(error)}); expected images.csv of \`parallax run\``,
      {
        code: 'MISSING_FILE',
      },
    );
  }
  return luminance;
}
