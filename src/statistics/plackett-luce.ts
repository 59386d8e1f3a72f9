/** Consensus worths (they sum to 1) and the order they give, best first; or why there is no maximum of the likelihood. */
export type Consensus =
  | { readonly worths: readonly number[]; readonly order: readonly number[]; readonly iterations: number }
  | { readonly undefinedBecause: string };

const MAX_ITERATIONS = 10_000;
const CONVERGED = 1e-12;

/**
 * Plackett-Luce consensus by minorisation-maximisation (Hunter 2004). A ranking is a list of groups, best first; items in one group
 * are tied and each is counted as chosen from the group and all below it (Breslow's form for ties). Partial rankings are
 * fine: items not listed were not compared. A pair is a ranking of two.
 *
 * The maximum exists only if the comparisons cannot be split into winners and losers (Ford 1957); otherwise undefined.
 */
export function plackettLuce(rankings: readonly (readonly (readonly number[])[])[], items: number): Consensus {
  const used = rankings.filter((ranking) => ranking.flat().length > 1);
  if (items < 2 || used.length === 0) return { undefinedBecause: 'nothing to compare' };
  if (!stronglyConnected(used, items))
    return { undefinedBecause: 'some items always win (or were never compared), so the likelihood has no maximum' };
  const chosen = new Float64Array(items);
  const stages: { items: number[]; choices: number }[] = [];
  for (const ranking of used)
    for (let stage = 0; stage < ranking.length; stage += 1) {
      const rest = ranking.slice(stage).flat();
      // The last choice has one alternative and says nothing, unless it is tied.
      if (rest.length < 2) continue;
      const choices = ranking[stage]!.length;
      for (const item of ranking[stage]!) chosen[item]! += 1;
      stages.push({ items: rest, choices });
    }
  let worths = new Float64Array(items).fill(1 / items);
  for (let iteration = 1; iteration <= MAX_ITERATIONS; iteration += 1) {
    const weight = new Float64Array(items);
    for (const stage of stages) {
      const sum = stage.items.reduce((total, item) => total + worths[item]!, 0);
      for (const item of stage.items) weight[item]! += stage.choices / sum;
    }
    const next = worths.map((_, item) => chosen[item]! / weight[item]!);
    const total = next.reduce((sum, worth) => sum + worth, 0);
    let change = 0;
    for (let item = 0; item < items; item += 1) {
      next[item]! /= total;
      change = Math.max(change, Math.abs(next[item]! - worths[item]!) / next[item]!);
    }
    worths = next;
    if (change < CONVERGED) return finish(worths, iteration);
  }
  return finish(worths, MAX_ITERATIONS);
}

function finish(worths: Float64Array, iterations: number): Consensus {
  const order = Array.from(worths, (_, item) => item).sort((a, b) => worths[b]! - worths[a]! || a - b);
  return { worths: [...worths], order, iterations };
}

/** True when every item beats (or ties) every other through some chain of comparisons. */
function stronglyConnected(rankings: readonly (readonly (readonly number[])[])[], items: number): boolean {
  const beats = Array.from({ length: items }, () => new Uint8Array(items));
  for (const ranking of rankings)
    for (let stage = 0; stage < ranking.length; stage += 1) {
      const rest = ranking.slice(stage).flat();
      for (const winner of ranking[stage]!) for (const other of rest) if (other !== winner) beats[winner]![other] = 1;
    }
  const reaches = (from: (a: number, b: number) => boolean) => {
    const seen = new Set([0]);
    const queue = [0];
    for (let item = queue.pop(); item !== undefined; item = queue.pop())
      for (let other = 0; other < items; other += 1)
        if (!seen.has(other) && from(item, other)) {
          seen.add(other);
          queue.push(other);
        }
    return seen.size === items;
  };
  return reaches((a, b) => beats[a]![b] === 1) && reaches((a, b) => beats[b]![a] === 1);
}
