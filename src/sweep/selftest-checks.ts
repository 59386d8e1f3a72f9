import type { Estimates, EvaluatorEstimates, ProbeEstimates } from '../core/estimates.ts';
import type { PLANTED_EVALUATORS } from './selftest-audit.ts';

/** One line of the self-test's table. */
export interface SelftestRow {
  readonly evaluator: string;
  /** What was planted, as something the audit must say. */
  readonly planted: string;
  /** What the audit says. */
  readonly found: string;
  readonly passed: boolean;
}

type Check = (estimates: EvaluatorEstimates) => Omit<SelftestRow, 'evaluator'>;
type Planted = (typeof PLANTED_EVALUATORS)[number];

const probe = ({ probes }: EvaluatorEstimates, name: string): ProbeEstimates | undefined =>
  probes.find((one) => one.probe === name);

/** Every pair of each probe drops. */
const drops =
  (...names: string[]): Check =>
  (estimates) => {
    const found = names.map((name) => probe(estimates, name)?.discrimination.value ?? null);
    return {
      planted: `every pair drops under ${names.join(', ')}`,
      found: found.map(percent).join(', '),
      passed: names.every((name) => {
        const one = probe(estimates, name);
        return one !== undefined && one.failed === 0 && one.pairs > 0 && one.drops === one.pairs;
      }),
    };
  };

/** Every pair of each probe is an exact tie. */
const ties =
  (...names: string[]): Check =>
  (estimates) => {
    const apart = names.filter((name) => {
      const one = probe(estimates, name);
      return one === undefined || one.failed > 0 || one.pairs === 0 || one.ties !== one.pairs;
    });
    return {
      planted: `every pair ties under ${names.join(', ')}`,
      found: apart.length === 0 ? 'all tie' : `not under ${apart.join(', ')}`,
      passed: apart.length === 0,
    };
  };

/** These factors never move a score. */
const still =
  (...names: string[]): Check =>
  (estimates) => {
    const values = names.map(
      (name) => estimates.factors.find(({ factor }) => factor === name)?.dispersion.value ?? null,
    );
    return {
      planted: `dispersion 0 under ${names.join(', ')}`,
      found: values.map((value) => (value === null ? 'undefined' : percent(value))).join(', '),
      passed: values.every((value) => value === 0),
    };
  };

const contentAccuracy =
  (expected: number): Check =>
  ({ contentAccuracy: { value } }) => ({
    planted: `content accuracy ${percent(expected)}`,
    found: percent(value),
    passed: value !== null && Math.abs(value - expected) < 1e-12,
  });

const wins =
  (generator: string): Check =>
  ({ winnersAll, strictPairs }) => ({
    planted: `${generator} wins everywhere, by a strict envelope`,
    found: `winners ${winnersAll.join(', ') || 'none'}; ${strictPairs} strict`,
    passed: winnersAll.join() === generator && strictPairs === 1,
  });

const COLOUR_RATIO = 3;
/** Standard errors a fair coin may be off before the self-test calls it loaded. */
const COIN = 4;

