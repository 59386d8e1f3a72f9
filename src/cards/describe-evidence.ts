import type { Card, Evidence, Section } from '../core/card.ts';
import { type Estimate, isMeasured, type Reversal } from '../core/estimates.ts';
import { compareText } from '../core/json.ts';
import type { ProbeApplies } from '../core/manifest.ts';
import { describeJudging } from './describe-judging.ts';
import type { DescribedSection, DescribedTable } from './described.ts';
import type { Leaf } from './flatten-json.ts';
import { formatCount, formatEstimate, formatInterval, formatNumber, plural } from './format-number.ts';
import { shortList } from './short-list.ts';

const PERCENT = { percent: true } as const;

type Content = Pick<DescribedSection, 'sentences' | 'facts' | 'tables'>;

function describe<Value>(
  title: string,
  section: Section<Value>,
  say: (value: Value) => Partial<Content>,
): DescribedSection {
  if (section.status !== 'measured')
    return { title, status: section.status, sentences: [section.reason], facts: [], tables: [] };
  return { title, status: 'measured', sentences: [], facts: [], tables: [], ...say(section.value) };
}

/** Evidence in words, one section after another, each saying why when it was not measured. */
export function describeEvidence(card: Card, evidence: Evidence): DescribedSection[] {
  return [
    describe('Ledger', evidence.ledger, (ledger) => ({
      facts: Object.entries(ledger).map(([name, value]): Leaf => [name, formatCount(value)]),
    })),
    describe('Missing outcomes', evidence.missing, (missing) => ({
      sentences: [
        `${formatCount(missing.cells.missing)} of ${plural(missing.cells.planned, 'cell')} without a score (${formatNumber(missing.cells.share, PERCENT)}), ${formatCount(missing.scenes.lost)} of ${plural(missing.scenes.planned, 'scene')} lost (${formatNumber(missing.scenes.share, PERCENT)}); gate at ${formatNumber(missing.maxMissing, PERCENT)}: ${missing.gate === 'passed' ? 'passed' : `not passed (${missing.gate})`}.`,
        ...missing.removedLevels.map(
          ({ factor, level, share }) =>
            `Level ${level} of ${factor} is removed: ${formatNumber(share, PERCENT)} of it is missing.`,
        ),
      ],
    })),
    describe('Scores at the default configuration', evidence.scores, (scores) => ({
      tables: [
        {
          head: [
            'Generator',
            'Score',
            `${formatNumber(card.statistics.level, { percent: true, digits: 0 })} interval`,
            'Prompts',
          ],
          numeric: [false, true, true, true],
          rows: scores.generators.map(({ generator, score }) => [
            generator,
            isMeasured(score) ? formatNumber(score.value, { digits: 3 }) : formatEstimate(score),
            formatInterval(score, { digits: 3 }) ?? '–',
            isMeasured(score) ? formatCount(score.n) : '–',
          ]),
        },
      ],
    })),
    describe('Stability', evidence.stability, (stability) => ({
      facts: [
        ['peak rho', named(stability.peakRho, stability.peakRho.factor)],
        ['template rho', formatEstimate(stability.templateRho)],
        ['smallest W', named(stability.minKendallW, stability.minKendallW.factor)],
        ['winners over all shared configurations', stability.winnersAll.join(', ') || 'none'],
      ],
      tables: [
        {
          head: ['Factor', 'Levels', 'Dispersion', 'rho', 'rho corrected', 'rho interaction', 'W', 'Winners'],
          numeric: [false, true, true, true, true, true, true, false],
          rows: stability.factors.map((factor) => [
            factor.factor,
            formatCount(factor.levels),
            `${formatEstimate(factor.dispersion, PERCENT)}${factor.dispersion.inflated ? ` (inflated by means near zero; ${formatNumber(factor.dispersion.withoutNearZero.value, PERCENT)} without)` : ''}`,
            formatEstimate(factor.rho),
            formatEstimate(factor.rhoCorrected),
            formatEstimate(factor.rhoInteraction),
            formatEstimate(factor.kendallW),
            factor.shared ? shortList(factor.winners, 6) || 'none' : 'not ranked',
          ]),
        },
      ],
    })),
    describe('Margins', evidence.envelopes, (envelopes) => ({
      sentences: [
        `${formatCount(envelopes.strict)} of ${plural(envelopes.pairs, 'pair')} keep their order over every declared configuration (strict envelope).`,
      ],
    })),
    describe('Separability at the default configuration', evidence.separability, (value) => ({
      sentences: [
        `${formatCount(value.separable)} of ${plural(value.pairs, 'pair')} have a pointwise interval that excludes zero.`,
        `Best set by multiple comparisons with the best: ${value.bestSet.join(', ') || 'none'}.`,
        ...(value.topGap.pair === null
          ? []
          : [
              `Gap between ${value.topGap.pair.join(' and ')} (selected as the top two): ${formatEstimate(value.topGap, { digits: 3 })}.`,
            ]),
      ],
    })),
    describe('Reversals', evidence.reversals, (reversals) => ({
      sentences: [
        reversals.unconfirmedBecause === null
          ? `${plural(reversals.counts.simultaneous, 'reversal')} confirmed by the simultaneous band.`
          : `Nothing is called confirmed: ${reversals.unconfirmedBecause}.`,
        `${plural(reversals.counts.pointwise, 'reversal')} by pointwise intervals: descriptive, not corrected for the search.`,
      ],
      tables: [
        ...reversalTable(reversals.confirmed),
        ...(reversals.confirmed.length === 0 ? reversalTable(reversals.pointwise.slice(0, 5)) : []),
      ],
    })),
    describe('Inflation', evidence.inflation, ({ bestView, bestTemplate }) => ({
      facts: [
        ['best view over default, median scene', formatEstimate(bestView, { digits: 3 })],
        [
          'best template over default',
          bestTemplate === null
            ? 'no template was swept'
            : `${formatNumber(bestTemplate.ratio, { digits: 3 })} with ${bestTemplate.template}; the default ranks ${formatNumber(bestTemplate.defaultRank, { digits: 0 })} of ${bestTemplate.templates}`,
        ],
      ],
    })),
    describe('Probes', evidence.probes, (value) => ({
      facts: [['content accuracy (mean of the four published probes)', formatEstimate(value.contentAccuracy, PERCENT)]],
      tables: [
        {
          head: ['Probe', 'Discrimination', 'Strict drop', 'Drops', 'Ties', 'Rises', 'Failed', 'Bounds'],
          numeric: [false, true, true, true, true, true, true, true],
          rows: value.probes.map((probe) => [
            probe.control ? `${probe.probe} (control)` : probe.probe,
            formatEstimate(probe.discrimination, PERCENT),
            formatEstimate(probe.strictDrop, PERCENT),
            formatCount(probe.drops),
            formatCount(probe.ties),
            formatCount(probe.rises),
            formatCount(probe.failed),
            probe.bounds === null ? '–' : probe.bounds.map((bound) => formatNumber(bound, PERCENT)).join(' to '),
          ]),
        },
        {
          head: ['Probe', 'Applied to', 'Parameters'],
          numeric: [false, false, false],
          rows: value.declared.map(({ probe, applies, choices }) => [
            probe,
            appliedText(applies),
            choicesText(choices),
          ]),
        },
      ],
    })),
    describe('Slot effects', evidence.slotEffects, (slots) => ({
      tables: [
        {
          head: ['Slot', 'Choice', 'Captions', 'Shift', 'Compared over'],
          numeric: [false, false, true, true, false],
          rows: slots.flatMap((slot) =>
            slot.choices.map((choice) => [
              slot.slot,
              choice.choice,
              formatCount(choice.captions),
              choice.shiftPercent === null ? '–' : `${formatNumber(choice.shiftPercent, { signed: true })}%`,
              slot.over,
            ]),
          ),
        },
      ],
    })),
    describe('Brightness', evidence.brightness, (brightness) => ({
      sentences: [
        isMeasured(brightness)
          ? `Pearson's r between log2 luminance and score shift over ${brightness.levels.length} lighting levels: ${formatNumber(brightness.value)} (p ${formatNumber(brightness.pearsonP, { digits: 3 })}); Spearman ${formatNumber(brightness.spearman)} (p ${formatNumber(brightness.spearmanP, { digits: 3 })}).`
          : `Brightness: ${formatEstimate(brightness)}.`,
      ],
    })),
    describe('Token coverage', evidence.tokenCoverage, (coverage) => ({
      sentences: [
        // The most tokens read are the encoder's limit only when some caption is longer.
        coverage.truncated === 0
          ? `All ${plural(coverage.captions, 'caption')} are read whole; the longest has ${coverage.context} tokens.`
          : `${formatCount(coverage.truncated)} of ${plural(coverage.captions, 'caption')} are longer than the ${coverage.context} tokens this evaluator reads; on average ${formatNumber(coverage.meanShare, PERCENT)} of a caption is read, at worst ${formatNumber(coverage.minShare, PERCENT)}.`,
      ],
    })),
    describe('Noise floor', evidence.noiseFloor, (floor) => ({
      sentences: [
        `The default picture of ${plural(floor.scenes, 'scene')} rendered twice: pixels differ by at most ${formatNumber(floor.maxPixel, { digits: 0 })} of 255 (mean ${formatNumber(floor.meanPixel, { digits: 4 })})${floor.maxScoreDifference === null ? '' : `, scores by at most ${formatNumber(floor.maxScoreDifference, { digits: 4 })}`}.`,
      ],
    })),
    describe('Repeatability', evidence.repeatability, (value) => ({
      facts: [
        ['repeats', formatCount(value.repeats)],
        ['ICC of one repeat', formatEstimate(value.iccSingle)],
        ['ICC of the mean', formatEstimate(value.iccMean)],
        ['mean standard deviation', formatNumber(value.meanSd, { digits: 3 })],
        ['repeats with another winner', value.winnerChanges === null ? '–' : formatCount(value.winnerChanges)],
      ],
    })),
    ...(evidence.judging === undefined
      ? []
      : [describe('Failures by configuration, and what is settled', evidence.judging, describeJudging)]),
    describe('Zeros that may be failures', evidence.zeroSensitivity, (value) => ({
      sentences: [
        `${plural(value.zeros, 'stored zero')}, ${formatCount(value.atDefault)} of them at the default configuration.`,
      ],
    })),
  ];
}

