import { formatCount, formatEstimate, formatNumber, plural } from '../../cards/format-number.ts';
import { htmlTable } from '../../cards/render-card-html.ts';
import { type Estimate, type EvaluatorEstimates, isMeasured } from '../../core/estimates.ts';
import { type ProbeRow, probeDiscrimination } from '../charts/probe-discrimination.ts';
import { type SensitivityPoint, sensitivityStability } from '../charts/sensitivity-stability.ts';
import { drawFigure } from '../figure.ts';
import { type Html, html, trusted } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import { chartedEvaluators, type ReportSection, shownEvaluators } from './section.ts';

/** Whether degraded scenes score lower, and sensitivity beside stability. */
export async function probes(context: ReportContext): Promise<ReportSection> {
  const evaluators = context.estimates.evaluators.filter((entry) => entry.probes.length > 0);
  if (evaluators.length === 0)
    return {
      id: 'probes',
      title: 'Probes',
      body: html`<p>Not run: this audit has no probes, so it says nothing about whether the scores notice content.</p>`,
    };
  const body: Html[] = [
    html`<p>Each probe degrades a frozen scene and scores it at the default against the original. What is expected of each:</p><ul>${context.manifest.protocol.probes.map((probe) => html`<li><strong>${probe.name}</strong>${probe.control ? ' (control)' : ''}: ${probe.expectation}</li>`)}</ul>`,
  ];
  for (const entry of evaluators.slice(0, chartedEvaluators(context))) {
    const rows = entry.probes.flatMap((probe, index): ProbeRow[] =>
      isMeasured(probe.discrimination)
        ? [
            {
              probe: probe.probe,
              control: probe.control,
              value: probe.discrimination.value,
              lower: probe.discrimination.lower,
              upper: probe.discrimination.upper,
              ...context.mark(
                entry,
                `probes/${index}/discrimination`,
                `${probe.probe}: ${formatEstimate(probe.discrimination, { percent: true })}, ${plural(probe.drops, 'drop')}, ${plural(probe.ties, 'tie')}, ${plural(probe.rises, 'rise')}`,
              ),
            },
          ]
        : [],
    );
    if (rows.length === 0) {
      body.push(html`<p class="note">${entry.evaluator}: no probe has an estimate.</p>`);
      continue;
    }
    body.push(
      await drawFigure({
        id: `fig-probes-${context.estimates.evaluators.indexOf(entry)}`,
        title: `${entry.evaluator}: how often the degraded scene scores lower`,
        text: 'Ties count a half; the dashed rule is what chance gives. Squares are controls, which are not expected to drop.',
        chart: (width) => probeDiscrimination(rows, width),
        choices: [{ label: 'Probe', field: 'probe', values: rows.map((row) => row.probe) }],
        table: probeTable(entry),
      }),
    );
  }
  for (const entry of evaluators) for (const response of entry.doses) body.push(doseTable(entry.evaluator, response));
  body.push(...(await tradeOff(context)));
  return { id: 'probes', title: 'Probes', body: html`${body}` };
}

function probeTable(entry: EvaluatorEstimates) {
  return {
    head: [
      'Probe',
      'Discrimination',
      'Strict drop',
      'Drops',
      'Ties',
      'Rises',
      'Failed',
      'Bounds over failures',
      'Mean drop',
      'Effect size',
    ],
    numeric: [false, true, true, true, true, true, true, true, true, true],
    rows: entry.probes.map((probe) => [
      probe.probe,
      formatEstimate(probe.discrimination, { percent: true }),
      formatEstimate(probe.strictDrop, { percent: true }),
      formatCount(probe.drops),
      formatCount(probe.ties),
      formatCount(probe.rises),
      formatCount(probe.failed),
      probe.bounds === null ? '–' : probe.bounds.map((bound) => formatNumber(bound, { percent: true })).join(' to '),
      formatEstimate(probe.meanDrop, { digits: 3 }),
      formatEstimate(probe.effectSize),
    ]),
  };
}

