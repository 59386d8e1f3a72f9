import type { Manifest } from '../core/manifest.ts';
import type { Outcome } from '../core/outcome.ts';
import { adaptiveRanks } from '../protocol/adaptive-order.ts';
import type { ImageReference } from './cells.ts';
import { exportResults, type Scored } from './export-results.ts';
import type { LoadedAudit } from './load-audit.ts';
import { noiseFloor } from './noise-floor.ts';
import { type OpenSweep, type OpenSweepOptions, openSweep } from './open-sweep.ts';
import { PictureLoader } from './picture-loader.ts';
import { type RenderCounts, renderStage } from './render-stage.ts';
import { cellOutcomes, type ScoreCounts, scoreStage } from './score-stage.ts';
import { writeThumbnails } from './thumbnails.ts';

export interface SweepOptions extends Omit<OpenSweepOptions, 'picturesOnly'> {
  /** How far to go: pictures only, outcomes, or the exported results folder. */
  readonly until: 'render' | 'score' | 'export';
  /** Export what there is (`analyze --partial`): no rendering, no scoring. */
  readonly partial?: boolean;
  /** Draw and ask recorded failures again. */
  readonly retry?: boolean;
}

export interface SweepResult {
  readonly renders: RenderCounts;
  /** Distinct pictures of the plan, backgrounds included: in all, and of the scene that has most. */
  readonly images: { readonly all: number; readonly perScene: number };
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
  const sweep = await openSweep(loaded, { ...options, picturesOnly: options.until === 'render' });
  try {
    const { store, references } = sweep;
    const { signal, onProgress } = options;
    const retry = options.retry === true;
    const partial = options.partial === true;
    let renders: RenderCounts = { rendered: 0, reused: references.size, failed: 0 };
    if (!partial)
      renders = await renderStage({
        store,
        images: sweep.images,
        renderer: rendererOf(sweep),
        references: references.values(),
        retry,
        signal,
        onProgress,
      });
    const images = countImages(references.values());
    if (options.until === 'render') return { renders, images, scores: [], manifest: null };

    const pictures = await PictureLoader.over(store, sweep.images, references.values());
    const ranks = adaptiveRanks(loaded.plan.configurations);
    const scores: ScoreCounts[] = [];
    const scored: Scored[] = [];
    for (const instrument of sweep.instruments) {
      const cells = sweep.cells(instrument);
      if (!partial)
        scores.push(await scoreStage({ store, instrument, cells, ranks, pictures, retry, signal, onProgress }));
      if (options.until === 'export')
        scored.push({ instrument, cells, outcomes: await cellOutcomes(store, instrument, cells, pictures) });
    }
    if (options.until === 'score') return { renders, images, scores, manifest: null };

    const manifest = await exportResults({
      loaded,
      store,
      pictures,
      scored,
      renderer:
        sweep.renderer === null
          ? null
          : ({
              fingerprint: sweep.renderer.fingerprint,
              environment: sweep.environment,
            } as Manifest['protocol']['renderer']),
      noiseFloor: partial ? null : await measureNoise(sweep, scored, signal),
      draft: partial || loaded.limited || isUnfinished(scored),
    });
    await exportPictures(sweep, scored, pictures);
    return { renders, images, scores, manifest };
  } finally {
    await sweep.close();
  }
}

function rendererOf({ renderer }: OpenSweep) {
  return async () => {
    if (renderer === null) throw new Error('a sweep without pictures asked for one');
    return renderer;
  };
}

/** The noise floor belongs to a renderer that draws; pictures made elsewhere cannot be drawn again. */
async function measureNoise(
  sweep: OpenSweep,
  scored: readonly Scored[],
  signal: AbortSignal,
): Promise<Manifest['noiseFloor']> {
  if (sweep.renderer === null || sweep.rendererName === 'files') return null;
  const cells = (scored.find(({ instrument }) => instrument.ensemble === null)?.cells ?? []).filter(
    ({ factor, repeat, asks: [ask] }) => factor === '' && repeat === 0 && ask !== undefined && ask.image !== null,
  );
  const samples = cells.slice(0, NOISE_SCENES).map(({ asks: [ask] }) => ({
    image: ask?.image as ImageReference,
    caption: ask?.caption?.text ?? '',
  }));
  const { store, images, instruments } = sweep;
  return await noiseFloor({ store, images, renderer: rendererOf(sweep), instruments, samples, signal });
}

async function exportPictures(
  { loaded }: OpenSweep,
  scored: readonly Scored[],
  pictures: PictureLoader,
): Promise<void> {
  const prompt = loaded.plan.prompts[0]?.id;
  const drawn = scored.find(({ instrument }) => instrument.ensemble === null && instrument.evaluator.kind !== 'scores');
  if (drawn !== undefined && prompt !== undefined)
    await writeThumbnails(loaded.audit.results, drawn.cells, prompt, pictures);
}

/** True when planned work was not attempted: such results are a draft. */
function isUnfinished(scored: readonly Scored[]): boolean {
  const waiting = ({ status, ...rest }: Outcome) =>
    status === 'skipped' && 'reason' in rest && ['not scored yet', 'not rendered yet'].includes(rest.reason);
  return scored.some(({ outcomes }) => outcomes.some(waiting));
}

function countImages(references: Iterable<ImageReference>): SweepResult['images'] {
  const perScene = new Map<string, number>();
  let all = 0;
  for (const { scene } of references) {
    all += 1;
    perScene.set(scene.hash, (perScene.get(scene.hash) ?? 0) + 1);
  }
  return { all, perScene: Math.max(0, ...perScene.values()) };
}
