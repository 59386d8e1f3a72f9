import type { Image } from '../core/image.ts';
import type { Json } from '../core/json.ts';
import type { Failure, Outcome } from '../core/outcome.ts';
import type { EvaluatorRole, Fingerprint, Scale } from '../core/protocol.ts';
import type { FrozenScene } from '../core/scene.ts';

/** What every evaluator states about itself. */
export interface EvaluatorBase {
  readonly id: string;
  /** Everything that could change a number: weights, dtype, preprocessing, judge prompt, model id, endpoint kind. */
  readonly fingerprint: Fingerprint;
  /** Machine facts that stand in trial keys but not in the card ID: execution provider, package versions. */
  readonly environment: Fingerprint;
  readonly role: EvaluatorRole;
  readonly scale: Scale;
  /** What it does not read stays out of the trial key. */
  readonly reads: { readonly image: boolean; readonly caption: boolean; readonly scene: boolean };
  /** Local files its numbers rest on (weights, tokenizer, rubric, table), absolute paths; hashed into the manifest. */
  readonly files?: readonly { readonly path: string; readonly role: 'model' | 'scores' | 'rubric' }[];
  close(): Promise<void>;
}

/** How much of a caption a text tower can see. */
export interface TokenCoverage {
  /** Tokens of the caption, start and end token included. */
  readonly total: number;
  /** Tokens the encoder reads (at most its context length). */
  readonly used: number;
  /** How many characters of the caption fall before the cut (all of them when nothing is cut). */
  readonly characters: number;
  /** SHA-256 of the token ids the encoder reads: equal for captions that differ only beyond the cut. */
  readonly seen: string;
}

/** CLIP and SigLIP families: each distinct image and caption is embedded once; a score is a function of two vectors. */
export interface DualEncoder extends EvaluatorBase {
  readonly kind: 'dual-encoder';
  /** Preferred number of images or captions a call. */
  readonly batch: number;
  /** Unit-length embeddings, one an input, in order. */
  embedImages(images: readonly Image[], signal: AbortSignal): Promise<(Float32Array | Failure)[]>;
  embedCaptions(captions: readonly string[], signal: AbortSignal): Promise<(Float32Array | Failure)[]>;
  combine(image: Float32Array, caption: Float32Array): number;
  coverage(captions: readonly string[]): TokenCoverage[];
}

export interface ScoreRequest {
  /** Trial key; the answer carries it back. */
  readonly key: string;
  readonly images: readonly Image[];
  readonly caption?: string;
  readonly scene?: FrozenScene;
  readonly parameters: Json;
  readonly repeat: number;
}

/** Judges, commands, quality controls, symbolic evaluators. */
export interface JointEvaluator extends EvaluatorBase {
  readonly kind: 'joint';
  /** Largest number of requests in flight a call of `score`. */
  readonly batch: number;
  /** Each answer costs money or minutes: it is committed to the store at once. */
  readonly costly?: boolean;
  /**
   * True for an outcome that says the question was never put (a budget that ran out): it is not stored, so that the next run
   * asks. Any other outcome is an answer and is kept, a program's own `skipped` among them.
   */
  unasked?(outcome: Outcome): boolean;
  /** Yields one outcome a request, in any order; a request never answered is the caller's to record as failed. */
  score(requests: readonly ScoreRequest[], signal: AbortSignal): AsyncIterable<readonly [string, Outcome]>;
}

/** A finished score table made elsewhere: rows join by (generator, prompt, factor, level), nothing is computed. */
export interface ScoresEvaluator extends EvaluatorBase {
  readonly kind: 'scores';
  /** SHA-256 of the table file. */
  readonly table: string;
  lookup(cell: { generator: string; prompt: string; factor: string; level: string; repeat: number }): Outcome;
}

export type Evaluator = DualEncoder | JointEvaluator | ScoresEvaluator;
