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
<details class="more" id="all-estimates"><summary>${context.rows.length} estimates</summary><div class="scroll" tabindex="0" role="region" aria-label="Estimates"><table class="stack"><thead><tr><th scope="col">Evaluator</th><th scope="col">Quantity</th><th scope="col">Of</th><th class="num" scope="col">Value</th><th class="num" scope="col">Interval</th><th class="num" scope="col">n</th><th class="num" scope="col">Left out</th><th scope="col">Method and place in estimates.json</th></tr></thead><tbody>${context.rows.map(
      (row) =>
        html`<tr id="${anchorOf(row.pointer)}"><td data-h="Evaluator">${name(row.evaluator)}</td><td data-h="Quantity">${row.quantity}</td><td data-h="Of">${name(row.of)}</td><td class="num" data-h="Value">${row.value === null ? '–' : formatNumber(row.value, Number.isInteger(row.value) ? { digits: 0 } : digits)}</td><td class="num" data-h="Interval">${row.lower === null && row.upper === null && !row.unbounded ? '–' : `[${formatNumber(row.lower, digits)}, ${row.unbounded ? 'unbounded' : formatNumber(row.upper, digits)}]`}</td><td class="num" data-h="n">${row.n ?? '–'}</td><td class="num" data-h="Left out">${row.excluded ?? '–'}</td><td data-h="Method"><span>${row.value === null ? row.undefinedBecause : row.method}<br><code>${row.pointer}</code></span></td></tr>`,
    )}</tbody></table></div></details>`,
  };
}
