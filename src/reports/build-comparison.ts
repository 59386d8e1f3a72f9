import type { DescribedTable } from '../cards/described.ts';
import { diffText } from '../cards/diff-cards.ts';
import { formatEstimate, formatNumber } from '../cards/format-number.ts';
import { htmlTable } from '../cards/render-card-html.ts';
import { isMeasured } from '../core/estimates.ts';
import { type DispersionCell, dispersionHeatmap } from './charts/dispersion-heatmap.ts';
import { peakRho, type RhoRow } from './charts/peak-rho.ts';
import { type ComparedAudit, type ComparedRow, type Comparison, compareAudits } from './compare-audits.ts';
import { drawFigure } from './figure.ts';
import { type Html, html, trusted } from './html.ts';
import { renderPage } from './page.ts';
import type { ReportSection } from './sections/section.ts';

/** A page that lays several audits side by side: the same figures as a report, a row an evaluator and audit. */
export async function buildComparison(audits: readonly ComparedAudit[]): Promise<string> {
  const comparison = compareAudits(audits);
  const sections = [tableSection(comparison), await movementSection(comparison), differenceSection(comparison)];
  const drafts = comparison.audits.filter(({ draft }) => draft).map(({ name }) => name);
  return renderPage({
    title: listed(comparison.audits.map(({ name }) => name)),
    eyebrow: 'Comparison of audits',
    draft: drafts.length > 0,
    ...(drafts.length < comparison.audits.length ? { draftOf: listed(drafts) } : {}),
    sections,
    footer: `Made from ${comparison.audits.length} results folders. Each audit's own report holds its evidence.`,
  });
}

