import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { z } from 'zod';
import { type Card, cardSchema } from '../core/card.ts';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { type Estimates, estimatesSchema } from '../core/estimates.ts';
import { type Manifest, manifestSchema } from '../core/manifest.ts';

/** A results folder as card and report read it. */
export interface Results {
  /** Absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
  readonly estimates: Estimates;
}

const LARGEST = 512 * 1024 * 1024;

/**
 * Manifest and estimates of a results folder, validated.
 *
 * @throws AuditError naming the file that is missing or invalid.
 */
export function readResults(folder: string): Results {
  const absolute = resolve(folder);
  return {
    folder: absolute,
    manifest: readManifest(absolute),
    estimates: readValidated(
      join(absolute, 'estimates.json'),
      estimatesSchema,
      'run `parallax analyze` on this folder first',
    ),
  };
}

/** The manifest of a results folder. */
export function readManifest(folder: string): Manifest {
  return readValidated(join(folder, 'manifest.json'), manifestSchema, 'expected a results folder of `parallax run`');
}

/** A card file, or the `card.json` of a results folder. */
export function readCard(path: string): { card: Card; path: string; folder: string } {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, 'card.json') : path;
  const card = readValidated(file, cardSchema, 'run `parallax card` on the results folder first');
  return { card, path: resolve(file), folder: dirname(resolve(file)) };
}

function readValidated<Shape extends z.ZodType>(path: string, schema: Shape, hint: string): z.infer<Shape> {
  const shown = join(basename(dirname(path)), basename(path));
  let text: string;
  try {
    if (statSync(path).size > LARGEST)
      throw new AuditError(`${shown}: file of ${statSync(path).size} bytes is too large; expected at most ${LARGEST}`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof AuditError) throw error;
    throw new AuditError(`${shown}: missing or unreadable file; expected a readable JSON file`, {
      code: 'MISSING_FILE',
      hint,
      cause: error,
    });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new AuditError(`${shown}: invalid JSON (${messageOf(error, 200)}); expected a JSON object`, { cause: error });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue === undefined || issue.path.length === 0 ? '$' : issue.path.map(String).join('.');
  // Zod says "Invalid input: expected string, received undefined", or "Invalid input" alone for a union.
  const wanted = (issue?.message ?? '').replace(/^Invalid input(: expected )?/, '');
  throw new AuditError(`${shown}: invalid value at ${quoted(place)}; expected ${wanted || 'another shape'}`, { hint });
}
