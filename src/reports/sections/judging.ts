import { formatCount, formatEstimate, formatNumber, plural } from '../../cards/format-number.ts';
import { htmlTable } from '../../cards/render-card-html.ts';
import type { EvaluatorEstimates } from '../../core/estimates.ts';
import type { ConfigurationLedger, Judging } from '../../core/judging-estimates.ts';
import { OUTCOME_STATUSES } from '../../core/outcome.ts';
import { type Html, html, name, trusted } from '../html.ts';
import type { ReportContext } from '../report-context.ts';
import type { ReportSection } from './section.ts';

/** Configurations listed at most; estimates.json holds all. */
const LISTED = 40;
/** Configurations shown at once: those that miss most; the others unfold. */
const SHOWN = 6;
const PERCENT = { percent: true } as const;

/**
 * What repeats, failures, samples and pairs say about hosted judges, and about every other evaluator that was asked more than
 * once or with sampled templates; null when there is none.
 */
export function judging(context: ReportContext): ReportSection | null {
  const evaluators = context.estimates.evaluators.filter(
    (entry) => entry.repeatability !== null || entry.judging !== undefined,
  );
  if (evaluators.length === 0) return null;
  return {
    id: 'judging',
    title: 'Repeats, failures and what is settled',
    body: html`${evaluators.map(
      (entry) =>
        html`<h3>${name(entry.evaluator)}</h3>${repeats(entry)}${entry.judging === undefined ? null : judged(entry, entry.judging)}${bounds(entry)}`,
    )}`,
  };
}

function judged(entry: EvaluatorEstimates, found: Judging): Html {
  return html`${ledgers(found.configurations)}${settled(found.settled)}${found.sample === null ? null : sample(entry, found.sample)}${found.pairwise === null ? null : pairs(found.pairwise)}`;
}

/** Repeat noise at c0, and its share of every factor's variance. */
function repeats(entry: EvaluatorEstimates): Html {
  const found = entry.repeatability;
  if (found === null) return html`<p>Every question was asked once: how far the answers repeat was not measured.</p>`;
  const facts = table(
    ['Repeat noise at the default', ''],
    [false, true],
    [
      ['Repeats of a question', formatCount(found.repeats)],
      ['Scenes with every repeat', formatCount(found.units)],
      ['Standard deviation between repeats, mean', formatNumber(found.meanSd, { digits: 3 })],
      ['Range between repeats, mean', formatNumber(found.meanRange, { digits: 3 })],
      ['ICC of one answer', formatEstimate(found.iccSingle)],
      ['ICC of the mean of the repeats', formatEstimate(found.iccMean)],
      [
        'Share of the variance between scenes and repeats that is repeat noise',
        formatNumber(found.varianceShare, PERCENT),
      ],
      [
        'Repeats with another winner than the means',
        found.winnerChanges === null ? 'not compared' : `${formatCount(found.winnerChanges)} of ${found.repeats}`,
      ],
    ],
  );
  const noise = entry.factors.filter((factor) => factor.noiseShare !== null);
  return html`<p>Identical questions, asked ${plural(found.repeats, 'time')}: what differs is the judge itself.</p>${facts}${
    noise.length === 0
      ? null
      : html`<h4>Share of configuration variance that is only repeat noise</h4>${table(
          ['Factor', 'Noise share', 'Levels', 'rho'],
          [false, true, true, true],
          noise.map((factor) => [
            factor.factor,
            factor.noiseShare === null ? '–' : formatEstimate(factor.noiseShare, PERCENT),
            formatCount(factor.levels),
            formatEstimate(factor.rho),
          ]),
        )}<p class="limits">Near 100%: repeating the question moves a score as much as changing the factor does. Above 100%: the factor moved it less than chance would.</p>`
  }`;
}

/** Where failures lie: the ledger of every configuration that has any. */
function ledgers(configurations: readonly ConfigurationLedger[]): Html {
  const share = (row: ConfigurationLedger) => 1 - row.scored / row.planned;
  const failing = configurations.filter((row) => row.scored < row.planned);
  if (failing.length === 0)
    return html`<h4>Ledger by configuration</h4><p>Every outcome of all ${plural(configurations.length, 'configuration')} is scored.</p>`;
  const sorted = [...configurations].sort((a, b) => share(a) - share(b));
  const least = sorted[0] as ConfigurationLedger;
  const most = sorted.at(-1) as ConfigurationLedger;
  const worst = [...failing].sort((a, b) => share(b) - share(a));
  const rowsOf = (rows: readonly ConfigurationLedger[]) =>
    table(
      ['Configuration', 'Planned', ...OUTCOME_STATUSES, 'Without a score'],
      [false, true, ...OUTCOME_STATUSES.map(() => true), true],
      rows.map((row) => [
        placeName(row),
        formatCount(row.planned),
        ...OUTCOME_STATUSES.map((status) => formatCount(row[status])),
        formatNumber(share(row), PERCENT),
      ]),
    );
  const more = worst.slice(SHOWN, LISTED);
  return html`<h4>Ledger by configuration</h4><p>Without a score: ${formatNumber(share(least), PERCENT)} at ${placeName(least)} to ${formatNumber(share(most), PERCENT)} at ${placeName(most)}. Failures that depend on the configuration bias what is left; ${plural(configurations.length - failing.length, 'configuration')} of ${configurations.length} ${configurations.length - failing.length === 1 ? 'has' : 'have'} none.</p>${rowsOf(worst.slice(0, SHOWN))}${more.length === 0 ? null : html`<details class="more"><summary>${plural(more.length, 'more configuration')} with failures</summary>${rowsOf(more)}</details>`}${failing.length > LISTED ? html`<p class="note">${failing.length - LISTED} more configurations have failures; estimates.json lists all.</p>` : null}`;
}

