import { formatCount, formatNumber, plural } from '../../cards/format-number.ts';
import { comparisonsWithheld, envelopesWithheld, partlyWithheld, withheldBecause } from '../../cards/withheld.ts';
import { type EvaluatorEstimates, type FactorEstimates, isMeasured } from '../../core/estimates.ts';
import { type Html, type HtmlPart, html, name, names } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import { alignmentEvaluators, type ReportSection, shownEvaluators } from './section.ts';

const PERCENT = { percent: true } as const;

interface Answer {
  readonly question: string;
  readonly sentences: readonly Html[];
  readonly limits: string;
}

/** The five headline answers, each with its numbers and the limits of what they say, and all evaluators at a glance. */
export function answers(context: ReportContext): ReportSection {
  const chosen = alignmentEvaluators(context);
  const evaluators = chosen.length > 0 ? chosen : shownEvaluators(context);
  const withheld = context.estimates.evaluators.flatMap((evaluator) => {
    const because = withheldBecause(evaluator);
    if (because !== null) return [html`<p class="notice">${name(evaluator.evaluator)}: withheld, ${because}.</p>`];
    const parts = partlyWithheld(evaluator);
    return parts.length === 0
      ? []
      : [
          html`<p class="notice">${name(evaluator.evaluator)}: withheld in part. ${parts.slice(0, 4).join('; ')}${parts.length > 4 ? `; and ${parts.length - 4} more` : ''}.</p>`,
        ];
  });
  if (evaluators.length === 0)
    return {
      id: 'answers',
      title: 'Five answers',
      body: html`${withheld}<p>No evaluator of this audit has estimates to report. The <a href="#ledger">ledger</a> says what became of every planned outcome.</p>`,
    };
  const list = [movement, ranking, margins, separability, content].map((answer) => answer(context, evaluators));
  return {
    id: 'answers',
    title: 'Five answers',
    body: html`${withheld}<p class="limits">Counted over ${plural(evaluators.length, chosen.length > 0 ? 'alignment evaluator' : 'evaluator')}${chosen.length > 0 ? '' : ' (the audit has no alignment evaluator)'}: ${names(evaluators.slice(0, 20).map((entry) => entry.evaluator))}${evaluators.length > 20 ? ` and ${evaluators.length - 20} more` : ''}. Every number links to its estimate.</p>
<ol class="answers">${list.map(({ question, sentences, limits }) => html`<li><div><h3>${question}</h3>${sentences.map((sentence) => html`<p>${sentence}</p>`)}<p class="limits">${limits}</p></div></li>`)}</ol>
${glance(context)}${counted(context)}`,
  };
}

function movement(context: ReportContext, evaluators: readonly EvaluatorEstimates[]): Answer {
  const measured = evaluators.filter((entry) => isMeasured(entry.peakRho));
  const above = measured.filter((entry) => (entry.peakRho.value ?? 0) > 1);
  const clear = measured.filter((entry) => isMeasured(entry.peakRho) && (entry.peakRho.lower ?? 0) > 1);
  const sentences: Html[] = [];
  const strongest = largest(measured, (entry) => entry.peakRho.value);
  if (strongest === null) sentences.push(html`No rho could be estimated: ${reason(evaluators[0]?.peakRho)}.`);
  else {
    if (evaluators.length > 1)
      sentences.push(
        html`Peak rho is above 1 for <strong>${above.length} of ${measured.length}</strong>, and its whole interval for <strong>${clear.length}</strong>: there, one factor of the configuration moves a scene’s score more than the choice of generator does.`,
      );
    sentences.push(
      html`${evaluators.length > 1 ? 'Most for ' : 'For '}${name(strongest.evaluator)}: peak rho ${context.estimate(strongest, 'peakRho', strongest.peakRho)} (${strongest.peakRho.factor})${verdict(strongest.peakRho)}.`,
    );
    for (const further of [widest(context, strongest), decisive(strongest)])
      if (further !== null) sentences.push(further);
  }
  return {
    question: 'Does the score move when only the configuration changes?',
    sentences,
    limits:
      'Descriptive: rho is the variance of one scene’s score over the levels of a factor, over the variance between generators at the default. It grows with the levels somebody declares and shrinks with how far apart the generators are.',
  };
}

