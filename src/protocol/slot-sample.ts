import type { Template } from '../captions/expand.ts';
import { AuditError, quoted } from '../core/errors.ts';
import { compareText } from '../core/json.ts';
import type { Random } from '../core/random.ts';
import { cubeSample } from './cube-sample.ts';

/** A drawn template with its chance of being drawn and what it stands for. */
export interface SampledTemplate {
  readonly template: Template;
  /** Inclusion probability in (0, 1]; 1 for the raw prompt and others that are always taken. */
  readonly probability: number;
  /** 1 / probability: how many templates of the grammar it stands for. */
  readonly weight: number;
  /** Balancing variables (main effects of the slots) behind the design; the variance estimates need them. */
  readonly effects: readonly number[];
}

/** How often a slot's choice occurs in the grammar and in the sample. */
export interface SlotCoverage {
  readonly slot: string;
  readonly choice: string;
  readonly population: number;
  readonly sampled: number;
}

/** A main-effects probability sample of a grammar's templates. */
export interface TemplateSample {
  /** In the grammar's order. */
  readonly templates: readonly SampledTemplate[];
  /** Number of templates of the grammar. */
  readonly population: number;
  /** Sums of `effects` over all templates that are not taken for certain. */
  readonly totals: readonly number[];
  readonly coverage: readonly SlotCoverage[];
  /** What the sample saves and what it cannot show, as sentences for plan and report. */
  readonly claims: SampleClaims;
}

export interface SampleClaims {
  /** Share of template requests not made. */
  readonly saved: number;
  readonly estimated: readonly string[];
  readonly lost: readonly string[];
}

/** Choice of a slot a template does not have (a branch of the grammar without it). */
const ABSENT = '(absent)';
const MAX_DRAWS = 100;

/**
 * Draws about `count` templates so that every choice of every slot is covered and the shares of the choices are those of
 * the whole grammar (cube method, balanced on the main effects of the slots). Templates without slots (the raw prompt) and
 * those named in `certain` (the default, which is scored at c0 anyway) are always taken; all others have the same chance.
 *
 * A draw that misses a choice is drawn again. With at least two expected templates for each choice, which is required,
 * that happens too rarely to move the inclusion probabilities (a test measures both).
 *
 * @throws AuditError when `count` is too small to cover every choice, or not smaller than the grammar.
 */
export function sampleTemplates(
  templates: readonly Template[],
  random: Random,
  count: number,
  options: { readonly certain?: readonly string[] } = {},
): TemplateSample {
  const certain = new Set(options.certain ?? []);
  const isCertain = (template: Template) => template.slots === null || certain.has(template.id);
  const drawn = templates.filter((template) => !isCertain(template));
  const size = count - (templates.length - drawn.length);
  const groups = slotGroups(templates);
  const own = slotGroups(drawn);
  const columns = effectColumns(own);
  const least = Math.max(
    columns.length + 3,
    ...own.map(({ members }) => Math.ceil((2 * drawn.length) / members.length)),
  );
  if (!(Number.isInteger(count) && size >= least))
    throw new AuditError(
      `factors.template: invalid sample of ${quoted(count)} templates; expected at least ${least + templates.length - drawn.length} to cover every slot choice`,
    );
  if (size >= drawn.length)
    throw new AuditError(
      `factors.template: invalid sample of ${quoted(count)} of ${templates.length} templates; expected fewer, or "all"`,
    );
  const probability = size / drawn.length;
  const memberships = columns.map(({ members }) => new Set(members));
  const probabilities = drawn.map(() => probability);
  const variables = drawn.map((template) => effectsOf(template, memberships).map((value) => value * probability));
  for (let draw = 0; draw < MAX_DRAWS; draw += 1) {
    const chosen = cubeSample(probabilities, variables, random.derive('draw', draw));
    const ids = new Set(chosen.map((index) => (drawn[index] as Template).id));
    const taken = templates.filter((template) => isCertain(template) || ids.has(template.id));
    const coverage = groups.map(({ slot, choice, members }) => ({
      slot,
      choice,
      population: members.length,
      sampled: members.filter((id) => ids.has(id) || certain.has(id)).length,
    }));
    if (coverage.some(({ sampled }) => sampled === 0)) continue;
    return {
      templates: taken.map((template) => {
        const chance = isCertain(template) ? 1 : probability;
        return { template, probability: chance, weight: 1 / chance, effects: effectsOf(template, memberships) };
      }),
      population: templates.length,
      totals: [drawn.length, ...memberships.map(({ size: members }) => members)],
      coverage,
      claims: claimsOf(taken.length, templates.length),
    };
  }
  throw new AuditError(
    `factors.template: no sample of ${count} templates covers every slot choice after ${MAX_DRAWS} draws; expected a larger sample`,
  );
}

