import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { analyzeResults } from '../../src/cards/analyze-results.ts';
import { buildCard } from '../../src/cards/build-card.ts';
import { readResults } from '../../src/cards/read-results.ts';
import { writeCardFiles } from '../../src/cards/write-card-files.ts';
import type { Card } from '../../src/core/card.ts';
import type { Estimates } from '../../src/core/estimates.ts';
import type { Manifest } from '../../src/core/manifest.ts';
import { type SyntheticOptions, writeSyntheticResults } from '../support/synthetic-results.ts';

/** A synthetic results folder with its estimates and card files, in a temporary folder of its own. */
export interface ResultsFixture {
  readonly root: string;
  readonly folder: string;
  readonly manifest: Manifest;
  readonly estimates: Estimates;
  readonly card: Card;
  remove(): void;
}

export async function resultsFixture(options: SyntheticOptions = {}): Promise<ResultsFixture> {
  const root = mkdtempSync(join(tmpdir(), 'parallax-card-'));
  const folder = await writeSyntheticResults(root, { prompts: 4, templates: 4, resamples: 100, ...options });
  await analyzeResults(folder);
  const { manifest, estimates } = readResults(folder);
  const card = buildCard(manifest, estimates);
  writeCardFiles(folder, card);
  return { root, folder, manifest, estimates, card, remove: () => rmSync(root, { recursive: true, force: true }) };
}
