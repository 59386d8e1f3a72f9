import { formatEstimate, formatNumber } from '../../cards/format-number.ts';
import { envelopesWithheld } from '../../cards/withheld.ts';
import { type Envelope, type EvaluatorEstimates, isMeasured } from '../../core/estimates.ts';
import { type EnvelopeRow, marginEnvelopes } from '../charts/margin-envelopes.ts';
import { drawFigure } from '../figure.ts';
import { type Html, html, name } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import { chartedEvaluators, type ReportSection, shownEvaluators } from './section.ts';

/** Pairs one chart holds: those closest at the default, where an order is easiest to turn. */
const CHARTED_PAIRS = 30;

/** The range of every pair's margin over the declared configurations. */
export async function margins(context: ReportContext): Promise<ReportSection> {
  const evaluators = shownEvaluators(context).filter(
    (entry) => entry.envelopes.length > 0 && envelopesWithheld(entry) === null,
  );
  const body: Html[] = [];
  if (evaluators.length === 0) body.push(html`<p>Not measured: there is no pair of generators with estimates.</p>`);
  for (const [index, entry] of evaluators.slice(0, chartedEvaluators(context)).entries()) {
    const figure = await envelopeFigure(context, entry);
    body.push(
      index < 2
        ? figure
        : html`<details class="more"><summary>${name(entry.evaluator)}: ${entry.strictPairs} of ${entry.envelopes.length} strict</summary>${figure}</details>`,
    );
  }
  if (evaluators.length > chartedEvaluators(context))
    body.push(
      html`<p class="note">${evaluators.slice(chartedEvaluators(context)).map((entry, index) => html`${index === 0 ? '' : '; '}${name(entry.evaluator)}: ${context.number(entry, 'strictPairs', entry.strictPairs, { digits: 0 })} of ${entry.envelopes.length} strict`)}.</p>`,
    );
  return { id: 'margins', title: 'Margins between generators', body: html`${body}` };
}

async function envelopeFigure(context: ReportContext, entry: EvaluatorEstimates): Promise<Html> {
  const known = entry.envelopes.flatMap((envelope, index) => rowOf(context, entry, envelope, index));
  const closest = [...known]
    .sort((a, b) => Math.abs(a.baseline ?? 0) - Math.abs(b.baseline ?? 0))
    .slice(0, CHARTED_PAIRS);
  const rows = closest.sort((a, b) => (b.baseline ?? 0) - (a.baseline ?? 0));
  const left = known.length - rows.length;
  return drawFigure({
    id: `fig-margins-${context.estimates.evaluators.indexOf(entry)}`,
    title: `${entry.evaluator}: ${entry.strictPairs} of ${entry.envelopes.length} pairs keep their order`,
    text: `The bar is the range of the mean margin over the default and every shared level; the dot is the margin at the default with its ${formatNumber(context.estimates.level, { percent: true, digits: 0 })} interval. Bars that reach zero change the order of the pair.${left > 0 ? ` Shown: the ${rows.length} pairs closest at the default; ${left} more in the table.` : ''}`,
    chart: (width) => marginEnvelopes(rows, width),
    choices: [{ label: 'Generator', field: 'generators', values: rows.flatMap((row) => [...row.generators]) }],
    table: {
      head: ['Pair', 'Margin at default', 'Smallest', 'at', 'Largest', 'at', 'Order'],
      numeric: [false, true, true, false, true, false, false],
      rows: entry.envelopes.map((envelope) => [
        envelope.pair.join(' − '),
        formatEstimate(envelope.baseline, { digits: 3 }),
        formatNumber(envelope.min, { digits: 3 }),
        place(envelope.minAt),
        formatNumber(envelope.max, { digits: 3 }),
        place(envelope.maxAt),
        verdict(envelope),
      ]),
    },
  });
}

function rowOf(context: ReportContext, entry: EvaluatorEstimates, envelope: Envelope, index: number): EnvelopeRow[] {
  const { min, max, baseline } = envelope;
  if (min === null || max === null) return [];
  const measured = isMeasured(baseline);
  return [
    {
      pair: envelope.pair.join(' − '),
      generators: envelope.pair,
      min,
      max,
      baseline: measured ? baseline.value : null,
      lower: measured ? baseline.lower : null,
      upper: measured ? baseline.upper : null,
      strict: verdict(envelope),
      ...context.mark(
        entry,
        `envelopes/${index}/baseline`,
        `${envelope.pair.join(' − ')}: ${formatNumber(min, { digits: 3 })} (${place(envelope.minAt)}) to ${formatNumber(max, { digits: 3 })} (${place(envelope.maxAt)}), ${verdict(envelope)}; ${formatEstimate(baseline, { digits: 3 })} at the default`,
      ),
    },
  ];
}

function verdict(envelope: Envelope): EnvelopeRow['strict'] {
  return envelope.strict === null ? 'undecided' : envelope.strict ? 'strict' : 'touches zero';
}

function place(at: Envelope['minAt']): string {
  return at === null ? '–' : at.factor === '' ? 'default' : `${at.factor} ${at.level}`;
}
