import { renderCardHtml } from '../../cards/render-card-html.ts';
import { html, trusted } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import type { ReportSection } from './section.ts';

/** The Evaluator Configuration Card itself. */
export function cards(context: ReportContext): ReportSection {
  return {
    id: 'cards',
    title: 'Evaluator Configuration Card',
    body: html`<p>Report a score as (generator, score, card ID): two scores compare only under one card ID. The contract alone makes the ID; what was measured is bound to the data by the evidence hash <code>${context.card.evidenceHash}</code>.</p>${trusted(renderCardHtml(context.card, true))}`,
  };
}