/** Discrimination and mean drop as more is taken away. */
function doseTable(evaluator: string, response: EvaluatorEstimates['doses'][number]): Html {
  const table = {
    head: ['Probe', 'Dose', 'Discrimination', 'Mean drop'],
    numeric: [false, true, true, true],
    rows: response.doses.map((dose) => [
      dose.probe,
      formatNumber(dose.dose),
      formatNumber(dose.discrimination, { percent: true }),
      formatNumber(dose.meanDrop, { digits: 3 }),
    ]),
  };
  return html`<h3>${evaluator}: ${response.family} by dose</h3><p>The mean drop ${response.monotone ? 'never shrinks' : 'shrinks somewhere'} as more is taken away.</p>${trusted(htmlTable(table))}`;
}

async function tradeOff(context: ReportContext): Promise<Html[]> {
  const evaluators = shownEvaluators(context).filter(
    (entry) => entry.role !== 'quality' && isMeasured(entry.peakRho) && (entry.peakRho.value ?? 0) > 0,
  );
  const published = evaluators.filter((entry) => isMeasured(entry.contentAccuracy));
  const exact = published.length > 0;
  const measure = exact ? 'content accuracy' : 'mean discrimination of the probes run';
  const points = (exact ? published : evaluators).flatMap((entry): SensitivityPoint[] => {
    const sensitivity = exact ? entry.contentAccuracy.value : meanDiscrimination(entry);
    const rho = entry.peakRho.value;
    if (sensitivity === null || rho === null) return [];
    return [
      {
        evaluator: entry.evaluator,
        sensitivity,
        sensitivityLimits: exact ? limitsOf(entry.contentAccuracy) : null,
        rho,
        rhoLimits: rhoLimitsOf(entry),
        ...context.mark(
          entry,
          exact ? 'contentAccuracy' : 'peakRho',
          `${entry.evaluator}: ${measure} ${exact ? formatEstimate(entry.contentAccuracy, { percent: true }) : formatNumber(sensitivity, { percent: true })}, peak rho ${formatEstimate(entry.peakRho)}`,
        ),
      },
    ];
  });
  if (points.length === 0) return [];
  return [
    html`<h3 id="tradeoff">Sensitivity beside stability</h3>`,
    await drawFigure({
      id: 'fig-tradeoff',
      title: 'Notices content, ignores configuration',
      text: 'A good evaluator stands at the top right: it notices degraded content and is little moved by the configuration. A steady evaluator on the left is steady because it notices little. Lines are the intervals of either number; descriptive.',
      chart: (width) => sensitivityStability(points, measure, width),
      choices: [{ label: 'Evaluator', field: 'evaluator', values: points.map((point) => point.evaluator) }],
      table: {
        head: ['Evaluator', measure, 'Peak rho'],
        numeric: [false, true, true],
        rows: points.map((point) => {
          const entry = evaluators.find(({ evaluator }) => evaluator === point.evaluator) as EvaluatorEstimates;
          return [
            point.evaluator,
            exact
              ? formatEstimate(entry.contentAccuracy, { percent: true })
              : formatNumber(point.sensitivity, { percent: true }),
            formatEstimate(entry.peakRho),
          ];
        }),
      },
    }),
  ];
}

function limitsOf(estimate: Estimate): [number, number] | null {
  if (!isMeasured(estimate) || estimate.lower === null || estimate.upper === null) return null;
  return [estimate.lower, estimate.upper];
}

function rhoLimitsOf(entry: EvaluatorEstimates): [number, number | null] | null {
  if (!isMeasured(entry.peakRho) || entry.peakRho.lower === null) return null;
  return entry.peakRho.upper === null && entry.peakRho.unbounded !== true
    ? null
    : [entry.peakRho.lower, entry.peakRho.upper];
}

function meanDiscrimination(entry: EvaluatorEstimates): number | null {
  const values = entry.probes
    .filter((probe) => !probe.control)
    .flatMap((probe) => (probe.discrimination.value === null ? [] : [probe.discrimination.value]));
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
