import type { Card, CardEvaluator, Contract } from '../core/card.ts';
import { canonicalJson, compareText, type Json } from '../core/json.ts';
import { formatEstimate, formatNumber } from './format-number.ts';

/** Whether scores under two contracts may stand in one table. */
export type Comparability = 'same contract' | 'comparable with caveats' | 'not comparable';

/** One place where two contracts differ; `null` for a part that one of them does not have. */
export interface ContractDifference {
  /** Path in the contract, such as `view.pitch`. */
  readonly path: string;
  readonly a: Json;
  readonly b: Json;
  /** True when the difference changes which number a scene gets at the default configuration. */
  readonly decisive: boolean;
}

/** Two evaluators side by side. */
export interface EvaluatorDiff {
  readonly a: { readonly evaluator: string; readonly cardId: string };
  readonly b: { readonly evaluator: string; readonly cardId: string };
  readonly comparability: Comparability;
  readonly differences: readonly ContractDifference[];
  /** What a reader must know before comparing: other data, drafts, how much a differing factor moves the score. */
  readonly caveats: readonly string[];
}

/** Two cards side by side. */
export interface CardDiff {
  readonly evaluators: readonly EvaluatorDiff[];
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
  readonly sameEvidence: boolean;
}

/**
 * What differs between the protocols of two cards, and whether their scores may be compared. Evaluators are paired by card
 * ID, then by name, then, when one of each is left, with each other.
 *
 * Decisive is whatever changes the number of a scene at the default: evaluator, scale, renderer, view, aggregation, default
 * template, parameters. Another declared configuration set, or another grammar with the same default template, leaves that
 * number as it is: the scores compare, the evidence about them was searched over other sets.
 */
export function diffCards(a: Card, b: Card): CardDiff {
  const { pairs, onlyA, onlyB } = pairUp(a.evaluators, b.evaluators);
  return {
    evaluators: pairs.map(([left, right]) => diffPair(a, left, b, right)),
    onlyA: onlyA.map((entry) => entry.evaluator),
    onlyB: onlyB.map((entry) => entry.evaluator),
    sameEvidence: a.evidenceHash === b.evidenceHash,
  };
}

/** What a verdict allows, in words. */
const MEANING: Record<Comparability, string> = {
  'same contract': 'scores compare',
  'comparable with caveats':
    'scores at the default are the same measurement, the evidence was searched over other sets',
  'not comparable': 'something that changes the score of a scene differs',
};

/** A diff in words, a line each. */
export function diffText(diff: CardDiff): string[] {
  const lines: string[] = [];
  for (const { a, b, comparability, differences, caveats } of diff.evaluators) {
    const pair = a.evaluator === b.evaluator ? a.evaluator : `${a.evaluator} and ${b.evaluator}`;
    const ids = a.cardId === b.cardId ? a.cardId : `${a.cardId}, ${b.cardId}`;
    lines.push(`${pair}: ${comparability} (${ids}): ${MEANING[comparability]}`);
    for (const { path, a: left, b: right, decisive } of differences)
      lines.push(`  ${decisive ? 'differs' : 'caveat '}  ${path}: ${short(left)} | ${short(right)}`);
    for (const caveat of caveats) lines.push(`  note     ${caveat}`);
  }
  if (diff.onlyA.length > 0) lines.push(`only in the first: ${diff.onlyA.join(', ')}`);
  if (diff.onlyB.length > 0) lines.push(`only in the second: ${diff.onlyB.join(', ')}`);
  lines.push(diff.sameEvidence ? 'evidence: the same' : 'evidence: different data or results');
  return lines;
}

function pairUp(a: readonly CardEvaluator[], b: readonly CardEvaluator[]) {
  const pairs: [CardEvaluator, CardEvaluator][] = [];
  let left = [...a];
  let right = [...b];
  const take = (same: (x: CardEvaluator, y: CardEvaluator) => boolean) => {
    for (const entry of [...left]) {
      const found = right.find((other) => same(entry, other));
      if (found === undefined) continue;
      pairs.push([entry, found]);
      left = left.filter((other) => other !== entry);
      right = right.filter((other) => other !== found);
    }
  };
  take((x, y) => x.digest === y.digest);
  take((x, y) => x.evaluator === y.evaluator);
  if (left.length === 1 && right.length === 1) take(() => true);
  pairs.sort((x, y) => a.indexOf(x[0]) - a.indexOf(y[0]));
  return { pairs, onlyA: left, onlyB: right };
}

