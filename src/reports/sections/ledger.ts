import { formatCount, formatNumber } from '../../cards/format-number.ts';
import { htmlTable } from '../../cards/render-card-html.ts';
import { partlyWithheld, withheldBecause } from '../../cards/withheld.ts';
import { OUTCOME_STATUSES } from '../../core/outcome.ts';
import { type Html, html, name, trusted } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import type { ReportSection } from './section.ts';

const LISTED_LEVELS = 40;

/** What became of every planned outcome, evaluator by evaluator, and where the missing ones lie. */
export function ledger(context: ReportContext): ReportSection {
  const evaluators = context.estimates.evaluators;
  const holes = evaluators
    .flatMap((entry) =>
      entry.factors.flatMap((factor) =>
        factor.perLevel
          .filter((level) => level.missing > 0)
          .map((level) => ({ evaluator: entry.evaluator, factor: factor.factor, ...level })),
      ),
    )
    .sort((a, b) => b.missing - a.missing);
  return {
    id: 'ledger',
    title: 'Ledger',
    body: html`<p>Every planned outcome ends in exactly one state. A failure is never a number.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Ledger"><table class="stack"><thead><tr><th scope="col">Evaluator</th><th class="num" scope="col">planned</th>${OUTCOME_STATUSES.map((status) => html`<th class="num" scope="col">${status}</th>`)}<th class="num" scope="col">missing</th><th class="num" scope="col">lost scenes</th></tr></thead><tbody>${evaluators.map(
      (entry) =>
        html`<tr><th scope="row" data-h="Evaluator"><span>${name(entry.evaluator)}${withheldBecause(entry) !== null ? html` <span class="status status-withheld">withheld</span>` : partlyWithheld(entry).length > 0 ? html` <span class="status status-withheld">partly withheld</span>` : ''}</span></th><td class="num" data-h="planned">${context.number(entry, 'ledger/planned', entry.ledger.planned, { digits: 0 })}</td>${OUTCOME_STATUSES.map((status) => html`<td class="num" data-h="${status}">${context.number(entry, `ledger/${status}`, entry.ledger[status], { digits: 0 })}</td>`)}<td class="num" data-h="missing">${formatNumber(entry.missing.cells.share, { percent: true })}</td><td class="num" data-h="lost scenes">${formatCount(entry.missing.scenes.lost)} of ${formatCount(entry.missing.scenes.planned)}</td></tr>`,
    )}</tbody></table></div>
<p class="limits">An estimate is withheld when more than ${formatNumber(context.estimates.maxMissing, { percent: true })} of the cells, scenes or prompts it rests on have no score.</p>
${
  holes.length === 0
    ? html`<p>No level of any factor misses a score.</p>`
    : html`<h3>Where scores are missing</h3><div class="scroll" tabindex="0" role="region" aria-label="Missing scores by level"><table><thead><tr><th scope="col">Evaluator</th><th scope="col">Factor</th><th scope="col">Level</th><th class="num" scope="col">Missing</th><th scope="col"></th></tr></thead><tbody>${holes.slice(0, LISTED_LEVELS).map((hole) => html`<tr><td>${name(hole.evaluator)}</td><td>${hole.factor}</td><td>${name(hole.level)}</td><td class="num">${formatNumber(hole.missing, { percent: true })}</td><td>${hole.removed ? 'removed from rankings and contrasts' : ''}</td></tr>`)}</tbody></table></div>${holes.length > LISTED_LEVELS ? html`<p class="note">${holes.length - LISTED_LEVELS} more levels miss scores.</p>` : null}`
}${zeros(context)}`,
  };
}

/** Stored zeros of imported tables, which may be failures; nothing without any. */
function zeros(context: ReportContext): Html | null {
  const found = context.estimates.evaluators.filter((entry) => (entry.zeroSensitivity?.zeros ?? 0) > 0);
  if (found.length === 0) return null;
  return html`<h3>Zeros that may be failures</h3><p>An imported table may hold a zero where a measurement failed. Recomputed with the zeros missing:</p>${found.map(
    (entry) => {
      const zero = entry.zeroSensitivity;
      return html`<h4>${name(entry.evaluator)}: ${formatCount(zero?.zeros ?? 0)} zeros, ${formatCount(zero?.atDefault ?? 0)} at the default</h4>${trusted(
        htmlTable({
          head: ['Factor', 'Dispersion', 'rho', 'W'],
          numeric: [false, true, true, true],
          rows: (zero?.recomputed ?? []).map((row) => [
            row.factor,
            formatNumber(row.dispersion, { percent: true }),
            formatNumber(row.rho),
            formatNumber(row.kendallW),
          ]),
        }),
      )}`;
    },
  )}`;
}
