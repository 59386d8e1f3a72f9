import type { ConfigurationLedger } from '../core/judging-estimates.ts';
import { OUTCOME_STATUSES } from '../core/outcome.ts';
import type { ScoreTable } from './score-table.ts';

/**
 * Outcomes of one evaluator by state within every configuration of the table (c0 and probes too), in the table's order of
 * factors and levels, so that failures that depend on the configuration are seen.
 */
export function configurationLedgers(table: ScoreTable, evaluator: string): ConfigurationLedger[] {
  const own = table.values.evaluator.indexOf(evaluator);
  const width = table.values.level.length;
  const ledgers = new Map<number, ConfigurationLedger>();
  for (let row = 0; row < table.rows; row += 1) {
    if (table.ids.evaluator[row] !== own) continue;
    const key = table.ids.factor[row]! * width + table.ids.level[row]!;
    const ledger = ledgers.get(key) ?? {
      factor: table.values.factor[table.ids.factor[row]!]!,
      level: table.values.level[table.ids.level[row]!]!,
      ...{ planned: 0, scored: 0, failed: 0, refused: 0, unparseable: 0, skipped: 0 },
    };
    ledgers.set(key, ledger);
    ledger.planned += 1;
    ledger[OUTCOME_STATUSES[table.status[row]!]!] += 1;
  }
  return [...ledgers].sort(([a], [b]) => a - b).map(([, ledger]) => ledger);
}
