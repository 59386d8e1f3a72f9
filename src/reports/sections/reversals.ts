import { formatCount, formatNumber, plural } from '../../cards/format-number.ts';
import { envelopesWithheld } from '../../cards/withheld.ts';
import type { EvaluatorEstimates, Reversal } from '../../core/estimates.ts';
import { type ReversalSide, reversalIntervals } from '../charts/reversal-intervals.ts';
import { drawFigure } from '../figure.ts';
import { type Html, html, name } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import { chartedEvaluators, type ReportSection, shownEvaluators } from './section.ts';

const CHARTED_REVERSALS = 10;

/** Pairs whose order turns between two levels of one factor, confirmed ones apart from descriptive ones. */
export async function reversals(context: ReportContext): Promise<ReportSection> {
  const evaluators = shownEvaluators(context).filter(
    (entry) => entry.envelopes.length > 0 && envelopesWithheld(entry) === null,
  );
  const body: Html[] = [];
  const { family } = context.estimates;
  if (evaluators.length === 0) body.push(html`<p>Not measured: there is no pair of generators with estimates.</p>`);
  else
    body.push(
      html`<p>A reversal is one pair, one factor and two levels whose intervals exclude zero on opposite sides. Searched: ${plural(family.contrasts, 'contrast')}${family.excluded + family.degenerate > 0 ? html`, of which ${plural(family.excluded + family.degenerate, 'contrast')} left the family (too few prompts off the most frequent difference, or no spread)` : ''}. The simultaneous band (${family.band}${family.band === 'published' ? ', approximate' : ''}) has the critical value ${formatNumber(family.criticalValue)}${otherBand(context)}.</p>${family.warnings.map((warning) => html`<p class="note">${warning}</p>`)}`,
    );
  for (const entry of evaluators.slice(0, chartedEvaluators(context))) body.push(await reversalsOf(context, entry));
  for (const entry of evaluators.slice(chartedEvaluators(context)))
    body.push(html`<p class="note">${counts(context, entry)}</p>`);
  return { id: 'reversals', title: 'Reversals', body: html`${body}` };
}

/** The critical value of the band that was not chosen, beside the one that was. */
function otherBand({ estimates }: ReportContext): string {
  const { band, criticalValues } = estimates.family;
  const other = band === 'studentised' ? 'published' : 'studentised';
  const value = criticalValues[other];
  if (value === null) return '';
  return `; that of the ${other} form${other === 'published' ? ', which is approximate,' : ''} is ${formatNumber(value)}`;
}

/** What the band that was not chosen confirms, where that differs. */
function otherCount({ estimates }: ReportContext, { reversals: found }: EvaluatorEstimates): string {
  const { simultaneous, simultaneousPublished, simultaneousStudentised } = found.counts;
  const published = estimates.family.band === 'studentised';
  const count = published ? simultaneousPublished : simultaneousStudentised;
  return count === simultaneous
    ? ''
    : ` (${formatCount(count)} by the ${published ? 'published form' : 'studentised band'})`;
}

function counts(context: ReportContext, entry: EvaluatorEstimates): Html {
  const { reversals: found } = entry;
  const pointwise = context.number(entry, 'reversals/counts/pointwise', found.counts.pointwise, { digits: 0 });
  return found.unconfirmedBecause === null
    ? html`${name(entry.evaluator)}: ${context.number(entry, 'reversals/counts/simultaneous', found.counts.simultaneous, { digits: 0 })} confirmed${otherCount(context, entry)}; ${pointwise} by pointwise intervals (descriptive).`
    : html`${name(entry.evaluator)}: none is called confirmed (${found.unconfirmedBecause}); ${pointwise} by pointwise intervals (descriptive).`;
}

async function reversalsOf(context: ReportContext, entry: EvaluatorEstimates): Promise<Html> {
  const confirmed = entry.reversals.unconfirmedBecause === null && entry.reversals.simultaneous.length > 0;
  const list = confirmed ? entry.reversals.simultaneous : entry.reversals.pointwise;
  const head = html`<h3>${name(entry.evaluator)}</h3><p>${counts(context, entry)}</p>`;
  if (list.length === 0) return head;
  const shown = onePerPairAndFactor(list).slice(0, CHARTED_REVERSALS);
  const sides = shown.flatMap((reversal) => [
    side(context, entry, reversal, confirmed, 0),
    side(context, entry, reversal, confirmed, 1),
  ]);
  const figure = await drawFigure({
    id: `fig-reversals-${context.estimates.evaluators.indexOf(entry)}`,
    title: `${entry.evaluator}: the strongest ${confirmed ? 'confirmed' : 'descriptive'} reversals`,
    text: confirmed
      ? 'Simultaneous intervals: they hold together over the whole search. The strongest of each pair and factor.'
      : 'Pointwise intervals of reversals that were searched for: descriptive, some of this size are expected by chance. The strongest of each pair and factor.',
    chart: (width) => reversalIntervals(sides, shown.map(rowName), width),
    choices: [
      { label: 'Factor', field: 'factor', values: shown.map((reversal) => reversal.factor) },
      { label: 'Generator', field: 'generators', values: shown.flatMap((reversal) => [...reversal.pair]) },
    ],
    table: {
      head: [
        'Pair',
        'Factor',
        'Level',
        'Margin',
        'Interval',
        'Other level',
        'Margin',
        'Interval',
        'Adjusted p',
        'Seed-sensitive',
      ],
      numeric: [false, false, false, true, true, false, true, true, true, false],
      rows: list.map((reversal) => [
        reversal.pair.join(' − '),
        reversal.factor,
        reversal.levels[0],
        formatNumber(reversal.margins[0], { digits: 3 }),
        span(reversal, 0),
        reversal.levels[1],
        formatNumber(reversal.margins[1], { digits: 3 }),
        span(reversal, 1),
        reversal.adjustedP === null ? '–' : formatNumber(Math.max(...reversal.adjustedP), { digits: 4 }),
        reversal.seedSensitive ? 'yes' : 'no',
      ]),
    },
  });
  return html`${head}${figure}`;
}

function onePerPairAndFactor(list: readonly Reversal[]): Reversal[] {
  const seen = new Set<string>();
  return list.filter((reversal) => {
    const key = rowName(reversal);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function rowName(reversal: Reversal): string {
  return `${reversal.factor}: ${reversal.pair.join(' − ')}`;
}

function span(reversal: Reversal, at: 0 | 1): string {
  return `[${reversal.intervals[at].map((limit) => formatNumber(limit, { digits: 3 })).join(', ')}]`;
}

function side(
  context: ReportContext,
  entry: EvaluatorEstimates,
  reversal: Reversal,
  confirmed: boolean,
  at: 0 | 1,
): ReversalSide {
  const kind = confirmed ? 'simultaneous' : 'pointwise';
  return {
    row: rowName(reversal),
    factor: reversal.factor,
    generators: reversal.pair,
    level: reversal.levels[at],
    margin: reversal.margins[at],
    lower: reversal.intervals[at][0],
    upper: reversal.intervals[at][1],
    ...context.mark(
      entry,
      `reversals/${kind}/${entry.reversals[kind].indexOf(reversal)}`,
      `${rowName(reversal)} at ${reversal.levels[at]}: ${formatNumber(reversal.margins[at], { digits: 3 })} ${span(reversal, at)}, ${confirmed ? 'simultaneous' : 'pointwise'}`,
    ),
  };
}
