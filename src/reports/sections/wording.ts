import { formatCount, formatNumber, plural } from '../../cards/format-number.ts';
import type { Manifest } from '../../core/manifest.ts';
import { type SlotShift, slotShifts } from '../charts/slot-shifts.ts';
import { drawFigure } from '../figure.ts';
import { type Html, html, name } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import { chartedEvaluators, type ReportSection, shownEvaluators } from './section.ts';

type Coverage = NonNullable<Manifest['evaluators'][number]['coverage']>;

/** What the wording of the caption does: slot effects, and how much of a caption is read at all. */
export async function wording(context: ReportContext): Promise<ReportSection | null> {
  const evaluators = shownEvaluators(context).filter((entry) => entry.slots.length > 0);
  const covered = context.manifest.evaluators.flatMap((entry) =>
    entry.coverage === null ? [] : [{ id: entry.id, coverage: entry.coverage }],
  );
  if (evaluators.length === 0 && covered.length === 0) return null;
  const body: Html[] = [];
  if (evaluators.length > 0) {
    const charted = evaluators.slice(0, chartedEvaluators(context));
    const shifts = charted.flatMap((entry) =>
      entry.slots.flatMap((slot, at) =>
        // A slot measured again within groups of captions would lie over itself: the table has the groups.
        (entry.slots.findIndex((other) => other.slot === slot.slot) === at ? slot.choices : []).flatMap(
          (choice, position): SlotShift[] =>
            choice.shiftPercent === null
              ? []
              : [
                  {
                    slot: slot.slot,
                    choice: choice.choice,
                    evaluator: entry.evaluator,
                    shift: choice.shiftPercent,
                    ...context.mark(
                      entry,
                      `slots/${at}/choices/${position}/shiftPercent`,
                      `${entry.evaluator}, ${slot.slot} ${choice.choice}: ${formatNumber(choice.shiftPercent, { signed: true })}% over ${plural(choice.captions, 'caption')} (${slot.over})`,
                    ),
                  },
                ],
        ),
      ),
    );
    body.push(
      await drawFigure({
        id: 'fig-slots',
        title: 'What each word of the template is worth',
        text: 'Mean score of the captions with one choice of a slot, as a shift from the mean over its choices. Descriptive; captions that differ in nothing else are compared. A slot that is measured within groups of captions too has them in the table.',
        chart: (width) =>
          slotShifts(
            shifts,
            charted.map((entry) => entry.evaluator),
            width,
          ),
        choices: [
          { label: 'Slot', field: 'slot', values: shifts.map((row) => row.slot) },
          { label: 'Evaluator', field: 'evaluator', values: charted.map((entry) => entry.evaluator) },
        ],
        table: {
          head: ['Evaluator', 'Slot', 'Choice', 'Captions', 'Shift, percent', 'Compared over'],
          numeric: [false, false, false, true, true, false],
          rows: evaluators.flatMap((entry) =>
            entry.slots.flatMap((slot) =>
              slot.choices.map((choice) => [
                entry.evaluator,
                slot.slot,
                choice.choice,
                formatCount(choice.captions),
                formatNumber(choice.shiftPercent, { signed: true }),
                slot.over,
              ]),
            ),
          ),
        },
      }),
    );
  }
  for (const { id, coverage } of covered) body.push(coverageText(id, coverage));
  return { id: 'wording', title: 'Caption wording', body: html`${body}` };
}

function coverageText(id: string, coverage: Coverage): Html {
  const { sameSeen } = coverage;
  const ordered = [...coverage.templates].sort((a, b) => a.meanShare - b.meanShare);
  const worst = ordered[0];
  const best = ordered.at(-1);
  return html`<h3>How much of a caption ${name(id)} reads</h3><p>${
    coverage.truncated === 0
      ? // The most tokens read are the encoder's limit only when some caption is longer.
        html`All ${plural(coverage.captions, 'caption')} are read whole; the longest has ${coverage.context} tokens.`
      : html`Its text encoder reads ${coverage.context} tokens. <strong>${formatCount(coverage.truncated)} of ${plural(coverage.captions, 'caption')}</strong> are longer; on average ${formatNumber(coverage.meanShare, { percent: true })} of a caption’s tokens are read, of the longest ${formatNumber(coverage.minShare, { percent: true })}. What stands beyond the cut cannot change the score.`
  }${
    worst !== undefined && best !== undefined && best.meanShare > worst.meanShare
      ? html` A longer template pushes more of the prompt out: from ${formatNumber(best.meanShare, { percent: true })} read under ${name(best.template)} to ${formatNumber(worst.meanShare, { percent: true })} under ${name(worst.template)}.`
      : ''
  }${
    sameSeen.groups > 0
      ? html` ${plural(sameSeen.groups, 'group')} of captions (${sameSeen.captions} captions) differ only beyond the cut; ${sameSeen.equalScores} of them got one and the same score.`
      : ''
  }</p>`;
}
