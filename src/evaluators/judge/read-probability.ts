import type { Failure } from '../../core/outcome.ts';
import { judgeFailure } from './reasons.ts';
import type { RubricContent } from './rubric.ts';

/** Log-probability (natural) of one candidate token. */
export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
}

export interface AnswerProbability {
  /** P(for) / (P(for) + P(against)), in 0..1. */
  readonly probability: number;
  readonly for: number;
  readonly against: number;
  /** Probability outside the returned tokens. */
  readonly unseen: number;
}

/**
 * Probability of one answer among two, from the candidates of the first answer token. Tokens are compared trimmed and in
 * lower case, and all spellings of an answer add up. When one of the two answers is not among the candidates, it counts as
 * 0 only if at most `maxUnseen` of the probability lies outside them; otherwise the answer is unparseable: no value is
 * made up for what the endpoint did not return.
 */
export function readProbability(
  candidates: readonly TokenLogprob[] | null,
  rubric: RubricContent,
): AnswerProbability | Failure {
  if (candidates === null || candidates.length === 0)
    return judgeFailure('no-logprobs', 'the endpoint returned no log-probabilities');
  const { for: wanted, against } = rubric.answers as { for: string[]; against: string[] };
  const total = { for: 0, against: 0, all: 0 };
  for (const { token, logprob } of candidates) {
    if (!(logprob <= 1e-6)) return judgeFailure('no-logprobs', `log-probability "${logprob}" of a token is above 0`);
    const probability = Math.exp(Math.min(0, logprob));
    const word = token.trim().toLowerCase();
    total.all += probability;
    if (wanted.some((answer) => answer.toLowerCase() === word)) total.for += probability;
    if (against.some((answer) => answer.toLowerCase() === word)) total.against += probability;
  }
  const unseen = Math.max(0, 1 - total.all);
  if (total.for === 0 && total.against === 0)
    return judgeFailure('unseen-answer', 'neither answer is among the returned tokens');
  if ((total.for === 0 || total.against === 0) && unseen > rubric.maxUnseen)
    return judgeFailure(
      'unseen-answer',
      `one answer is not among the returned tokens and "${unseen.toFixed(4)}" of the probability is unseen; expected at most ${rubric.maxUnseen}`,
    );
  return { probability: total.for / (total.for + total.against), for: total.for, against: total.against, unseen };
}
