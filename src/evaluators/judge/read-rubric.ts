import { existsSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AuditError, quoted } from '../../core/errors.ts';
import { hashJson } from '../../core/hash.ts';
import { compareText, type Json } from '../../core/json.ts';
import { readYamlFile } from '../../core/yaml-file.ts';
import { type RubricContent, rubricSchema } from './rubric.ts';

/** A rubric and where it came from. */
export interface Rubric extends RubricContent {
  /** SHA-256 of the canonical JSON of its content: comments and layout of the file do not matter. */
  readonly sha256: string;
  readonly file: string;
}

/** Folder of the shipped rubrics. */
export const RUBRIC_FOLDER = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'grammars', 'rubrics');

/** Ids of the shipped rubrics, in order. */
export function shippedRubrics(): string[] {
  return readdirSync(RUBRIC_FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -5))
    .sort(compareText);
}

/**
 * Reads a rubric: a shipped id such as `direct-0-100`, or the path of a YAML file relative to `folder` (the audit file's).
 *
 * @throws AuditError for an unknown id, a missing file, or a file that is not a rubric (with line and column).
 */
export function readRubric(name: string, folder = '.'): Rubric {
  const isId = /^[a-z0-9][a-z0-9-]*$/.test(name);
  const file = isId ? join(RUBRIC_FOLDER, `${name}.yaml`) : isAbsolute(name) ? name : resolve(folder, name);
  if (isId && !existsSync(file))
    throw new AuditError(
      `rubric: unknown rubric ${quoted(name)}; expected one of ${shippedRubrics().join(', ')}, or a path to a .yaml file`,
      { code: 'MISSING_FILE' },
    );
  const content = readYamlFile(file, rubricSchema, isId ? `grammars/rubrics/${name}.yaml` : name);
  return { ...content, sha256: hashJson(content as unknown as Json), file };
}
