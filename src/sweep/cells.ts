import { caption } from '../captions/expand.ts';
import type { Prompt } from '../captions/prompts.ts';
import { hashJson } from '../core/hash.ts';
import { compareText, type Json } from '../core/json.ts';
import { type Failure, isFailure, type Outcome } from '../core/outcome.ts';
import type { RenderConfiguration, View } from '../core/protocol.ts';
import type { FrozenScene } from '../core/scene.ts';
import { captionKey, imageKey, trialKey } from '../core/trial.ts';
import { combineMembers } from '../evaluators/ensemble.ts';
import {
  cellsOf,
  type Plan,
  type PlannedCell,
  parsePose,
  type Reads,
  swallowedFactors,
  templateOf,
} from '../protocol/plan.ts';

/** A frozen scene by hash, read when needed. */
export interface SceneReference {
  readonly hash: string;
  load(): Promise<FrozenScene>;
}

/** One picture an evaluator sees: a stored transparent render put on a background. */
export interface ImageReference {
  readonly key: string;
  readonly renderKey: string;
  readonly scene: SceneReference;
  readonly view: View;
  readonly background: string;
  readonly configuration: RenderConfiguration;
}

/** One question to an evaluator: a trial. */
export interface Ask {
  readonly trial: string;
  /** The picture of the cell's own scene (the first of several views); null for evaluators that read none. */
  readonly image: ImageReference | null;
  /** Every picture of the question, in the order they are shown. */
  readonly images: readonly ImageReference[];
  readonly scene: SceneReference | null;
  readonly caption: { readonly key: string; readonly text: string } | null;
  readonly parameters: { readonly [name: string]: Json };
  readonly repeat: number;
}

/** The other side of a pairwise question. */
export interface Opponent {
  readonly generator: string;
  /** The cell's own picture is shown second: the answer, a preference for the first, counts as 1 minus it. */
  readonly isFirst: boolean;
}

/** A cell with the asks that answer it: one, the members of an ensemble, or one a pair; or why it cannot be asked. */
export interface ResolvedCell {
  readonly generator: string;
  readonly prompt: string;
  readonly factor: string;
  readonly level: string;
  readonly repeat: number;
  readonly template: string;
  readonly scene: string;
  readonly asks: readonly Ask[];
  /** Pairwise: whom each ask compares with. */
  readonly opponents?: readonly Opponent[];
  readonly failure: Failure | null;
}

/** How an evaluator's cells are asked. */
export interface AskingEvaluator {
  readonly id: string;
  /** `instrumentHash` of the evaluator that answers (of an ensemble: its base). */
  readonly instrument: string;
  readonly reads: Reads;
  readonly repeats: number;
  /** What a trial key covers of swept parameters, where their names alone do not say it (a rubric's text). */
  readonly keyParameters?: (parameters: Json) => Json;
  readonly ensemble: { readonly over: 'views' | 'templates'; readonly members: readonly string[] } | null;
  /** Poses shown together in one question; null or left out: the configuration's own. */
  readonly views?: readonly string[] | null;
  /** Pictures of two generators are compared; a cell is the mean preference over the other generators. */
  readonly pairwise?: boolean;
}

/** What a cell's scene is: the original, a probe's scene (perhaps with another scene's caption), or a failure. */
export interface CellScene {
  readonly scene: SceneReference;
  /** Prompt whose caption is used; null for the cell's own. */
  readonly captionOf: Prompt | null;
}

/** The renderer as far as keys depend on it. */
export interface Drawing {
  /** `instrumentHash` of its fingerprint and environment. */
  readonly hash: string;
  readonly includesBackground: boolean;
}

export type SceneOfCell = (generator: string, prompt: string, probe: PlannedCell['probe']) => CellScene | Failure;

/** Keys and asks of every cell of one evaluator for one (generator, prompt). */
export function resolveCells(
  plan: Plan,
  evaluator: AskingEvaluator,
  generator: string,
  prompt: Prompt,
  drawing: Drawing,
  sceneOf: SceneOfCell,
): ResolvedCell[] {
  const swallowed = swallowedFactors(evaluator);
  const planned = cellsOf(plan, evaluator, prompt).filter(({ factor }) => !swallowed.includes(factor));
  const noParameters = hashJson({});
  return planned.map((cell): ResolvedCell => {
    const found = sceneOf(generator, prompt.id, cell.probe);
    const shared = {
      generator,
      prompt: prompt.id,
      factor: cell.factor,
      level: cell.level,
      repeat: cell.repeat,
      template: cell.captionTemplate,
    };
    if (isFailure(found)) return { ...shared, scene: '', asks: [], failure: found };
    const parameters =
      Object.keys(cell.parameters).length === 0
        ? noParameters
        : hashJson(evaluator.keyParameters?.(cell.parameters) ?? cell.parameters);
    const repeat = cell.probe === null ? cell.repeat : 0;
    /** @param shown scenes whose pictures are shown, in order, and which of them is the cell's own */
    const askOf = ({ renders, text }: Member, shown: readonly SceneReference[], own: number): Ask => {
      const images = evaluator.reads.image
        ? shown.flatMap((scene) => renders.map((render) => imageReference(scene, render, drawing)))
        : [];
      const words = evaluator.reads.caption ? { key: captionKey(text), text } : null;
      const scene = evaluator.reads.scene ? found.scene : null;
      return {
        trial: trialKey({
          evaluator: evaluator.instrument,
          ...(images.length === 0 ? {} : { image: images.map(({ key }) => key).join(' ') }),
          ...(scene === null ? {} : { scene: scene.hash }),
          ...(words === null ? {} : { caption: words.key }),
          parameters,
          repeat,
        }),
        image: images[own * renders.length] ?? null,
        images,
        scene,
        caption: words,
        parameters: cell.parameters,
        repeat,
      };
    };
    const members = membersOf(plan, evaluator, cell, found.captionOf ?? prompt, found.captionOf !== null);
    const whole = { ...shared, scene: found.scene.hash };
    if (evaluator.pairwise !== true)
      return { ...whole, asks: members.map((member) => askOf(member, [found.scene], 0)), failure: null };
    const pairs = pairsOf(plan, generator, prompt, found, sceneOf);
    if (isFailure(pairs)) return { ...whole, asks: [], failure: pairs };
    return {
      ...whole,
      asks: pairs.map(({ shown, isFirst }) => askOf(members[0] as Member, shown, isFirst ? 0 : 1)),
      opponents: pairs.map(({ opponent, isFirst }) => ({ generator: opponent, isFirst })),
      failure: null,
    };
  });
}

