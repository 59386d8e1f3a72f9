import { buildCard } from '../cards/build-card.ts';
import { type CardDiff, diffCards } from '../cards/diff-cards.ts';
import { formatEstimate } from '../cards/format-number.ts';
import { type Results, readResults } from '../cards/read-results.ts';
import { withheldBecause } from '../cards/withheld.ts';
import type { Card } from '../core/card.ts';
import { AuditError } from '../core/errors.ts';
import { type Estimate, type EvaluatorEstimates, isMeasured } from '../core/estimates.ts';

/** One evaluator of one audit in a comparison. */
export interface ComparedRow {
  readonly audit: string;
  readonly evaluator: string;
  readonly cardId: string;
  readonly role: string;
  readonly prompts: number;
  /** Why there are no numbers; null when there are. */
  readonly withheld: string | null;
  readonly peakRho: Estimate;
  readonly peakFactor: string | null;
  readonly templateRho: Estimate;
  readonly minKendallW: Estimate;
  readonly maxWinners: number;
  readonly strictPairs: number;
  readonly separablePairs: number;
  readonly pairs: number;
  readonly contentAccuracy: Estimate;
  /** Dispersion by factor. */
  readonly dispersion: Readonly<Record<string, Estimate>>;
  /** Factors whose dispersion means near zero inflate. */
  readonly inflated: readonly string[];
}

/** Several audits side by side: evaluators, or versions of one. */
export interface Comparison {
  readonly audits: readonly { readonly name: string; readonly folder: string; readonly draft: boolean }[];
  readonly rows: readonly ComparedRow[];
  /** Factors in the order of the first audit that has them. */
  readonly factors: readonly string[];
  /** Card differences of each later audit from the first. */
  readonly diffs: readonly { readonly to: string; readonly diff: CardDiff }[];
  /** What keeps the rows from being compared directly. */
  readonly caveats: readonly string[];
}

/** One results folder with the card made from it. */
export interface ComparedAudit extends Results {
  readonly name: string;
  readonly card: Card;
}

/** Reads the results folders of a comparison. @throws AuditError for fewer than two folders or an invalid one. */
export function readCompared(folders: readonly string[]): ComparedAudit[] {
  if (folders.length < 2)
    throw new AuditError(`compare: ${folders.length} results folders; expected at least two`, { code: 'USAGE' });
  const read = folders.map((folder) => readResults(folder));
  const names = read.map(({ manifest }) => manifest.audit.name);
  return read.map((results, index) => ({
    ...results,
    // Two runs of one audit are told apart by their place.
    name:
      names.indexOf(names[index] as string) === names.lastIndexOf(names[index] as string)
        ? (names[index] as string)
        : `${names[index]} (${index + 1})`,
    card: buildCard(results.manifest, results.estimates),
  }));
}

/** The evaluators of several audits in one table, with what keeps them from being compared. */
export function compareAudits(audits: readonly ComparedAudit[]): Comparison {
  const rows = audits.flatMap((audit) =>
    audit.estimates.evaluators.map((entry, index) => rowOf(audit, entry, audit.card.evaluators[index]?.cardId ?? '')),
  );
  // Versions of one evaluator stand under each other, in the order in which evaluators first appear.
  const order = [...new Set(rows.map(({ evaluator }) => evaluator))];
  rows.sort((a, b) => order.indexOf(a.evaluator) - order.indexOf(b.evaluator));
  const first = audits[0] as ComparedAudit;
  return {
    audits: audits.map(({ name, folder, manifest }) => ({ name, folder, draft: manifest.draft })),
    rows,
    factors: [...new Set(audits.flatMap(({ manifest }) => manifest.protocol.factors.map(({ factor }) => factor)))],
    diffs: audits.slice(1).map((audit) => ({ to: audit.name, diff: diffCards(first.card, audit.card) })),
    caveats: caveatsOf(audits),
  };
}

function rowOf(audit: ComparedAudit, entry: EvaluatorEstimates, cardId: string): ComparedRow {
  return {
    audit: audit.name,
    evaluator: entry.evaluator,
    cardId,
    role: entry.role,
    prompts: audit.estimates.prompts.length,
    withheld: withheldBecause(entry),
    peakRho: plain(entry.peakRho),
    peakFactor: entry.peakRho.factor,
    templateRho: entry.templateRho,
    minKendallW: plain(entry.minKendallW),
    maxWinners: entry.maxWinners,
    strictPairs: entry.strictPairs,
    separablePairs: entry.separablePairs,
    pairs: entry.envelopes.length,
    contentAccuracy: entry.contentAccuracy,
    dispersion: Object.fromEntries(entry.factors.map((factor) => [factor.factor, plain(factor.dispersion)])),
    inflated: entry.factors.filter(({ dispersion }) => dispersion.inflated).map(({ factor }) => factor),
  };
}

/** An estimate without the further fields of its kind. */
function plain(estimate: Estimate): Estimate {
  if (!isMeasured(estimate)) return { value: null, undefinedBecause: estimate.undefinedBecause };
  const { value, lower, upper, level, method, n, excluded } = estimate;
  return {
    value,
    lower,
    upper,
    level,
    method,
    n,
    excluded,
    ...(estimate.unbounded === true ? { unbounded: true as const } : {}),
  };
}

function caveatsOf(audits: readonly ComparedAudit[]): string[] {
  const caveats: string[] = [];
  const differ = (what: string, value: (audit: ComparedAudit) => unknown) => {
    const values = audits.map((audit) => JSON.stringify(value(audit)));
    if (new Set(values).size > 1) caveats.push(what);
  };
  differ('the audits have different generators: rho divides by how far these are apart', ({ manifest }) =>
    [...manifest.generators].sort(),
  );
  differ('the audits have different prompts', ({ manifest }) => manifest.prompts.map(({ sha256 }) => sha256).sort());
  differ(
    'the audits sweep different levels: dispersion, rho, winners and envelopes grow with the levels declared',
    ({ manifest }) => manifest.protocol.factors.map(({ factor, levels, at }) => [factor, [...levels].sort(), at]),
  );
  differ('the scenes differ', ({ manifest }) =>
    manifest.inputs
      .filter(({ role }) => role === 'scene')
      .map(({ sha256 }) => sha256)
      .sort(),
  );
  differ('intervals were made differently', ({ estimates }) => [
    estimates.level,
    estimates.interval,
    estimates.resampledUnit,
  ]);
  for (const { name, manifest } of audits)
    if (manifest.draft) caveats.push(`${name} is a draft: no number of it is final`);
  return caveats;
}

/** A comparison in words, a line each, for a terminal. */
export function comparisonText(comparison: Comparison): string[] {
  const lines = comparison.rows.map((row) =>
    row.withheld === null
      ? `${row.audit} / ${row.evaluator} (${row.cardId}): peak rho ${formatEstimate(row.peakRho)}${row.peakFactor === null ? '' : ` (${row.peakFactor})`}, smallest W ${formatEstimate(row.minKendallW)}, strict ${row.strictPairs} of ${row.pairs}, separable ${row.separablePairs} of ${row.pairs}, content ${formatEstimate(row.contentAccuracy, { percent: true })}`
      : `${row.audit} / ${row.evaluator} (${row.cardId}): withheld, ${row.withheld}`,
  );
  return [...lines, ...comparison.caveats.map((caveat) => `note: ${caveat}`)];
}
