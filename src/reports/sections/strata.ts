import { formatEstimate } from '../../cards/format-number.ts';
import { htmlTable } from '../../cards/render-card-html.ts';
import { isMeasured } from '../../core/estimates.ts';
import { html, trusted } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import { type ReportSection, shownEvaluators } from './section.ts';

/** The same questions within each stratum of prompts (their source benchmark, say); null without strata. */
export function strata(context: ReportContext): ReportSection | null {
  const evaluators = shownEvaluators(context).filter((entry) => entry.strata.length > 0);
  if (evaluators.length === 0) return null;
  const table = {
    head: ['Evaluator', 'Stratum', 'Prompts', 'First at c0', 'Scores at c0', 'Peak rho', 'Factor'],
    numeric: [false, false, true, false, false, true, false],
    rows: evaluators.flatMap((entry) =>
      entry.strata.map((stratum) => [
        entry.evaluator,
        stratum.stratum,
        String(stratum.prompts),
        stratum.winner ?? 'tied',
        stratum.generators
          .slice(0, 8)
          .map(({ generator, score }) => `${generator} ${isMeasured(score) ? score.value.toFixed(2) : '–'}`)
          .join(', '),
        formatEstimate(stratum.peakRho),
        stratum.peakRho.factor ?? '–',
      ]),
    ),
  };
  return {
    id: 'strata',
    title:
      context.estimates.strataColumn === null
        ? 'By stratum of prompts'
        : `By ${context.estimates.strataColumn} of the prompts`,
    body: html`<p>Strata hold fewer prompts, so their intervals are wider; nothing here is tested between strata.</p>${trusted(htmlTable(table))}`,
  };
}
