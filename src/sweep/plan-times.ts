import { existsSync } from 'node:fs';
import type { PlanCounts } from '../protocol/plan-counts.ts';
import { Store } from './store.ts';

/** Seconds a plan would take if nothing were done yet, from rates measured in the store; null where there are none. */
export interface PlanTimes {
  readonly render: number | null;
  readonly evaluators: ReadonlyMap<string, number | null>;
  /** Pieces of work the store already holds, for any audit. */
  readonly held: Readonly<Record<string, number>> | null;
}

const UNKNOWN = { render: null, evaluators: new Map(), held: null };

export async function planTimes(counts: PlanCounts, storePath: string): Promise<PlanTimes> {
  if (!existsSync(storePath)) return UNKNOWN;
  const store = await Store.open(storePath);
  try {
    const each = (stage: string) => store.secondsEach(stage);
    const renderEach = await each('render');
    const scenes = counts.generators * counts.prompts;
    const evaluators = new Map<string, number | null>();
    for (const { evaluator, imagePasses, captionPasses, requests } of counts.perEvaluator) {
      const parts: [string, number][] =
        requests > 0
          ? [['request', requests]]
          : [
              ['image', imagePasses],
              ['caption', captionPasses],
            ];
      let seconds: number | null = 0;
      for (const [stage, count] of parts) {
        const rate: number | null = count === 0 ? 0 : await each(`${stage} ${evaluator}`);
        seconds = rate === null || seconds === null ? null : seconds + rate * count;
      }
      evaluators.set(evaluator, seconds);
    }
    return {
      render: renderEach === null ? null : renderEach * scenes * (counts.perScene.renders + counts.perScene.probes),
      evaluators,
      held: await store.counts(),
    };
  } finally {
    await store.close();
  }
}