/** What the audit must say of each planted evaluator. */
const CHECKS: Readonly<Record<Planted, readonly Check[]>> = {
  'counts-objects': [
    drops('keep-half', 'biggest-only'),
    ties(
      'scrambled',
      'worst-objects',
      'moved-only',
      'turned-only',
      'recoloured',
      'mirrored',
      'rerender',
      'wrong-prompt',
    ),
    contentAccuracy(0.75),
    still('lighting', 'pitch', 'template'),
    wins('ordered'),
  ],
  'sees-only-colour': [
    drops('recoloured'),
    (estimates) => {
      const [paint, order] = ['recoloured', 'scrambled'].map(
        (name) => probe(estimates, name)?.effectSize.value ?? null,
      );
      const defined = paint != null && order != null;
      return {
        planted: `colours move it over ${COLOUR_RATIO} times as far as places`,
        found: defined ? `${paint.toFixed(2)} and ${order.toFixed(2)} standard deviations` : 'undefined',
        passed: defined && paint > COLOUR_RATIO * Math.abs(order),
      };
    },
    ties('wrong-prompt', 'rerender'),
    still('template'),
  ],
  'loves-brightness': [
    ({ peakRho: { factor } }) => ({
      planted: 'the peak is at lighting',
      found: `peak at ${factor ?? 'none'}`,
      passed: factor === 'lighting',
    }),
    ({ brightness: { value } }) => ({
      planted: 'scores follow luminance over lighting, r at least 0.95',
      found: value === null ? 'undefined' : `r = ${value.toFixed(3)}`,
      passed: value !== null && value >= 0.95,
    }),
    ties('wrong-prompt', 'rerender'),
    still('template'),
  ],
  'reads-only-caption': [
    ties('keep-half', 'biggest-only', 'scrambled', 'worst-objects', 'recoloured', 'mirrored', 'rerender'),
    contentAccuracy(0.5),
    still('lighting', 'pitch'),
    (estimates) => {
      const one = probe(estimates, 'wrong-prompt');
      return {
        planted: 'another caption always changes the score',
        found: one === undefined ? 'not measured' : `${one.ties} of ${one.pairs} tie`,
        passed: one !== undefined && one.failed === 0 && one.pairs > 0 && one.ties === 0,
      };
    },
    ({ factors, separablePairs, peakRho }) => {
      const moved = factors.find(({ factor }) => factor === 'template')?.dispersion.value ?? null;
      return {
        planted: 'templates move it; it tells no generators apart',
        found: `dispersion ${percent(moved)}, ${separablePairs} pairs apart, peak rho ${peakRho.value ?? 'undefined'}`,
        passed: moved !== null && moved > 0 && separablePairs === 0 && peakRho.value === null,
      };
    },
  ],
  'draws-at-random': [
    ({ probes }) => {
      const [down, up] = [sum(probes, ({ drops: count }) => count), sum(probes, ({ rises }) => rises)];
      const limit = COIN * 0.5 * Math.sqrt(down + up);
      return {
        planted: `drops and rises over all probes as a coin falls (within ${COIN} standard errors)`,
        found: `${down} drops, ${up} rises`,
        passed: down + up > 0 && Math.abs(down - (down + up) / 2) <= limit,
      };
    },
    (estimates) => {
      const ties = sum(estimates.probes, (one) => one.ties);
      return { planted: 'no probe ties: it answers nothing twice', found: `${ties} ties`, passed: ties === 0 };
    },
    ({ factors }) => {
      const resting = factors.filter(({ dispersion }) => !((dispersion.value ?? 0) > 0.2)).map(({ factor }) => factor);
      return {
        planted: 'every factor moves it by over 20%',
        found: resting.length === 0 ? 'all do' : `not ${resting.join(', ')}`,
        passed: resting.length === 0,
      };
    },
    ({ winnersAll }) => ({
      planted: 'the winner depends on the configuration',
      found: `winners ${winnersAll.join(', ')}`,
      passed: winnersAll.length === 2,
    }),
  ],
  'knows-the-layout': [
    drops('keep-half', 'biggest-only', 'scrambled', 'moved-only', 'turned-only'),
    ties('worst-objects', 'recoloured', 'mirrored', 'rerender', 'wrong-prompt'),
    contentAccuracy(0.875),
    still('lighting', 'pitch', 'template'),
    wins('ordered'),
  ],
};

/** What each planted evaluator is, in one line. */
export const PLANTED_TRAITS: Readonly<Record<Planted, string>> = {
  'counts-objects': 'counts objects and sees nothing else',
  'sees-only-colour': 'sees only colour',
  'loves-brightness': 'loves brightness',
  'reads-only-caption': 'reads the caption and never looks',
  'draws-at-random': 'draws at random',
  'knows-the-layout': 'knows where everything should stand (layout oracle)',
};

/** Compares an audit of the planted evaluators with what was planted: one row a claim, in the order of the evaluators. */
export function checkSelftest(estimates: Estimates): SelftestRow[] {
  return Object.entries(CHECKS).flatMap(([evaluator, checks]): SelftestRow[] => {
    const found = estimates.evaluators.find((one) => one.evaluator === evaluator);
    if (found === undefined)
      return [{ evaluator, planted: 'is in the audit', found: 'not in the audit', passed: false }];
    const { planned, scored } = found.ledger;
    return [
      {
        evaluator,
        planted: 'every outcome is scored',
        found: `${scored} of ${planned}`,
        passed: planned > 0 && scored === planned,
      },
      ...checks.map((check) => ({ evaluator, ...check(found) })),
    ];
  });
}

function sum(probes: readonly ProbeEstimates[], of: (one: ProbeEstimates) => number): number {
  return probes.reduce((total, one) => total + of(one), 0);
}

function percent(value: number | null): string {
  return value === null ? 'undefined' : `${Math.round(value * 1000) / 10}%`;
}
