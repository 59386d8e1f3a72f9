import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Card } from '../core/card.ts';
import { messageOf } from '../core/errors.ts';
import type { Estimates } from '../core/estimates.ts';
import { hashFile } from '../core/hash.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import type { FileRecord, Manifest } from '../core/manifest.ts';
import { insideFolder } from '../core/paths.ts';
import { packageVersions, sourceRevision } from '../sweep/provenance.ts';
import { estimateResults } from './analyze-results.ts';
import { buildCard } from './build-card.ts';
import { cardIdOf } from './build-contract.ts';
import { readCard, readManifest, readResults } from './read-results.ts';

/** What a verification found. */
export interface Verification {
  /** Anything that contradicts the card, each naming its file or place; empty when the card holds. */
  readonly differences: readonly string[];
  /** What differs without contradicting it: source revision, package versions. */
  readonly notes: readonly string[];
  /** Files whose hash was recomputed. */
  readonly checked: number;
}

/** What is true where the verification runs, to be compared with what the manifest recorded. */
export interface Here {
  readonly source?: Manifest['source'];
  readonly packages?: Manifest['packages'];
}

/** Revision and package versions of the program that runs. */
function hereNow(): Here {
  return { source: sourceRevision(), packages: packageVersions() };
}

/** Differences of numbers that are named one by one. */
const NAMED_DIFFERENCES = 20;

/**
 * Checks a card against everything it rests on: recomputes the hash of every file and input of the manifest, derives the
 * estimates again from the raw tables and compares them to the last digit, and rebuilds contracts, evidence and hashes.
 *
 * @throws AuditError when card, manifest or estimates are missing or cannot be read at all.
 */
export async function verifyCard(cardPath: string, here: Here = hereNow()): Promise<Verification> {
  const { card, folder } = readCard(cardPath);
  const manifest = readManifest(folder);
  const differences: string[] = [];
  let checked = 0;
  for (const record of manifest.files) {
    const difference = await checkFile(insideFolder(folder, record.path, 'manifest.json'), record);
    checked += 1;
    if (difference !== null) differences.push(difference);
  }
  for (const record of manifest.inputs) {
    // Inputs lie outside the results folder (scenes, models), so their paths may go up; only their hash is read.
    const difference = await checkFile(resolve(folder, record.path), record);
    checked += 1;
    if (difference !== null) differences.push(`${difference} (${record.role})`);
  }
  for (const entry of card.evaluators) {
    const { cardId, digest } = cardIdOf(entry.contract);
    if (digest !== entry.digest || cardId !== entry.cardId)
      differences.push(
        `card.json: ${entry.evaluator}: the contract hashes to ${cardId}, the card says ${entry.cardId}`,
      );
  }
  differences.push(...(await checkNumbers(folder, card)));
  return { differences, notes: notesOf(manifest, here), checked };
}

async function checkFile(path: string, record: FileRecord): Promise<string | null> {
  if (!existsSync(path)) return `${record.path}: missing`;
  if (!statSync(path).isFile()) return `${record.path}: not a file`;
  const bytes = statSync(path).size;
  const found = await hashFile(path);
  if (found === record.sha256) return null;
  return `${record.path}: changed (SHA-256 ${found.slice(0, 12)}…, ${bytes} bytes; recorded ${record.sha256.slice(0, 12)}…, ${record.bytes} bytes)`;
}

async function checkNumbers(folder: string, card: Card): Promise<string[]> {
  const { manifest, estimates } = readResults(folder);
  const differences: string[] = [];
  const settings = {
    seed: estimates.seed,
    resamples: estimates.resamples,
    level: estimates.level,
    band: estimates.family.band,
    family: estimates.familyScope,
    interval: estimates.interval,
    maxMissing: estimates.maxMissing,
    cluster: estimates.resampledUnit,
    strata: estimates.strataColumn ?? undefined,
  };
  try {
    const again: Estimates = await estimateResults(folder, settings);
    differences.push(...compare('estimates.json', again as unknown as Json, estimates as unknown as Json));
  } catch (error) {
    differences.push(`estimates.json: cannot be derived again from the raw files (${messageOf(error)})`);
  }
  differences.push(...compare('card.json', buildCard(manifest, estimates) as unknown as Json, card as unknown as Json));
  return differences;
}

/** Names where two JSON values differ, `file#/pointer: here X, recorded Y`, up to a limit. */
function compare(file: string, here: Json, recorded: Json): string[] {
  const found: string[] = [];
  let more = 0;
  const visit = (a: Json | undefined, b: Json | undefined, pointer: string) => {
    const nested = (value: Json | undefined): value is { readonly [key: string]: Json } =>
      typeof value === 'object' && value !== null;
    if (nested(a) && nested(b) && Array.isArray(a) === Array.isArray(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) visit(a[key], b[key], `${pointer}/${key}`);
      return;
    }
    const [left, right] = [textOf(a), textOf(b)];
    if (left === right) return;
    if (found.length < NAMED_DIFFERENCES) found.push(`${file}#${pointer}: derived again ${left}, recorded ${right}`);
    else more += 1;
  };
  visit(here, recorded, '');
  if (more > 0) found.push(`${file}: ${more} more values differ`);
  return found;
}

function textOf(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = canonicalJson(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function notesOf(manifest: Manifest, here: Here): string[] {
  const notes: string[] = [];
  if (here.source !== undefined && manifest.source !== null && here.source?.revision !== manifest.source.revision)
    notes.push(`source revision: recorded ${manifest.source.revision}, here ${here.source?.revision ?? 'unknown'}`);
  if (manifest.source?.dirty === true) notes.push('source revision: recorded with uncommitted changes');
  if (here.packages !== undefined)
    for (const [name, version] of Object.entries(manifest.packages)) {
      const found = here.packages[name];
      if (found !== version) notes.push(`package ${name}: recorded ${version}, here ${found ?? 'not installed'}`);
    }
  return notes;
}

/** Path of the card a results folder or card file names. */
export function cardPathOf(path: string): string {
  return existsSync(path) && statSync(path).isDirectory() ? join(path, 'card.json') : path;
}
