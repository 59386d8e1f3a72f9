import type { Card, CardEvaluator } from '../core/card.ts';
import { AuditError, quoted } from '../core/errors.ts';
import { type Estimate, isMeasured } from '../core/estimates.ts';
import { formatNumber } from './format-number.ts';

/** One reportable row: a score never travels without the card ID of the protocol that gave it. */
export interface CitedRow {
  readonly evaluator: string;
  readonly generator: string;
  readonly score: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly level: number | null;
  readonly prompts: number;
  readonly scale: string;
  readonly cardId: string;
  /** Why there is no score; null when there is one. */
  readonly because: string | null;
}

/** Every (generator, score, card ID) row of a card, evaluators and generators in the card's order. */
export function citedRows(card: Card): CitedRow[] {
  return card.evaluators.flatMap((entry) => {
    const { scores } = entry.evidence;
    if (scores.status !== 'measured')
      return card.data.generators.map((generator) =>
        missingRow(entry, generator, `${scores.status}: ${scores.reason}`),
      );
    return scores.value.generators.map(({ generator, score }) => row(entry, generator, score));
  });
}

/**
 * The lines to put into a paper for one generator, one an evaluator:
 * `functional: 27.31 [26.90, 27.72] (pocket, cosine100, 95% interval over 20 prompts), ecc-0123456789ab`.
 *
 * @throws AuditError when the card knows no such generator or evaluator.
 */
export function cite(card: Card, generator: string, evaluator?: string): string[] {
  const rows = citedRows(card).filter((entry) => entry.generator === generator);
  if (rows.length === 0)
    throw new AuditError(
      `card ${card.audit.name}: unknown generator ${quoted(generator)}; expected one of ${card.data.generators.join(', ')}`,
    );
  const chosen = evaluator === undefined ? rows : rows.filter((entry) => entry.evaluator === evaluator);
  if (chosen.length === 0)
    throw new AuditError(
      `card ${card.audit.name}: unknown evaluator ${quoted(evaluator)}; expected one of ${card.evaluators.map((entry) => entry.evaluator).join(', ')}`,
    );
  return chosen.map((entry) => `${citedText(entry)}${card.draft ? ' (DRAFT: partial run)' : ''}`);
}

function citedText(entry: CitedRow): string {
  if (entry.score === null)
    return `${entry.generator}: no score (${entry.because}) (${entry.evaluator}), ${entry.cardId}`;
  const interval =
    entry.lower === null || entry.upper === null ? '' : ` [${formatNumber(entry.lower)}, ${formatNumber(entry.upper)}]`;
  const basis =
    entry.level === null || interval === ''
      ? `${entry.prompts} prompts`
      : `${formatNumber(entry.level, { percent: true, digits: 0 })} interval over ${entry.prompts} prompts`;
  return `${entry.generator}: ${formatNumber(entry.score)}${interval} (${entry.evaluator}, ${entry.scale}, ${basis}), ${entry.cardId}`;
}

function row(entry: CardEvaluator, generator: string, score: Estimate): CitedRow {
  if (!isMeasured(score)) return missingRow(entry, generator, score.undefinedBecause);
  return {
    evaluator: entry.evaluator,
    generator,
    score: score.value,
    lower: score.lower,
    upper: score.upper,
    level: score.level,
    prompts: score.n,
    scale: entry.contract.evaluator.scale.name,
    cardId: entry.cardId,
    because: null,
  };
}

function missingRow(entry: CardEvaluator, generator: string, because: string): CitedRow {
  return {
    evaluator: entry.evaluator,
    generator,
    score: null,
    lower: null,
    upper: null,
    level: null,
    prompts: 0,
    scale: entry.contract.evaluator.scale.name,
    cardId: entry.cardId,
    because,
  };
}
