import { hashJson, sha256 } from './hash.ts';
import type { Json } from './json.ts';

/** A place in the plan: which generator, prompt, factor and level a number is for. Many cells may share one trial. */
export interface Cell {
  readonly evaluator: string;
  readonly generator: string;
  readonly prompt: string;
  /** Empty for the default configuration c0; `probe` for a probe. */
  readonly factor: string;
  readonly level: string;
  readonly repeat: number;
  /** Key of the trial that answers this cell. */
  readonly trial: string;
}

/** One measurement to make. Keys cover everything that could change the number. */
export interface Trial {
  readonly key: string;
  readonly scene: string;
  readonly image?: string;
  readonly caption?: string;
  readonly parameters: Json;
  readonly repeat: number;
}

/** SHA-256 of (scene hash, renderer fingerprint, render configuration). */
export function imageKey(scene: string, renderer: Json, configuration: Json): string {
  return hashJson({ key: 'parallax/image@1', scene, renderer, configuration });
}

/** SHA-256 of the caption's UTF-8 text. */
export function captionKey(text: string): string {
  return sha256(text);
}

/** What a trial key covers; leave out what the evaluator does not read. */
export interface TrialContent {
  readonly evaluator: Json;
  readonly image?: string;
  readonly scene?: string;
  readonly caption?: string;
  readonly parameters: Json;
  readonly repeat: number;
}

/** SHA-256 of (evaluator fingerprint, image or scene, caption, parameters, repeat). */
export function trialKey(content: TrialContent): string {
  return hashJson({ key: 'parallax/trial@1', ...content });
}
