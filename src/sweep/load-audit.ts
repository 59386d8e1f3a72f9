import { expandGrammar } from '../captions/expand.ts';
import { readGrammar } from '../captions/grammar.ts';
import { readPrompts } from '../captions/prompts.ts';
import { AuditError, quoted } from '../core/errors.ts';
import { compareText } from '../core/json.ts';
import { relativePath } from '../core/paths.ts';
import { findProbe, PROBE_NAMES } from '../probes/find-probe.ts';
import { type Audit, readAudit } from '../protocol/audit-file.ts';
import { resolveFactors } from '../protocol/factors.ts';
import { buildPlan, type Plan } from '../protocol/plan.ts';
import { EMPTY_INDEX, indexScenes, type SceneIndex } from './scene-index.ts';

export interface LoadOptions {
  /** Use this folder of scenes instead of the audit's. */
  readonly scenes?: string;
  /** Only the first N scenes of each generator (by prompt id); the result is a draft. */
  readonly limitScenes?: number;
  readonly limitPrompts?: number;
  /** Probe names instead of the audit's; `all` for every probe there is. */
  readonly probes?: readonly string[];
  /** Ask every evaluator and every probe this often. */
  readonly repeats?: number;
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
  const unknown = scenes.prompts.filter((id) => !allPrompts.some((prompt) => prompt.id === id));
  if (unknown.length > 0 && (options.scenes === undefined || options.withoutScenes !== true)) {
    throw new AuditError(
      `${audit.shown}: ${unknown.length} scenes name prompts that ${quoted(audit.content.prompts ?? 'no file')} does not have, such as ${quoted(unknown[0])}; expected every scene's prompt`,
    );
  }
  let prompts = allPrompts.filter(({ id }) => scenes.scenes.length === 0 || scenes.prompts.includes(id));
  prompts = [...prompts].sort((a, b) => compareText(a.id, b.id));
  const limit = Math.min(
    options.limitPrompts ?? Number.POSITIVE_INFINITY,
    options.limitScenes ?? Number.POSITIVE_INFINITY,
  );
  const limited = prompts.length > limit;
  if (limited) {
    prompts = prompts.slice(0, limit);
    const kept = new Set(prompts.map(({ id }) => id));
    const whole = scenes;
    scenes = {
      ...whole,
      prompts: whole.prompts.filter((id) => kept.has(id)),
      scenes: whole.scenes.filter(({ scene }) => kept.has(scene.prompt)),
    };
  }
  const { c0, factors } = resolveFactors(audit.content, audit.shown, templates, prompts);
  const plan = buildPlan({ audit, templates, prompts, generators: scenes.generators, c0, factors });
  return { audit, plan, scenes, limited };
}

function override(audit: Audit, { probes, repeats }: LoadOptions): Audit {
  const names = probes === undefined ? null : probes.includes('all') ? PROBE_NAMES : probes;
  const { content } = audit;
  const declared = names ?? content.probes;
  return {
    ...audit,
    content: {
      ...content,
      probes: declared.map((probe) => {
        const { name, repeats: own } = typeof probe === 'string' ? { name: probe, repeats: 1 } : probe;
        return { name: findProbe(name, audit.shown).name, repeats: repeats ?? own };
      }),
      evaluators: repeats === undefined ? content.evaluators : content.evaluators.map((spec) => ({ ...spec, repeats })),
    },
  };
}
