import { stringify } from 'yaml';
import type { Card } from '../../core/card.ts';
import { citedRows } from '../cite-card.ts';
import { formatNumber } from '../format-number.ts';

/** What an audit cannot know and the hub asks for. */
export interface HuggingFaceOptions {
  /** Dataset repository that holds the benchmark, `owner/name`. */
  readonly dataset?: string | undefined;
  /** Address of the published card or report. */
  readonly url?: string | undefined;
  /** Date of the evaluation, YYYY-MM-DD. */
  readonly date?: string | undefined;
}

/**
 * Hugging Face evaluation results, one `.eval_results/<audit>.yaml` a generator, to be put into the generator's model
 * repository. The task is the card ID: a value without it says nothing. Rows without a score are left out.
 */
export function huggingFaceFiles(card: Card, options: HuggingFaceOptions = {}): Record<string, string> {
  const files: Record<string, string> = {};
  const rows = citedRows(card).filter((row) => row.score !== null);
  const level = formatNumber(card.statistics.level, { percent: true, digits: 0 });
  for (const generator of card.data.generators) {
    const results = rows
      .filter((row) => row.generator === generator)
      .map((row) => ({
        dataset: {
          id: options.dataset ?? card.audit.name,
          task_id: `${row.evaluator}/${row.cardId}`,
          revision: card.evidenceHash,
        },
        value: row.score,
        ...(options.date === undefined ? {} : { date: options.date }),
        ...(options.url === undefined
          ? {}
          : { source: { url: options.url, name: `Evaluator Configuration Card ${row.cardId}` } }),
        notes: `${card.draft ? 'DRAFT, partial run. ' : ''}${row.scale}, ${row.prompts} prompts${row.lower === null || row.upper === null ? '' : `, ${level} interval [${formatNumber(row.lower, { digits: 4 })}, ${formatNumber(row.upper, { digits: 4 })}]`}, card ${row.cardId}`,
      }));
    if (results.length > 0)
      files[`${safeName(generator)}/.eval_results/${safeName(card.audit.name)}.yaml`] = stringify(results, {
        lineWidth: 0,
      });
  }
  return files;
}

function safeName(name: string): string {
  return name.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^\.+/, '') || 'name';
}
