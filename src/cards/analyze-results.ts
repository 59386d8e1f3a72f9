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
import { withJudging } from './judging-estimates.ts';
import { readManifest } from './read-results.ts';

/**
 * Every estimate of a results folder from its raw tables and manifest alone; nothing is written.
 *
 * @throws AuditError when a file is missing or malformed.
 */
export async function estimateResults(folder: string, settings: AnalysisSettings = {}): Promise<Estimates> {
  const manifest = readManifest(folder);
  const table = await readScoreTable(manifest.evaluators.map(({ raw }) => join(folder, raw)));
  const measured = settings.luminance ?? (await readLuminance(join(folder, 'images.csv')));
  const luminance = withCombined(measured, table.values.image);
  const options = optionsFromManifest(manifest, table, { ...settings, luminance });
  return await withJudging(folder, manifest, table, await analyze(table, options), options);
}

/** A question about several pictures has their mean luminance. */
function withCombined(luminance: ReadonlyMap<string, number>, images: readonly string[]): Map<string, number> {
  const combined = new Map(luminance);
  for (const image of images) {
    if (!image.includes(' ')) continue;
    const known = image.split(' ').flatMap((key) => luminance.get(key) ?? []);
    if (known.length === image.split(' ').length)
      combined.set(image, known.reduce((sum, value) => sum + value, 0) / known.length);
  }
  return combined;
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
