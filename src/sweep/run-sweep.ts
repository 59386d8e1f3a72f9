import { join } from 'node:path';
import type { EvaluatorSpec } from '../core/evaluator-spec.ts';
import type { Log, OnProgress } from '../core/log.ts';
import type { Manifest } from '../core/manifest.ts';
import type { Outcome } from '../core/outcome.ts';
import { instrumentHash } from '../core/trial.ts';
import type { JudgeBudget } from '../evaluators/judge/budget.ts';
import { adaptiveRanks } from '../protocol/adaptive-order.ts';
import { readsOf } from '../protocol/plan.ts';
import type { Renderer } from '../rendering/renderer.ts';
import {
  type AskingEvaluator,
  type Drawing,
  type ImageReference,
  type ResolvedCell,
  resolveCells,
  type SceneOfCell,
} from './cells.ts';
import { exportResults, type Scored } from './export-results.ts';
import { ImageFolder } from './image-folder.ts';
import { closeInstruments, type Instrument, openInstruments, selectSpecs } from './instruments.ts';
import type { LoadedAudit } from './load-audit.ts';
import { noiseFloor } from './noise-floor.ts';
import { openRenderer, rendererEnvironment } from './open-renderer.ts';
import { PictureLoader } from './picture-loader.ts';
import { probeStage } from './probe-stage.ts';
import { type RenderCounts, renderStage } from './render-stage.ts';
import { cellOutcomes, type ScoreCounts, scoreStage } from './score-stage.ts';
import { Store } from './store.ts';
import { writeThumbnails } from './thumbnails.ts';

export interface SweepOptions {
  /** The store's DuckDB file; pictures and probe scenes stand in folders beside it. */
  readonly store: string;
  /** Evaluator ids; null for all that are not optional. */
  readonly evaluators: readonly string[] | null;
  /** How far to go: pictures only, outcomes, or the exported results folder. */
  readonly until: 'render' | 'score' | 'export';
  readonly renderer?: 'chromium' | 'blender' | 'files';
  /** Export what there is (`analyze --partial`): no rendering, no scoring. */
  readonly partial?: boolean;
  /** Limits of what hosted judges may spend in this run. */
  readonly budget?: JudgeBudget;
  /** Ask recorded failures again. */
  readonly retry?: boolean;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly onProgress: OnProgress;
}

export interface SweepResult {
  readonly renders: RenderCounts;
  readonly scores: readonly ScoreCounts[];
  readonly manifest: Manifest | null;
}

/** How many scenes have their c0 rendered twice for the noise floor. */
const NOISE_SCENES = 2;

/**
 * One sweep: probes frozen, every missing picture drawn, every missing outcome asked, results exported. Work already in the
 * store is found by its key; interrupting at any moment loses at most the batch in hand, and running again resumes.
 */
