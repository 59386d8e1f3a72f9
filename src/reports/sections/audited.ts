import { formatCount, plural } from '../../cards/format-number.ts';
import { type Html, html, name, names } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import type { ReportSection } from './section.ts';

/** What was audited: evaluators, data and the factors that were moved, before any number is interpreted. */
export function audited(context: ReportContext): ReportSection {
  const { manifest, estimates } = context;
  const { counts, protocol } = manifest;
  const sources = [...new Set(manifest.prompts.map((prompt) => prompt.source).filter((source) => source !== ''))];
  const stands =
    counts.proxies === 0
      ? ''
      : `; ${formatCount(counts.proxies)} of ${formatCount(counts.objects)} objects are stand-ins of the label and size`;
  const rows: (readonly [string, Html])[] = [
    [
      'Evaluators',
      html`${manifest.evaluators.map((entry, index) => [index === 0 ? '' : ', ', name(entry.id), ` (${entry.role}, ${entry.scale.name})`])}`,
    ],
    [
      'Generators',
      html`${formatCount(manifest.generators.length)}: ${names(manifest.generators.slice(0, 24))}${manifest.generators.length > 24 ? ` and ${manifest.generators.length - 24} more` : ''}`,
    ],
    [
      'Prompts',
      html`${formatCount(manifest.prompts.length)}${sources.length === 0 ? '' : html`, from ${names(sources.slice(0, 8))}`}`,
    ],
    ['Frozen scenes', html`${formatCount(counts.scenes)}${stands}`],
    [
      'Pictures',
      html`${plural(counts.renders, 'render')}, ${plural(counts.images, 'distinct picture')}; ${plural(counts.renderFailures, 'render')} failed`,
    ],
    [
      'Default configuration',
      html`${Object.entries(protocol.c0).map(([factor, level], index) => [index === 0 ? '' : ', ', factor, ' ', name(level)])}`,
    ],
    [
      'Factors moved',
      html`${protocol.factors.map((factor, index) => [index === 0 ? '' : ', ', factor.factor, ` (${factor.levels.length}${factor.shared ? '' : ', of each prompt'})`])}`,
    ],
    [
      'Design',
      html`${protocol.design}: ${plural(estimates.family.configurations, 'shared configuration')}, ${plural(estimates.family.contrasts, 'contrast')} in the searched family`,
    ],
  ];
  return {
    id: 'audited',
    title: 'What was audited',
    body: html`<p>The scenes never change. What changes is how they are photographed, captioned and scored, one factor at a time. This report says which scores, rankings and winners survive that.</p>
<dl>${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`,
  };
}
