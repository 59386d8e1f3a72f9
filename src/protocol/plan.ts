import type { PromptProperty } from '../captions/annotations.ts';
import { caption, type Template } from '../captions/expand.ts';
import type { Prompt } from '../captions/prompts.ts';
import { AuditError, quoted } from '../core/errors.ts';
import type { EvaluatorSpec } from '../core/evaluator-spec.ts';
import type { Json } from '../core/json.ts';
import { type Configuration, RENDERER_FACTOR, type RenderConfiguration, type RendererLevel } from '../core/protocol.ts';
import type { Audit } from './audit-file.ts';
import type { Factor } from './factors.ts';
import { oneAtATime, type PlannedConfiguration } from './one-at-a-time.ts';

/** What an evaluator reads decides which factors can move it. */
export interface Reads {
  readonly image: boolean;
  readonly caption: boolean;
  readonly scene: boolean;
}

export interface PlannedProbe {
  readonly name: string;
  readonly repeats: number;
  /** Its parameters, where the audit sets them. */
  readonly choices: { readonly [name: string]: string };
  /** What of a prompt it damages; null: it applies to every prompt. */
  readonly about: readonly PromptProperty[] | null;
}

/** Whether a probe applies to a prompt: always, unless annotations say that the prompt specifies nothing of what it damages. */
export function probeApplies(
  { about }: Pick<PlannedProbe, 'about'>,
  { specifies }: Pick<Prompt, 'specifies'>,
): boolean {
  return about === null || specifies === undefined || about.some((property) => specifies.has(property));
}

/** An audit worked out: every configuration that will be visited, before anything is spent. */
export interface Plan {
  readonly audit: Audit;
  readonly templates: readonly Template[];
  readonly prompts: readonly Prompt[];
  readonly generators: readonly string[];
  readonly c0: Configuration;
  readonly factors: readonly Factor[];
  /** c0 first, then every level of every factor, prompt-specific ones (paraphrase) included. */
  readonly configurations: readonly PlannedConfiguration[];
  readonly probes: readonly PlannedProbe[];
  /** Ids of evaluators that compare the pictures of two generators. */
  readonly pairwise?: ReadonlySet<string>;
}

/** @param aboutProbe what a probe damages, by name (its definition lies beyond this layer) */
export function buildPlan(
  parts: Omit<Plan, 'configurations' | 'probes'>,
  aboutProbe: (name: string) => readonly PromptProperty[] | null = () => null,
): Plan {
  const probes = parts.audit.content.probes.map((probe): PlannedProbe => {
    const { name, repeats, ...choices } = typeof probe === 'string' ? { name: probe, repeats: 1 } : probe;
    const given = Object.entries(choices).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]));
    return { name, repeats, choices: Object.fromEntries(given), about: aboutProbe(name) };
  });
  const twice = probes.find(({ name }, index) => probes.findIndex((other) => other.name === name) !== index);
  if (twice !== undefined)
    throw new AuditError(`${parts.audit.shown}: probes: ${quoted(twice.name)} stands twice; expected distinct probes`);
  return { ...parts, configurations: oneAtATime(parts.c0, parts.factors), probes };
}

/** What a kind of evaluator reads, as far as it is known before it is started. */
export function readsOf(spec: EvaluatorSpec): Reads {
  return spec.kind === 'quality'
    ? { image: true, caption: false, scene: false }
    : { image: true, caption: true, scene: false };
}

/** Factors an evaluator sets itself: the poses of an ensemble or of several views in one question, an ensemble's templates. */
export function swallowedFactors({
  ensemble = null,
  views = null,
}: {
  readonly ensemble?: { readonly over: 'views' | 'templates' } | null;
  readonly views?: readonly string[] | null;
}): readonly string[] {
  if (ensemble?.over === 'views' || views !== null) return ['pitch', 'yaw'];
  return ensemble === null ? [] : ['template'];
}

/** Poses an evaluator is shown together in one question; null for the configuration's own. */
export function viewsOf(spec: EvaluatorSpec): readonly string[] | null {
  return spec.kind === 'judge' ? (spec.views ?? null) : null;
}

/** Pitch and yaw of a pose such as `45/90`, in degrees; null for anything else. */
export function parsePose(pose: string): { pitch: number; yaw: number } | null {
  const [, pitch, yaw] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(pose) ?? [];
  return Number(pitch) <= 90 && Number(yaw) <= 360 ? { pitch: Number(pitch), yaw: Number(yaw) } : null;
}

