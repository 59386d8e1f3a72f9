import { formatNumber } from '../../cards/format-number.ts';
import type { CellScores } from '../cell-scores.ts';
import { type Html, html, name } from '../html.ts';
import { addressOf, type Picture } from '../read-pictures.ts';
import type { ReportContext } from '../report-context.ts';
import type { ReportSection } from './section.ts';

/** How many evaluators' scores stand under a picture. */
const SCORES_UNDER_PICTURE = 4;

/** Factors whose pictures stand open; the others unfold. */
const OPEN_STRIPS = 3;

/** Pictures of one frozen scene under every level of every render factor, with the scores under each picture. */
export function pictures(context: ReportContext, scores: CellScores): ReportSection | null {
  if (context.pictures.length === 0) return null;
  const generators = [...new Set(context.pictures.map((picture) => picture.generator))];
  const first = generators[0] as string;
  const prompt = (context.pictures[0] as Picture).prompt;
  const factors = context.manifest.protocol.factors.filter((factor) => factor.kind === 'render');
  const order = [...factors].sort((a, b) => spreadOf(context, b.factor) - spreadOf(context, a.factor));
  const strips = order.map((factor, index) => {
    const shown = factor.levels.flatMap((level) => find(context, first, factor.factor, level));
    if (shown.length === 0) return null;
    const montage = strip(
      context,
      scores,
      `${factor.factor}${
        factor.at === null
          ? ''
          : ` (at ${Object.entries(factor.at)
              .map(([name, level]) => `${name} ${level}`)
              .join(', ')})`
      }`,
      shown,
      factor.default,
      factor.at === null,
    );
    return index < OPEN_STRIPS
      ? montage
      : html`<details class="more"><summary>${factor.factor}, ${shown.length} levels</summary>${montage}</details>`;
  });
  const probes = context.pictures.filter((picture) => picture.generator === first && picture.factor === 'probe');
  const others = generators.slice(1).map((generator) => {
    const shown = (order[0]?.levels ?? []).flatMap((level) => find(context, generator, order[0]?.factor ?? '', level));
    return shown.length === 0
      ? null
      : html`<details class="more"><summary>${name(generator)}: ${order[0]?.factor}</summary>${strip(context, scores, `${generator}, ${order[0]?.factor}`, shown, order[0]?.default ?? '', order[0]?.at === null)}</details>`;
  });
  return {
    id: 'pictures',
    title: 'One scene, many scores',
    body: html`<p>The same frozen scene, <em>${name(first)}</em> for prompt <em>${name(prompt)}</em>, under every level of each picture factor, all else at the default; the factors that spread scores most come first. Under each picture stands what the evaluators said; beside each score the change from the default. One scene is an illustration, not evidence.</p>
${strips}
${probes.length === 0 ? null : html`<details class="more"><summary>Probes, ${probes.length} degraded scenes</summary>${strip(context, scores, 'probes', probes, '', false)}</details>`}
${others.some((item) => item !== null) ? html`<h3>The other generators</h3>${others}` : null}`,
  };
}

/** The largest rho of a factor over the evaluators: what the strips are ordered by. */
function spreadOf(context: ReportContext, factor: string): number {
  return Math.max(
    0,
    ...context.estimates.evaluators.flatMap((entry) =>
      entry.factors.filter((found) => found.factor === factor).map((found) => found.rho.value ?? 0),
    ),
  );
}

function find(context: ReportContext, generator: string, factor: string, level: string): Picture[] {
  const picture = context.pictures.find(
    (entry) => entry.generator === generator && entry.factor === factor && entry.level === level,
  );
  return picture === undefined ? [] : [picture];
}

function strip(
  context: ReportContext,
  scores: CellScores,
  title: string,
  shown: readonly Picture[],
  defaultLevel: string,
  isDefault: boolean,
): Html {
  const evaluators = context.manifest.evaluators.slice(0, SCORES_UNDER_PICTURE);
  return html`<div class="strip"><h4>${title}</h4><ul class="montage">${shown.map((picture) => {
    const under = evaluators.map((entry) => {
      const here = scores(entry.id, picture.generator, picture.prompt, picture.factor, picture.level);
      const base = scores(entry.id, picture.generator, picture.prompt, '', '');
      const change =
        typeof here === 'number' && typeof base === 'number' && here !== base
          ? formatNumber(here - base, { digits: 1, signed: true })
          : '';
      const shownScore = here === null ? '–' : typeof here === 'number' ? formatNumber(here, { digits: 1 }) : here;
      return html`<span>${name(entry.id)}</span><span>${shownScore}</span><span>${change}</span>`;
    });
    const image =
      picture.data === null
        ? html`<span class="blank"></span>`
        : html`<img src="${picture.data}" alt="${`${picture.generator}, ${picture.factor} ${picture.level}`}" width="168" height="168">`;
    return html`<li><a href="${addressOf(picture.path)}" title="larger picture">${image}</a><span class="level">${name(picture.level)}${isDefault && picture.level === defaultLevel ? ' (default)' : ''}</span><span class="scores">${under}</span></li>`;
  })}</ul></div>`;
}
