import type { OnProgress } from '../core/log.ts';
import type { Outcome } from '../core/outcome.ts';
import { cellName } from '../protocol/adaptive-order.ts';
import { askStage } from './ask-stage.ts';
import { cellOutcome, type ResolvedCell } from './cells.ts';
import { embeddedOutcomes, embedStage } from './embed-stage.ts';
import type { Instrument } from './instruments.ts';
import type { PictureLoader } from './picture-loader.ts';
import type { Store } from './store.ts';

export interface ScoreCounts {
  readonly evaluator: string;
  /** Images and captions embedded, or requests asked, in this run. */
  readonly images: number;
  readonly captions: number;
  readonly requests: number;
}

export interface ScoreStageOptions {
  readonly store: Store;
  readonly instrument: Instrument;
  readonly cells: readonly ResolvedCell[];
  /** Order in which a costly evaluator is asked: c0 and the extremes first. */
  readonly ranks: ReadonlyMap<string, number>;
  readonly pictures: PictureLoader;
  /** Ask recorded failures again. */
  readonly retry: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

/** Does the work that is missing for one evaluator: embeddings, or requests. Tables made elsewhere need none. */
export async function scoreStage(options: ScoreStageOptions): Promise<ScoreCounts> {
  const { store, instrument, cells, pictures, signal, onProgress } = options;
  const { evaluator } = instrument;
  const asks = cells.flatMap((cell) => cell.asks);
  const shared = { store, id: instrument.id, instrument: instrument.instrument, asks, pictures, signal, onProgress };
  const none = { evaluator: instrument.id, images: 0, captions: 0, requests: 0 };
  if (evaluator.kind === 'scores') return none;
  if (evaluator.kind === 'dual-encoder')
    return { ...none, ...(await embedStage({ ...shared, retry: options.retry, evaluator: async () => evaluator })) };
  if (options.retry) await store.forgetFailures([...new Set(asks.map(({ trial }) => trial))]);
  const ordered = evaluator.costly === true ? inOrder(cells, options.ranks) : asks;
  const { asked } = await askStage({ ...shared, asks: ordered, evaluator: async () => evaluator });
  return { ...none, requests: asked };
}

/** Asks by rank of their configuration: whatever stops the sweep early, the most telling ones are answered. */
function inOrder(cells: readonly ResolvedCell[], ranks: ReadonlyMap<string, number>) {
  const rank = (cell: ResolvedCell) => ranks.get(cellName(cell)) ?? Number.MAX_SAFE_INTEGER;
  return [...cells].sort((a, b) => rank(a) - rank(b)).flatMap(({ asks }) => asks);
}

/** The outcome of every cell, in cell order, from what the store holds. */
export async function cellOutcomes(
  store: Store,
  instrument: Instrument,
  cells: readonly ResolvedCell[],
  pictures: PictureLoader,
): Promise<Outcome[]> {
  const { evaluator } = instrument;
  if (evaluator.kind === 'scores')
    return cells.map(({ generator, prompt, factor, level, repeat }) =>
      evaluator.lookup({ generator, prompt, factor, level, repeat }),
    );
  const asks = cells.flatMap((cell) => cell.asks);
  const byTrial =
    evaluator.kind === 'dual-encoder'
      ? await embeddedOutcomes(store, instrument.instrument, evaluator.combine.bind(evaluator), asks, pictures)
      : await store.outcomes([...new Set(asks.map(({ trial }) => trial))]);
  const outcomeOf = (ask: ResolvedCell['asks'][number]): Outcome => {
    const stored = byTrial.get(ask.trial);
    if (stored !== undefined) return stored;
    return pictures.failureOf(ask.images) ?? { status: 'skipped', reason: 'not scored yet' };
  };
  const aggregate = instrument.ensembleSpec?.aggregate ?? null;
  return cells.map((cell) => cellOutcome(cell, aggregate, cell.asks.map(outcomeOf)));
}