/** The outcome of a cell from those of its asks, in order. */
export function cellOutcome(
  cell: ResolvedCell,
  aggregate: Parameters<typeof combineMembers>[0] | null,
  outcomes: readonly Outcome[],
): Outcome {
  if (cell.failure !== null) return cell.failure;
  if (cell.opponents === undefined)
    return aggregate === null ? (outcomes[0] as Outcome) : combineMembers(aggregate, outcomes);
  const own = outcomes.map((outcome, index): Outcome => {
    const isFirst = cell.opponents?.[index]?.isFirst === true;
    return outcome.status === 'scored' && !isFirst ? { ...outcome, value: 1 - outcome.value } : outcome;
  });
  return combineMembers('mean', own);
}

interface Member {
  readonly renders: readonly RenderConfiguration[];
  readonly text: string;
}

function membersOf(
  plan: Plan,
  evaluator: AskingEvaluator,
  cell: PlannedCell,
  prompt: Prompt,
  replaced: boolean,
): Member[] {
  // A probe that swaps the caption (wrong-prompt) takes the other prompt's original text in the cell's template.
  const text = replaced ? caption(templateOf(plan, cell.captionTemplate), prompt.text) : cell.caption;
  const posed = (pose: string): RenderConfiguration => ({ ...cell.render, ...parsePose(pose) });
  if (evaluator.ensemble === null)
    return [{ renders: evaluator.views == null ? [cell.render] : evaluator.views.map(posed), text }];
  if (evaluator.ensemble.over === 'views')
    return evaluator.ensemble.members.map((member) => ({ renders: [posed(member)], text }));
  const paraphrase = cell.configuration['paraphrase'] as string;
  const words = paraphrase === 'original' ? prompt.text : (prompt.paraphrases.get(paraphrase) ?? prompt.text);
  return evaluator.ensemble.members.map((member) => ({
    renders: [cell.render],
    text: caption(templateOf(plan, member), words),
  }));
}

interface Pair {
  readonly opponent: string;
  readonly isFirst: boolean;
  readonly shown: readonly [SceneReference, SceneReference];
}

/**
 * A scene against the originals of all other generators. The generator first in text order is shown as the first picture, so
 * that both cells of a pair share one trial; the judge itself asks in both orders.
 */
function pairsOf(
  plan: Plan,
  generator: string,
  prompt: Prompt,
  own: CellScene,
  sceneOf: SceneOfCell,
): Pair[] | Failure {
  if (own.captionOf !== null)
    return { status: 'skipped', reason: 'a pairwise judge shows one caption with both pictures' };
  const pairs: Pair[] = [];
  for (const opponent of plan.generators) {
    if (opponent === generator) continue;
    const other = sceneOf(opponent, prompt.id, null);
    if (isFailure(other)) return { status: other.status, reason: `pair with ${opponent}: ${other.reason}` };
    const isFirst = compareText(generator, opponent) < 0;
    pairs.push({ opponent, isFirst, shown: isFirst ? [own.scene, other.scene] : [other.scene, own.scene] });
  }
  if (pairs.length === 0)
    return { status: 'skipped', reason: 'one generator: a pairwise judge has nothing to compare with' };
  return pairs;
}

const imageReferences = new WeakMap<SceneReference, Map<string, ImageReference>>();

/** References are shared between cells, evaluators and stages: keys are hashed once. */
function imageReference(
  scene: SceneReference,
  configuration: RenderConfiguration,
  { hash: rendererHash, includesBackground }: Drawing,
): ImageReference {
  const { background, ...camera } = configuration;
  const view: View = includesBackground ? configuration : camera;
  const text = `${rendererHash} ${view.resolution} ${view.focal} ${view.lighting} ${view.pitch} ${view.yaw} ${background} ${view.renderer ?? ''}`;
  let known = imageReferences.get(scene);
  if (known === undefined) {
    known = new Map();
    imageReferences.set(scene, known);
  }
  let reference = known.get(text);
  if (reference === undefined) {
    reference = {
      key: imageKey(scene.hash, rendererHash, { ...configuration }),
      renderKey: imageKey(scene.hash, rendererHash, { ...view }),
      scene,
      view,
      background,
      configuration,
    };
    known.set(text, reference);
  }
  return reference;
}
