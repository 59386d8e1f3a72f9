import type { Image } from '../core/image.ts';
import type { OnProgress } from '../core/log.ts';
import { isFailure, type Outcome } from '../core/outcome.ts';
import type { JointEvaluator, ScoreRequest } from '../evaluators/evaluator.ts';
import type { Ask } from './cells.ts';
import type { PictureLoader } from './picture-loader.ts';
import type { Store, StoredOutcome } from './store.ts';

export interface AskCounts {
  readonly asked: number;
  readonly reused: number;
  readonly failed: number;
}

export interface AskStageOptions {
  readonly store: Store;
  readonly evaluator: () => Promise<JointEvaluator>;
  readonly instrument: string;
  readonly id: string;
  readonly asks: readonly Ask[];
  readonly pictures: PictureLoader;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

/** Answers are committed at least this often: at most so many are asked again after a kill. */
const COMMIT_EVERY = 32;

/**
 * Asks a joint evaluator every distinct trial the store does not hold, in the order given. Scored answers, failures and a
 * program's own `skipped` are all kept (a failure is asked again by `parallax retry` only); a request never answered is
 * recorded as failed; one that a budget kept from being asked is not recorded at all.
 */
export async function askStage(options: AskStageOptions): Promise<AskCounts> {
  const { store, pictures, signal } = options;
  const distinct = new Map<string, Ask>();
  for (const ask of options.asks) if (!distinct.has(ask.trial)) distinct.set(ask.trial, ask);
  const known = await store.outcomes([...distinct.keys()]);
  const pending = [...distinct.values()].filter(({ trial }) => !known.has(trial));
  let commitEvery = COMMIT_EVERY;
  let isUnasked: (outcome: Outcome) => boolean = () => false;
  let asked = 0;
  let failed = 0;
  const buffer: StoredOutcome[] = [];
  let committing: Promise<void> = Promise.resolve();
  // One transaction at a time; what arrives meanwhile goes into the next one.
  const commit = (): Promise<void> => {
    committing = committing.then(() => store.putOutcomes(buffer.splice(0)));
    return committing;
  };
  const record = async (trial: string, outcome: Outcome) => {
    // What a budget kept from being asked is asked by the next run; every answer is kept, `skipped` too.
    if (!isUnasked(outcome)) buffer.push({ trial, outcome });
    asked += 1;
    if (outcome.status !== 'scored') failed += 1;
    options.onProgress({ stage: `score ${options.id}`, done: asked, total: pending.length, failed });
    if (buffer.length >= commitEvery) await commit();
  };
  const answerable: Ask[] = [];
  for (const ask of pending) {
    const failure = pictures.failureOf(ask.images);
    if (failure === null) answerable.push(ask);
    else if (failure.status === 'skipped') continue;
    else await record(ask.trial, failure);
  }
  await commit();
  if (answerable.length === 0) return { asked, failed, reused: known.size };
  const evaluator = await options.evaluator();
  if (evaluator.costly === true) commitEvery = 1;
  isUnasked = (outcome) => evaluator.unasked?.(outcome) === true;
  const started = performance.now();
  try {
    let next = 0;
    const lane = async () => {
      while (next < answerable.length) {
        signal.throwIfAborted();
        const batch = answerable.slice(next, next + evaluator.batch);
        next += batch.length;
        const requests: ScoreRequest[] = [];
        for (const loaded of await Promise.all(batch.map((ask) => requestOf(ask, pictures)))) {
          if ('outcome' in loaded) await record(loaded.trial, loaded.outcome);
          else requests.push(loaded);
        }
        const open = new Set(requests.map(({ key }) => key));
        for await (const [trial, outcome] of evaluator.score(requests, signal)) {
          if (!open.delete(trial)) continue;
          await record(trial, checked(outcome));
        }
        signal.throwIfAborted();
        for (const trial of open) await record(trial, { status: 'failed', reason: 'the evaluator gave no answer' });
      }
    };
    // A judge's batch may wait long for one hung request: a second batch keeps the other slots busy.
    await Promise.all(Array.from({ length: evaluator.costly === true ? 2 : 1 }, lane));
  } finally {
    await commit();
  }
  await store.putRate(`request ${options.id}`, answerable.length, (performance.now() - started) / 1000);
  return { asked, failed, reused: known.size };
}

function checked(outcome: Outcome): Outcome {
  if (outcome.status === 'scored' && !Number.isFinite(outcome.value))
    return { status: 'failed', reason: 'the score is not a finite number' };
  return outcome;
}

async function requestOf(
  ask: Ask,
  pictures: PictureLoader,
): Promise<ScoreRequest | { trial: string; outcome: Outcome }> {
  const images: Image[] = [];
  for (const reference of ask.images) {
    const image = await pictures.load(reference);
    if (isFailure(image)) return { trial: ask.trial, outcome: image };
    images.push(image);
  }
  return {
    key: ask.trial,
    images,
    ...(ask.caption === null ? {} : { caption: ask.caption.text }),
    ...(ask.scene === null ? {} : { scene: await ask.scene.load() }),
    parameters: ask.parameters,
    repeat: ask.repeat,
  };
}
