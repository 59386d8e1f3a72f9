import { compareText } from '../core/json.ts';
import { cellName } from './adaptive-order.ts';

/** A scored cell of one evaluator. */
export interface SeenScore {
  readonly generator: string;
  readonly prompt: string;
  readonly factor: string;
  readonly level: string;
  readonly score: number;
}

export interface SettledOptions {
  readonly generators: readonly string[];
  readonly prompts: readonly string[];
  /** All planned shared configurations, c0 (empty factor) among them. */
  readonly planned: readonly { readonly factor: string; readonly level: string }[];
  /** Planned configurations that were asked to the end but hold outcomes without a score. */
  readonly withFailures?: number;
  /** Configurations the design left out (templates that were not drawn): nothing is settled for all while there are any. */
  readonly unsampled?: number;
}

interface Place {
  readonly factor: string;
  readonly level: string;
}

/** What a sweep that is not finished has already settled: existence only, which no later score can take back. */
export interface Settled {
  /** Configurations in which every generator was scored on every prompt, of those planned. */
  readonly visited: number;
  readonly planned: number;
  /** Unique winners seen so far, each with the first place it won. */
  readonly winners: readonly { readonly generator: string; readonly at: Place }[];
  /** True once two generators have won: that the winner depends on the configuration is settled. */
  readonly winnerChanges: boolean;
  /** Pairs whose margin has had both signs: their envelope is settled as not strict. */
  readonly notStrict: readonly {
    readonly pair: readonly [string, string];
    readonly above: Place;
    readonly below: Place;
  }[];
  /** Pairs that have kept one sign so far: open until every configuration is visited. */
  readonly openPairs: number;
  /** The same in sentences, for progress and report. */
  readonly statements: readonly string[];
}

/** Differences of means this small against the largest score are taken for ties, which settle nothing. */
const TIE = 1e-9;

/**
 * Which conclusions about winners and envelopes are already settled by the scores of an unfinished sweep of one evaluator.
 * Only configurations with a score for every generator on every prompt count. A settled statement is one of existence; that
 * something never happens is open until all configurations are visited.
 */
export function settledConclusions(scores: Iterable<SeenScore>, options: SettledOptions): Settled {
  const { prompts, planned } = options;
  const generators = [...options.generators].sort(compareText);
  const sums = new Map<string, Map<string, { sum: number; count: number }>>();
  let largest = 0;
  for (const { generator, prompt, factor, level, score } of scores) {
    if (!generators.includes(generator) || !prompts.includes(prompt)) continue;
    const name = cellName({ factor, level });
    const row = sums.get(name) ?? new Map<string, { sum: number; count: number }>();
    sums.set(name, row);
    const cell = row.get(generator) ?? { sum: 0, count: 0 };
    row.set(generator, { sum: cell.sum + score, count: cell.count + 1 });
    largest = Math.max(largest, Math.abs(score));
  }
  const tie = TIE * largest;
  const winners = new Map<string, Place>();
  const signs = new Map<string, { above: Place | null; below: Place | null }>();
  let visited = 0;
  for (const place of planned) {
    const row = sums.get(cellName(place));
    if (!generators.every((generator) => row?.get(generator)?.count === prompts.length)) continue;
    visited += 1;
    const means = generators.map((generator) => (row?.get(generator)?.sum as number) / prompts.length);
    const top = Math.max(...means);
    const best = generators.filter((_, index) => top - (means[index] as number) <= tie);
    if (best.length === 1 && !winners.has(best[0] as string)) winners.set(best[0] as string, placeOf(place));
    forPairs(generators, (m, n, first, second) => {
      const margin = (means[first] as number) - (means[second] as number);
      const seen = signs.get(cellName({ factor: m, level: n })) ?? { above: null, below: null };
      signs.set(cellName({ factor: m, level: n }), seen);
      if (margin > tie) seen.above ??= placeOf(place);
      if (margin < -tie) seen.below ??= placeOf(place);
    });
  }
  const notStrict: { pair: [string, string]; above: Place; below: Place }[] = [];
  let openPairs = 0;
  forPairs(generators, (m, n) => {
    const { above = null, below = null } = signs.get(cellName({ factor: m, level: n })) ?? {};
    if (above !== null && below !== null) notStrict.push({ pair: [m, n], above, below });
    else openPairs += 1;
  });
  const winnerList = [...winners].map(([generator, at]) => ({ generator, at }));
  return {
    visited,
    planned: planned.length,
    winners: winnerList,
    winnerChanges: winnerList.length > 1,
    notStrict,
    openPairs,
    statements: statementsOf(options, visited, winnerList, notStrict, openPairs),
  };
}

function placeOf({ factor, level }: Place): Place {
  return { factor, level };
}

function forPairs(
  generators: readonly string[],
  visit: (m: string, n: string, first: number, second: number) => void,
): void {
  for (let first = 0; first < generators.length; first += 1)
    for (let second = first + 1; second < generators.length; second += 1)
      visit(generators[first] as string, generators[second] as string, first, second);
}

function statementsOf(
  { planned, withFailures = 0, unsampled = 0 }: SettledOptions,
  visited: number,
  winners: Settled['winners'],
  notStrict: Settled['notStrict'],
  openPairs: number,
): string[] {
  const named = ({ factor, level }: Place) => (factor === '' ? 'c0' : `${factor} ${level}`);
  const failures = withFailures === 0 ? '' : `, ${withFailures} more asked but with outcomes that are no scores`;
  const left = unsampled === 0 ? '' : `; ${unsampled} templates were not drawn`;
  const seen = `${visited} of ${planned.length} configurations complete${failures}${left}`;
  const done = visited === planned.length && unsampled === 0;
  const winner =
    winners.length > 1
      ? `settled: the winner changes (${winners.map(({ generator, at }) => `${generator} at ${named(at)}`).join(', ')})`
      : done
        ? 'settled: the winner is the same in every configuration'
        : 'open: no change of winner seen yet';
  const pairs = notStrict.map(
    ({ pair: [m, n], above, below }) =>
      `settled: the envelope of ${m} and ${n} is not strict (${m} ahead at ${named(above)}, behind at ${named(below)})`,
  );
  const open = openPairs === 0 ? [] : [`${done ? 'never with both signs' : 'open'}: ${openPairs} pairs`];
  return [seen, winner, ...pairs, ...open];
}
