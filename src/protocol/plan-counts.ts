import type { EvaluatorSpec } from '../core/evaluator-spec.ts';
import { canonicalJson } from '../core/json.ts';
import type { RenderConfiguration } from '../core/protocol.ts';
import {
  applies,
  captionOf,
  type Plan,
  parsePose,
  readsOf,
  renderConfiguration,
  swallowedFactors,
  viewsOf,
} from './plan.ts';
import { requestGroups } from './request-groups.ts';

/** What a plan amounts to; printed before anything is spent. */
export interface PlanCounts {
  readonly templates: number;
  readonly sharedLevels: number;
  readonly configurations: number;
  readonly distinctConfigurations: number;
  /** Searched family: alignment evaluators x generator pairs x shared configurations. */
  readonly contrasts: number;
  readonly distinctContrasts: number;
  readonly generators: number;
  readonly prompts: number;
  readonly evaluators: number;
  readonly perScene: { readonly renders: number; readonly composites: number; readonly probes: number };
  readonly perEvaluator: readonly {
    readonly evaluator: string;
    readonly kind: string;
    readonly imagePasses: number;
    readonly captionPasses: number;
    readonly requests: number;
  }[];
}

/** Counts a plan; generators and prompts fall back to the audit's `declared` numbers while there are no scenes. */
export function planCounts(plan: Plan): PlanCounts {
  const { content } = plan.audit;
  const generators = plan.generators.length > 0 ? plan.generators.length : (content.declared?.generators ?? 0);
  const prompts = plan.prompts.length > 0 ? plan.prompts.length : (content.declared?.prompts ?? 0);
  const sharedFactors = plan.factors.filter(({ shared }) => shared);
  const names = new Set(sharedFactors.map(({ factor }) => factor));
  const shared = plan.configurations.filter(({ factor }) => factor === '' || names.has(factor));
  const pairs = (generators * (generators - 1)) / 2;
  let contrasts = 0;
  let distinctContrasts = 0;
  for (const spec of content.evaluators) {
    if ((spec.role ?? (spec.kind === 'quality' ? 'quality' : 'alignment')) !== 'alignment') continue;
    const own = shared.filter(({ factor }) => {
      const declared = sharedFactors.find((candidate) => candidate.factor === factor);
      if (declared === undefined) return true;
      return applies(declared, spec.id, readsOf(spec)) && !swallowedBy(spec).includes(declared.factor);
    });
    contrasts += pairs * own.length;
    distinctContrasts += pairs * new Set(own.map(({ identity }) => identity)).size;
  }
  const renders = rendersOf(plan);
  const probes = plan.probes.reduce((count, { repeats }) => count + repeats, 0);
  const composites = new Set(renders.map((render) => canonicalJson(render))).size;
  return {
    templates: plan.templates.length,
    sharedLevels: shared.length - 1,
    configurations: shared.length,
    distinctConfigurations: new Set(shared.map(({ identity }) => identity)).size,
    contrasts,
    distinctContrasts,
    generators,
    prompts,
    evaluators: content.evaluators.length,
    perScene: {
      renders: new Set(renders.map(({ background: _, ...view }) => canonicalJson(view))).size,
      composites,
      probes,
    },
    perEvaluator: content.evaluators.map((spec) => {
      const reads = readsOf(spec);
      if (spec.kind === 'scores')
        return { evaluator: spec.id, kind: spec.kind, imagePasses: 0, captionPasses: 0, requests: 0 };
      if (spec.kind === 'ensemble')
        return { evaluator: spec.id, kind: spec.kind, imagePasses: 0, captionPasses: 0, requests: 0 };
      return {
        evaluator: spec.id,
        kind: spec.kind,
        imagePasses: generators * prompts * (composites + probes),
        captionPasses: reads.caption ? captionPasses(plan, prompts) : 0,
        requests:
          spec.kind === 'dual-encoder'
            ? 0
            : requestGroups(plan, spec, generators, prompts).reduce((sum, { trials }) => sum + trials, 0),
      };
    }),
  };
}

function captionPasses(plan: Plan, prompts: number): number {
  if (plan.prompts.length === 0) {
    const templates = new Set(plan.configurations.map(({ configuration }) => configuration['template']));
    return templates.size * prompts;
  }
  const texts = new Set<string>();
  for (const prompt of plan.prompts)
    for (const { configuration } of plan.configurations) {
      const text = captionOf(plan, prompt, configuration);
      if (text !== null) texts.add(text);
    }
  return texts.size;
}

function swallowedBy(spec: EvaluatorSpec): readonly string[] {
  return swallowedFactors({ ensemble: spec.kind === 'ensemble' ? spec : null, views: viewsOf(spec) });
}

/** Every picture of a scene: the configurations', and the poses that ensembles and judges of several views set themselves. */
function rendersOf(plan: Plan): RenderConfiguration[] {
  const renders = plan.configurations.map(({ configuration }) => renderConfiguration(configuration));
  for (const spec of plan.audit.content.evaluators) {
    const poses = spec.kind === 'ensemble' && spec.over === 'views' ? spec.members : (viewsOf(spec) ?? []);
    if (poses.length === 0) continue;
    const swallowed = swallowedBy(spec);
    for (const { factor, configuration } of plan.configurations)
      if (!swallowed.includes(factor))
        for (const pose of poses) renders.push({ ...renderConfiguration(configuration), ...parsePose(pose) });
  }
  return renders;
}