/** What an interval of rho says about 1; nothing without one. */
function verdict(rho: EvaluatorEstimates['peakRho']): string {
  if (!isMeasured(rho) || rho.lower === null) return '';
  if (rho.lower > 1) return ': this factor moves a scene’s score more than the choice of generator does';
  if (rho.upper !== null && rho.upper < 1) return ': less than the choice of generator does';
  return '; the interval includes 1, so these prompts do not settle whether that is more than the choice of generator moves it';
}

/** The part of rho that can change a decision: a shift common to all generators cancels in every margin. */
function decisive(evaluator: EvaluatorEstimates): Html | null {
  const { interaction } = evaluator.peakRho;
  if (interaction.value === null) return null;
  return html`A shift common to all generators changes no comparison; the part that can, rho interaction, is at most ${formatNumber(interaction.value)}${interaction.factor === null ? '' : ` (${interaction.factor})`}.`;
}

function widest(context: ReportContext, evaluator: EvaluatorEstimates): Html | null {
  const factor = largest(evaluator.factors, (entry: FactorEstimates) => entry.dispersion.value);
  if (factor === null || !isMeasured(factor.dispersion)) return null;
  const { dispersion } = factor;
  const at = `factors/${evaluator.factors.indexOf(factor)}/dispersion`;
  const mean = context.number(evaluator, at, dispersion.value, PERCENT);
  if (!dispersion.inflated)
    return html`Moving ${factor.factor} alone spreads a scene’s score by ${dispersion.bound === 'lower' ? 'at least ' : ''}${mean} of its mean (average over ${plural(dispersion.n, 'scene')}${dispersion.bound === 'lower' ? ', over a sample of the levels' : ''}).`;
  // A ratio to a mean near zero says little: the median scene comes first, and the average with what inflates it.
  const left = dispersion.withoutNearZero.scenes;
  const near = dispersion.n - left;
  return html`Moving ${factor.factor} alone spreads the median scene’s score by ${context.number(evaluator, `${at}/median`, dispersion.median, PERCENT)} of its mean; in score units the SD over the levels is ${context.number(evaluator, `${at}/points/sd`, dispersion.points.sd)}. The average over scenes, ${mean}, is inflated: ${near} of ${plural(dispersion.n, 'scene')} have a mean near zero or score under 0 at some level${dispersion.withoutNearZero.value === null ? '' : html` (${context.number(evaluator, `${at}/withoutNearZero/value`, dispersion.withoutNearZero.value, PERCENT)} without ${near === 1 ? 'it' : 'them'})`}.`;
}

function ranking(context: ReportContext, evaluators: readonly EvaluatorEstimates[]): Answer {
  const many = evaluators.filter((entry) => entry.maxWinners > 1);
  const lowest = largest(evaluators, (entry) => (entry.minKendallW.value === null ? null : -entry.minKendallW.value));
  const sentences: Html[] = [];
  if (context.estimates.generators.length < 2) sentences.push(html`There is one generator, so there is no ranking.`);
  else if (lowest === null)
    sentences.push(html`No agreement of rankings could be estimated: ${reason(evaluators[0]?.minKendallW)}.`);
  else {
    if (evaluators.length > 1)
      sentences.push(
        html`The winner changes within some factor for <strong>${many.length} of ${evaluators.length}</strong>.`,
      );
    sentences.push(
      html`${evaluators.length > 1 ? 'Least stable for ' : 'For '}${name(lowest.evaluator)}: over the levels of ${lowest.minKendallW.factor} the rankings agree with W ${context.estimate(lowest, 'minKendallW', lowest.minKendallW)}; up to ${context.number(lowest, 'maxWinners', lowest.maxWinners, { digits: 0 })} different generators come first within one factor, and over all configurations ${lowest.winnersAll.length === 0 ? 'none comes first alone' : html`${names(lowest.winnersAll.slice(0, 8))} ${lowest.winnersAll.length === 1 ? 'always does' : 'each do somewhere'}`}.${withinBest(lowest)}`,
    );
  }
  return {
    question: 'Does the ranking of the generators survive?',
    sentences,
    limits:
      'Descriptive: W is 1 when every level ranks the generators alike and near 0 when rankings have nothing in common; winners that differ by less than noise count as winners.',
  };
}

