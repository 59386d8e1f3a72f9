import { AuditError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { HostRequest } from '../hosts/host.ts';
import { type RubricContent, type RubricField, readsCaption } from './rubric.ts';
import { type JudgeSettings, TOP_LOGPROBS } from './settings.ts';

/** Raise it whenever the same rubric, caption and pictures would make another request body. */
export const REQUEST_FORM = 'parallax/judge-request@1';

/** The text of the user's turn: the question with the caption in its place, and what the answer must look like. */
export function promptText(rubric: RubricContent, caption: string | undefined): string {
  const question = readsCaption(rubric) ? rubric.question.split('{caption}').join(caption ?? '') : rubric.question;
  const form = answerForm(rubric);
  return form === '' ? question.trimEnd() : `${question.trimEnd()}\n\n${form}`;
}

function answerForm(rubric: RubricContent): string {
  if (rubric.mode === 'logprob') return '';
  if (rubric.freeText) {
    const field = rubric.fields.find(({ type }) => type === 'number') as Extract<RubricField, { type: 'number' }>;
    const name = `${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}`;
    return `End with one line that reads exactly\n${name}: <a number from ${field.min} to ${field.max}>`;
  }
  const lines = rubric.fields.map((field) => `"${field.name}": ${fieldForm(field)}`);
  return `Answer with one JSON object and nothing else. It has exactly these fields:\n${lines.join('\n')}`;
}

function fieldForm(field: RubricField): string {
  const about = field.about === '' ? '' : `, ${field.about}`;
  if (field.type === 'number') return `a number from ${field.min} to ${field.max}${about}`;
  if (field.type === 'text') return `text${about}`;
  return `one of ${field.choices.map((choice) => `"${choice}"`).join(', ')}${about}`;
}

/** JSON schema of the verdict object. Ranges stand in the text: strict modes of the providers differ on min and max. */
export function verdictSchema(rubric: RubricContent): { readonly [key: string]: Json } | null {
  if (rubric.freeText || rubric.mode === 'logprob') return null;
  const properties: Record<string, Json> = {};
  for (const field of rubric.fields) {
    properties[field.name] =
      field.type === 'number'
        ? { type: 'number', description: `${field.min} to ${field.max}` }
        : field.type === 'text'
          ? { type: 'string' }
          : { type: 'string', enum: field.choices };
  }
  return {
    type: 'object',
    properties,
    required: rubric.fields.map(({ name }) => name),
    additionalProperties: false,
  };
}

/**
 * How many HTTP requests one trial takes under a rubric: two for pairwise, else one.
 */
export function requestsPerTrial(rubric: RubricContent): number {
  return rubric.mode === 'pairwise' ? 2 : 1;
}

/** Why the pictures of a trial do not suit the rubric, or null. */
export function wrongImages(rubric: RubricContent, count: number): string | null {
  if (rubric.mode === 'pairwise') return count === 2 ? null : `${count} pictures; expected exactly 2`;
  if (rubric.images === 'one') return count === 1 ? null : `${count} pictures; expected exactly 1`;
  return count >= 2 && count <= 20 ? null : `${count} pictures; expected 2 to 20`;
}

/**
 * The requests of one trial, in order: one, or for pairwise the given order and then the swapped one.
 *
 * @param pictures Base64 PNGs, as many as the rubric takes (`wrongImages` says whether they suit).
 */
export function composeRequests(
  rubric: RubricContent,
  settings: JudgeSettings,
  pictures: readonly string[],
  caption: string | undefined,
): HostRequest[] {
  if (readsCaption(rubric) && caption === undefined)
    throw new AuditError(`rubric ${rubric.id}: no caption; expected one, as the question has {caption}`);
  const { rubric: _name, ...host } = settings;
  const base = {
    ...host,
    system: rubric.system.trimEnd(),
    text: promptText(rubric, caption),
    schema: verdictSchema(rubric),
    topLogprobs: rubric.mode === 'logprob' ? TOP_LOGPROBS : 0,
  };
  if (rubric.mode !== 'pairwise') {
    const several = rubric.images === 'several';
    const images = pictures.map((base64, index) => ({ label: several ? `View ${index + 1}:` : null, base64 }));
    return [{ ...base, images }];
  }
  return [pictures, [...pictures].reverse()].map((order) => ({
    ...base,
    images: order.map((base64, index) => ({ label: index === 0 ? 'Picture A:' : 'Picture B:', base64 })),
  }));
}
