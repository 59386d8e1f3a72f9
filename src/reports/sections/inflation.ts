import { formatNumber, plural } from '../../cards/format-number.ts';
import { isMeasured } from '../../core/estimates.ts';
import { type Html, html, name } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import { type ReportSection, shownEvaluators } from './section.ts';

/** What an author could have gained by choosing the configuration after seeing the scores. */
export function inflation(context: ReportContext): ReportSection | null {
  const items = shownEvaluators(context).flatMap((entry) => {
    const { bestView, bestTemplate: best } = entry;
    const parts: Html[] = [];
    if (isMeasured(bestView)) {
      const gain = context.number(entry, 'bestView', bestView.value - 1, { percent: true, signed: true });
      const over = html`the best of ${plural(bestView.poses, 'pose')}; ${plural(bestView.n, 'scene')}`;
      parts.push(
        bestView.value === 1
          ? html`the default pose is already the best of the median scene (<strong>${gain}</strong>, ${over})`
          : html`an author could have raised the score by photographing each scene from its best pose: <strong>${gain}</strong> for the median scene (${over})`,
      );
    }
    if (best !== null && best.ratio === 1)
      parts.push(
        html`no template scores above the default (<strong>${context.number(entry, 'bestTemplate/ratio', 0, { percent: true })}</strong>, the best of ${best.templates})`,
      );
    else if (best !== null && best.ratio !== null)
      parts.push(
        html`${parts.length === 0 ? 'an author could have raised the score ' : ''}by choosing the template <q>${name(best.template)}</q>${parts.length === 0 ? '' : ' an author could have raised it'}: <strong>${context.number(entry, 'bestTemplate/ratio', best.ratio - 1, { percent: true, signed: true })}</strong> (the default ranks ${context.number(entry, 'bestTemplate/defaultRank', best.defaultRank, { digits: 0 })} of ${best.templates})`,
      );
    return parts.length === 0
      ? []
      : [
          html`<li><strong>${name(entry.evaluator)}</strong>: ${parts.map((part, index) => [index === 0 ? '' : '; ', part])}.</li>`,
        ];
  });
  if (items.length === 0) return null;
  return {
    id: 'inflation',
    title: 'What choosing the configuration is worth',
    body: html`<p>The scenes stay the same; only the pose or the caption is chosen after looking at the scores.</p><ul>${items}</ul><p class="limits">Descriptive. A best of many is never below the default, so part of each figure is the price of searching (${formatNumber(context.estimates.level, { percent: true, digits: 0 })} intervals stand with the estimates).</p>`,
  };
}
