import { join } from 'node:path';
import type { EvaluatorSpec } from '../core/evaluator-spec.ts';
import type { Json } from '../core/json.ts';
import type { Log, OnProgress } from '../core/log.ts';
import { instrumentHash } from '../core/trial.ts';
import type { JudgeBudget } from '../evaluators/judge/budget.ts';
import { type Plan, readsOf, viewsOf } from '../protocol/plan.ts';
import type { Renderer } from '../rendering/renderer.ts';
import {
  type AskingEvaluator,
  type Drawing,
  type ImageReference,
  type ResolvedCell,
  resolveCells,
  type SceneOfCell,
} from './cells.ts';
import { ImageFolder } from './image-folder.ts';
import { closeInstruments, type Instrument, openInstruments, selectSpecs } from './instruments.ts';
import type { LoadedAudit } from './load-audit.ts';
import { openRenderer, rendererEnvironment } from './open-renderer.ts';
import { probeStage } from './probe-stage.ts';
import { Store } from './store.ts';

export interface OpenSweepOptions {
  /** The store's DuckDB file; pictures and probe scenes stand in folders beside it. */
  readonly store: string;
  /** Evaluator ids; null for all that are not optional. */
  readonly evaluators: readonly string[] | null;
  /** Only pictures are wanted: no evaluator is opened. */
  readonly picturesOnly?: boolean;
  readonly renderer?: 'chromium' | 'blender' | 'files';
  /** Limits of what hosted judges may spend in this run. */
  readonly budget?: JudgeBudget;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly onProgress: OnProgress;
}

/** A sweep with everything opened that it needs; close it when done. */
export interface OpenSweep {
  readonly loaded: LoadedAudit;
  readonly store: Store;
  readonly images: ImageFolder;
  /** Null when no evaluator of the sweep looks at pictures of ours. */
  readonly renderer: Renderer | null;
  readonly rendererName: string;
  readonly environment: Json;
  readonly instruments: readonly Instrument[];
  /** Every distinct picture of the sweep, by image key. */
  readonly references: ReadonlyMap<string, ImageReference>;
  cells(instrument: Instrument): ResolvedCell[];
  close(): Promise<void>;
}

/**
 * Opens store, renderer and evaluators, freezes the probes, and works out every picture of the sweep.
 * @throws AuditError for whatever is missing; nothing stays open then.
 */
export async function openSweep(loaded: LoadedAudit, options: OpenSweepOptions): Promise<OpenSweep> {
  const { signal, log, onProgress } = options;
  const { audit, plan } = loaded;
  const specs = selectSpecs(audit.content.evaluators, options.evaluators, audit.shown);
  const store = await Store.open(options.store);
  const rendererName = options.renderer ?? audit.content.renderer.name;
  let renderer: Renderer | null = null;
  let instruments: Instrument[] = [];
  const close = async () => {
    try {
      await closeInstruments(instruments);
      await renderer?.close();
    } finally {
      await store.close();
    }
  };
  try {
    const draws = options.picturesOnly === true || specs.some(({ kind }) => kind !== 'scores');
    renderer = draws ? await openRenderer(plan, log, rendererName) : null;
    const environment = renderer === null ? null : await rendererEnvironment(renderer, rendererName, store);
    const drawing: Drawing = {
      hash: instrumentHash(renderer?.fingerprint ?? null, environment),
      includesBackground: renderer?.includesBackground === true,
    };
    if (options.picturesOnly !== true)
      instruments = await openInstruments(specs, audit.content.evaluators, plan, {
        folder: audit.folder,
        log,
        signal,
        ...(options.budget === undefined ? {} : { budget: options.budget }),
      });
    const folder = join(store.path, '..', 'probes');
    const sceneOf = await probeStage({ plan, scenes: loaded.scenes, folder, signal, onProgress });
    const asking =
      options.picturesOnly === true
        ? specs.map((spec) => unopened(spec, audit.content.evaluators, plan))
        : instruments.filter(({ evaluator }) => evaluator.kind !== 'scores');
    const all = (evaluator: AskingEvaluator) => cellsOfEvaluator(loaded, evaluator, drawing, sceneOf);
    return {
      loaded,
      store,
      images: new ImageFolder(join(store.path, '..', 'images')),
      renderer,
      rendererName,
      environment,
      instruments,
      references: imageReferences(loaded, asking, all),
      // A table made elsewhere asks nothing and rests on no picture of ours.
      cells: (instrument) =>
        instrument.evaluator.kind === 'scores'
          ? all(instrument).map((cell) => ({ ...cell, asks: [] }))
          : all(instrument),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Every distinct picture. Evaluators that read pictures in the same way are walked once. */
function imageReferences(
  { plan }: LoadedAudit,
  evaluators: readonly AskingEvaluator[],
  cellsOf: (evaluator: AskingEvaluator) => ResolvedCell[],
): Map<string, ImageReference> {
  const references = new Map<string, ImageReference>();
  const seen = new Set<string>();
  for (const evaluator of evaluators) {
    if (!evaluator.reads.image) continue;
    const signature = JSON.stringify([
      evaluator.reads,
      evaluator.ensemble,
      evaluator.views ?? null,
      evaluator.pairwise === true,
      plan.factors.map(({ evaluators }) => evaluators === null || evaluators.includes(evaluator.id)),
    ]);
    if (seen.has(signature)) continue;
    seen.add(signature);
    for (const { asks } of cellsOf(evaluator))
      for (const { images } of asks) for (const image of images) references.set(image.key, image);
  }
  return references;
}

function cellsOfEvaluator(
  { plan }: LoadedAudit,
  evaluator: AskingEvaluator,
  drawing: Drawing,
  sceneOf: SceneOfCell,
): ResolvedCell[] {
  return plan.generators.flatMap((generator) =>
    plan.prompts.flatMap((prompt) => resolveCells(plan, evaluator, generator, prompt, drawing, sceneOf)),
  );
}

/** How an evaluator will look at pictures, known from its spec alone: rendering needs no model. */
function unopened(spec: EvaluatorSpec, all: readonly EvaluatorSpec[], plan: Plan): AskingEvaluator {
  const base = spec.kind === 'ensemble' ? (all.find(({ id }) => id === spec.of) ?? spec) : spec;
  return {
    id: spec.id,
    instrument: '',
    reads: readsOf(base),
    repeats: 1,
    ensemble: spec.kind === 'ensemble' ? { over: spec.over, members: spec.members } : null,
    views: viewsOf(base),
    pairwise: plan.pairwise?.has(base.id) === true,
  };
}
