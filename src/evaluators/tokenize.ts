import { createHash } from 'node:crypto';
import { AutoTokenizer, env, type PreTrainedTokenizer } from '@huggingface/transformers';
import { AuditError, messageOf, quoted } from '../core/errors.ts';
import { encodeByWords, splitsAtSpaces } from './encode-by-words.ts';
import type { TokenCoverage } from './evaluator.ts';
import { FAMILIES, type ModelFiles } from './model-files.ts';
import { checkTokenizerFits } from './tokenizer-fit.ts';

/** What a text tower is given for one caption. */
export interface Tokens {
  /** Token ids the encoder reads, without padding. */
  readonly ids: readonly number[];
  /** SHA-256 of the ids: equal for captions that are the same to the model. */
  readonly seen: string;
  readonly coverage: TokenCoverage;
}

/** Turns captions into token ids the way the model was trained to read them. */
export interface CaptionTokenizer {
  /** Longest input, start and end token included. */
  readonly context: number;
  /** Every input is padded to the context (SigLIP); false: an input has the length of its caption. */
  readonly fixedLength: boolean;
  readonly padId: number;
  /** `tokenizer`: its own normaliser lower-cases; `lowered`: done here because the family was trained so; `kept`. */
  readonly casePolicy: 'tokenizer' | 'lowered' | 'kept';
  tokenize(caption: string): Tokens;
}

/** Largest number of captions whose tokens are remembered (coverage and embedding ask for the same ones). */
const REMEMBERED = 50_000;

function contextOf(files: ModelFiles, shown: string): number {
  const family = FAMILIES[files.family];
  const positions = files.config.text_config?.max_position_embeddings;
  const stated = files.tokenizerConfig['model_max_length'];
  // Some tokenizers state a placeholder of 1e30 for "no limit".
  const limit = typeof stated === 'number' && stated > 0 && stated < 1e6 ? Math.trunc(stated) : undefined;
  const context = positions === undefined ? (limit ?? family.context) : Math.min(positions, limit ?? positions);
  if (context < 3)
    throw new AuditError(`${shown}: invalid context length "${context}"; expected at least 3 tokens (start, one, end)`);
  return context;
}

function padIdOf(files: ModelFiles, tokenizer: PreTrainedTokenizer, endId: number): number {
  const stated = files.config.text_config?.['pad_token_id'];
  if (typeof tokenizer.pad_token_id === 'number') return tokenizer.pad_token_id;
  return typeof stated === 'number' ? stated : endId;
}

/** End of the part of `caption` whose characters make up `decoded`; both are compared without spaces, in lower case. */
function charactersBeforeCut(caption: string, decoded: string): number {
  const seen = [...decoded.normalize('NFC').toLowerCase()].filter((character) => !/\s/u.test(character));
  let matched = 0;
  let end = 0;
  let at = 0;
  for (const character of caption) {
    if (matched >= seen.length) break;
    const folded = character.normalize('NFC').toLowerCase();
    at += character.length;
    // A character the tokenizer drops (punctuation, in SigLIP) matches nothing and is passed over.
    if (folded !== '' && seen.slice(matched, matched + [...folded].length).join('') === folded) {
      matched += [...folded].length;
      end = at;
    }
  }
  return end;
}

/**
 * Loads the tokenizer of a checked checkpoint. Never reaches the network.
 *
 * A caption longer than the context keeps its start and end token and loses words before the end token, as in the reference
 * tokenizers; the stock JavaScript truncation drops the end token, on which CLIP pools.
 *
 * @throws AuditError when the tokenizer cannot be loaded or is not one for this family.
 */
export async function loadTokenizer(files: ModelFiles, shown: string): Promise<CaptionTokenizer> {
  const family = FAMILIES[files.family];
  const tokenizer = await loadStock(files.folder, shown);
  const checked = (ids: number[], text: string): number[] => {
    if (!ids.every((id) => Number.isSafeInteger(id) && id >= 0))
      throw new AuditError(
        `${shown}/tokenizer.json: a caption has no token ids (${quoted(text)}); expected a vocabulary with an unknown token or byte fallback`,
      );
    return ids;
  };
  const whole = (text: string): number[] => checked(tokenizer.encode(text, { add_special_tokens: true }), text);
  const content = (text: string): number[] => checked(tokenizer.encode(text, { add_special_tokens: false }), text);
  const encode = splitsAtSpaces(files.tokenizer) ? encodeByWords(whole, content) : whole;
  const probe = encode('chair');
  const other = encode('table lamp');
  const bare = tokenizer.encode('chair', { add_special_tokens: false }).length;
  const endId = probe.at(-1);
  if (probe.length === bare || endId === undefined || endId !== other.at(-1))
    throw new AuditError(
      `${shown}/tokenizer.json: no end token is added to a caption; expected a post-processor that ends every caption with one (is this the tokenizer of another model?)`,
    );
  checkTokenizerFits(files, endId, shown);
  const lowersItself = encode('CHAIR Ab').join() === encode('chair ab').join();
  const lowers = !lowersItself && family.lowerCase;
  const context = contextOf(files, shown);
  const remembered = new Map<string, Tokens>();

  const words = (ids: number[]): string =>
    tokenizer.decode(ids, { skip_special_tokens: true, clean_up_tokenization_spaces: false });
  const measure = (caption: string): Tokens => {
    const all = encode(lowers ? caption.toLowerCase() : caption);
    const cut = all.length > context;
    const ids = cut ? [...all.slice(0, context - 1), endId] : all;
    const seen = createHash('sha256').update(Int32Array.from(ids)).digest('hex');
    let coverage: TokenCoverage | undefined;
    return {
      ids,
      seen,
      // Where the cut falls in the text takes longer to find than the tokens; embedding does not ask.
      get coverage() {
        coverage ??= {
          total: all.length,
          used: ids.length,
          characters: cut ? charactersBeforeCut(caption, words(ids)) : caption.length,
          seen,
        };
        return coverage;
      },
    };
  };

  return {
    context,
    fixedLength: family.fixedLength,
    padId: padIdOf(files, tokenizer, endId),
    casePolicy: lowersItself ? 'tokenizer' : lowers ? 'lowered' : 'kept',
    tokenize(caption) {
      const known = remembered.get(caption);
      if (known !== undefined) return known;
      const made = measure(caption);
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(caption, made);
      return made;
    },
  };
}

async function loadStock(folder: string, shown: string): Promise<PreTrainedTokenizer> {
  env.allowRemoteModels = false;
  try {
    return await AutoTokenizer.from_pretrained(folder, { local_files_only: true });
  } catch (error) {
    throw new AuditError(
      `${shown}/tokenizer.json: cannot be loaded (${messageOf(error, 160)}); expected a Hugging Face "fast" tokenizer`,
      { cause: error },
    );
  }
}
