import { compareText } from '../core/json.ts';
import type { PlannedConfiguration } from './one-at-a-time.ts';

/** When a configuration is visited: 0 is c0, 1 the extremes of each factor, 2 all the rest. */
export interface AdaptiveStep {
  readonly stage: 0 | 1 | 2;
  readonly configuration: PlannedConfiguration;
}

/**
 * The same configurations in an order in which most is known early: c0 (and levels equal to it), then the extremes of each
 * factor, then what lies between, one level of each factor in turn. Nothing is dropped: a run that stops early leaves the
 * tail undone, and says so.
 *
 * Levels with a number (`512`, `grey-128`) have the smallest and largest as extremes and are then visited by halving the
 * largest gap; others have the first and last declared level, then the declared order.
 */
export function adaptiveOrder(configurations: readonly PlannedConfiguration[]): AdaptiveStep[] {
  const base = configurations.find(({ factor }) => factor === '');
  const steps: AdaptiveStep[] = [];
  const queues: { first: PlannedConfiguration[]; rest: PlannedConfiguration[] }[] = [];
  const factors = new Map<string, PlannedConfiguration[]>();
  for (const configuration of configurations) {
    if (configuration.factor === '' || configuration.identity === base?.identity)
      steps.push({ stage: 0, configuration });
    else factors.set(configuration.factor, [...(factors.get(configuration.factor) ?? []), configuration]);
  }
  for (const levels of factors.values()) queues.push(queueOf(levels));
  for (const stage of [1, 2] as const) {
    const lists = queues.map(({ first, rest }) => (stage === 1 ? first : rest));
    for (let turn = 0; lists.some((list) => turn < list.length); turn += 1)
      for (const list of lists) {
        const configuration = list[turn];
        if (configuration !== undefined) steps.push({ stage, configuration });
      }
  }
  return steps;
}

function queueOf(levels: readonly PlannedConfiguration[]): {
  first: PlannedConfiguration[];
  rest: PlannedConfiguration[];
} {
  const numbers = levels.map(({ level }) => numberIn(level));
  if (numbers.every((number) => number !== null) && levels.length > 2) {
    const sorted = levels
      .map((configuration, index) => ({ configuration, number: numbers[index] as number }))
      .sort((a, b) => a.number - b.number || compareText(a.configuration.level, b.configuration.level));
    return {
      first: [sorted[0], sorted.at(-1)].map((item) => (item as (typeof sorted)[number]).configuration),
      rest: byHalving(sorted),
    };
  }
  const first =
    levels.length === 1 ? [...levels] : [levels[0] as PlannedConfiguration, levels.at(-1) as PlannedConfiguration];
  return { first, rest: levels.slice(1, -1) };
}

function numberIn(level: string): number | null {
  const match = /^(?:[a-z]+-)?(-?\d+(?:\.\d+)?)$/.exec(level);
  return match ? Number(match[1]) : null;
}

/** Everything between the ends, each next one nearest to the middle of the largest gap between visited ones. */
function byHalving(sorted: readonly { configuration: PlannedConfiguration; number: number }[]): PlannedConfiguration[] {
  const visited = [0, sorted.length - 1];
  const order: PlannedConfiguration[] = [];
  const numberAt = (index: number) => (sorted[index] as { number: number }).number;
  while (visited.length < sorted.length) {
    let gap: [number, number] | null = null;
    for (let index = 1; index < visited.length; index += 1) {
      const [low, high] = [visited[index - 1] as number, visited[index] as number];
      if (high - low < 2) continue;
      if (gap === null || numberAt(high) - numberAt(low) > numberAt(gap[1]) - numberAt(gap[0])) gap = [low, high];
    }
    if (gap === null) break;
    const [low, high] = gap;
    const middle = (numberAt(low) + numberAt(high)) / 2;
    let best = low + 1;
    for (let index = low + 1; index < high; index += 1)
      if (Math.abs(numberAt(index) - middle) < Math.abs(numberAt(best) - middle)) best = index;
    visited.push(best);
    visited.sort((a, b) => a - b);
    order.push((sorted[best] as { configuration: PlannedConfiguration }).configuration);
  }
  return order;
}

/** Rank of each (factor, level) in the adaptive order; sort cells by it to ask them in that order. */
export function adaptiveRanks(configurations: readonly PlannedConfiguration[]): ReadonlyMap<string, number> {
  return new Map(adaptiveOrder(configurations).map(({ configuration }, index) => [cellName(configuration), index]));
}

/** Key of a configuration in `adaptiveRanks`. */
export function cellName({ factor, level }: { readonly factor: string; readonly level: string }): string {
  return `${factor}\t${level}`;
}