function diffPair(a: Card, left: CardEvaluator, b: Card, right: CardEvaluator): EvaluatorDiff {
  const differences = left.digest === right.digest ? [] : differencesOf(left.contract, right.contract);
  const comparability: Comparability =
    left.digest === right.digest
      ? 'same contract'
      : differences.some((difference) => difference.decisive)
        ? 'not comparable'
        : 'comparable with caveats';
  return {
    a: { evaluator: left.evaluator, cardId: left.cardId },
    b: { evaluator: right.evaluator, cardId: right.cardId },
    comparability,
    differences,
    caveats: [...movedBy(left, differences), ...dataCaveats(a, b)],
  };
}

/** Every leaf in which two contracts differ, in text order of their paths. */
function differencesOf(a: Contract, b: Contract): ContractDifference[] {
  const found: ContractDifference[] = [];
  const visit = (left: Json | undefined, right: Json | undefined, path: string) => {
    if (isObject(left) && isObject(right)) {
      for (const key of [...new Set([...Object.keys(left), ...Object.keys(right)])].sort(compareText))
        visit(left[key], right[key], path === '' ? key : `${path}.${key}`);
      return;
    }
    // Lists of files (the weights) differ file by file, not as a whole.
    const [files, others] = [byFile(left), byFile(right)];
    if (files !== null && others !== null) {
      visit(files, others, path);
      return;
    }
    const [x, y] = [left ?? null, right ?? null];
    if (canonicalJson(x) !== canonicalJson(y)) found.push({ path, a: x, b: y, decisive: isDecisive(path) });
  };
  visit(keyed(a), keyed(b), '');
  return found;
}

/** The contract with its factors by name, so that a factor more or less is one difference. */
function keyed(contract: Contract): Json {
  const { factors, ...rest } = contract.configurations;
  return {
    ...contract,
    configurations: { ...rest, factors: Object.fromEntries(factors.map((factor) => [factor.factor, factor])) },
  } as unknown as Json;
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function byFile(value: Json | undefined): { readonly [key: string]: Json } | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const named = value.map((entry) => (isObject(entry) && typeof entry['file'] === 'string' ? entry['file'] : null));
  return named.includes(null) || new Set(named).size < named.length
    ? null
    : Object.fromEntries(value.map((entry, index) => [named[index] as string, entry as Json]));
}

function isDecisive(path: string): boolean {
  // The id of a template is a name of its grammar; the template's text decides.
  return !(path.startsWith('configurations.') || path === 'caption.grammar' || path === 'caption.default.template');
}

/** How much each differing factor moved the first card's scores, where it was measured. */
function movedBy(left: CardEvaluator, differences: readonly ContractDifference[]): string[] {
  const { stability } = left.evidence;
  if (stability.status !== 'measured') return [];
  return differences.flatMap(({ path, decisive }) => {
    const factor = stability.value.factors.find(
      (entry) =>
        path === `view.${entry.factor}` ||
        path === `parameters.${entry.factor}` ||
        (path === 'caption.template' && entry.factor === 'template'),
    );
    if (!decisive || factor === undefined) return [];
    return [
      factor.dispersion.inflated && factor.dispersion.median !== null
        ? `${factor.factor} alone spreads the median scene’s score by ${formatNumber(factor.dispersion.median, { percent: true })} under ${left.cardId}`
        : `${factor.factor} alone spreads a scene’s score by ${formatEstimate(factor.dispersion, { percent: true })} under ${left.cardId}`,
    ];
  });
}

function dataCaveats(a: Card, b: Card): string[] {
  const caveats: string[] = [];
  if (a.draft || b.draft)
    caveats.push(
      `${a.draft && b.draft ? 'both cards are drafts' : `the ${a.draft ? 'first' : 'second'} card is a draft`}: no number there is final`,
    );
  if (a.data.prompts !== b.data.prompts || canonicalJson(a.data.sources) !== canonicalJson(b.data.sources))
    caveats.push(`scores are means over different prompts (${a.data.prompts} and ${b.data.prompts})`);
  if (a.data.proxies !== b.data.proxies)
    caveats.push(`stand-in objects differ: ${a.data.proxies} and ${b.data.proxies}`);
  return caveats;
}

function short(value: Json): string {
  const text = value === null ? 'none' : typeof value === 'string' ? value : canonicalJson(value);
  return text.length > 70 ? `${text.slice(0, 69)}…` : text;
}
