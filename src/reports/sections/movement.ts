import { formatCount, formatEstimate, formatNumber, undefinedText } from '../../cards/format-number.ts';
import { isMeasured } from '../../core/estimates.ts';
import { type DispersionCell, dispersionHeatmap } from '../charts/dispersion-heatmap.ts';
import { peakRho, type RhoRow } from '../charts/peak-rho.ts';
import { drawFigure } from '../figure.ts';
import { type Html, html } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import { type ReportSection, shownEvaluators } from './section.ts';

/** How far scores move: dispersion of every evaluator under every factor, and peak rho with its interval. */
export async function movement(context: ReportContext): Promise<ReportSection> {
  const evaluators = shownEvaluators(context);
  const factors = context.manifest.protocol.factors
    .map(({ factor }) => factor)
    .filter((factor) => evaluators.some((entry) => entry.factors.some((measured) => measured.factor === factor)));
  const body: Html[] = [];
  if (evaluators.length === 0 || factors.length === 0)
    body.push(
      html`<p>Not measured: ${evaluators.length === 0 ? 'no evaluator has estimates' : 'no factor was swept'}.</p>`,
    );
  else {
    const cells = evaluators.flatMap((entry) =>
      factors.map((factor): DispersionCell => {
        const found = entry.factors.find((measured) => measured.factor === factor);
        const dispersion = found !== undefined && isMeasured(found.dispersion) ? found.dispersion.value : null;
        const shown =
          found === undefined
            ? ''
            : dispersion === null
              ? '–'
              : `${isMeasured(found.dispersion) && found.dispersion.bound === 'lower' ? '≥' : ''}${formatNumber(dispersion, { percent: true, digits: dispersion < 0.0995 ? 1 : 0 })}${found.dispersion.inflated ? '*' : ''}`;
        return {
          evaluator: entry.evaluator,
          factor,
          dispersion,
          shown,
          ...(found === undefined
            ? { described: `${entry.evaluator}, ${factor}: does not apply`, href: '' }
            : context.mark(
                entry,
                `factors/${entry.factors.indexOf(found)}/dispersion`,
                `${entry.evaluator}, ${factor}: ${formatEstimate(found.dispersion, { percent: true })}${found.dispersion.inflated ? ', inflated by means near zero' : ''}`,
              )),
        };
      }),
    );
    body.push(
      await drawFigure({
        id: 'fig-dispersion',
        title: 'How far a score moves when one factor moves',
        text: 'Dispersion: (largest − smallest) / mean of one scene’s score over the levels of a factor, averaged over scenes. Steps of colour at 2, 5, 10, 20 and 40%. A factor with more levels has more room to move. A star marks an average that scenes with a mean near zero, or a score under 0, inflate: read the table’s last columns instead.',
        chart: (width) =>
          dispersionHeatmap(
            cells,
            evaluators.map((entry) => entry.evaluator),
            factors,
            width,
          ),
        choices: [
          { label: 'Evaluator', field: 'evaluator', values: evaluators.map((entry) => entry.evaluator) },
          { label: 'Factor', field: 'factor', values: factors },
        ],
        table: {
          head: [
            'Evaluator',
            'Factor',
            'Levels',
            'Dispersion',
            'Median scene',
            'Like for like',
            'rho',
            'rho corrected',
            'rho interaction',
            'Near-zero scenes',
            'Dispersion without them',
            'SD, score units',
          ],
          numeric: [false, false, true, true, true, true, true, true, true, true, true, true],
          rows: evaluators.flatMap((entry) =>
            entry.factors.map((factor) => [
              entry.evaluator,
              factor.factor,
              String(factor.levels),
              formatEstimate(factor.dispersion, { percent: true }),
              formatNumber('median' in factor.dispersion ? factor.dispersion.median : null, { percent: true }),
              formatNumber(factor.dispersion.matched.value, { percent: true }),
              formatEstimate(factor.rho),
              formatEstimate(factor.rhoCorrected),
              formatEstimate(factor.rhoInteraction),
              isMeasured(factor.dispersion)
                ? formatCount(factor.dispersion.n - factor.dispersion.withoutNearZero.scenes)
                : '–',
              formatNumber(factor.dispersion.withoutNearZero.value, { percent: true }),
              formatNumber(factor.dispersion.points.sd),
            ]),
          ),
        },
      }),
    );
    const rows = evaluators.flatMap((entry): RhoRow[] =>
      isMeasured(entry.peakRho)
        ? [
            {
              evaluator: entry.evaluator,
              rho: entry.peakRho.value,
              lower: entry.peakRho.lower,
              upper: entry.peakRho.upper,
              unbounded: entry.peakRho.unbounded === true,
              ...context.mark(
                entry,
                'peakRho',
                `${entry.evaluator}: peak rho ${formatEstimate(entry.peakRho)}, ${entry.peakRho.factor}`,
              ),
            },
          ]
        : [],
    );
    const missing = evaluators.filter((entry) => !isMeasured(entry.peakRho));
    if (rows.length > 0)
      body.push(
        await drawFigure({
          id: 'fig-peak-rho',
          title: 'Configuration against generator: peak rho',
          text: 'Right of the dashed rule the worst factor moves a scene’s score more than the choice of generator does. Intervals re-select the worst factor in every resample of prompts; a line to the edge has no upper limit.',
          chart: (width) => peakRho(rows, width),
          choices: [{ label: 'Evaluator', field: 'evaluator', values: rows.map((row) => row.evaluator) }],
          table: {
            head: ['Evaluator', 'Peak rho', 'Factor', 'One generator left out', 'Same factor held', 'Template rho'],
            numeric: [false, true, false, true, true, true],
            rows: evaluators.map((entry) => [
              entry.evaluator,
              formatEstimate(entry.peakRho),
              entry.peakRho.factor ?? '–',
              entry.peakRho.leaveOneGenerator === null
                ? '–'
                : entry.peakRho.leaveOneGenerator.map((value) => formatNumber(value)).join(' to '),
              entry.peakRho.fixedFactor === null
                ? '–'
                : `[${formatNumber(entry.peakRho.fixedFactor.lower)}, ${formatNumber(entry.peakRho.fixedFactor.upper)}]`,
              formatEstimate(entry.templateRho),
            ]),
          },
        }),
      );
    for (const entry of missing)
      if (!isMeasured(entry.peakRho))
        body.push(
          html`<p class="note">${entry.evaluator}: peak rho ${undefinedText(entry.peakRho.undefinedBecause)}.</p>`,
        );
  }
  return { id: 'movement', title: 'How far scores move', body: html`${body}` };
}
