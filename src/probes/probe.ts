import type { PromptProperty } from '../captions/annotations.ts';
import type { Failure } from '../core/outcome.ts';
import type { Random } from '../core/random.ts';
import type { FrozenScene, Scene } from '../core/scene.ts';

/** What a probe may look at besides the scene itself. */
export interface ProbeField {
  /** Every prompt id of the audit, sorted. */
  readonly prompts: readonly string[];
  /** What the audit chose among the probe's `choices`; the first of each when left out. */
  readonly choices?: Readonly<Record<string, string>>;
}

/**
 * A probe's change of a scene, as data: a reviewer can replay it. Ids are object ids of the original; matrices are 4x4
 * column-major, rigid. It is recorded in the probe scene's `probe.edit`.
 */
export interface SceneEdit {
  readonly removed?: readonly string[];
  readonly moved?: readonly { readonly id: string; readonly from: readonly number[]; readonly to: readonly number[] }[];
  /** Geometry exchanged for kit furniture of this category and variant; label, pose, size and count stay. */
  readonly replaced?: readonly { readonly id: string; readonly category: string; readonly variant: number }[];
  /** sRGB 0..1 base colour in place of the object's own. */
  readonly recoloured?: readonly { readonly id: string; readonly colour: readonly [number, number, number] }[];
  /** The whole scene reflected in the plane x = `mirrored`. */
  readonly mirrored?: number;
  /** Objects that should have moved and could not be placed. */
  readonly unplaced?: readonly string[];
  /** Objects that should have been replaced and have no candidate. */
  readonly unreplaced?: readonly string[];
}

interface ProbeBase {
  readonly name: string;
  /** What the probe is expected to do to a score, in one sentence; stands on the card. */
  readonly expectation: string;
  /** A control is expected to change nothing of worth, or to lower any score that reads the caption. */
  readonly control: boolean;
  /** Parameters an audit may set, with the values they take; the first is the default. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /**
   * What of a prompt the probe damages. Where the prompt set says what each prompt specifies, the probe applies to those
   * that specify one of these; left out: to every prompt.
   */
  readonly about?: readonly PromptProperty[];
  /** Raised when the same draw gives another edit than it did before (1 when left out): frozen probes are made anew. */
  readonly revision?: number;
}

/** A targeted degradation of a scene: makes another scene, frozen and hashed like any other. */
export interface SceneProbe extends ProbeBase {
  readonly kind: 'scene';
  /** Name of the random stream, where it is not the probe's own: probes of one stream make the same draw. */
  readonly stream?: string;
  /** The change to make; or why the probe does not apply (`skipped`). */
  edit(scene: FrozenScene, random: Random, field: ProbeField): Promise<SceneEdit | Failure>;
}

/** Keeps the scene and takes the caption of another prompt. */
export interface CaptionProbe extends ProbeBase {
  readonly kind: 'caption';
  /** Id of the prompt whose caption is used. */
  choose(prompt: string, random: Random, field: ProbeField): string | Failure;
}

export type Probe = SceneProbe | CaptionProbe;

/** The edit; or why the probe does not apply, when it moved nothing. */
export function skippedUnlessMoved(scene: Scene, edit: SceneEdit): SceneEdit | Failure {
  if (scene.objects.length === 0) return { status: 'skipped', reason: 'no objects' };
  if ((edit.moved ?? []).length === 0)
    return { status: 'skipped', reason: 'no object can be placed elsewhere in the room' };
  return edit;
}
