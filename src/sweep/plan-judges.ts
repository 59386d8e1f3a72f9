import { canonicalJson, type Json } from '../core/json.ts';
import { Random } from '../core/random.ts';
import { estimateJudgeCost, type JudgeCost } from '../evaluators/judge/estimate-judge-cost.ts';
import type { Prices } from '../evaluators/judge/prices.ts';
import { oneAtATime } from '../protocol/one-at-a-time.ts';
import { cellsOf, type Plan, readsOf } from '../protocol/plan.ts';
import { sampledPlan } from '../protocol/sampled-plan.ts';
import type { SampleClaims } from '../protocol/slot-sample.ts';

/** Requests, tokens and price of one hosted judge, as planned and with the caption templates counted otherwise. */
export interface JudgePlan extends JudgeCost {
  /** Every template of the grammar; null when templates are not swept. */
  readonly withoutThrift: JudgeCost | null;
  /** About 24 templates drawn by slot; null when templates are not swept or the grammar is as small as that. */
  readonly withThrift: JudgeCost | null;
  /** What a sample of templates saves and can no longer show; null where `withThrift` is. */
  readonly claims: SampleClaims | null;
}

/** Templates of the sample a plan is compared with. */
export const THRIFTY_TEMPLATES = 24;

/**
 * What each hosted judge of a plan will take. Nothing already in the store is subtracted.
 *
 * @throws AuditError for a rubric or a swept parameter that cannot be.
 */
export function planJudges(plan: Plan, context: { readonly folder: string; readonly prices?: Prices }): JudgePlan[] {
  const full = withAllTemplates(plan);
  const thrifty = full === null ? null : thriftyPlan(full);
  return plan.audit.content.evaluators.flatMap((spec) => {
    if (spec.kind !== 'judge') return [];
    const costOf = (other: Plan) => judgeCost(other, spec, context);
    return [
      {
        ...costOf(plan),
        withoutThrift: full === null ? null : costOf(full),
        withThrift: thrifty === null ? null : costOf(thrifty.plan),
        claims: thrifty?.sample.claims ?? null,
      },
    ];
  });
}

function withAllTemplates(plan: Plan): Plan | null {
  const swept = plan.factors.some(({ factor }) => factor === 'template');
  if (!swept || plan.templates.length === 0) return null;
  const levels = plan.templates.map(({ id }) => id);
  const factors = plan.factors.map((factor) => (factor.factor === 'template' ? { ...factor, levels } : factor));
  return { ...plan, factors, configurations: oneAtATime(plan.c0, factors) };
}

function thriftyPlan(plan: Plan) {
  if (plan.templates.length <= 2 * THRIFTY_TEMPLATES) return null;
  return sampledPlan(plan, new Random(plan.audit.content.seed, 'templates'), THRIFTY_TEMPLATES);
}

interface Group {
  trials: number;
  readonly captions: string[];
  readonly sizes: Map<number, number>;
  readonly parameters: Json;
}

function judgeCost(
  plan: Plan,
  spec: Extract<Plan['audit']['content']['evaluators'][number], { kind: 'judge' }>,
  context: { readonly folder: string; readonly prices?: Prices },
): JudgeCost {
  const { declared } = plan.audit.content;
  const generators = plan.generators.length > 0 ? plan.generators.length : (declared?.generators ?? 0);
  const known = plan.prompts.length > 0;
  const prompts = known ? plan.prompts : [{ id: 'p', text: 'p', source: '', paraphrases: new Map<string, string>() }];
  const times = generators * (known ? 1 : (declared?.prompts ?? 0));
  const groups = new Map<string, Group>();
  for (const prompt of prompts) {
    const seen = new Set<string>();
    for (const cell of cellsOf(plan, { id: spec.id, reads: readsOf(spec), repeats: spec.repeats ?? 1 }, prompt)) {
      const { render, caption, parameters, repeat, probe } = cell;
      const trial = canonicalJson([render, caption, parameters, repeat, probe]);
      if (seen.has(trial)) continue;
      seen.add(trial);
      const name = canonicalJson(parameters);
      const group: Group = groups.get(name) ?? { trials: 0, captions: [], sizes: new Map(), parameters };
      groups.set(name, group);
      group.trials += times;
      group.captions.push(caption);
      group.sizes.set(render.resolution, (group.sizes.get(render.resolution) ?? 0) + times);
    }
  }
  const costs = [...groups.values()].map(({ trials, captions, sizes, parameters }) =>
    estimateJudgeCost(
      spec,
      {
        trials,
        captions,
        sizes: [...sizes].map(([pixels, count]) => ({ pixels, trials: count })),
        parameters,
      },
      context,
    ),
  );
  const empty = estimateJudgeCost(spec, { trials: 0, captions: [] }, context);
  return costs.reduce(add, empty);
}

/** One unknown price makes the sum unknown. */
function add(left: JudgeCost, right: JudgeCost): JudgeCost {
  const known = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return {
    ...left,
    requests: left.requests + right.requests,
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    inputTokensMost: left.inputTokensMost + right.inputTokensMost,
    outputTokensMost: left.outputTokensMost + right.outputTokensMost,
    price: known(left.price, right.price),
    priceMost: known(left.priceMost, right.priceMost),
    minutesAtLeast:
      left.minutesAtLeast === null && right.minutesAtLeast === null
        ? null
        : (left.minutesAtLeast ?? 0) + (right.minutesAtLeast ?? 0),
  };
}
