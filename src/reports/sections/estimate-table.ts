import { formatNumber } from '../../cards/format-number.ts';
import { html, name } from '../html.ts';
import { anchorOf, type ReportContext } from '../report-context.ts';
import type { ReportSection } from './section.ts';

/** Every estimate on a line: where the numbers of the report lead. */
export function estimateTable(context: ReportContext): ReportSection {
  const digits = { digits: 4 } as const;
  return {
    id: 'estimates',
    title: 'Estimates',
    body: html`<p>Each line is one number of <a href="estimates.json">estimates.json</a>; the same lines are in <a href="estimates.csv">estimates.csv</a>.${context.rowsLeftOut > 0 ? ` ${context.rowsLeftOut} more stand only there.` : ''}</p>
<details class="more" id="all-estimates"><summary>${context.rows.length} estimates</summary><div class="scroll" tabindex="0" role="region" aria-label="Estimates"><table><thead><tr><th scope="col">Evaluator</th><th scope="col">Quantity</th><th scope="col">Of</th><th class="num" scope="col">Value</th><th class="num" scope="col">Interval</th><th class="num" scope="col">n</th><th class="num" scope="col">Left out</th><th scope="col">Method</th></tr></thead><tbody>${context.rows.map(
      (row) =>
        html`<tr id="${anchorOf(row.pointer)}"><td>${name(row.evaluator)}</td><td>${row.quantity}</td><td>${name(row.of)}</td><td class="num">${row.value === null ? '–' : formatNumber(row.value, Number.isInteger(row.value) ? { digits: 0 } : digits)}</td><td class="num">${row.lower === null && row.upper === null && !row.unbounded ? '–' : `[${formatNumber(row.lower, digits)}, ${row.unbounded ? 'unbounded' : formatNumber(row.upper, digits)}]`}</td><td class="num">${row.n ?? '–'}</td><td class="num">${row.excluded ?? '–'}</td><td>${row.value === null ? row.undefinedBecause : row.method}</td></tr>`,
    )}</tbody></table></div></details>`,
  };
}