/** Whether the winner only changes among generators that the default configuration cannot rank anyway. */
function withinBest({ winnersAll, bestSet }: EvaluatorEstimates): Html | null {
  if (winnersAll.length < 2 || bestSet.length === 0) return null;
  const beyond = winnersAll.filter((generator) => !bestSet.includes(generator));
  return beyond.length === 0
    ? html` All of them are in the best set at the default (answer 4): the winner changes only among generators that are not told apart there.`
    : html` ${names(beyond.slice(0, 8))} ${beyond.length === 1 ? 'is' : 'are'} not even in the best set at the default (answer 4).`;
}

function margins(context: ReportContext, evaluators: readonly EvaluatorEstimates[]): Answer {
  const sentences: Html[] = [];
  const pairs = evaluators[0]?.envelopes.length ?? 0;
  const known = evaluators.filter((entry) => envelopesWithheld(entry) === null);
  const first = known[0];
  if (pairs === 0) sentences.push(html`There is no pair of generators to compare.`);
  else if (first === undefined)
    sentences.push(html`Withheld: ${envelopesWithheld(evaluators[0] as EvaluatorEstimates)}.`);
  else {
    const least = largest(known, (entry) => -entry.strictPairs) ?? first;
    sentences.push(
      html`${evaluators.length > 1 ? html`Fewest for ${name(least.evaluator)}: ` : ''}<strong>${context.number(least, 'strictPairs', least.strictPairs, { digits: 0 })} of ${formatCount(least.envelopes.length)}</strong> pairs keep their order over every declared configuration.`,
    );
    const open = known.find((entry) => entry.reversals.unconfirmedBecause === null);
    if (open === undefined)
      sentences.push(html`No reversal is called confirmed: ${first.reversals.unconfirmedBecause ?? ''}.`);
    else {
      const total = known.reduce((sum, entry) => sum + entry.reversals.counts.simultaneous, 0);
      const most = largest(known, (entry) => entry.reversals.counts.simultaneous) ?? first;
      sentences.push(
        html`<strong>${plural(total, 'reversal')}</strong> ${total === 1 ? 'is' : 'are'} confirmed by a band over all ${formatCount(context.estimates.family.contrasts)} contrasts${total === 0 || evaluators.length === 1 ? '' : html`, ${context.number(most, 'reversals/counts/simultaneous', most.reversals.counts.simultaneous, { digits: 0 })} of them for ${name(most.evaluator)}`}: one generator is better at one level and worse at another${total > 1 ? ' (every such pair of levels counts)' : ''}.`,
      );
    }
  }
  return {
    question: 'Which comparisons hold whatever the configuration?',
    sentences,
    limits: `Envelopes are descriptive ranges of point estimates. “Confirmed” means that the simultaneous ${formatNumber(context.estimates.level, { percent: true, digits: 0 })} band excludes zero on both sides, after the whole search.`,
  };
}

