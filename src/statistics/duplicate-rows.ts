import { AuditError } from '../core/errors.ts';
import { firstRows } from './first-rows.ts';
import type { ScoreTable } from './score-table.ts';

/**
 * Requires that no two rows share (evaluator, generator, prompt, factor, level, repeat).
 *
 * @throws AuditError naming both lines of the first duplicate in table order.
 */
export function requireUniqueRows(table: ScoreTable): void {
  const { evaluator, generator, prompt, factor, level } = table.ids;
  const first = firstRows([evaluator, generator, prompt, factor, level, table.repeat], table.rows);
  for (let row = 0; row < table.rows; row += 1) {
    const held = first[row]!;
    if (held === row) continue;
    const shown = (['evaluator', 'generator', 'prompt', 'factor', 'level'] as const)
      .map((column) => table.values[column][table.ids[column][row]!])
      .join(',');
    throw new AuditError(
      `${table.files[table.file[row]!]}:${table.line[row]}: duplicate key "${shown},${table.repeat[row]}" in columns evaluator, generator, prompt, factor, level, repeat (first on line ${table.line[held]} of ${table.files[table.file[held]!]}); expected each key once`,
    );
  }
}
