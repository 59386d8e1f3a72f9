import { type Estimate, type Estimates, type EvaluatorEstimates, isMeasured } from '../core/estimates.ts';

/** A number computed from the data as they are, without an interval. */
const POINT = 'point';

/** One estimate of an audit on a line of its own. */
export interface EstimateRow {
  /** JSON pointer (RFC 6901) into estimates.json. */
  readonly pointer: string;
  readonly evaluator: string;
  /** What is estimated: `dispersion`, `rho`, `kendallW`, `score`, `margin`, ... */
  readonly quantity: string;
  /** Which one of several: a factor, generator, pair, probe or slot choice; empty when there is one. */
  readonly of: string;
  readonly value: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  /** The upper limit is +infinity. */
  readonly unbounded: boolean;
  readonly level: number | null;
  readonly method: string;
  readonly n: number | null;
  readonly excluded: number | null;
  readonly undefinedBecause: string;
}

/**
 * Every estimate of an audit, evaluator by evaluator, in the order of estimates.json: the rows of `estimates.csv` and
 * the places the numbers of a report link to.
 */
export function listEstimates(estimates: Estimates): EstimateRow[] {
  return estimates.evaluators.flatMap((evaluator, index) => rowsOf(evaluator, `/evaluators/${index}`));
}

function rowsOf(evaluator: EvaluatorEstimates, at: string): EstimateRow[] {
  const rows: EstimateRow[] = [];
  const add = (pointer: string, quantity: string, of: string, estimate: Estimate) =>
    rows.push(rowOf(evaluator.evaluator, `${at}/${pointer}`, quantity, of, estimate));
  const plain = (
    pointer: string,
    quantity: string,
    of: string,
    value: number | null,
    n: number | null = null,
    method = 'count',
  ) =>
    rows.push({
      pointer: `${at}/${pointer}`,
      evaluator: evaluator.evaluator,
      quantity,
      of,
      value,
      lower: null,
      upper: null,
      unbounded: false,
      level: null,
      method,
      n,
      excluded: null,
      undefinedBecause: '',
    });
  for (const [state, value] of Object.entries(evaluator.ledger)) plain(`ledger/${state}`, 'outcomes', state, value);
  evaluator.generators.forEach(({ generator, score }, index) => {
    add(`generators/${index}/score`, 'score', generator, score);
  });
  add('peakRho', 'peak rho', evaluator.peakRho.factor ?? '', evaluator.peakRho);
  add('templateRho', 'template rho', '', evaluator.templateRho);
  add('minKendallW', 'smallest W', evaluator.minKendallW.factor ?? '', evaluator.minKendallW);
  plain('maxWinners', 'most winners of a factor', '', evaluator.maxWinners);
  plain('separablePairs', 'separable pairs', '', evaluator.separablePairs, evaluator.envelopes.length);
  plain('strictPairs', 'strict pairs', '', evaluator.strictPairs, evaluator.envelopes.length);
  add('topGap', 'gap of the top two', evaluator.topGap.pair?.join(' - ') ?? '', evaluator.topGap);
  add('bestView', 'best view over default', '', evaluator.bestView);
  const { bestTemplate } = evaluator;
  if (bestTemplate !== null) {
    plain(
      'bestTemplate/ratio',
      'best template over default',
      bestTemplate.template,
      bestTemplate.ratio,
      bestTemplate.templates,
      POINT,
    );
    plain(
      'bestTemplate/defaultRank',
      'rank of the default template',
      '',
      bestTemplate.defaultRank,
      bestTemplate.templates,
      'rank',
    );
  }
  for (const [name, count] of Object.entries(evaluator.reversals.counts))
    plain(`reversals/counts/${name}`, 'reversals', name, count);
  add('contentAccuracy', 'content accuracy', '', evaluator.contentAccuracy);
  evaluator.factors.forEach((factor, index) => {
    const path = `factors/${index}`;
    add(`${path}/dispersion`, 'dispersion', factor.factor, factor.dispersion);
    plain(
      `${path}/dispersion/median`,
      'dispersion, median scene',
      factor.factor,
      factor.dispersion.median,
      null,
      POINT,
    );
    plain(
      `${path}/dispersion/withoutNearZero/value`,
      'dispersion without near-zero scenes',
      factor.factor,
      factor.dispersion.withoutNearZero.value,
      factor.dispersion.withoutNearZero.scenes,
      POINT,
    );
    plain(`${path}/dispersion/points/sd`, 'SD in score units', factor.factor, factor.dispersion.points.sd, null, POINT);
    plain(
      `${path}/dispersion/points/range`,
      'range in score units',
      factor.factor,
      factor.dispersion.points.range,
      null,
      POINT,
    );
    add(`${path}/rho`, 'rho', factor.factor, factor.rho);
    add(`${path}/rhoCorrected`, 'rho corrected', factor.factor, factor.rhoCorrected);
    add(`${path}/rhoInteraction`, 'rho interaction', factor.factor, factor.rhoInteraction);
    if (factor.shared) {
      add(`${path}/kendallW`, 'W', factor.factor, factor.kendallW);
      plain(`${path}/winners`, 'winners', factor.factor, factor.winners.length, factor.levels);
    }
    if (factor.noiseShare !== null) add(`${path}/noiseShare`, 'noise share', factor.factor, factor.noiseShare);
  });
  evaluator.probes.forEach((probe, index) => {
    add(`probes/${index}/discrimination`, 'discrimination', probe.probe, probe.discrimination);
    add(`probes/${index}/strictDrop`, 'strict drop', probe.probe, probe.strictDrop);
    add(`probes/${index}/effectSize`, 'effect size', probe.probe, probe.effectSize);
    add(`probes/${index}/meanDrop`, 'mean drop', probe.probe, probe.meanDrop);
  });
  evaluator.slots.forEach((slot, index) => {
    slot.choices.forEach((choice, position) => {
      plain(
        `slots/${index}/choices/${position}/shiftPercent`,
        'slot shift percent',
        `${slot.slot} ${choice.choice} (${slot.over})`,
        choice.shiftPercent,
        choice.captions,
        POINT,
      );
    });
  });
  add('brightness', 'brightness correlation', '', evaluator.brightness);
  if (evaluator.repeatability !== null) {
    add('repeatability/iccSingle', 'ICC single', '', evaluator.repeatability.iccSingle);
    add('repeatability/iccMean', 'ICC mean', '', evaluator.repeatability.iccMean);
  }
  const { sample = null, pairwise = null } = evaluator.judging ?? {};
  if (sample !== null) {
    sample.generators.forEach(({ generator, mean }, index) => {
      add(`judging/sample/generators/${index}/mean`, 'mean over all templates', generator, mean);
    });
    add('judging/sample/variance', 'variance over all templates', '', sample.variance);
    add('judging/sample/rho', 'rho over all templates', '', sample.rho);
  }
  if (pairwise !== null) {
    add('judging/pairwise/consistent', 'same answer in both orders', '', pairwise.consistent);
    add('judging/pairwise/firstShown', 'answers for the picture shown first', '', pairwise.firstShown);
    pairwise.preferences.forEach(({ pair, preference }, index) => {
      add(`judging/pairwise/preferences/${index}/preference`, 'preference', pair.join(' - '), preference);
    });
  }
  evaluator.envelopes.forEach((envelope, index) => {
    const pair = envelope.pair.join(' - ');
    add(`envelopes/${index}/baseline`, 'margin', pair, envelope.baseline);
    plain(`envelopes/${index}/min`, 'smallest margin', pair, envelope.min, null, POINT);
    plain(`envelopes/${index}/max`, 'largest margin', pair, envelope.max, null, POINT);
  });
  return rows;
}

function rowOf(evaluator: string, pointer: string, quantity: string, of: string, estimate: Estimate): EstimateRow {
  if (!isMeasured(estimate))
    return {
      pointer,
      evaluator,
      quantity,
      of,
      value: null,
      lower: null,
      upper: null,
      unbounded: false,
      level: null,
      method: '',
      n: estimate.n ?? null,
      excluded: estimate.excluded ?? null,
      undefinedBecause: estimate.undefinedBecause,
    };
  const { value, lower, upper, level, method, n, excluded } = estimate;
  const unbounded = estimate.unbounded === true;
  return {
    pointer,
    evaluator,
    quantity,
    of,
    value,
    lower,
    upper,
    unbounded,
    level,
    method,
    n,
    excluded,
    undefinedBecause: '',
  };
}
