import { readAnnotations } from '../captions/annotations.ts';
import { expandGrammar, type Template } from '../captions/expand.ts';
import { readGrammar } from '../captions/grammar.ts';
import { type Prompt, readPrompts } from '../captions/prompts.ts';
import { AuditError, quoted } from '../core/errors.ts';
import { compareText } from '../core/json.ts';
import { relativePath } from '../core/paths.ts';
import { rubricForm } from '../evaluators/judge/rubric-form.ts';
import { findProbe, PROBE_NAMES } from '../probes/find-probe.ts';
import { type Audit, readAudit } from '../protocol/audit-file.ts';
import { type Factor, resolveFactors } from '../protocol/factors.ts';
import { buildPlan, type Plan, parsePose, viewsOf } from '../protocol/plan.ts';
import { EMPTY_INDEX, indexScenes, type SceneIndex } from './scene-index.ts';

export interface LoadOptions {
  /** Use this folder of scenes instead of the audit's. */
  readonly scenes?: string;
  /** Only the first N scenes, prompt by prompt; the result is a draft. */
  readonly limitScenes?: number;
  readonly limitPrompts?: number;
  /** Probe names instead of the audit's; `all` for every probe there is. */
  readonly probes?: readonly string[];
  /** Ask every evaluator and every probe this often. */
  readonly repeats?: number;
  /** Only pictures are wanted: an audit without prompts will do. */
  readonly picturesOnly?: boolean;
  /** Accept an audit without scenes (counting only). */
  readonly withoutScenes?: boolean;
}

export interface LoadedAudit {
  readonly audit: Audit;
  readonly plan: Plan;
  readonly scenes: SceneIndex;
  /** True when a limit left prompts out. */
  readonly limited: boolean;
}

/**
 * Reads an audit with everything it names: grammar, prompts, scenes; and works the plan out.
 *
 * @throws AuditError, one line, for whatever is missing, malformed or does not fit together.
 */
export async function loadAudit(file: string, options: LoadOptions = {}): Promise<LoadedAudit> {
  const audit = override(readAudit(file), options);
  const templates =
    audit.grammar === null ? [] : expandGrammar(readGrammar(audit.grammar, relativePath(audit.grammar)));
  const allPrompts =
    audit.prompts === null
      ? []
      : readPrompts(
          audit.prompts,
          audit.paraphrases,
          relativePath(audit.prompts),
          audit.paraphrases === null ? '' : relativePath(audit.paraphrases),
        );
  const annotated = annotate(allPrompts, audit);
  const root = options.scenes ?? audit.scenes;
  let scenes =
    root === null
      ? EMPTY_INDEX
      : await indexScenes(root, options.scenes === undefined ? (audit.content.generators ?? null) : null);
  if (scenes.scenes.length === 0 && options.withoutScenes !== true)
    throw new AuditError(
      `${audit.shown}: no frozen scenes in ${quoted(root === null ? 'nowhere' : relativePath(root))}; expected at least one`,
      {
        hint: 'Freeze scenes with `parallax import`, and name their folder in the key "scenes".',
      },
    );
  const unknown =
    audit.prompts === null && options.picturesOnly === true
      ? []
      : scenes.prompts.filter((id) => !allPrompts.some((prompt) => prompt.id === id));
  if (unknown.length > 0) {
    throw new AuditError(
      `${audit.shown}: scenes name ${unknown.length} prompts that ${audit.prompts === null ? 'no prompt file' : relativePath(audit.prompts)} has, such as ${quoted(unknown[0])}; expected every scene's prompt`,
    );
  }
  // Pictures do not depend on prompt texts: without a prompt file the scenes' own ids will do.
  const known = audit.prompts === null && options.picturesOnly === true ? scenes.prompts.map(promptOfId) : annotated;
  let prompts = known.filter(({ id }) => scenes.scenes.length === 0 || scenes.prompts.includes(id));
  prompts = [...prompts].sort((a, b) => compareText(a.id, b.id));
  const whole = scenes.scenes.length;
  if (options.limitPrompts !== undefined) prompts = prompts.slice(0, options.limitPrompts);
  scenes = limitScenes(scenes, prompts, options.limitScenes ?? Number.POSITIVE_INFINITY);
  const limited = scenes.scenes.length < whole;
  if (limited) prompts = prompts.filter(({ id }) => scenes.prompts.includes(id));
  const { c0, factors } = resolveFactors(audit.content, audit.shown, templates, prompts);
  checkMembers(audit, templates);
  const pairwise = pairwiseJudges(audit, factors);
  const plan = buildPlan(
    { audit, templates, prompts, generators: scenes.generators, c0, factors, pairwise },
    (name) => findProbe(name, audit.shown).about ?? null,
  );
  return { audit, plan, scenes, limited };
}

