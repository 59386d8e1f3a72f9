import type { Card, CardEvaluator } from '../core/card.ts';
import { type Estimate, isMeasured } from '../core/estimates.ts';
import { citedRows } from './cite-card.ts';
import { escapeLatex } from './escape-text.ts';
import { formatNumber, type NumberFormat } from './format-number.ts';

/**
 * Two LaTeX tables (booktabs) for a paper: what the audit says about each evaluator, and the (generator, score, card ID)
 * rows. A cell without a measurement holds a dash and the reason stands under the table.
 */
export function renderCardLatex(card: Card): string {
  const notes: string[] = [];
  const level = formatNumber(card.statistics.level, { percent: true, digits: 0 });
  return `% Evaluator Configuration Card ${escapeLatex(card.audit.name)}; evidence SHA-256 ${card.evidenceHash}
% Needs \\usepackage{booktabs}.
${card.draft ? '% DRAFT: made from a partial run.\n' : ''}\\begin{table}
\\centering\\small
\\begin{tabular}{llrrrrrr}
\\toprule
Evaluator & Card ID & peak $\\rho$ & template $\\rho$ & min.\\ $W$ & winners & separable & strict \\\\
\\midrule
${card.evaluators.map((entry) => evaluatorRow(entry, notes)).join('\n')}
\\bottomrule
\\end{tabular}
\\caption{${card.draft ? 'DRAFT. ' : ''}Configuration fragility over ${card.data.prompts} prompts and ${card.data.generators.length} generators. Brackets are ${escapeLatex(level)} ${card.statistics.interval} bootstrap intervals over ${escapeLatex(card.statistics.resampledUnit)}s. \`\`Separable'' counts generator pairs whose pointwise interval at the default configuration excludes zero; \`\`strict'' counts pairs that keep their order over the declared configurations.${notes.length === 0 ? '' : ` No value: ${escapeLatex([...new Set(notes)].join('; '))}.`}}
\\end{table}

\\begin{table}
\\centering\\small
\\begin{tabular}{llrl}
\\toprule
Evaluator & Generator & Score & Card ID \\\\
\\midrule
${citedRows(card)
  .map((row) => {
    const score =
      row.score === null
        ? '--'
        : `${formatNumber(row.score)}${row.lower === null || row.upper === null ? '' : ` [${formatNumber(row.lower)}, ${formatNumber(row.upper)}]`}`;
    return `${escapeLatex(row.evaluator)} & ${escapeLatex(row.generator)} & ${escapeLatex(score)} & \\texttt{${row.cardId}} \\\\`;
  })
  .join('\n')}
\\bottomrule
\\end{tabular}
\\caption{${card.draft ? 'DRAFT. ' : ''}Scores at the default configuration of each card, with ${escapeLatex(level)} intervals.}
\\end{table}
`;
}

function evaluatorRow(entry: CardEvaluator, notes: string[]): string {
  const { stability, separability, envelopes } = entry.evidence;
  const cell = (estimate: Estimate, format: NumberFormat = {}) => {
    if (!isMeasured(estimate)) {
      notes.push(estimate.undefinedBecause);
      return '--';
    }
    const { value, lower, upper, unbounded } = estimate;
    if (lower === null && upper === null) return escapeLatex(formatNumber(value, format));
    const top = unbounded === true ? '$\\infty$' : escapeLatex(formatNumber(upper, format));
    return `${escapeLatex(formatNumber(value, format))} [${escapeLatex(formatNumber(lower, format))}, ${top}]`;
  };
  const cells = [escapeLatex(entry.evaluator), `\\texttt{${entry.cardId}}`];
  if (stability.status === 'measured')
    cells.push(
      cell(stability.value.peakRho),
      cell(stability.value.templateRho),
      cell(stability.value.minKendallW),
      String(stability.value.maxWinners),
    );
  else {
    notes.push(stability.reason);
    cells.push('--', '--', '--', '--');
  }
  if (separability.status === 'measured') cells.push(`${separability.value.separable}/${separability.value.pairs}`);
  else {
    notes.push(separability.reason);
    cells.push('--');
  }
  cells.push(envelopes.status === 'measured' ? `${envelopes.value.strict}/${envelopes.value.pairs}` : '--');
  return `${cells.join(' & ')} \\\\`;
}