function named(estimate: Estimate, factor: string | null): string {
  return factor === null ? formatEstimate(estimate) : `${formatEstimate(estimate)} (${factor})`;
}

function reversalTable(reversals: readonly Reversal[]): DescribedTable[] {
  if (reversals.length === 0) return [];
  const side = (reversal: Reversal, index: 0 | 1) =>
    `${reversal.levels[index]}: ${formatNumber(reversal.margins[index], { digits: 3 })} [${reversal.intervals[index].map((limit) => formatNumber(limit, { digits: 3 })).join(', ')}]`;
  return [
    {
      head: ['Pair', 'Factor', 'Margin at one level', 'Margin at the other'],
      numeric: [false, false, true, true],
      rows: reversals.map((reversal) => [
        reversal.pair.join(' − '),
        reversal.factor,
        side(reversal, 0),
        side(reversal, 1) + (reversal.seedSensitive ? ' (seed-sensitive)' : ''),
      ]),
    },
  ];
}

/** Which prompts a probe was tried on, and why those. */
function appliedText(applies: ProbeApplies | null): string {
  if (applies === null) return 'not recorded';
  const { about, annotated, prompts, of } = applies;
  if (about === null) return `all ${of} prompts`;
  return annotated
    ? `${prompts} of ${of} prompts: those that specify ${about.join(' or ')}`
    : `all ${of} prompts: none is annotated with ${about.join(' or ')}`;
}

function choicesText(choices: Readonly<Record<string, string>>): string {
  const entries = Object.entries(choices).sort(([a], [b]) => compareText(a, b));
  return entries.length === 0 ? '–' : entries.map(([name, value]) => `${name}: ${value}`).join(', ');
}
