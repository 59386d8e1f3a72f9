import type { Template } from '../captions/expand.ts';
import type { Prompt } from '../captions/prompts.ts';
import { AuditError, quoted } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import {
  CAPTION_FACTORS,
  type Configuration,
  LIGHTINGS,
  RENDER_FACTORS,
  RENDERER_FACTOR,
  RENDERER_LEVELS,
} from '../core/protocol.ts';
import { Random } from '../core/random.ts';
import { idSchema } from '../core/scene.ts';
import type { AuditFile, FactorDeclaration } from './audit-file.ts';
import { sampleTemplates, type TemplateSample } from './slot-sample.ts';

export type FactorKind = 'render' | 'caption' | 'evaluator';

/** A declared factor, checked, with its levels as the strings that stand in tables. */
export interface Factor {
  readonly factor: string;
  readonly kind: FactorKind;
  readonly levels: readonly string[];
  readonly default: string;
  /** Where the base differs from c0 while the factor is swept; null when it is c0. */
  readonly at: Configuration | null;
  readonly shared: boolean;
  readonly evaluators: readonly string[] | null;
  /** Evaluator parameters keep their typed value: level id -> JSON value. */
  readonly values: ReadonlyMap<string, Json>;
  /** Templates drawn by slot instead of all of the grammar: how many were asked for, and the sample. */
  readonly sample?: { readonly asked: number; readonly of: TemplateSample };
}

/** c0 of the published study, used for every factor an audit file's `default` leaves out. */
export const DEFAULT_CONFIGURATION: Configuration = {
  resolution: '512',
  focal: '50',
  lighting: 'city',
  background: 'grey-255',
  pitch: '90',
  yaw: '0',
  template: 'a-top-down-view-of',
  paraphrase: 'original',
};

const isRender = (factor: string) =>
  factor === RENDERER_FACTOR || (RENDER_FACTORS as readonly string[]).includes(factor);
const isCaption = (factor: string) => (CAPTION_FACTORS as readonly string[]).includes(factor);

function numberIn(low: number, high: number, whole: boolean): (level: string) => string | null {
  return (level) => {
    const value = Number(level);
    const valid = level.trim() !== '' && value >= low && value <= high && (!whole || Number.isInteger(value));
    return valid && String(value) === level ? null : `a ${whole ? 'whole ' : ''}number from ${low} to ${high}`;
  };
}

/** What is wrong with a level of a render factor, or null. */
const RENDER_LEVELS: Record<string, (level: string) => string | null> = {
  resolution: numberIn(16, 4096, true),
  focal: numberIn(4, 2000, false),
  pitch: numberIn(0, 90, false),
  yaw: numberIn(0, 360, false),
  [RENDERER_FACTOR]: (level) =>
    (RENDERER_LEVELS as readonly string[]).includes(level) ? null : `one of ${RENDERER_LEVELS.join(', ')}`,
  lighting: (level) => ((LIGHTINGS as readonly string[]).includes(level) ? null : `one of ${LIGHTINGS.join(', ')}`),
  background: (level) => {
    const grey = /^grey-(\d{1,3})$/.exec(level);
    const known = ['red', 'green', 'blue', 'floor'].includes(level) || (grey !== null && Number(grey[1]) <= 255);
    return known ? null : 'grey-0 to grey-255, red, green, blue or floor';
  },
};

/**
 * The default configuration c0 and every declared factor, checked against the grammar and the prompts.
 *
 * @throws AuditError naming the factor and the level that cannot be swept.
 */
export function resolveFactors(
  audit: AuditFile,
  shown: string,
  templates: readonly Template[],
  prompts: readonly Prompt[],
): { c0: Configuration; factors: Factor[] } {
  const c0: Record<string, string> = { ...DEFAULT_CONFIGURATION };
  // The audit's own renderer is the default of a renderer factor, and otherwise no part of a configuration.
  if (Object.hasOwn(audit.factors, RENDERER_FACTOR)) c0[RENDERER_FACTOR] = audit.renderer.name;
  for (const [factor, level] of Object.entries(audit.default)) {
    if (factor === RENDERER_FACTOR)
      throw new AuditError(
        `${shown}: default: unknown factor "renderer"; expected the default as "renderer: {name: ...}"`,
      );
    if (!isRender(factor) && !isCaption(factor))
      throw new AuditError(
        `${shown}: default: unknown factor ${quoted(factor)}; expected one of ${[...RENDER_FACTORS, ...CAPTION_FACTORS].join(', ')}`,
      );
    c0[factor] = String(level);
  }
  for (const [factor, level] of Object.entries(c0)) checkLevel(factor, level, `${shown}: default.${factor}`, templates);
  const factors = Object.entries(audit.factors).map(([name, declared]) =>
    resolveFactor(name, Array.isArray(declared) ? { levels: declared, shared: true } : declared, {
      audit,
      shown,
      c0,
      templates,
      prompts,
    }),
  );
  for (const { factor, kind, default: level } of factors) if (kind === 'evaluator') c0[factor] = level;
  return { c0, factors };
}

interface Context {
  readonly audit: AuditFile;
  readonly shown: string;
  readonly c0: Configuration;
  readonly templates: readonly Template[];
  readonly prompts: readonly Prompt[];
}

