import { type Failure, isFailure } from '../../core/outcome.ts';
import type { HostReading } from '../hosts/host.ts';
import { readProbability } from './read-probability.ts';
import { readVerdict } from './read-verdict.ts';
import { judgeFailure } from './reasons.ts';
import type { RubricContent } from './rubric.ts';

/** A score and the fields it came from. */
export interface Score {
  readonly value: number;
  readonly fields: Readonly<Record<string, number | string>>;
}

/** How an answer that is no verdict ended, or null when there is text to read. */
export function endingOf(reading: HostReading, rubric: RubricContent): Failure | null {
  if (reading.refusal !== null) return judgeFailure('refused', JSON.stringify(reading.refusal.slice(0, 200)));
  if (reading.finish === 'filter') return judgeFailure('filtered', `the provider ended with ${reading.finishText}`);
  // One token is all a log-probability needs.
  if (reading.finish === 'length' && rubric.mode !== 'logprob')
    return judgeFailure('truncated', `the provider ended with ${reading.finishText}; raise maxTokens`);
  if (reading.text === null)
    return judgeFailure('no-answer', `no text in the answer (${reading.finishText ?? 'no choice'})`);
  return null;
}

/** The score in one answer (not pairwise), or why there is none. Nothing is clamped, rounded or filled in. */
export function readScore(reading: HostReading, rubric: RubricContent, prompt: string): Score | Failure {
  const ending = endingOf(reading, rubric);
  if (ending !== null) return ending;
  const { min, max } = rubric.scale;
  if (rubric.mode === 'logprob') {
    const answer = readProbability(reading.logprobs, rubric);
    if (isFailure(answer)) return answer;
    const { probability, for: wanted, against, unseen } = answer;
    return { value: min + (max - min) * probability, fields: { for: wanted, against, unseen } };
  }
  const verdict = readVerdict(reading.text as string, rubric, prompt);
  if (isFailure(verdict)) return verdict;
  let sum = 0;
  let weights = 0;
  for (const [name, weight] of Object.entries(rubric.score)) {
    sum += weight * (verdict.fields[name] as number);
    weights += weight;
  }
  // Adding 0 turns -0 into 0.
  const value = sum / weights + 0;
  if (!(value >= min && value <= max))
    return judgeFailure('out-of-range', `score is "${value}"; expected ${min} to ${max}`);
  return { value, fields: verdict.fields };
}

/** Which of the two pictures of one pairwise request was preferred: 1 the first shown, 0 the second, 0.5 neither. */
function preferred(reading: HostReading, rubric: RubricContent, prompt: string): number | Failure {
  const ending = endingOf(reading, rubric);
  if (ending !== null) return ending;
  const verdict = readVerdict(reading.text as string, rubric, prompt);
  if (isFailure(verdict)) return verdict;
  const choice = rubric.fields.find(({ type }) => type === 'choice')?.name as string;
  return verdict.fields[choice] === 'A' ? 1 : verdict.fields[choice] === 'B' ? 0 : 0.5;
}

/**
 * Preference for the first picture of a trial, from the given order and the swapped one: the mean of the two answers, so
 * 1 or 0 when they agree and 0.5 when the answer went with the position. Both answers must be valid.
 */
export function readPreference(
  readings: readonly HostReading[],
  rubric: RubricContent,
  prompt: string,
): Score | Failure {
  const [given, swapped] = readings.map((reading) => preferred(reading, rubric, prompt));
  if (given === undefined || isFailure(given)) return given ?? judgeFailure('no-answer', 'no answer');
  if (swapped === undefined || isFailure(swapped)) return swapped ?? judgeFailure('no-answer', 'no answer');
  const second = 1 - swapped;
  return { value: (given + second) / 2, fields: { given, swapped: second, consistent: given === second ? 1 : 0 } };
}
