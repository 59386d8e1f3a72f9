import { type Ledger, OUTCOME_STATUSES } from '../core/outcome.ts';
import type { AnalysisOptions } from './analysis-options.ts';
import { firstRows } from './first-rows.ts';
import type { ScoreTable } from './score-table.ts';

/**
 * Distinct trials of every evaluator by state. Rows with the same scene, image, caption and repeat are one trial (a level equal
 * to the default shares c0's outcome), except under evaluator factors, which change the trial without changing what it reads.
 * Without keys a level equal to the default is c0, and every other cell is a trial of its own. A scored row of a trial wins.
 */
export function tableLedger(table: ScoreTable, options: AnalysisOptions): Ledger[] {
  const aliases = new Map<string, string>();
  for (const { factor, at, defaultLevel } of options.factors)
    if (at === null && defaultLevel !== null) aliases.set(factor, defaultLevel);
  const ofEvaluator = new Set(options.factors.filter(({ kind }) => kind === 'evaluator').map(({ factor }) => factor));
  const { factor, level, scene, image, caption, generator, prompt } = table.ids;
  const empty = (['scene', 'image', 'caption'] as const).map((column) => table.values[column].indexOf(''));
  const levels = table.values.level.length;
  /** Configuration (0 for c0) where it tells trials apart; generator and prompt where no scene or image does. */
  const place = new Uint32Array(table.rows);
  const owner = new Uint32Array(table.rows);
  for (let row = 0; row < table.rows; row += 1) {
    const name = table.values.factor[factor[row]!]!;
    const isDefault = name === '' || aliases.get(name) === table.values.level[level[row]!];
    const hasPicture = scene[row] !== empty[0] || image[row] !== empty[1];
    const hasKeys = hasPicture || caption[row] !== empty[2];
    if (!isDefault && (!hasKeys || ofEvaluator.has(name))) place[row] = 1 + factor[row]! * levels + level[row]!;
    if (!hasPicture) owner[row] = 1 + generator[row]! * table.values.prompt.length + prompt[row]!;
  }
  const first = firstRows([table.ids.evaluator, scene, image, caption, place, owner, table.repeat], table.rows);
  const status = new Uint8Array(table.rows).fill(255);
  for (let row = 0; row < table.rows; row += 1)
    status[first[row]!] = Math.min(status[first[row]!]!, table.status[row]!);
  const ledgers = new Map(
    options.evaluators.map(({ evaluator }) => [
      evaluator,
      { planned: 0, scored: 0, failed: 0, refused: 0, unparseable: 0, skipped: 0 },
    ]),
  );
  for (let row = 0; row < table.rows; row += 1) {
    if (first[row] !== row) continue;
    const ledger = ledgers.get(table.values.evaluator[table.ids.evaluator[row]!]!);
    if (ledger === undefined) continue;
    ledger.planned += 1;
    ledger[OUTCOME_STATUSES[status[row]!]!] += 1;
  }
  return [...ledgers.values()];
}
