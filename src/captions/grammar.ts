import { z } from 'zod';
import { readYamlFile } from '../core/yaml-file.ts';

const choiceName = z.string().regex(/^[a-z0-9][a-z0-9-]*$/, 'expected a name of lower-case letters, digits and "-"');
const slotName = z.string().regex(/^[a-z][a-z0-9-]*$/, 'expected a slot name of lower-case letters, digits and "-"');

/** Choices of a slot: name -> words. `a|an` becomes the article that fits the next word; empty words leave the slot out. */
const choicesSchema = z.record(choiceName, z.string().max(500));

/**
 * A caption grammar: every path from a branch's first slot to its last is a template.
 *
 * `form` is a line of `{slot}` places and literal words in which `{prompt}` occurs exactly once.
 */
export const grammarSchema = z.strictObject({
  schema: z.literal('parallax/grammar@1'),
  name: choiceName,
  /** Adds the bare prompt as a template with id `raw`. */
  raw: z.boolean().default(true),
  branches: z
    .array(
      z.strictObject({
        name: choiceName,
        form: z.string().min(1).max(1000),
        slots: z.record(slotName, choicesSchema),
      }),
    )
    .max(100),
});

export type Grammar = z.infer<typeof grammarSchema>;

/**
 * Reads a grammar file.
 * @throws AuditError naming file, line and column.
 */
export function readGrammar(path: string, shown = path): Grammar {
  return readYamlFile(path, grammarSchema, shown);
}
