import { formatNumber } from '../../cards/format-number.ts';
import { isMeasured } from '../../core/estimates.ts';
import { type BrightnessPoint, brightnessShift } from '../charts/brightness-shift.ts';
import { drawFigure } from '../figure.ts';
import { html, name } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import { chartedEvaluators, type ReportSection, shownEvaluators } from './section.ts';

/** Whether the score follows the brightness of the picture. */
export async function light(context: ReportContext): Promise<ReportSection | null> {
  const evaluators = shownEvaluators(context).filter((entry) => isMeasured(entry.brightness));
  if (evaluators.length === 0) return null;
  const charted = evaluators.slice(0, chartedEvaluators(context));
  const points = charted.flatMap((entry) =>
    entry.brightness.levels.flatMap((level, index): BrightnessPoint[] =>
      level.log2Luminance === null || level.shiftPercent === null
        ? []
        : [
            {
              evaluator: entry.evaluator,
              level: level.level,
              luminance: level.log2Luminance,
              shift: level.shiftPercent,
              ...context.mark(
                entry,
                `brightness/levels/${index}`,
                `${entry.evaluator}, ${level.level}: ${formatNumber(level.log2Luminance)} stops, ${formatNumber(level.shiftPercent, { signed: true })}%`,
              ),
            },
          ],
    ),
  );
  const figure = await drawFigure({
    id: 'fig-brightness',
    title: 'Score against brightness',
    text: 'One mark a lighting level and evaluator: how bright the scene is in the picture, and how far the mean score is from the default. A correlation over a handful of light maps, which differ in more than brightness.',
    chart: (width) =>
      brightnessShift(
        points,
        charted.map((entry) => entry.evaluator),
        width,
      ),
    choices: [{ label: 'Evaluator', field: 'evaluator', values: charted.map((entry) => entry.evaluator) }],
    table: {
      head: ['Evaluator', 'Lighting', 'log2 luminance', 'Shift, percent'],
      numeric: [false, false, true, true],
      rows: evaluators.flatMap((entry) =>
        entry.brightness.levels.map((level) => [
          entry.evaluator,
          level.level,
          formatNumber(level.log2Luminance),
          formatNumber(level.shiftPercent, { signed: true }),
        ]),
      ),
    },
  });
  return {
    id: 'light',
    title: 'Brightness',
    body: html`${figure}<ul>${evaluators.map((entry) => html`<li>${name(entry.evaluator)}: Pearson’s r ${context.estimate(entry, 'brightness', entry.brightness)}, permutation p ${formatNumber(entry.brightness.pearsonP, { digits: 3 })}; Spearman ${formatNumber(entry.brightness.spearman)}, p ${formatNumber(entry.brightness.spearmanP, { digits: 3 })}${entry.brightness.permutations === null ? '' : ` (${entry.brightness.permutations} permutations of ${entry.brightness.levels.length} levels)`}.</li>`)}</ul>`,
  };
}