function resolveFactor(factor: string, declared: FactorDeclaration, context: Context): Factor {
  const where = `${context.shown}: factors.${factor}`;
  const kind: FactorKind = isRender(factor) ? 'render' : isCaption(factor) ? 'caption' : 'evaluator';
  const ids = context.audit.evaluators.map(({ id }) => id);
  const unknown = declared.evaluators?.find((id) => !ids.includes(id));
  if (unknown !== undefined)
    throw new AuditError(`${where}: unknown evaluator ${quoted(unknown)}; expected one of ${ids.join(', ')}`);
  if (kind === 'evaluator' && declared.default === undefined)
    throw new AuditError(
      `${where}: an evaluator parameter without a default; expected "default: <level>", or one of ${[...RENDER_FACTORS, ...CAPTION_FACTORS].join(', ')}`,
    );
  if (kind !== 'evaluator' && declared.default !== undefined)
    throw new AuditError(
      `${where}: unknown key "default"; expected the default of ${quoted(factor)} in the section "default"`,
    );
  const values = new Map<string, Json>();
  const sample = sampleOf(factor, declared.levels, where, context);
  const levels = sample === null ? listLevels(factor, declared.levels, where, context) : idsOf(sample.of);
  for (const level of levels) values.set(String(level), level);
  const names = [...values.keys()];
  if (names.length !== levels.length) throw new AuditError(`${where}: a level stands twice; expected distinct levels`);
  for (const level of names) checkLevel(factor, level, where, context.templates);
  const shared = factor === 'paraphrase' ? false : declared.shared;
  const defaultLevel = kind === 'evaluator' ? String(declared.default) : (context.c0[factor] as string);
  if (kind === 'evaluator' && !names.includes(defaultLevel)) values.set(defaultLevel, declared.default as Json);
  const at: Record<string, string> = {};
  for (const [other, level] of Object.entries(declared.at ?? {})) {
    if (!(other in context.c0) || other === factor)
      throw new AuditError(
        `${where}.at: unknown factor ${quoted(other)}; expected another factor of the default configuration`,
      );
    checkLevel(other, String(level), `${where}.at.${other}`, context.templates);
    if (context.c0[other] !== String(level)) at[other] = String(level);
  }
  return {
    factor,
    kind,
    levels: names,
    default: defaultLevel,
    at: Object.keys(at).length === 0 ? null : at,
    shared,
    evaluators: declared.evaluators ?? null,
    values,
    ...(sample === null ? {} : { sample }),
  };
}

/** The drawn templates of a factor that samples them; null for any other. */
function sampleOf(
  factor: string,
  levels: FactorDeclaration['levels'],
  where: string,
  context: Context,
): NonNullable<Factor['sample']> | null {
  if (factor !== 'template' || isList(levels) || typeof levels !== 'object') return null;
  if (context.templates.length === 0)
    throw new AuditError(`${where}: a sample without a grammar; expected the key "grammar"`);
  const random = new Random(context.audit.seed, 'templates');
  const certain = [context.c0[factor] as string];
  return { asked: levels.sample, of: sampleTemplates(context.templates, random, levels.sample, { certain }) };
}

function idsOf({ templates }: TemplateSample): string[] {
  return templates.map(({ template }) => template.id);
}

function isList(
  levels: FactorDeclaration['levels'],
): levels is Extract<FactorDeclaration['levels'], readonly unknown[]> {
  return Array.isArray(levels);
}

function listLevels(
  factor: string,
  levels: FactorDeclaration['levels'],
  where: string,
  context: Context,
): readonly Json[] {
  if (isList(levels)) return levels;
  if (factor === 'template' && levels === 'all') {
    if (context.templates.length === 0)
      throw new AuditError(`${where}: "all" without a grammar; expected the key "grammar"`);
    return context.templates.map(({ id }) => id);
  }
  if (factor === 'paraphrase' && levels === 'all') {
    const names = new Set<string>();
    for (const prompt of context.prompts) for (const level of prompt.paraphrases.keys()) names.add(level);
    return ['original', ...[...names].sort()];
  }
  throw new AuditError(`${where}: invalid levels ${quoted(levels)}; expected a list of levels`);
}

function checkLevel(factor: string, level: string, where: string, templates: readonly Template[]): void {
  const wrong = RENDER_LEVELS[factor]?.(level) ?? null;
  if (wrong !== null) throw new AuditError(`${where}: invalid level ${quoted(level)}; expected ${wrong}`);
  if (factor === 'template' && templates.length === 0 && level !== DEFAULT_CONFIGURATION['template'])
    throw new AuditError(
      `${where}: unknown template ${quoted(level)} without a grammar; expected the key "grammar", or "${DEFAULT_CONFIGURATION['template']}"`,
    );
  if (factor === 'template' && templates.length > 0 && !templates.some(({ id }) => id === level)) {
    const close = templates.find(({ id }) => id.includes(level) || level.includes(id))?.id;
    throw new AuditError(
      `${where}: unknown template ${quoted(level)}; expected a template of the grammar${close === undefined ? '' : `, such as "${close}"`}`,
    );
  }
  if (!idSchema.safeParse(level).success)
    throw new AuditError(
      `${where}: invalid level ${quoted(level)}; expected a level without "/" that does not start with = + - @`,
    );
}