/**
 * The sample a run recorded, from the templates of its grammar and the drawn ids with their probabilities: what the estimates
 * for all templates need.
 *
 * @throws AuditError when a drawn template is not in the grammar.
 */
export function recordedSample(
  templates: readonly Template[],
  recorded: readonly { readonly template: string; readonly probability: number }[],
): TemplateSample {
  const chances = new Map(recorded.map(({ template, probability }) => [template, probability]));
  const unknown = recorded.find(({ template }) => !templates.some(({ id }) => id === template));
  if (unknown !== undefined)
    throw new AuditError(
      `manifest: sampled template ${quoted(unknown.template)} is not in the grammar; expected one of its templates`,
    );
  // Whatever could not have been left out is no part of the draw.
  const drawn = templates.filter(({ id, slots }) => slots !== null && chances.get(id) !== 1);
  const memberships = effectColumns(slotGroups(drawn)).map(({ members }) => new Set(members));
  const taken = templates.filter(({ id }) => chances.has(id));
  return {
    templates: taken.map((template) => {
      const probability = chances.get(template.id) as number;
      return { template, probability, weight: 1 / probability, effects: effectsOf(template, memberships) };
    }),
    population: templates.length,
    totals: [drawn.length, ...memberships.map(({ size }) => size)],
    coverage: slotGroups(templates).map(({ slot, choice, members }) => ({
      slot,
      choice,
      population: members.length,
      sampled: members.filter((id) => chances.has(id)).length,
    })),
    claims: claimsOf(taken.length, templates.length),
  };
}

function effectsOf({ id }: Template, memberships: readonly ReadonlySet<string>[]): number[] {
  return [1, ...memberships.map((members) => (members.has(id) ? 1 : 0))];
}

interface SlotGroup {
  readonly slot: string;
  readonly choice: string;
  readonly members: readonly string[];
}

/** Templates by (slot, choice), in order; a slot some templates lack has the choice "(absent)". */
function slotGroups(templates: readonly Template[]): SlotGroup[] {
  const withSlots = templates.filter((template) => template.slots !== null);
  const slots = [...new Set(withSlots.flatMap(({ slots: chosen }) => Object.keys(chosen ?? {})))].sort(compareText);
  return slots.flatMap((slot) => {
    const choices = new Map<string, string[]>();
    for (const { id, slots: chosen } of withSlots) {
      const choice = chosen?.[slot] ?? ABSENT;
      choices.set(choice, [...(choices.get(choice) ?? []), id]);
    }
    return [...choices].sort(([a], [b]) => compareText(a, b)).map(([choice, members]) => ({ slot, choice, members }));
  });
}

/** One indicator for each choice but the last of its slot; a slot's choices always add up to one. */
function effectColumns(groups: readonly SlotGroup[]): SlotGroup[] {
  return groups.filter(({ slot }, index) => groups[index + 1]?.slot === slot);
}

function claimsOf(taken: number, all: number): SampleClaims {
  return {
    saved: 1 - taken / all,
    estimated: [
      `the mean over all ${all} templates, with an interval`,
      `the variance over all ${all} templates (and so rho), with an interval`,
      'the main effect of each slot, from all sampled templates',
    ],
    lost: [
      `the range (dispersion D): the range over the ${taken} sampled templates is a lower bound`,
      'the best template and its rank: the best sampled one is a lower bound',
      'that an envelope is strict or that a winner never changes: a sample can refute it, never establish it',
      'interactions between slots',
      "Kendall's W over all templates: that over the sampled ones is an estimate without a guarantee",
    ],
  };
}
