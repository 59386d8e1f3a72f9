import { z } from 'zod';
import { idSchema } from '../../core/scene.ts';

const fieldName = z.string().regex(/^[a-zA-Z][a-zA-Z0-9_]{0,39}$/, 'expected a field name of letters, digits and "_"');

/** One field of the verdict object, in the order it is asked for. */
export const rubricFieldSchema = z.discriminatedUnion('type', [
  z.strictObject({
    name: fieldName,
    type: z.literal('number'),
    min: z.number(),
    max: z.number(),
    about: z.string().max(400).default(''),
  }),
  z.strictObject({ name: fieldName, type: z.literal('text'), about: z.string().max(400).default('') }),
  z.strictObject({
    name: fieldName,
    type: z.literal('choice'),
    choices: z.array(z.string().min(1).max(40)).min(2).max(10),
    about: z.string().max(400).default(''),
  }),
]);
export type RubricField = z.infer<typeof rubricFieldSchema>;

/**
 * A rubric file (`parallax/rubric@1`): what a judge is told and asked, what it may answer, and how the answer becomes a
 * number. Everything in it is part of the evaluator's fingerprint.
 */
export const rubricSchema = z
  .strictObject({
    schema: z.literal('parallax/rubric@1'),
    id: idSchema,
    /** Raise it whenever the content changes; the hash changes anyhow. */
    version: z.number().int().min(1),
    /**
     * `direct`: one number field is the score. `fields`: the weighted mean of several. `logprob`: probability of one answer
     * among two, from log-probabilities. `pairwise`: which of two pictures, asked in both orders.
     */
    mode: z.enum(['direct', 'fields', 'logprob', 'pairwise']),
    /** `one` picture a request, or `several` (2 or more views of one scene). Pairwise takes exactly two. */
    images: z.enum(['one', 'several']),
    /** True: the answer is prose with the verdict on its last verdict line (or in its last verdict object). */
    freeText: z.boolean().default(false),
    scale: z.strictObject({ name: z.string().min(1).max(60), min: z.number(), max: z.number() }),
    system: z.string().max(20_000).default(''),
    /** With `{caption}` where the caption goes, at most once. */
    question: z.string().min(1).max(20_000),
    fields: z.array(rubricFieldSchema).max(20).default([]),
    /** Weights of the number fields that make the score; they are divided by their sum. */
    score: z.record(fieldName, z.number().positive()).default({}),
    /** logprob: the tokens (trimmed, lower case) that count for and against. */
    answers: z.strictObject({ for: z.array(z.string()).min(1), against: z.array(z.string()).min(1) }).optional(),
    /** logprob: largest probability that may lie outside the returned tokens when one answer is not among them. */
    maxUnseen: z.number().min(0).max(0.5).default(0.01),
    /** False: a field that was not asked for makes the answer unparseable. */
    extraFields: z.boolean().default(false),
  })
  .superRefine((rubric, context) => {
    const problem = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message: `expected ${message}` });
    const names = rubric.fields.map(({ name }) => name);
    if (new Set(names).size !== names.length) problem('fields', 'distinct field names');
    for (const field of rubric.fields)
      if (field.type === 'number' && field.min >= field.max) problem('fields', `min below max in field ${field.name}`);
    if (rubric.scale.min >= rubric.scale.max) problem('scale', 'min below max');
    if (rubric.question.split('{caption}').length > 2) problem('question', '{caption} at most once');
    const numbers = rubric.fields.filter(({ type }) => type === 'number').map(({ name }) => name);
    const scored = Object.keys(rubric.score);
    if (scored.some((name) => !numbers.includes(name))) problem('score', `only number fields: ${numbers.join(', ')}`);
    if (rubric.mode === 'direct' && scored.length !== 1) problem('score', 'exactly one number field in mode direct');
    if (rubric.mode === 'fields' && scored.length < 2) problem('score', 'two or more number fields in mode fields');
    if (rubric.mode === 'logprob') {
      if (rubric.answers === undefined) problem('answers', 'the words for and against in mode logprob');
      if (rubric.fields.length > 0 || rubric.freeText) problem('fields', 'no fields and no freeText in mode logprob');
    } else if (rubric.fields.length === 0) problem('fields', 'at least one field');
    if (rubric.mode === 'pairwise') {
      const choice = rubric.fields.filter((field) => field.type === 'choice');
      if (choice.length !== 1 || !['A,B', 'A,B,tie'].includes(choice[0]?.choices.join(',') ?? ''))
        problem('fields', 'exactly one choice field, of A, B or of A, B, tie, in mode pairwise');
      if (rubric.images !== 'several' || scored.length > 0)
        problem('images', 'several, and no score, in mode pairwise');
      if (rubric.scale.min !== 0 || rubric.scale.max !== 1) problem('scale', '0 to 1 in mode pairwise');
      if (rubric.freeText) problem('freeText', 'false in mode pairwise');
    }
    if (rubric.freeText && numbers.length !== 1) problem('freeText', 'exactly one number field with freeText');
  });
export type RubricContent = z.infer<typeof rubricSchema>;

/** True when the judge is shown the caption. */
export function readsCaption(rubric: RubricContent): boolean {
  return rubric.question.includes('{caption}');
}
