import { formatCount, formatEstimate, formatNumber, plural } from '../../cards/format-number.ts';
import { shortList } from '../../cards/short-list.ts';
import type { EvaluatorEstimates, FactorEstimates } from '../../core/estimates.ts';
import { rankPaths } from '../charts/rank-paths.ts';
import { rankShares } from '../charts/rank-shares.ts';
import { type WinnerShare, winnerShares } from '../charts/winner-shares.ts';
import { factorRanks, rankCounts } from '../factor-ranks.ts';
import { drawFigure } from '../figure.ts';
import { type Html, html, name } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import {
  CHARTED_GENERATORS,
  chartedEvaluators,
  generatorsByScore,
  type ReportSection,
  shownEvaluators,
} from './section.ts';

/** Factors with at most this many levels get rank paths; more levels are counted per rank. */
const PATH_LEVELS = 16;

/** Who comes first at each level, and the path of each generator's rank through the levels of each factor. */
export async function winners(context: ReportContext): Promise<ReportSection> {
  const evaluators = shownEvaluators(context).filter((entry) => entry.factors.some((factor) => factor.shared));
  const body: Html[] = [];
  if (context.estimates.generators.length < 2) body.push(html`<p>There is one generator, so nothing is ranked.</p>`);
  else if (evaluators.length === 0) body.push(html`<p>Not measured: no shared factor was swept.</p>`);
  else
    for (const [index, entry] of evaluators.slice(0, chartedEvaluators(context)).entries()) {
      const part = html`${await sharesFigure(context, entry)}${await ranksOf(context, entry)}`;
      body.push(
        index < 2 ? part : html`<details class="more"><summary>${name(entry.evaluator)}</summary>${part}</details>`,
      );
    }
  if (evaluators.length > chartedEvaluators(context))
    body.push(
      html`<p class="note">The other ${evaluators.length - chartedEvaluators(context)} evaluators are in the tables of “How far scores move” and in estimates.csv.</p>`,
    );
  return { id: 'winners', title: 'Winners and rank paths', body: html`${body}` };
}

async function sharesFigure(context: ReportContext, entry: EvaluatorEstimates): Promise<Html> {
  const shared = entry.factors.filter((factor) => factor.shared);
  const wins = new Map<string, number>();
  for (const factor of shared)
    for (const level of factor.perLevel)
      if (level.winner !== null) wins.set(level.winner, (wins.get(level.winner) ?? 0) + 1);
  const order = generatorsByScore(entry).filter((generator) => wins.has(generator));
  const coloured = order.slice(0, 7);
  const rows = shared.flatMap((factor) => sharesOf(context, entry, factor, coloured));
  const present = [...coloured, 'tied', 'others'].filter((winner) => rows.some((row) => row.winner === winner));
  return drawFigure({
    id: `fig-winners-${context.estimates.evaluators.indexOf(entry)}`,
    title: `${entry.evaluator}: who comes first`,
    text: 'Each bar is one factor, split by the generator with the highest mean at each of its levels. A bar of one colour means that the winner never changes. Descriptive: no winner is tested here.',
    chart: (width) =>
      winnerShares(
        rows,
        shared.map((factor) => factor.factor),
        present,
        width,
      ),
    choices: [{ label: 'Factor', field: 'factor', values: shared.map((factor) => factor.factor) }],
    table: {
      head: ['Factor', 'Levels', 'Winners', 'Tied levels', 'W', 'Prompts'],
      numeric: [false, true, false, true, true, true],
      rows: shared.map((factor) => [
        factor.factor,
        formatCount(factor.levels),
        shortList(factor.winners, 12) || 'none',
        formatCount(factor.tiedLevels),
        formatEstimate(factor.kendallW),
        formatCount(factor.prompts),
      ]),
    },
  });
}

function sharesOf(
  context: ReportContext,
  entry: EvaluatorEstimates,
  factor: FactorEstimates,
  coloured: readonly string[],
): WinnerShare[] {
  const kept = factor.perLevel.filter((level) => !level.removed);
  const counts = new Map<string, number>();
  for (const level of kept) {
    const winner = level.winner === null ? 'tied' : coloured.includes(level.winner) ? level.winner : 'others';
    counts.set(winner, (counts.get(winner) ?? 0) + 1);
  }
  return [...counts].map(([winner, levels]) => ({
    factor: factor.factor,
    winner,
    levels,
    share: levels / kept.length,
    ...context.mark(
      entry,
      `factors/${entry.factors.indexOf(factor)}/winners`,
      `${factor.factor}: ${winner} at ${levels} of ${kept.length} levels`,
    ),
  }));
}

async function ranksOf(context: ReportContext, entry: EvaluatorEstimates): Promise<Html> {
  const generators = generatorsByScore(entry).slice(0, CHARTED_GENERATORS);
  const parts: Html[] = [];
  // The factor that turns most stands open, the others behind it.
  const least = entry.minKendallW.factor;
  let open: Html | null = null;
  const at = context.estimates.evaluators.indexOf(entry);
  for (const [index, factor] of entry.factors.entries()) {
    if (!factor.shared) continue;
    const ranks = factorRanks(factor, context.estimates.generators);
    if (ranks.length < 2) continue;
    const charted = ranks
      .filter((point) => generators.includes(point.generator))
      .map((point) => ({ ...point, ...context.mark(entry, `factors/${index}/kendallW`, point.described) }));
    const few = factor.perLevel.length <= PATH_LEVELS;
    const levels = factor.perLevel.filter((level) => !level.removed).map((level) => level.level);
    const counts = rankCounts(charted, generators, levels.length).map((row) => ({
      ...row,
      ...context.mark(entry, `factors/${index}/kendallW`, row.described),
    }));
    const figure = await drawFigure({
      id: `fig-ranks-${at}-${index}`,
      title: `${entry.evaluator}, ${factor.factor}: ${few ? 'rank at each level' : 'how many levels give which rank'}`,
      text: few
        ? `W ${formatEstimate(factor.kendallW)} over ${levels.length} levels.`
        : `W ${formatEstimate(factor.kendallW)} over ${levels.length} levels; the number in a cell is how many of them put the generator there.`,
      chart: (width) => (few ? rankPaths(charted, levels, generators, width) : rankShares(counts, generators, width)),
      choices: [{ label: 'Generator', field: 'generator', values: generators }],
      choosing: few ? 'fade' : 'filter',
      table: few
        ? {
            head: ['Level', ...generators],
            numeric: [false, ...generators.map(() => true)],
            rows: levels.map((level) => [
              level,
              ...generators.map((generator) => {
                const rank = charted.find((point) => point.level === level && point.generator === generator)?.rank;
                return formatNumber(rank ?? null, { digits: Number.isInteger(rank) ? 0 : 1 });
              }),
            ]),
          }
        : {
            head: ['Generator', 'Rank', 'Levels'],
            numeric: [false, true, true],
            rows: counts
              .filter((row) => row.levels > 0)
              .map((row) => [row.generator, String(row.rank), formatCount(row.levels)]),
          },
    });
    if (factor.factor === least) open = figure;
    else parts.push(figure);
  }
  return html`${open}${parts.length === 0 ? null : html`<details class="more"><summary>Rank paths of ${name(entry.evaluator)} for ${open === null ? '' : 'the other '}${plural(parts.length, 'factor')}</summary>${parts}</details>`}`;
}
