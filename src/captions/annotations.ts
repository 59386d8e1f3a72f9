import { AuditError, quoted } from '../core/errors.ts';
import { readRows } from './prompts.ts';

/** What a prompt may specify, and a probe damage. */
export const PROMPT_PROPERTIES = ['objects', 'counts', 'relations', 'colours'] as const;
export type PromptProperty = (typeof PROMPT_PROPERTIES)[number];

/**
 * Reads `annotations.csv`: `prompt` and any of the columns objects, counts, relations, colours. A cell lists what the prompt
 * says of it (free text, such as `sofa;lamp` or `lamp beside sofa`); an empty cell: the prompt does not specify it. A property
 * without a column is not annotated: every annotated prompt counts as specifying it.
 *
 * @returns what each annotated prompt specifies, by prompt id
 * @throws AuditError naming file and line: an unknown column or prompt, a prompt that stands twice
 */
export function readAnnotations(
  path: string,
  known: ReadonlySet<string>,
  shown = path,
): ReadonlyMap<string, ReadonlySet<PromptProperty>> {
  const found = new Map<string, ReadonlySet<PromptProperty>>();
  for (const { line, values } of readRows(path, shown, ['prompt'], PROMPT_PROPERTIES)) {
    const id = values['prompt'] ?? '';
    if (!known.has(id))
      throw new AuditError(`${shown}:${line}: unknown prompt ${quoted(id)}; expected an id of the prompt file`);
    if (found.has(id)) throw new AuditError(`${shown}:${line}: prompt ${quoted(id)} stands twice; expected it once`);
    found.set(id, new Set(PROMPT_PROPERTIES.filter((property) => (values[property] ?? 'not annotated').trim() !== '')));
  }
  return found;
}
