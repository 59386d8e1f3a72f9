import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readManifest } from '../cards/read-results.ts';
import { hashFile, hashJson, sha256 } from '../core/hash.ts';
import { compareText } from '../core/json.ts';
import { writeWhole } from '../core/write-file.ts';

/**
 * Builds the report of a results folder and writes `report.html` and its assets into it; returns the path of the page.
 * A report that was made by this program from these very files is left as it is.
 *
 * @throws AuditError when the folder is not a results folder, or one of its files is missing or invalid.
 */
export async function writeReport(resultsFolder: string): Promise<string> {
  const folder = resolve(resultsFolder);
  const path = join(folder, 'report.html');
  const key = `<!-- parallax report ${await reportKey(folder)} -->\n`;
  if (isCurrent(path, key) && existsSync(join(folder, 'estimates.csv'))) return path;
  // Loaded late: the drawing library alone takes longer than finding out that there is nothing to do.
  const { buildReport } = await import('./build-report.ts');
  const report = await buildReport(folder);
  for (const [name, content] of Object.entries(report.assets)) writeWhole(join(folder, name), content);
  writeWhole(path, `${report.html}${key}`);
  return path;
}

/** Everything a report depends on: what the results folder holds, and the program that lays it out. */
async function reportKey(folder: string): Promise<string> {
  const manifest = readManifest(folder);
  const read = [
    'manifest.json',
    'estimates.json',
    'images/index.json',
    ...manifest.evaluators.map((entry) => entry.raw),
  ];
  const inputs: string[] = [];
  for (const name of read) {
    const file = join(folder, name);
    inputs.push(`${name} ${existsSync(file) ? await hashFile(file) : 'missing'}`);
  }
  return hashJson({ inputs, program: programHash() });
}

function programHash(): string {
  const parts = ['reports', 'cards'].flatMap((part) => {
    const root = join(import.meta.dirname, '..', part);
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(js|ts)$/.test(name))
      .sort(compareText)
      .map((name) => `${part}/${name} ${sha256(readFileSync(join(root, name)))}`);
  });
  return hashJson(parts);
}

function isCurrent(path: string, key: string): boolean {
  return existsSync(path) && readFileSync(path, 'utf8').endsWith(key);
}
