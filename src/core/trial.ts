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

/** SHA-256 of (scene hash, renderer fingerprint and environment, render configuration). `renderer` is their hash. */
export function imageKey(scene: string, renderer: string, configuration: Json): string {
  return hashJson({ key: 'parallax/image@1', scene, renderer, configuration });
}

/** SHA-256 of the caption's UTF-8 text. */
export function captionKey(text: string): string {
  return sha256(text);
}

/** Hash of what an evaluator (or a renderer) is: its fingerprint and the environment it runs in. */
export function instrumentHash(fingerprint: Json, environment: Json): string {
  return hashJson({ key: 'parallax/instrument@1', fingerprint, environment });
}

/** What a trial key covers; leave out what the evaluator does not read. */
export interface TrialContent {
  /** `instrumentHash` of the evaluator. */
  readonly evaluator: string;
  /** Image keys in order; several for an evaluator that reads several views. */
  readonly image?: string;
  readonly scene?: string;
  readonly caption?: string;
  /** `hashJson` of the evaluator parameters of this trial. */
  readonly parameters: string;
  readonly repeat: number;
}

/** SHA-256 of (evaluator, image or scene, caption, parameters, repeat), as lines of text. */
export function trialKey({ evaluator, image, scene, caption, parameters, repeat }: TrialContent): string {
  return sha256(
    `parallax/trial@1\nevaluator ${evaluator}\nimage ${image ?? '-'}\nscene ${scene ?? '-'}\ncaption ${caption ?? '-'}\nparameters ${parameters}\nrepeat ${repeat}\n`,
  );
}
