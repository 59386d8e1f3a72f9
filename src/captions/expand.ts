import { AuditError, quoted } from '../core/errors.ts';
import type { Grammar } from './grammar.ts';

/** One caption template: a path through the grammar. */
export interface Template {
  readonly id: string;
  /** Contains `{prompt}` exactly once. */
  readonly text: string;
  /** Slot -> choice of this path (a slot whose words are empty still has its choice); null for the raw prompt. */
  readonly slots: Readonly<Record<string, string>> | null;
}

const MAX_TEMPLATES = 100_000;
const PLACE = /\{([a-z][a-z0-9-]*)\}/g;

/**
 * Every source-to-sink path of a grammar, in stable order: the raw prompt first, then branch by branch, the choices of
 * the slot named last in the form varying fastest. Ids are the words joined by `-`, so they can be read.
 *
 * @throws AuditError for a form without exactly one `{prompt}`, an unknown slot, a slot never used, or two equal ids.
 */
export function expandGrammar(grammar: Grammar): Template[] {
  const templates: Template[] = grammar.raw ? [{ id: 'raw', text: '{prompt}', slots: null }] : [];
  for (const branch of grammar.branches) {
    const where = `grammar ${grammar.name}, branch ${branch.name}`;
    const places = [...branch.form.matchAll(PLACE)].map((match) => match[1] as string);
    if (places.filter((place) => place === 'prompt').length !== 1)
      throw new AuditError(`${where}: invalid form ${quoted(branch.form)}; expected exactly one {prompt}`);
    const slots = places.filter((place) => place !== 'prompt');
    for (const slot of slots) {
      if (!Object.hasOwn(branch.slots, slot))
        throw new AuditError(
          `${where}: unknown slot ${quoted(slot)} in the form; expected one of ${Object.keys(branch.slots).join(', ')}`,
        );
    }
    const unused = Object.keys(branch.slots).find((slot) => !slots.includes(slot));
    if (unused !== undefined || new Set(slots).size !== slots.length)
      throw new AuditError(
        `${where}: slot ${quoted(unused ?? slots)} is unused or used twice; expected each slot once`,
      );
    const paths = slots.reduce((count, slot) => count * Object.keys(branch.slots[slot] ?? {}).length, 1);
    if (templates.length + paths > MAX_TEMPLATES)
      throw new AuditError(`${where}: ${paths} templates are too many; expected at most ${MAX_TEMPLATES}`);
    for (const path of choosePaths(slots, branch.slots)) templates.push(fill(branch.form, branch.slots, path));
  }
  const seen = new Set<string>();
  for (const template of templates) {
    if (template.text.split('{prompt}').length !== 2)
      throw new AuditError(
        `grammar ${grammar.name}: words of template ${quoted(template.id)} hold {prompt} too; expected it in the form alone`,
      );
    if (seen.has(template.id))
      throw new AuditError(
        `grammar ${grammar.name}: two paths give the template id ${quoted(template.id)}; expected distinct wordings`,
      );
    seen.add(template.id);
  }
  return templates;
}

function* choosePaths(
  slots: readonly string[],
  choices: Grammar['branches'][number]['slots'],
  chosen: Record<string, string> = {},
): Generator<Record<string, string>> {
  const [slot, ...rest] = slots;
  if (slot === undefined) {
    yield chosen;
    return;
  }
  for (const choice of Object.keys(choices[slot] ?? {}))
    yield* choosePaths(rest, choices, { ...chosen, [slot]: choice });
}

function fill(form: string, choices: Grammar['branches'][number]['slots'], path: Record<string, string>): Template {
  const words = form
    .replace(PLACE, (_, place: string) =>
      place === 'prompt' ? '{prompt}' : (choices[place]?.[path[place] ?? ''] ?? ''),
    )
    .split(/\s+/)
    .filter((word) => word !== '');
  for (let index = 0; index < words.length; index += 1)
    if (words[index] === 'a|an') words[index] = /^[aeiou]/i.test(words[index + 1] ?? '') ? 'an' : 'a';
  const text = words.join(' ');
  const id = text
    .replace('{prompt}', '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return { id, text, slots: path };
}

/** The caption of a template: the prompt put where `{prompt}` stands, letter for letter. */
export function caption(template: Template, prompt: string): string {
  return template.text.split('{prompt}').join(prompt);
}
