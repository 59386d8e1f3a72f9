import { AuditError } from '../core/errors.ts';
import type { ModelFiles } from './model-files.ts';

/** Model vocabularies are padded to round sizes by a few tokens; a tokenizer with fewer than this share is another model's. */
const SMALLEST_SHARE = 0.9;

/** Largest token id that tokenizer.json can give, over vocabulary and added tokens; null in a layout this does not know. */
export function largestTokenId(tokenizer: unknown): number | null {
  const { model, added_tokens: added } = tokenizer as {
    model?: { vocab?: unknown };
    added_tokens?: readonly { id?: unknown }[];
  };
  let largest = -1;
  if (Array.isArray(model?.vocab)) largest = model.vocab.length - 1;
  else if (typeof model?.vocab === 'object' && model.vocab !== null)
    for (const id of Object.values(model.vocab)) if (typeof id === 'number') largest = Math.max(largest, id);
  if (largest < 0) return null;
  for (const token of Array.isArray(added) ? added : [])
    if (typeof token?.id === 'number') largest = Math.max(largest, token.id);
  return largest;
}

/**
 * Refuses a tokenizer that cannot be this model's: ids beyond the model's vocabulary, a vocabulary much smaller than the model's,
 * or, for CLIP, whose text tower pools at the largest id of a caption, an end token that is not the largest id.
 *
 * @param endId the token the tokenizer ends every caption with.
 * @throws AuditError naming tokenizer.json.
 */
export function checkTokenizerFits(files: ModelFiles, endId: number, shown: string): void {
  const largest = largestTokenId(files.tokenizer);
  const where = `${shown}/tokenizer.json`;
  const vocabulary = files.config.text_config?.['vocab_size'];
  if (largest === null) return;
  if (typeof vocabulary === 'number' && largest >= vocabulary)
    throw new AuditError(
      `${where}: token id "${largest}" is outside the model's vocabulary of ${vocabulary}; expected the tokenizer of this model`,
    );
  if (typeof vocabulary === 'number' && largest + 1 < SMALLEST_SHARE * vocabulary)
    throw new AuditError(
      `${where}: ${largest + 1} tokens for a model that knows "${vocabulary}"; expected the tokenizer of this model`,
    );
  if (files.family === 'clip' && endId !== largest)
    throw new AuditError(
      `${where}: captions end with token "${endId}"; expected the largest token id ${largest}, at which a CLIP text tower reads the caption off (is this the tokenizer of another model?)`,
    );
}
