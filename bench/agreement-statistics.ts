import { Random } from '../src/core/random.ts';
import { kendallTauB, spearman } from '../src/statistics/correlation.ts';
import { quantileSorted } from '../src/statistics/quantile.ts';

/** One scene's score under each renderer. */
export interface ScoredScene {
  readonly prompt: string;
  readonly generator: string;
  readonly chromium: number;
  readonly cycles: number;
}

/** An estimate with its 95% percentile interval. */
export interface Agreed {
  readonly label: string;
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

const RESAMPLES = 10_000;

type Pair = readonly [number, number];
type Measure = (scenes: readonly (readonly ScoredScene[])[]) => number | null;

function correlate(pairs: readonly Pair[], by: typeof spearman): number | null {
  return by(
    pairs.map(([first]) => first),
    pairs.map(([, second]) => second),
  );
}

function meanPair(scenes: readonly ScoredScene[]): Pair {
  const n = scenes.length;
  return [
    scenes.reduce((sum, { chromium }) => sum + chromium / n, 0),
    scenes.reduce((sum, { cycles }) => sum + cycles / n, 0),
  ];
}

/** Scores as they are: prompts differ in level under both renderers. */
function raw(groups: readonly (readonly ScoredScene[])[]): Pair[] {
  return groups.flat().map(({ chromium, cycles }) => [chromium, cycles]);
}

/** Scores less the mean of their prompt. */
function centred(groups: readonly (readonly ScoredScene[])[]): Pair[] {
  return groups.flatMap((group) => {
    const [chromium, cycles] = meanPair(group);
    return group.map((scene): Pair => [scene.chromium - chromium, scene.cycles - cycles]);
  });
}

/** Mean over prompts of each generator. */
function generators(groups: readonly (readonly ScoredScene[])[]): Pair[] {
  const names = [...new Set(groups.flat().map(({ generator }) => generator))];
  return names.map((name) => meanPair(groups.flat().filter(({ generator }) => generator === name)));
}

/** Share of pairs of scenes of one prompt that both renderers order alike; a tie in one counts half. */
function sameOrder(groups: readonly (readonly ScoredScene[])[]): number | null {
  let same = 0;
  let pairs = 0;
  for (const group of groups)
    for (const [index, first] of group.entries())
      for (const second of group.slice(index + 1)) {
        same += 0.5 + 0.5 * Math.sign(first.chromium - second.chromium) * Math.sign(first.cycles - second.cycles);
        pairs += 1;
      }
  return pairs === 0 ? null : same / pairs;
}

const MEASURES: Readonly<Record<string, Measure>> = {
  "scenes: Spearman's rho": (groups) => correlate(raw(groups), spearman),
  "scenes: Kendall's tau-b": (groups) => correlate(raw(groups), kendallTauB),
  "scenes less prompt mean: Spearman's rho": (groups) => correlate(centred(groups), spearman),
  "scenes less prompt mean: Kendall's tau-b": (groups) => correlate(centred(groups), kendallTauB),
  "generators: Spearman's rho": (groups) => correlate(generators(groups), spearman),
  "generators: Kendall's tau-b": (groups) => correlate(generators(groups), kendallTauB),
  'pairs of generators in one order, by prompt': sameOrder,
};

/**
 * How far two renderers' scores agree, with percentile intervals over resampled prompts (a prompt's scenes stay together). A
 * resample in which a correlation is undefined (every value tied) is left out of its interval.
 *
 * @throws RangeError when a measure is undefined on the scenes themselves.
 */
export function agreement(scenes: readonly ScoredScene[], seed = 7): Agreed[] {
  const groups = [...new Set(scenes.map(({ prompt }) => prompt))].map((name) =>
    scenes.filter(({ prompt }) => prompt === name),
  );
  return Object.entries(MEASURES).map(([label, measure]) => {
    const value = measure(groups);
    if (value === null) throw new RangeError(`${label}: undefined; expected scores that differ`);
    const random = new Random(seed, 'renderer agreement');
    const resampled: number[] = [];
    for (let resample = 0; resample < RESAMPLES; resample += 1) {
      const drawn = measure(groups.map(() => groups[random.integer(groups.length)] as readonly ScoredScene[]));
      if (drawn !== null) resampled.push(drawn);
    }
    const sorted = resampled.sort((a, b) => a - b);
    return { label, value, lower: quantileSorted(sorted, 0.025), upper: quantileSorted(sorted, 0.975) };
  });
}
