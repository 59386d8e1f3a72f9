import type { Failure } from '../core/outcome.ts';
import type { Random } from '../core/random.ts';
import type { FrozenScene } from '../core/scene.ts';
import type { SceneDraft } from '../scenes/draft.ts';

/** What a probe may look at besides the scene itself. */
export interface ProbeField {
  /** Every prompt id of the audit, sorted. */
  readonly prompts: readonly string[];
}

interface ProbeBase {
  readonly name: string;
  /** What the probe is expected to do to a score, in one sentence; stands on the card. */
  readonly expectation: string;
  /** A control is expected to change nothing of worth, or to lower any score that reads the caption. */
  readonly control: boolean;
}

/** A targeted degradation of a scene: makes another scene, frozen and hashed like any other. */
export interface SceneProbe extends ProbeBase {
  readonly kind: 'scene';
  /** The degraded scene with `probe` filled in and the original's frame; or why the probe does not apply (`skipped`). */
  apply(scene: FrozenScene, random: Random, field: ProbeField): Promise<SceneDraft | Failure>;
}

/** Keeps the scene and takes the caption of another prompt. */
export interface CaptionProbe extends ProbeBase {
  readonly kind: 'caption';
  /** Id of the prompt whose caption is used. */
  choose(prompt: string, random: Random, field: ProbeField): string | Failure;
}

export type Probe = SceneProbe | CaptionProbe;
