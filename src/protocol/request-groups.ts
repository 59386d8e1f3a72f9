import type { EvaluatorSpec } from '../core/evaluator-spec.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import { cellsOf, type Plan, type PlannedCell, readsOf, swallowedFactors, viewsOf } from './plan.ts';

/** Distinct trials of one evaluator that take the same settings and pictures of the same size. */
export interface RequestGroup {
  /** Swept evaluator parameters. */
  readonly parameters: { readonly [name: string]: Json };
  /** Pixels of the square pictures. */
  readonly pixels: number;
  readonly trials: number;
}

/**
 * Distinct trials of an evaluator that is asked question by question, by settings and picture size. A level equal to the
 * default is asked once. A pairwise evaluator is asked about every pair of generators, and about every probe against the
 * scenes of the other generators.
 *
 * @param generators Number of generators, and `prompts` of prompts, when the plan has none of its own yet.
 */
export function requestGroups(
  plan: Plan,
  spec: EvaluatorSpec,
  generators: number,
  prompts: number,
): readonly RequestGroup[] {
  const reads = readsOf(spec);
  const evaluator = { id: spec.id, reads, repeats: spec.repeats ?? 1 };
  const views = viewsOf(spec);
  const swallowed = swallowedFactors({ views });
  const isPairwise = plan.pairwise?.has(spec.id) === true;
  const pairs = (generators * (generators - 1)) / 2;
  const groups = new Map<string, RequestGroup>();
  const add = ({ parameters, render: { resolution: pixels } }: PlannedCell, trials: number) => {
    const key = canonicalJson([parameters, pixels]);
    groups.set(key, { parameters, pixels, trials: (groups.get(key)?.trials ?? 0) + trials });
  };
  const counted = plan.prompts.length > 0 ? plan.prompts : [{ id: 'p', text: 'p', source: '', paraphrases: new Map() }];
  const times = plan.prompts.length > 0 ? 1 : prompts;
  for (const prompt of counted) {
    const seen = new Set<string>();
    for (const cell of cellsOf(plan, evaluator, prompt)) {
      if (swallowed.includes(cell.factor)) continue;
      const { pitch: _pitch, yaw: _yaw, ...unposed } = cell.render;
      const identity = canonicalJson([
        reads.image ? (views === null ? cell.render : unposed) : null,
        reads.caption ? cell.caption : null,
        cell.parameters,
        cell.repeat,
        cell.probe,
      ]);
      if (seen.has(identity)) continue;
      seen.add(identity);
      if (!isPairwise) add(cell, times * generators);
      // One caption goes with both pictures: a probe of the caption is not asked.
      else if (cell.probe?.name === 'wrong-prompt') continue;
      else add(cell, times * (cell.probe === null ? pairs : 2 * pairs));
    }
  }
  return [...groups.values()];
}
