import { caption } from '../captions/expand.ts';
import type { Prompt } from '../captions/prompts.ts';
import { hashJson } from '../core/hash.ts';
import type { Json } from '../core/json.ts';
import { type Failure, isFailure } from '../core/outcome.ts';
import type { RenderConfiguration, View } from '../core/protocol.ts';
import type { FrozenScene } from '../core/scene.ts';
import { captionKey, imageKey, trialKey } from '../core/trial.ts';
import { cellsOf, type Plan, type PlannedCell, type Reads, templateOf } from '../protocol/plan.ts';

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
  readonly image: ImageReference | null;
  readonly scene: SceneReference | null;
  readonly caption: { readonly key: string; readonly text: string } | null;
  readonly parameters: { readonly [name: string]: Json };
  readonly repeat: number;
}

/** A cell with the asks that answer it: one, or the members of an ensemble; or why it cannot be asked. */
export interface ResolvedCell {
  readonly generator: string;
  readonly prompt: string;
  readonly factor: string;
  readonly level: string;
  readonly repeat: number;
  readonly template: string;
  readonly scene: string;
  readonly asks: readonly Ask[];
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
  const swallowed =
    evaluator.ensemble?.over === 'views' ? ['pitch', 'yaw'] : evaluator.ensemble === null ? [] : ['template'];
  const planned = cellsOf(plan, evaluator, prompt).filter(({ factor }) => !swallowed.includes(factor));
  const noParameters = hashJson({});
  return planned.map((cell) => {
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
    const asks = membersOf(plan, evaluator, cell, found.captionOf ?? prompt, found.captionOf !== null).map(
      ({ render, text }): Ask => {
        const image = evaluator.reads.image ? imageReference(found.scene, render, drawing) : null;
        const words = evaluator.reads.caption ? { key: captionKey(text), text } : null;
        const scene = evaluator.reads.scene ? found.scene : null;
        return {
          trial: trialKey({
            evaluator: evaluator.instrument,
            ...(image === null ? {} : { image: image.key }),
            ...(scene === null ? {} : { scene: scene.hash }),
            ...(words === null ? {} : { caption: words.key }),
            parameters,
            repeat: cell.probe === null ? cell.repeat : 0,
          }),
          image,
          scene,
          caption: words,
          parameters: cell.parameters,
          repeat: cell.probe === null ? cell.repeat : 0,
        };
      },
    );
    return { ...shared, scene: found.scene.hash, asks, failure: null };
  });
}

function membersOf(plan: Plan, evaluator: AskingEvaluator, cell: PlannedCell, prompt: Prompt, replaced: boolean) {
  // A probe that swaps the caption (wrong-prompt) takes the other prompt's original text in the cell's template.
  const text = replaced ? caption(templateOf(plan, cell.captionTemplate), prompt.text) : cell.caption;
  if (evaluator.ensemble === null) return [{ render: cell.render, text }];
  if (evaluator.ensemble.over === 'views')
    return evaluator.ensemble.members.map((member) => {
      const [pitch, yaw] = member.split('/').map(Number) as [number, number];
      return { render: { ...cell.render, pitch, yaw }, text };
    });
  const paraphrase = cell.configuration['paraphrase'] as string;
  const words = paraphrase === 'original' ? prompt.text : (prompt.paraphrases.get(paraphrase) ?? prompt.text);
  return evaluator.ensemble.members.map((member) => ({
    render: cell.render,
    text: caption(templateOf(plan, member), words),
  }));
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
  const text = `${rendererHash} ${view.resolution} ${view.focal} ${view.lighting} ${view.pitch} ${view.yaw} ${background}`;
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
