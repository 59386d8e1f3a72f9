import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AuditError, messageOf } from '../core/errors.ts';
import type { ScoresSpec } from '../core/evaluator-spec.ts';
import { sha256 } from '../core/hash.ts';
import type { Outcome } from '../core/outcome.ts';
import type { ScoresEvaluator } from './evaluator.ts';
import { readScoreRows } from './score-rows.ts';

type Cell = Parameters<ScoresEvaluator['lookup']>[0];

function cellKey(cell: Cell): string {
  return JSON.stringify([cell.generator, cell.prompt, cell.factor, cell.level, cell.repeat]);
}

/**
 * A finished score table as an evaluator: cells are looked up, nothing is computed. Rows of other evaluators in the same file are
 * left alone, so one file may serve several entries. A cell without a row is `skipped` with the reason.
 *
 * @throws AuditError for an unreadable or invalid table, a table without rows of this evaluator, a score outside the
 * declared scale.
 */
export async function createScores(spec: ScoresSpec, context: { readonly folder: string }): Promise<ScoresEvaluator> {
  if (spec.file === undefined)
    throw new AuditError(
      `${spec.id}: missing "file"; expected a CSV score table (without one this entry only counts in a plan)`,
      { code: 'MISSING_FILE' },
    );
  const shown = spec.file;
  const path = resolve(context.folder, spec.file);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    throw new AuditError(
      `${shown}: cannot be read (${messageOf(error, 120)}); expected the score table of "${spec.id}"`,
      {
        code: 'MISSING_FILE',
        cause: error,
      },
    );
  }
  const all = readScoreRows(bytes, shown);
  const rows = all.filter((row) => row.evaluator === spec.id);
  if (rows.length === 0)
    throw new AuditError(
      `${shown}: no row of evaluator "${spec.id}"; expected one of ${
        [...new Set(all.map((row) => row.evaluator))].slice(0, 8).join(', ') || 'at least one row'
      } as the entry's id`,
    );
  const scale = spec.scale ?? { name: 'unstated', min: null, max: null };
  const outcomes = new Map<string, Outcome>();
  for (const row of rows) {
    const { outcome } = row;
    if (
      outcome.status === 'scored' &&
      ((scale.min !== null && outcome.value < scale.min) || (scale.max !== null && outcome.value > scale.max))
    )
      throw new AuditError(
        `${shown}:${row.line}: column "score": ${outcome.value} is outside the declared scale; expected ${scale.min ?? '-infinity'} to ${scale.max ?? 'infinity'}`,
      );
    outcomes.set(cellKey(row), outcome);
  }
  const table = sha256(bytes);
  return {
    id: spec.id,
    kind: 'scores',
    role: spec.role ?? 'alignment',
    table,
    files: [{ path, role: 'scores' }],
    fingerprint: { kind: 'scores', evaluator: spec.id, table, scale },
    environment: {},
    scale,
    // What it was made from is not known, so every render and caption factor applies to it.
    reads: { image: true, caption: true, scene: false },
    lookup(cell) {
      return (
        outcomes.get(cellKey(cell)) ?? {
          status: 'skipped',
          reason: `no row in ${shown} for ${cell.generator}, ${cell.prompt}, ${
            cell.factor === '' ? 'the default configuration' : `${cell.factor} ${cell.level}`
          }${cell.repeat > 0 ? `, repeat ${cell.repeat}` : ''}`,
        }
      );
    },
    async close() {},
  };
}