/** A row's name: the evaluator alone while that is unique, with its audit otherwise. */
function labelOf(comparison: Comparison, row: ComparedRow): string {
  const same = comparison.rows.filter(({ evaluator }) => evaluator === row.evaluator);
  return same.length === 1 ? row.evaluator : `${row.evaluator}, ${row.audit}`;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function tableSection(comparison: Comparison): ReportSection {
  const isDraft = new Map(comparison.audits.map(({ name, draft }) => [name, draft]));
  const marked = (row: ComparedRow) =>
    `${row.evaluator}, ${row.audit}${isDraft.get(row.audit) === true ? ' (draft)' : ''}`;
  const table: DescribedTable = {
    head: ['Evaluator', 'Card ID', 'Peak rho', 'Factor', 'Least W', 'Winners', 'Strict', 'Separable', 'Content'],
    numeric: [false, false, true, false, true, true, true, true, true],
    rows: comparison.rows.map((row) =>
      row.withheld === null
        ? [
            marked(row),
            row.cardId,
            formatEstimate(row.peakRho),
            row.peakFactor ?? '–',
            formatEstimate(row.minKendallW),
            String(row.maxWinners),
            `${row.strictPairs}/${row.pairs}`,
            `${row.separablePairs}/${row.pairs}`,
            isMeasured(row.contentAccuracy) ? formatNumber(row.contentAccuracy.value, { percent: true }) : '–',
          ]
        : [marked(row), row.cardId, 'withheld', '–', '–', '–', '–', '–', '–'],
    ),
  };
  return {
    id: 'side-by-side',
    title: 'Side by side',
    body: html`${comparison.caveats.length === 0 ? null : html`<p class="notice">Not directly comparable: ${comparison.caveats.join('; ')}.</p>`}${trusted(htmlTable(table))}<p class="limits">Descriptive: two intervals that overlap say nothing about the difference of two evaluators, and nothing here is tested between audits.</p>`,
  };
}

async function movementSection(comparison: Comparison): Promise<ReportSection> {
  const rows = comparison.rows.filter((row) => row.withheld === null);
  if (rows.length === 0 || comparison.factors.length === 0)
    return {
      id: 'movement',
      title: 'How far scores move',
      body: html`<p>No audit has estimates to lay side by side.</p>`,
    };
  const labels = rows.map((row) => labelOf(comparison, row));
  const cells = rows.flatMap((row, index) =>
    comparison.factors.map((factor): DispersionCell => {
      const found = row.dispersion[factor];
      const dispersion = found !== undefined && isMeasured(found) ? found.value : null;
      return {
        evaluator: labels[index] as string,
        factor,
        dispersion,
        shown:
          found === undefined
            ? ''
            : dispersion === null
              ? '–'
              : `${formatNumber(dispersion, { percent: true, digits: dispersion < 0.0995 ? 1 : 0 })}${row.inflated.includes(factor) ? '*' : ''}`,
        described: `${labels[index]}, ${factor}: ${found === undefined ? 'not swept' : formatEstimate(found, { percent: true })}`,
        href: '',
      };
    }),
  );
  const rho = rows.flatMap((row, index): RhoRow[] =>
    isMeasured(row.peakRho)
      ? [
          {
            evaluator: labels[index] as string,
            rho: row.peakRho.value,
            lower: row.peakRho.lower,
            upper: row.peakRho.upper,
            unbounded: row.peakRho.unbounded === true,
            described: `${labels[index]}: peak rho ${formatEstimate(row.peakRho)}${row.peakFactor === null ? '' : `, ${row.peakFactor}`}`,
            href: '',
          },
        ]
      : [],
  );
  const heat = await drawFigure({
    id: 'fig-dispersion',
    title: 'How far a score moves when one factor moves',
    text: 'Dispersion of one scene’s score over the levels of a factor, averaged over scenes. A darker cell moves more; a factor with more levels has more room to move. A star marks an average that scenes with a mean near zero, or a score under 0, inflate.',
    chart: (width) => dispersionHeatmap(cells, labels, comparison.factors, width),
    choices: [
      { label: 'Evaluator and audit', field: 'evaluator', values: labels },
      { label: 'Factor', field: 'factor', values: comparison.factors },
    ],
    table: {
      head: ['Evaluator and audit', ...comparison.factors],
      numeric: [false, ...comparison.factors.map(() => true)],
      rows: rows.map((row, index) => [
        labels[index] as string,
        ...comparison.factors.map((factor) =>
          row.dispersion[factor] === undefined ? '–' : formatEstimate(row.dispersion[factor], { percent: true }),
        ),
      ]),
    },
  });
  const peak = await drawFigure({
    id: 'fig-peak-rho',
    title: 'Configuration against generator: peak rho',
    text: 'Right of the dashed rule the worst factor moves a scene’s score more than the choice of generator does.',
    chart: (width) => peakRho(rho, width),
    choices: [{ label: 'Evaluator and audit', field: 'evaluator', values: labels }],
    table: {
      head: ['Evaluator and audit', 'Peak rho', 'Factor'],
      numeric: [false, true, false],
      rows: rows.map((row, index) => [labels[index] as string, formatEstimate(row.peakRho), row.peakFactor ?? '–']),
    },
  });
  return { id: 'movement', title: 'How far scores move', body: html`${heat}${rho.length > 0 ? peak : null}` };
}

/** A line of a diff: the verdict stands out, and what follows says what it is. */
function differenceLine(line: string): Html {
  const kind = /^ {2}(differs|caveat|note) +(.*)$/s.exec(line);
  return kind === null
    ? html`<li><strong>${line}</strong></li>`
    : html`<li>${kind[1] === 'note' ? '' : `${kind[1]}: `}${kind[2]}</li>`;
}

function differenceSection(comparison: Comparison): ReportSection {
  return {
    id: 'differences',
    title: 'How the protocols differ',
    body: html`${comparison.diffs.map(({ to, diff }) => html`<h3>${comparison.audits[0]?.name} and ${to}</h3><ul>${diffText(diff).map(differenceLine)}</ul>`)}`,
  };
}