/** True when moving `factor` can change what the evaluator reads. */
export function applies(factor: Factor, evaluator: string, reads: Reads): boolean {
  if (factor.evaluators !== null && !factor.evaluators.includes(evaluator)) return false;
  if (factor.kind === 'caption') return reads.caption;
  if (factor.kind === 'render') return reads.image;
  return true;
}

/** One planned number: a row of the score table, before anything is known about it. */
export interface PlannedCell {
  readonly factor: string;
  readonly level: string;
  readonly configuration: Configuration;
  readonly render: RenderConfiguration;
  readonly caption: string;
  readonly captionTemplate: string;
  /** Evaluator parameters that are swept, by name, with their typed values. */
  readonly parameters: { readonly [name: string]: Json };
  readonly repeat: number;
  /** Null for the original scene. */
  readonly probe: { readonly name: string; readonly repeat: number } | null;
}

/** The render part of a configuration, as numbers. */
export function renderConfiguration(configuration: Configuration): RenderConfiguration {
  return {
    resolution: Number(configuration['resolution']),
    focal: Number(configuration['focal']),
    lighting: configuration['lighting'] as string,
    background: configuration['background'] as string,
    pitch: Number(configuration['pitch']),
    yaw: Number(configuration['yaw']),
    ...(configuration[RENDERER_FACTOR] === undefined
      ? {}
      : { renderer: configuration[RENDERER_FACTOR] as RendererLevel }),
  };
}

/** The caption of a configuration for a prompt; null when the prompt has no such paraphrase. */
export function captionOf(plan: Plan, prompt: Prompt, configuration: Configuration): string | null {
  const paraphrase = configuration['paraphrase'] as string;
  const text = paraphrase === 'original' ? prompt.text : prompt.paraphrases.get(paraphrase);
  if (text === undefined) return null;
  return caption(templateOf(plan, configuration['template'] as string), text);
}

/** Without a grammar the only template is the published default wording (`resolveFactors` refuses every other id). */
const DEFAULT_TEMPLATE: Template = { id: 'a-top-down-view-of', text: 'a top-down view of {prompt}', slots: null };

/** The template of an id. */
export function templateOf({ templates }: Pick<Plan, 'templates'>, id: string): Template {
  const template = [...templates, DEFAULT_TEMPLATE].find((candidate) => candidate.id === id);
  if (template === undefined) throw new Error(`plan: no template "${id}"; resolveFactors should have refused it`);
  return template;
}

/**
 * Every cell of one evaluator on one prompt (the same for each generator), in plan order; probe cells last.
 * Paraphrases a prompt does not have are not planned for it.
 */
export function cellsOf(
  plan: Plan,
  evaluator: { readonly id: string; readonly reads: Reads; readonly repeats: number },
  prompt: Prompt,
): PlannedCell[] {
  const cells: PlannedCell[] = [];
  const factors = new Map(plan.factors.map((factor) => [factor.factor, factor]));
  const parameterFactors = plan.factors.filter(
    ({ kind, evaluators }) => kind === 'evaluator' && (evaluators === null || evaluators.includes(evaluator.id)),
  );
  const parametersOf = (configuration: Configuration) =>
    Object.fromEntries(
      parameterFactors.map((factor) => [
        factor.factor,
        factor.values.get(configuration[factor.factor] as string) as Json,
      ]),
    );
  for (const { factor, level, configuration } of plan.configurations) {
    const declared = factors.get(factor);
    if (declared !== undefined && !applies(declared, evaluator.id, evaluator.reads)) continue;
    const text = captionOf(plan, prompt, configuration);
    if (text === null) continue;
    for (let repeat = 0; repeat < evaluator.repeats; repeat += 1)
      cells.push({
        factor,
        level,
        configuration,
        render: renderConfiguration(configuration),
        caption: text,
        captionTemplate: configuration['template'] as string,
        parameters: parametersOf(configuration),
        repeat,
        probe: null,
      });
  }
  const base = cells[0];
  if (base === undefined) return cells;
  for (const planned of plan.probes) {
    if (!probeApplies(planned, prompt)) continue;
    const { name, repeats } = planned;
    for (let repeat = 0; repeat < repeats; repeat += 1)
      cells.push({ ...base, factor: 'probe', level: name, repeat, probe: { name, repeat } });
  }
  return cells;
}
