import { Random } from '../core/random.ts';
import { estimateJudgeCost, type JudgeCost, sumJudgeCosts } from '../evaluators/judge/estimate-judge-cost.ts';
import type { Prices } from '../evaluators/judge/prices.ts';
import { captionOf, type Plan } from '../protocol/plan.ts';
import { type PlanCounts, planCounts } from '../protocol/plan-counts.ts';
import { requestGroups } from '../protocol/request-groups.ts';
import { sampledPlan, unsampledPlan } from '../protocol/sampled-plan.ts';
import type { TemplateSample } from '../protocol/slot-sample.ts';

/** What a plan with sampled templates would ask and cost, and what it can no longer say. */
export interface Thrift {
  /** True when the audit samples its templates already; false for an offer. */
  readonly used: boolean;
  /** Templates asked for, and taken. */
  readonly asked: number;
  readonly templates: number;
  readonly of: number;
  /** Share of template requests not made. */
  readonly saved: number;
  /** With the sample. */
  readonly judges: readonly JudgeCost[];
  /** With every template of the grammar. */
  readonly without: readonly JudgeCost[];
  readonly estimated: readonly string[];
  readonly lost: readonly string[];
}

/** Captions whose mean length stands for all. */
const CAPTION_SAMPLE = 2000;

/** Requests, tokens and price of each hosted judge of a plan, by evaluator id; swept settings are priced as they are. */
export function judgeCosts(plan: Plan, counts: PlanCounts, prices: Prices | undefined): Map<string, JudgeCost> {
  const costs = new Map<string, JudgeCost>();
  const captions = plan.prompts
    .flatMap((prompt) => plan.configurations.map(({ configuration }) => captionOf(plan, prompt, configuration)))
    .filter((text) => text !== null)
    .slice(0, CAPTION_SAMPLE);
  const context = { folder: plan.audit.folder, ...(prices === undefined ? {} : { prices }) };
  for (const spec of plan.audit.content.evaluators) {
    if (spec.kind !== 'judge') continue;
    const images = spec.views === undefined ? {} : { images: spec.views.length };
    const groups = requestGroups(plan, spec, counts.generators, counts.prompts).map(({ parameters, pixels, trials }) =>
      estimateJudgeCost(spec, { trials, captions, sizes: [{ pixels, trials }], parameters, ...images }, context),
    );
    const none = estimateJudgeCost(spec, { trials: 0, captions: [] }, context);
    costs.set(spec.id, sumJudgeCosts(groups.length === 0 ? [none] : groups));
  }
  return costs;
}

/**
 * Requests, tokens and price with the template factor sampled by slot, beside those with every template of the grammar: of
 * the audit's own sample when it has one, else of a sample of `asked` (24). Null when there is no judge or no grammar to sample.
 */
export function thriftOf(plan: Plan, asked: number | undefined, prices: Prices | undefined): Thrift | null {
  const costsOf = (of: Plan) => [...judgeCosts(of, planCounts(of), prices).values()];
  const swept = plan.factors.find(({ factor }) => factor === 'template');
  const full = unsampledPlan(plan);
  if (swept?.sample !== undefined && full !== null && (asked === undefined || asked === swept.sample.asked))
    return thriftFrom(true, swept.sample.asked, swept.sample.of, costsOf(plan), costsOf(full));
  const whole = full ?? plan;
  const levels = whole.factors.find(({ factor }) => factor === 'template')?.levels.length ?? 0;
  const hasJudge = plan.audit.content.evaluators.some(({ kind }) => kind === 'judge');
  const count = asked ?? 24;
  if (plan.templates.length <= count || levels <= count || (!hasJudge && asked === undefined)) return null;
  const { plan: thrifty, sample } = sampledPlan(whole, new Random(plan.audit.content.seed, 'templates'), count);
  return thriftFrom(false, count, sample, costsOf(thrifty), costsOf(whole));
}

function thriftFrom(
  used: boolean,
  asked: number,
  { templates, population, claims }: TemplateSample,
  judges: readonly JudgeCost[],
  without: readonly JudgeCost[],
): Thrift {
  const { saved, estimated, lost } = claims;
  return { used, asked, templates: templates.length, of: population, saved, judges, without, estimated, lost };
}

/** `5184 requests, about 1.2 M tokens, $3.11 (at most $5.02; prices of 2026-11-01)` */
export function costText({
  requests,
  inputTokens,
  outputTokens,
  price,
  priceMost,
  priceAsOf,
  minutesAtLeast,
}: JudgeCost): string {
  const dollars = (value: number) => `$${value < 10 ? value.toFixed(3) : value.toFixed(2)}`;
  const money =
    price === null
      ? 'price unknown (a run stops unless --allow-unpriced)'
      : `${dollars(price)} (at most ${dollars(priceMost ?? price)}; prices of ${priceAsOf})`;
  const time = minutesAtLeast === null ? '' : `, at least ${Math.ceil(minutesAtLeast)} min`;
  return `${requests} requests, about ${inputTokens + outputTokens} tokens, ${money}${time}`;
}
