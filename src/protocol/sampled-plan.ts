import { AuditError } from '../core/errors.ts';
import type { Random } from '../core/random.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { Plan } from './plan.ts';
import { sampleTemplates, type TemplateSample } from './slot-sample.ts';

/** A plan in which the template factor visits only a sample of its levels. */
export interface SampledPlan {
  readonly plan: Plan;
  readonly sample: TemplateSample;
}

/**
 * The same plan with the template factor cut to a slot-balanced sample of the grammar (the default template is always in
 * it). `planCounts` of both plans says what is saved.
 *
 * @throws AuditError when the plan does not sweep templates of a grammar, or the sample is too small for it.
 */
export function sampledPlan(plan: Plan, random: Random, count: number): SampledPlan {
  const swept = plan.factors.find(({ factor }) => factor === 'template');
  if (swept === undefined || plan.templates.length === 0)
    throw new AuditError(`${plan.audit.shown}: no template factor to sample; expected factors.template and a grammar`);
  const sample = sampleTemplates(plan.templates, random, count, { certain: [swept.default] });
  const ids = new Set(sample.templates.map(({ template }) => template.id));
  return {
    sample,
    plan: {
      ...plan,
      factors: plan.factors.map((factor) =>
        factor === swept ? { ...factor, levels: factor.levels.filter((level) => ids.has(level)) } : factor,
      ),
      configurations: plan.configurations.filter(({ factor, level }) => factor !== 'template' || ids.has(level)),
    },
  };
}

/**
 * The same plan with every template of the grammar instead of a sample; null when its templates are not sampled. What the
 * sample saves is the difference between the two.
 */
export function unsampledPlan(plan: Plan): Plan | null {
  const sampled = plan.factors.find(({ sample }) => sample !== undefined);
  if (sampled === undefined) return null;
  const factors = plan.factors.map((factor) => {
    if (factor !== sampled) return factor;
    const { sample: _sample, ...whole } = factor;
    const levels = plan.templates.map(({ id }) => id);
    return { ...whole, levels, values: new Map(levels.map((id) => [id, id])) };
  });
  return { ...plan, factors, configurations: oneAtATime(plan.c0, factors) };
}