function override(audit: Audit, { probes, repeats }: LoadOptions): Audit {
  const names = probes === undefined ? null : probes.includes('all') ? PROBE_NAMES : probes;
  const { content } = audit;
  const nameOf = (probe: (typeof content.probes)[number]) => (typeof probe === 'string' ? probe : probe.name);
  // a probe that is asked for by name keeps the parameters the audit gives it
  const declared =
    names === null
      ? content.probes
      : names.map((name) => content.probes.find((probe) => nameOf(probe) === name) ?? name);
  return {
    ...audit,
    content: {
      ...content,
      probes: declared.map((probe) => {
        const { repeats: own, ...rest } = typeof probe === 'string' ? { name: probe, repeats: 1 } : probe;
        const { choices = {} } = findProbe(rest.name, audit.shown);
        const stray = Object.keys(rest).find((key) => key !== 'name' && !(key in choices));
        if (stray !== undefined)
          throw new AuditError(
            `${audit.shown}: probes: unknown parameter ${quoted(stray)} of ${rest.name}; expected ${Object.keys(choices).join(', ') || 'none'}`,
            { code: 'UNKNOWN_KEY' },
          );
        return { ...rest, repeats: repeats ?? own };
      }),
      evaluators: repeats === undefined ? content.evaluators : content.evaluators.map((spec) => ({ ...spec, repeats })),
    },
  };
}

/** The prompts with what their annotations say they specify. */
function annotate(prompts: readonly Prompt[], audit: Audit): readonly Prompt[] {
  if (audit.annotations === null || prompts.length === 0) return prompts;
  const known = new Set(prompts.map(({ id }) => id));
  const annotations = readAnnotations(audit.annotations, known, relativePath(audit.annotations));
  return prompts.map((prompt) => {
    const specifies = annotations.get(prompt.id);
    return specifies === undefined ? prompt : { ...prompt, specifies };
  });
}

function promptOfId(id: string): Prompt {
  return { id, text: id, source: '', paraphrases: new Map() };
}

/** The first scenes in the order of prompts, then generators, so that few scenes still compare generators. */
function limitScenes(index: SceneIndex, prompts: readonly Prompt[], limit: number): SceneIndex {
  const kept = prompts
    .flatMap(({ id }) => index.generators.map((generator) => index.get(generator, id)))
    .filter((indexed) => indexed !== null)
    .slice(0, limit);
  if (kept.length === index.scenes.length) return index;
  const unique = (values: string[]) => [...new Set(values)];
  const generators = unique(kept.map(({ scene }) => scene.generator));
  return {
    generators: index.generators.filter((generator) => generators.includes(generator)),
    prompts: unique(kept.map(({ scene }) => scene.prompt)).sort(compareText),
    scenes: kept,
    get: (generator, prompt) => {
      const indexed = index.get(generator, prompt);
      return indexed !== null && kept.includes(indexed) ? indexed : null;
    },
  };
}

/** Poses and templates an evaluator sets itself; a wrong one is the user's mistake, found before anything is spent. */
function checkMembers({ content, shown }: Audit, templates: readonly Template[]): void {
  const checkPose = (where: string, pose: string) => {
    if (parsePose(pose) === null)
      throw new AuditError(`${where}: invalid pose ${quoted(pose)}; expected pitch/yaw such as 45/90`);
  };
  for (const spec of content.evaluators) {
    for (const pose of viewsOf(spec) ?? []) checkPose(`${shown}: evaluators.${spec.id}.views`, pose);
    if (spec.kind !== 'ensemble') continue;
    for (const member of spec.members) {
      const where = `${shown}: evaluators.${spec.id}.members`;
      if (spec.over === 'views') checkPose(where, member);
      if (spec.over === 'templates' && !templates.some(({ id }) => id === member))
        throw new AuditError(`${where}: unknown template ${quoted(member)}; expected a template of the grammar`);
    }
  }
}

/** Judges whose rubric compares two pictures; rubrics and views that do not fit are found before anything is spent. */
function pairwiseJudges({ content, folder, shown }: Audit, factors: readonly Factor[]): ReadonlySet<string> {
  const pairwise = new Set<string>();
  const swept = factors.find(({ factor }) => factor === 'rubric');
  for (const spec of content.evaluators) {
    if (spec.kind !== 'judge') continue;
    const isSwept = swept !== undefined && (swept.evaluators === null || swept.evaluators.includes(spec.id));
    try {
      if (rubricForm(spec, isSwept ? [...swept.values.keys()] : [], folder).pairwise) pairwise.add(spec.id);
    } catch (error) {
      if (!(error instanceof AuditError)) throw error;
      throw new AuditError(`${shown}: ${error.message}`, {
        code: error.code,
        ...(error.hint === undefined ? {} : { hint: error.hint }),
      });
    }
  }
  return pairwise;
}
