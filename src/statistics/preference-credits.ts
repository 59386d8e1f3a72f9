import type { Preference } from './rating-table.ts';

/** Scores of one configuration: `scores[generator * prompts + prompt]`, NaN when missing. */
export interface ConfigurationScores {
  readonly evaluator: string;
  readonly factor: string;
  readonly level: string;
  readonly scores: Float64Array;
}

/** Credits and numbers of judged pairs, by prompt. */
export interface Credits {
  readonly sums: Float64Array;
  readonly counts: Float64Array;
}

/**
 * Credits of a configuration against the preferences of people.
 *
 * majority: one a (prompt, pair) with more votes on one side; individual: one a strict vote; a tied prediction gets no credit against
 * either. withTies: one a vote, ties included, credit when the signs are equal.
 */
export function preferenceCredits(
  { scores }: ConfigurationScores,
  preferences: readonly Preference[],
  generators: readonly string[],
  prompts: readonly string[],
): { majority: Credits; individual: Credits; withTies: Credits } {
  const generatorOf = new Map(generators.map((id, index) => [id, index]));
  const promptOf = new Map(prompts.map((id, index) => [id, index]));
  const empty = (): Credits => ({
    sums: new Float64Array(prompts.length),
    counts: new Float64Array(prompts.length),
  });
  const majority = empty();
  const individual = empty();
  const withTies = empty();
  let largest = 0;
  for (const score of scores) if (Math.abs(score) > largest) largest = Math.abs(score);
  const votes = new Map<number, { prompt: number; predicted: number; balance: number }>();
  for (const { prompt, first, second, sign } of preferences) {
    const p = promptOf.get(prompt);
    const a = generatorOf.get(first);
    const b = generatorOf.get(second);
    if (p === undefined || a === undefined || b === undefined) continue;
    const difference = scores[a * prompts.length + p]! - scores[b * prompts.length + p]!;
    if (Number.isNaN(difference)) continue;
    const predicted = Math.abs(difference) <= 1e-12 * largest ? 0 : Math.sign(difference);
    withTies.counts[p]! += 1;
    if (predicted === sign) withTies.sums[p]! += 1;
    const key = (a * generators.length + b) * prompts.length + p;
    const vote = votes.get(key) ?? { prompt: p, predicted, balance: 0 };
    vote.balance += sign;
    votes.set(key, vote);
    if (sign === 0) continue;
    individual.counts[p]! += 1;
    if (predicted === sign) individual.sums[p]! += 1;
  }
  for (const { prompt, predicted, balance } of votes.values()) {
    if (balance === 0) continue;
    majority.counts[prompt]! += 1;
    if (predicted === Math.sign(balance)) majority.sums[prompt]! += 1;
  }
  return { majority, individual, withTies };
}
