import type { Image } from '../core/image.ts';
import type { OnProgress } from '../core/log.ts';
import { type Failure, isFailure, type Outcome } from '../core/outcome.ts';
import type { DualEncoder } from '../evaluators/evaluator.ts';
import type { Ask, ImageReference } from './cells.ts';
import type { PictureLoader } from './picture-loader.ts';
import type { Store, StoredEmbedding } from './store.ts';

export interface EmbedCounts {
  readonly images: number;
  readonly captions: number;
}

export interface EmbedStageOptions {
  readonly store: Store;
  readonly evaluator: () => Promise<DualEncoder>;
  /** `instrumentHash` of the evaluator. */
  readonly instrument: string;
  readonly id: string;
  readonly asks: readonly Ask[];
  readonly pictures: PictureLoader;
  /** Embed recorded failures again. */
  readonly retry?: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

/** Images decoded ahead of the model: bounds memory (64 pictures of 1024 px are about 200 MB). */
const AHEAD = 32;

/**
 * Embeds every distinct image and caption that the store does not hold, each once. While the model works on one batch
 * the next one is decoded. Batches are committed as they finish.
 */
export async function embedStage(options: EmbedStageOptions): Promise<EmbedCounts> {
  const { store, instrument, asks, pictures, signal } = options;
  const references = new Map<string, ImageReference>();
  const captions = new Map<string, string>();
  for (const { image, caption } of asks) {
    if (image !== null && pictures.failure(image) === null) references.set(image.key, image);
    if (caption !== null) captions.set(caption.key, caption.text);
  }
  const knownImages = await store.embeddings(instrument, 'image', [...references.keys()]);
  const knownCaptions = await store.embeddings(instrument, 'caption', [...captions.keys()]);
  const isPending = (known: StoredEmbedding | undefined) =>
    known === undefined || (options.retry === true && known.status !== 'scored');
  const pendingImages = [...references.values()].filter(({ key }) => isPending(knownImages.get(key)));
  const pendingCaptions = [...captions].filter(([key]) => isPending(knownCaptions.get(key)));
  if (pendingImages.length + pendingCaptions.length === 0) return { images: 0, captions: 0 };
  const evaluator = await options.evaluator();
  const total = pendingImages.length + pendingCaptions.length;
  let done = 0;
  let failed = 0;
  const report = (rows: readonly StoredEmbedding[]) => {
    done += rows.length;
    failed += rows.filter(({ status }) => status !== 'scored').length;
    options.onProgress({ stage: `score ${options.id}`, done, total, failed });
  };

  const startedImages = performance.now();
  const batches: ImageReference[][] = [];
  const size = Math.max(1, Math.min(evaluator.batch, AHEAD));
  for (let start = 0; start < pendingImages.length; start += size)
    batches.push(pendingImages.slice(start, start + size));
  const decode = (batch: readonly ImageReference[] | undefined) =>
    batch === undefined ? null : Promise.all(batch.map((reference) => pictures.load(reference)));
  let next = decode(batches[0]);
  next?.catch(() => {});
  for (const [index, batch] of batches.entries()) {
    signal.throwIfAborted();
    const loaded = (await next) as (Image | Failure)[];
    next = decode(batches[index + 1]);
    next?.catch(() => {});
    const usable = loaded.filter((image): image is Image => !isFailure(image));
    const vectors = usable.length === 0 ? [] : await evaluator.embedImages(usable, signal);
    const byKey = new Map(usable.map((image, at) => [image.key, vectors[at] as Float32Array | Failure]));
    const rows = batch.map(({ key }, at) => row(key, byKey.get(key) ?? (loaded[at] as Failure)));
    await store.putEmbeddings(instrument, 'image', rows);
    report(rows);
  }
  await store.putRate(`image ${options.id}`, pendingImages.length, (performance.now() - startedImages) / 1000);

  const startedCaptions = performance.now();
  for (let start = 0; start < pendingCaptions.length; start += evaluator.batch) {
    signal.throwIfAborted();
    const batch = pendingCaptions.slice(start, start + evaluator.batch);
    const texts = batch.map(([, text]) => text);
    const vectors = await evaluator.embedCaptions(texts, signal);
    const rows = batch.map(([key], at) => row(key, vectors[at] as Float32Array | Failure));
    await store.putCoverage(
      instrument,
      evaluator.coverage(texts).map((coverage, at) => ({ key: (batch[at] as [string, string])[0], ...coverage })),
    );
    await store.putEmbeddings(instrument, 'caption', rows);
    report(rows);
  }
  await store.putRate(`caption ${options.id}`, pendingCaptions.length, (performance.now() - startedCaptions) / 1000);
  return { images: pendingImages.length, captions: pendingCaptions.length };
}

function row(key: string, result: Float32Array | Failure): StoredEmbedding {
  return isFailure(result)
    ? { key, status: result.status, reason: result.reason, vector: null }
    : { key, status: 'scored', reason: '', vector: result };
}

/** Outcomes of a dual encoder's asks from stored embeddings: a dot product each, nothing is run. */
export async function embeddedOutcomes(
  store: Store,
  instrument: string,
  combine: DualEncoder['combine'],
  asks: readonly Ask[],
  pictures: PictureLoader,
): Promise<Map<string, Outcome>> {
  const imageKeys = new Set<string>();
  const captionKeys = new Set<string>();
  for (const { image, caption } of asks) {
    if (image !== null) imageKeys.add(image.key);
    if (caption !== null) captionKeys.add(caption.key);
  }
  const images = await store.embeddings(instrument, 'image', [...imageKeys]);
  const captions = await store.embeddings(instrument, 'caption', [...captionKeys]);
  const outcomes = new Map<string, Outcome>();
  for (const { trial, image, caption } of asks) {
    if (outcomes.has(trial)) continue;
    const failure = image === null ? null : pictures.failure(image);
    const picture = image === null ? undefined : images.get(image.key);
    const words = caption === null ? undefined : captions.get(caption.key);
    if (failure !== null) outcomes.set(trial, failure);
    else if (picture === undefined || words === undefined)
      outcomes.set(trial, { status: 'skipped', reason: 'not scored yet' });
    else if (picture.vector === null) outcomes.set(trial, failureOf(picture));
    else if (words.vector === null) outcomes.set(trial, failureOf(words));
    else {
      const value = combine(picture.vector, words.vector);
      outcomes.set(
        trial,
        Number.isFinite(value)
          ? { status: 'scored', value }
          : { status: 'failed', reason: 'the score is not a finite number' },
      );
    }
  }
  return outcomes;
}

function failureOf({ status, reason }: StoredEmbedding): Outcome {
  return { status: status === 'scored' ? 'failed' : status, reason };
}
