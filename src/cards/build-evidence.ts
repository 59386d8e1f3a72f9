import type { Evidence, Section } from '../core/card.ts';
import type { Estimate, Estimates, EvaluatorEstimates, Reversal } from '../core/estimates.ts';
import type { Manifest, ManifestEvaluator } from '../core/manifest.ts';
import { comparisonsWithheld, envelopesWithheld, withheldBecause, withheldReason } from './withheld.ts';

/** How many reversals of each list a card holds; all counts are complete, all listed ones are in estimates.json. */
export const CARD_REVERSALS = 20;

/**
 * The evidence of one evaluator: the estimates, section by section, each with its status. A gate that withholds the
 * estimates, an audit that measured nothing and a design without a factor each say so in the section concerned.
 */
export function buildEvidence(
  manifest: Manifest,
  evaluator: ManifestEvaluator,
  estimates: Estimates,
  measured: EvaluatorEstimates | undefined,
): Evidence {
  if (measured === undefined) return unmeasured('the estimates hold no entry for this evaluator');
  const nothing = withheldBecause(measured);
  /** A section whose every number a gate withholds says why; one with any number left is shown. */
  const gated = <Value>(
    value: () => Section<Value>,
    estimates: readonly Estimate[] | string | null,
  ): Section<Value> => {
    const reason =
      nothing ?? (typeof estimates === 'string' || estimates === null ? estimates : withheldReason(estimates));
    return reason === null ? value() : { status: 'withheld', reason };
  };
  const pairs = (estimates.generators.length * (estimates.generators.length - 1)) / 2;
  const needsPairs = <Value>(value: () => Section<Value>, reason: string | null): Section<Value> =>
    pairs === 0 ? notRun('one generator: there is no pair to compare') : gated(value, reason);
  const spreads = measured.factors.flatMap(({ dispersion, kendallW }) => [dispersion, kendallW]);
  return {
    ledger: is(measured.ledger),
    missing: is(measured.missing),
    scores: gated(
      () => is({ generators: measured.generators, prompts: estimates.prompts.length }),
      measured.generators.map(({ score }) => score),
    ),
    stability:
      measured.factors.length === 0
        ? notRun('no factor was swept for this evaluator')
        : gated(
            () =>
              is({
                factors: measured.factors.map(({ perLevel: _levels, leaveOneGenerator: _left, ...factor }) => factor),
                templateRho: measured.templateRho,
                peakRho: measured.peakRho,
                minKendallW: measured.minKendallW,
                maxWinners: measured.maxWinners,
                winnersAll: measured.winnersAll,
              }),
            spreads,
          ),
    envelopes: needsPairs(
      () => is({ pairs: measured.envelopes.length, strict: measured.strictPairs, list: measured.envelopes }),
      envelopesWithheld(measured),
    ),
    separability: needsPairs(
      () => is({ pairs, separable: measured.separablePairs, topGap: measured.topGap, bestSet: measured.bestSet }),
      comparisonsWithheld(measured),
    ),
    reversals: needsPairs(() => is(reversalsOf(measured)), envelopesWithheld(measured)),
    inflation: gated(
      () => is({ bestView: measured.bestView, bestTemplate: measured.bestTemplate }),
      measured.bestTemplate === null ? [measured.bestView] : null,
    ),
    probes:
      measured.probes.length === 0
        ? notRun('no probe is part of this audit')
        : is({
            contentAccuracy: measured.contentAccuracy,
            probes: measured.probes,
            doses: measured.doses,
            declared: manifest.protocol.probes.map(({ name, choices, applies }) => ({
              probe: name,
              choices: choices ?? {},
              applies: applies ?? null,
            })),
          }),
    slotEffects:
      measured.slots.length === 0
        ? notRun('no caption grammar with slots was swept for this evaluator')
        : gated(() => is(measured.slots), null),
    brightness:
      measured.brightness.levels.length === 0
        ? notRun('lighting was not swept, or no luminance was kept with the images')
        : gated(() => is(measured.brightness), [measured.brightness]),
    tokenCoverage:
      evaluator.coverage === null
        ? notRun(
            evaluator.reads.caption
              ? 'this evaluator does not show how it reads a caption'
              : 'this evaluator reads no caption',
          )
        : is(evaluator.coverage),
    noiseFloor: noiseFloorOf(manifest, evaluator),
    repeatability: measured.repeatability === null ? notRun('every cell was scored once') : is(measured.repeatability),
    ...(measured.judging === undefined ? {} : { judging: is(measured.judging) }),
    zeroSensitivity:
      measured.zeroSensitivity === null
        ? notRun('no stored zero had to be read as a possible failure')
        : is(measured.zeroSensitivity),
  };
}

function is<Value>(value: Value): Section<Value> {
  return { status: 'measured', value };
}

function notRun<Value>(reason: string): Section<Value> {
  return { status: 'not-run', reason };
}

function reversalsOf(measured: EvaluatorEstimates) {
  const confirmable = measured.reversals.unconfirmedBecause === null;
  return {
    counts: measured.reversals.counts,
    unconfirmedBecause: measured.reversals.unconfirmedBecause,
    confirmed: confirmable ? strongest(measured.reversals.simultaneous) : [],
    pointwise: strongest(measured.reversals.pointwise),
  };
}

function strongest(reversals: readonly Reversal[]): Reversal[] {
  return reversals.slice(0, CARD_REVERSALS);
}

function noiseFloorOf(manifest: Manifest, evaluator: ManifestEvaluator): Evidence['noiseFloor'] {
  if (!evaluator.reads.image) return notRun('this evaluator reads no image');
  const floor = manifest.noiseFloor;
  if (floor === null) return notRun('nothing was rendered here, so nothing was rendered twice');
  const score = floor.scores.find((entry) => entry.evaluator === evaluator.id);
  return is({
    scenes: floor.scenes,
    maxPixel: floor.maxPixel,
    meanPixel: floor.meanPixel,
    maxScoreDifference: score?.maxDifference ?? null,
  });
}

function unmeasured(reason: string): Evidence {
  const missing = { status: 'not-run', reason } as const;
  return {
    ledger: missing,
    missing,
    scores: missing,
    stability: missing,
    envelopes: missing,
    separability: missing,
    reversals: missing,
    inflation: missing,
    probes: missing,
    slotEffects: missing,
    brightness: missing,
    tokenCoverage: missing,
    noiseFloor: missing,
    repeatability: missing,
    zeroSensitivity: missing,
  };
}