function separability(context: ReportContext, evaluators: readonly EvaluatorEstimates[]): Answer {
  const sentences: Html[] = [];
  if ((evaluators[0]?.envelopes.length ?? 0) === 0) sentences.push(html`There is no pair of generators to tell apart.`);
  else
    for (const entry of evaluators.slice(0, evaluators.length > 3 ? 0 : 3)) {
      const because = comparisonsWithheld(entry);
      sentences.push(
        because !== null
          ? html`${name(entry.evaluator)}: withheld, ${because}.`
          : html`${name(entry.evaluator)} separates <strong>${context.number(entry, 'separablePairs', entry.separablePairs, { digits: 0 })} of ${formatCount(entry.envelopes.length)}</strong> pairs at its default; ${entry.topGap.pair === null ? html`it has no top two` : html`the top two, ${name(entry.topGap.pair[0])} and ${name(entry.topGap.pair[1])}, differ by ${context.estimate(entry, 'topGap', entry.topGap)}`}; the best set is ${names(entry.bestSet.slice(0, 8))}.`,
      );
    }
  if (evaluators.length > 3) {
    const told = evaluators.filter((entry) => comparisonsWithheld(entry) === null);
    const all = told.filter((entry) => entry.separablePairs === entry.envelopes.length);
    const single = told.filter((entry) => entry.bestSet.length === 1);
    sentences.push(
      html`<strong>${all.length} of ${told.length}</strong> separate every pair at their default, and <strong>${single.length}</strong> single out one best generator.`,
    );
  }
  return {
    question: 'Can the evaluator tell the generators apart at its default?',
    sentences,
    limits:
      'Pointwise intervals over prompts, not corrected for the number of pairs; the gap of the top two is of a selected pair. The best set holds what multiple comparisons with the best cannot rule out.',
  };
}

function content(context: ReportContext, evaluators: readonly EvaluatorEstimates[]): Answer {
  const probed = evaluators.filter((entry) => entry.probes.length > 0);
  const sentences: Html[] = [];
  if (probed.length === 0) sentences.push(html`Not run: this audit has no probes.`);
  for (const entry of probed.slice(0, 3)) {
    const parts: HtmlPart[] = entry.probes
      .filter((probe) => !probe.control && isMeasured(probe.discrimination))
      .slice(0, 6)
      .map((probe, index) => [
        index === 0 ? '' : ', ',
        probe.probe,
        ' ',
        context.number(
          entry,
          `probes/${entry.probes.indexOf(probe)}/discrimination`,
          probe.discrimination.value,
          PERCENT,
        ),
      ]);
    sentences.push(
      html`${name(entry.evaluator)} scores the degraded scene lower in: ${parts}.${undecided(entry)} ${isMeasured(entry.contentAccuracy) ? html`Content accuracy ${context.estimate(entry, 'contentAccuracy', entry.contentAccuracy, PERCENT)}.` : html`Content accuracy is not given: ${entry.contentAccuracy.undefinedBecause}.`}`,
    );
  }
  if (probed.length > 3)
    sentences.push(html`The other ${probed.length - 3} evaluators stand under <a href="#probes">Probes</a>.`);
  return {
    question: 'Does the score notice what is in the scene?',
    sentences,
    limits: 'Share of pairs in which the degraded scene scores lower, ties counting a half: 50% is what chance gives.',
  };
}

/** Probes of which chance is not ruled out. */
function undecided(entry: EvaluatorEstimates): string {
  const open = entry.probes.filter(
    ({ control, discrimination }) =>
      !control &&
      isMeasured(discrimination) &&
      (discrimination.lower ?? 1) <= 0.5 &&
      (discrimination.upper ?? 0) >= 0.5,
  );
  if (open.length === 0) return '';
  return ` For ${open.map(({ probe }) => probe).join(', ')} the interval includes 50%, so chance is not ruled out.`;
}