export async function runSweep(loaded: LoadedAudit, options: SweepOptions): Promise<SweepResult> {
  const { signal, log, onProgress } = options;
  const { audit, plan } = loaded;
  const specs = selectSpecs(audit.content.evaluators, options.evaluators, audit.shown);
  const store = await Store.open(options.store);
  const images = new ImageFolder(join(store.path, '..', 'images'));
  const name = options.renderer ?? audit.content.renderer.name;
  let renderer: Renderer | null = null;
  let instruments: Instrument[] = [];
  try {
    const drawsPictures = options.until === 'render' || specs.some(({ kind }) => kind !== 'scores');
    renderer = drawsPictures ? await openRenderer(plan, log, name) : null;
    const environment = renderer === null ? null : await rendererEnvironment(renderer, name, store);
    const drawing: Drawing = {
      hash: instrumentHash(renderer?.fingerprint ?? null, environment),
      includesBackground: renderer?.includesBackground === true,
    };
    const draw = async () => {
      if (renderer === null) throw new Error('a sweep without pictures asked for one');
      return renderer;
    };
    if (options.until !== 'render')
      instruments = await openInstruments(specs, audit.content.evaluators, {
        folder: audit.folder,
        log,
        signal,
        ...(options.budget === undefined ? {} : { budget: options.budget }),
      });
    const sceneOf = await probeStage({
      plan,
      scenes: loaded.scenes,
      folder: join(store.path, '..', 'probes'),
      signal,
      onProgress,
    });

    const asking =
      options.until === 'render'
        ? specs.map((spec) => unopened(spec, audit.content.evaluators))
        : instruments.filter(({ evaluator }) => evaluator.kind !== 'scores');
    const references = imageReferences(loaded, asking, drawing, sceneOf);
    let renders: RenderCounts = { rendered: 0, reused: references.size, failed: 0 };
    if (options.partial !== true)
      renders = await renderStage({
        store,
        images,
        renderer: draw,
        references: references.values(),
        retry: options.retry === true,
        signal,
        onProgress,
      });
    if (options.until === 'render') return { renders, scores: [], manifest: null };

    const pictures = await PictureLoader.over(store, images, references.values());
    const ranks = adaptiveRanks(plan.configurations);
    const scores: ScoreCounts[] = [];
    const scored: Scored[] = [];
    for (const instrument of instruments) {
      // A table made elsewhere asks nothing and rests on no picture of ours.
      const asked = cellsOfInstrument(loaded, instrument, drawing, sceneOf);
      const cells = instrument.evaluator.kind === 'scores' ? asked.map((cell) => ({ ...cell, asks: [] })) : asked;
      if (options.partial !== true)
        scores.push(
          await scoreStage({
            store,
            instrument,
            cells,
            ranks,
            pictures,
            retry: options.retry === true,
            signal,
            onProgress,
          }),
        );
      if (options.until === 'export')
        scored.push({ instrument, cells, outcomes: await cellOutcomes(store, instrument, cells, pictures) });
    }
    if (options.until === 'score') return { renders, scores, manifest: null };

    const noise = options.partial === true || renderer === null || name === 'files' ? null : await measureNoise();
    const manifest = await exportResults({
      loaded,
      store,
      pictures,
      scored,
      renderer:
        renderer === null
          ? null
          : ({ fingerprint: renderer.fingerprint, environment } as Manifest['protocol']['renderer']),
      noiseFloor: noise,
      draft: options.partial === true || loaded.limited || isUnfinished(scored),
    });
    const first = scored[0];
    const prompt = plan.prompts[0]?.id;
    if (first !== undefined && prompt !== undefined)
      await writeThumbnails(audit.results, first.cells, prompt, pictures);
    return { renders, scores, manifest };

    async function measureNoise(): Promise<Manifest['noiseFloor']> {
      const asks = (scored[0]?.cells ?? []).filter(({ factor, asks: [ask] }) => factor === '' && ask?.image != null);
      const samples = asks.slice(0, NOISE_SCENES).map(({ asks: [ask] }) => ({
        image: ask?.image as ImageReference,
        caption: ask?.caption?.text ?? '',
      }));
      return await noiseFloor({ store, images, renderer: draw, instruments, samples, signal });
    }
  } finally {
    await closeInstruments(instruments);
    await renderer?.close();
    await store.close();
  }
}

/** Every distinct picture of the sweep. Evaluators that read pictures in the same way are walked once. */
function imageReferences(
  loaded: LoadedAudit,
  instruments: readonly AskingEvaluator[],
  drawing: Drawing,
  sceneOf: SceneOfCell,
): Map<string, ImageReference> {
  const references = new Map<string, ImageReference>();
  const seen = new Set<string>();
  for (const instrument of instruments) {
    if (!instrument.reads.image) continue;
    const signature = JSON.stringify([
      instrument.reads,
      instrument.ensemble,
      loaded.plan.factors.map(({ evaluators }) => evaluators === null || evaluators.includes(instrument.id)),
    ]);
    if (seen.has(signature)) continue;
    seen.add(signature);
    for (const cell of cellsOfInstrument(loaded, instrument, drawing, sceneOf))
      for (const { image } of cell.asks) if (image !== null) references.set(image.key, image);
  }
  return references;
}

function cellsOfInstrument(
  loaded: LoadedAudit,
  instrument: AskingEvaluator,
  drawing: Drawing,
  sceneOf: SceneOfCell,
): ResolvedCell[] {
  const { plan } = loaded;
  return plan.generators.flatMap((generator) =>
    plan.prompts.flatMap((prompt) => resolveCells(plan, instrument, generator, prompt, drawing, sceneOf)),
  );
}

/** How an evaluator will look at pictures, known from its spec alone: rendering needs no model. */
function unopened(spec: EvaluatorSpec, all: readonly EvaluatorSpec[]): AskingEvaluator {
  const base = spec.kind === 'ensemble' ? (all.find(({ id }) => id === spec.of) ?? spec) : spec;
  return {
    id: spec.id,
    instrument: '',
    reads: readsOf(base),
    repeats: 1,
    ensemble: spec.kind === 'ensemble' ? { over: spec.over, members: spec.members } : null,
  };
}

/** True when planned work was not attempted: such results are a draft. */
function isUnfinished(scored: readonly Scored[]): boolean {
  const waiting = ({ status, ...rest }: Outcome) =>
    status === 'skipped' && 'reason' in rest && ['not scored yet', 'not rendered yet'].includes(rest.reason);
  return scored.some(({ outcomes }) => outcomes.some(waiting));
}
