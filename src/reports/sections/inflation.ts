import { formatNumber, plural } from '../../cards/format-number.ts';
import { isMeasured } from '../../core/estimates.ts';
import { html, name } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import { type ReportSection, shownEvaluators } from './section.ts';

/** What an author could have gained by choosing the configuration after seeing the scores. */
export function inflation(context: ReportContext): ReportSection | null {
  const items = shownEvaluators(context).flatMap((entry) => {
    const parts = [];
    if (isMeasured(entry.bestView))
      parts.push(
        html`${entry.bestView.value === 1 ? 'by nothing through the pose, because the default pose is the best of the median scene: ' : 'by photographing each scene from its best pose: '}<strong>${context.number(entry, 'bestView', entry.bestView.value - 1, { percent: true, signed: true })}</strong> for the median scene (the best of ${plural(entry.bestView.poses, 'pose')}; ${plural(entry.bestView.n, 'scene')})`,
      );
    const best = entry.bestTemplate;
    if (best !== null && best.ratio !== null)
      parts.push(
        html`by choosing the template <q>${name(best.template)}</q>: <strong>${context.number(entry, 'bestTemplate/ratio', best.ratio - 1, { percent: true, signed: true })}</strong> (the default ranks ${context.number(entry, 'bestTemplate/defaultRank', best.defaultRank, { digits: 0 })} of ${best.templates}${entry.judging?.sample == null ? '' : ` drawn of ${entry.judging.sample.of}; at least that much over all`})`,
      );
    return parts.length === 0
      ? []
      : [
          html`<li><strong>${name(entry.evaluator)}</strong>: an author could have raised the score ${parts.map((part, index) => [index === 0 ? '' : '; ', part])}.</li>`,
        ];
  });
  if (items.length === 0) return null;
  return {
    id: 'inflation',
    title: 'What choosing the configuration is worth',
    body: html`<p>The scenes stay the same; only the pose or the caption is chosen after looking at the scores.</p><ul>${items}</ul><p class="limits">Descriptive. A best of many is never below the default, so part of each figure is the price of searching (${formatNumber(context.estimates.level, { percent: true, digits: 0 })} intervals stand with the estimates).</p>`,
  };
}