function glance(context: ReportContext): Html {
  const cards = new Map(context.card.evaluators.map((entry, index) => [entry.evaluator, { id: entry.cardId, index }]));
  const digits = { digits: 0 } as const;
  return html`<h3>All evaluators at a glance</h3><div class="scroll" tabindex="0" role="region" aria-label="All evaluators at a glance"><table class="stack"><thead><tr><th scope="col">Evaluator and card ID</th><th class="num" scope="col">Peak rho</th><th class="num" scope="col">Smallest W</th><th class="num" scope="col">Winners</th><th class="num" scope="col">Strict pairs</th><th class="num" scope="col">Separable</th><th class="num" scope="col">Content</th></tr></thead><tbody>${context.estimates.evaluators.map(
    (entry) => {
      const card = cards.get(entry.evaluator);
      const head = html`<th scope="row" data-h="Evaluator"><span>${name(entry.evaluator)}${entry.role === 'alignment' ? '' : ` (${entry.role})`}<br><a href="#card-${card?.index ?? 0}"><code>${card?.id ?? ''}</code></a></span></th>`;
      if (withheldBecause(entry) !== null)
        return html`<tr>${head}<td colspan="6"><span class="status status-withheld">withheld</span></td></tr>`;
      const pairs = entry.envelopes.length;
      return html`<tr>${head}<td class="num" data-h="Peak rho">${short(context, entry, 'peakRho', entry.peakRho)}</td><td class="num" data-h="Smallest W">${short(context, entry, 'minKendallW', entry.minKendallW)}</td><td class="num" data-h="Winners">${context.number(entry, 'maxWinners', entry.maxWinners, digits)}</td><td class="num" data-h="Strict pairs">${envelopesWithheld(entry) === null ? html`<span>${context.number(entry, 'strictPairs', entry.strictPairs, digits)} of ${pairs}</span>` : '–'}</td><td class="num" data-h="Separable">${comparisonsWithheld(entry) === null ? html`<span>${context.number(entry, 'separablePairs', entry.separablePairs, digits)} of ${pairs}</span>` : '–'}</td><td class="num" data-h="Content">${isMeasured(entry.contentAccuracy) ? context.number(entry, 'contentAccuracy', entry.contentAccuracy.value, PERCENT) : '–'}</td></tr>`;
    },
  )}</tbody></table></div>`;
}

/** The headline counts and medians of the estimates, each with the rows it was taken over. */
function counted(context: ReportContext): Html | null {
  const items = context.estimates.summary;
  if (items.length === 0 || context.estimates.evaluators.length < 2) return null;
  return html`<details class="more"><summary>Headline counts over evaluators</summary><div class="scroll" tabindex="0" role="region" aria-label="Headline counts"><table><thead><tr><th scope="col">Count or median</th><th class="num" scope="col">Value</th><th scope="col">Over</th></tr></thead><tbody>${items.map((item) => html`<tr><td>${item.name}</td><td class="num">${item.of === null ? formatNumber(item.value) : `${item.value === null ? '–' : formatCount(item.value)} of ${item.of}`}</td><td>${item.rows === 'all' ? 'all rows' : 'alignment evaluators'}</td></tr>`)}</tbody></table></div></details>`;
}

/** A value with its interval where there is one; a dash, not a sentence, where there is none. */
function short(
  context: ReportContext,
  entry: EvaluatorEstimates,
  pointer: string,
  estimate: EvaluatorEstimates['peakRho'] | EvaluatorEstimates['minKendallW'],
): Html {
  return isMeasured(estimate)
    ? context.estimate(entry, pointer, estimate)
    : html`<span title="${estimate.undefinedBecause}">–</span>`;
}

function reason(estimate: { value: number | null; undefinedBecause?: string } | undefined): string {
  return estimate?.undefinedBecause ?? 'nothing was measured';
}

/** The item with the largest value; the first of equals; null when no item has a value. */
function largest<Item>(items: readonly Item[], value: (item: Item) => number | null): Item | null {
  let best: Item | null = null;
  let top = Number.NEGATIVE_INFINITY;
  for (const item of items) {
    const here = value(item);
    if (here !== null && here > top) {
      best = item;
      top = here;
    }
  }
  return best;
}