function settled({ statements }: Judging['settled']): Html {
  return html`<h4>What is settled</h4><ul>${statements.map((statement) => html`<li>${statement}</li>`)}</ul><p class="limits">Settled is what was seen to exist: a change of winner, a pair with both signs, in these answers; it is a fact about them, not a test against chance. That something never happens is open until every configuration is complete.</p>`;
}

function sample(entry: EvaluatorEstimates, found: NonNullable<Judging['sample']>): Html {
  const dispersion = entry.factors.find(({ factor }) => factor === 'template')?.dispersion;
  return html`<h4>Templates: ${found.drawn} drawn of ${found.of}</h4><p>A probability sample that covers every choice of every slot; ${formatNumber(found.saved, PERCENT)} of the template questions were not asked. Estimates for all ${found.of} templates, from ${plural(found.scenes.complete, 'complete scene')} of ${formatCount(found.scenes.planned)}:</p>${table(
    ['For all templates', 'Estimate'],
    [false, true],
    [
      ...found.generators.map(({ generator, mean }) => [`mean score of ${generator}`, formatEstimate(mean)]),
      ['variance within a scene', formatEstimate(found.variance)],
      ['rho', formatEstimate(found.rho)],
      ['dispersion (range)', dispersion === undefined ? '–' : formatEstimate(dispersion, PERCENT)],
    ],
  )}<p>Estimated: ${found.estimated.join('; ')}.</p><p>No longer to be said: ${found.lost.join('; ')}.</p><p class="limits">Intervals are those of drawing templates; prompts, and the generators’ variance at the default, are held as they are.</p>`;
}

function pairs(found: NonNullable<Judging['pairwise']>): Html {
  const { worths } = found;
  return html`<h4>Pairs</h4><p>The judge saw two pictures at a time, each pair in both orders. A score is the mean preference over the other generators: 1 when a scene is always preferred, 0.5 for ties and for answers that went with the position.</p>${table(
    ['Pairs', ''],
    [false, true],
    [
      ['Asked, scored', `${formatCount(found.ledger.planned)}, ${formatCount(found.ledger.scored)}`],
      ['Same answer in both orders', formatEstimate(found.consistent, PERCENT)],
      ['Answers for the picture shown first (50% without position bias)', formatEstimate(found.firstShown, PERCENT)],
      ...found.preferences.map(({ pair: [m, n], preference }) => [
        `${m} preferred to ${n} at the default`,
        formatEstimate(preference, PERCENT),
      ]),
      ...(worths.list === null
        ? [['Bradley-Terry worths', `undefined: ${worths.undefinedBecause}`]]
        : worths.list.map(({ generator, worth }) => [
            `Bradley-Terry worth of ${generator}`,
            formatNumber(worth, { digits: 3 }),
          ])),
    ],
  )}`;
}

/** Worst and best case over the missing outcomes; nothing when every outcome is scored or the scale has no limits. */
function bounds(entry: EvaluatorEstimates): Html | null {
  const bounded = entry.envelopes.filter((envelope) => envelope.bounds !== null);
  if (bounded.length === 0 || entry.ledger.scored === entry.ledger.planned) return null;
  return html`<h4>Bounds</h4><p>Margins over all configurations when every missing outcome is the worst, and the best, that the scale (${entry.scale?.name ?? ''}, ${entry.scale?.min ?? ''} to ${entry.scale?.max ?? ''}) allows.</p>${table(
    ['Pair', 'Observed margins', 'Bounds', 'Sign whatever is missing'],
    [false, true, true, false],
    bounded
      .slice(0, LISTED)
      .map((envelope) => [
        envelope.pair.join(' − '),
        `${formatNumber(envelope.min)} to ${formatNumber(envelope.max)}`,
        `${formatNumber(envelope.bounds?.min ?? null)} to ${formatNumber(envelope.bounds?.max ?? null)}`,
        envelope.bounds?.strict === true ? 'kept' : 'not known',
      ]),
  )}${bounded.length > LISTED ? html`<p class="note">${bounded.length - LISTED} more pairs are in estimates.json.</p>` : null}`;
}

function placeName({ factor, level }: { readonly factor: string; readonly level: string }): string {
  return factor === '' ? 'the default' : `${factor} ${level}`;
}

function table(head: readonly string[], numeric: readonly boolean[], rows: readonly (readonly string[])[]): Html {
  return trusted(htmlTable({ head: [...head], numeric: [...numeric], rows: rows.map((row) => [...row]) }));
}
