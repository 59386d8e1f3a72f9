import { AuditError, isAbort, messageOf } from '../core/errors.ts';
import type { Image } from '../core/image.ts';
import type { Failure } from '../core/outcome.ts';
import { imageFault } from './image-fault.ts';
import { normalisationTable, type Preprocessing, resizeAndCrop, writeTensor } from './preprocess.ts';
import { unitLength } from './similarity.ts';
import type { CaptionTokenizer } from './tokenize.ts';
import type { Towers } from './towers.ts';

type Embedding = Float32Array | Failure;

function failure(reason: string): Failure {
  return { status: 'failed', reason };
}

/** Lets finished runs report and a cancellation arrive between two pieces of synchronous work. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Starts jobs as they are made, so that the next one is prepared while earlier ones run; at most `lanes` + 1 are open at
 * once, which bounds memory. However it ends, nothing keeps running behind it.
 */
async function runAhead(jobs: AsyncIterable<() => Promise<void>>, lanes: number): Promise<void> {
  const runs: Promise<void>[] = [];
  try {
    for await (const job of jobs) {
      const run = job();
      // It is awaited below in any case; until then its rejection is not unhandled.
      run.catch(() => {});
      runs.push(run);
      if (runs.length > lanes) await runs[runs.length - 1 - lanes];
    }
  } finally {
    await Promise.allSettled(runs);
  }
  await Promise.all(runs);
}

/** The vectors of a run, or the failure that every member of it ends in. A cancelled run and an unusable model are thrown. */
async function attempt(run: () => Promise<Float32Array[]>): Promise<(position: number) => Embedding> {
  try {
    const vectors = await run();
    return (position) =>
      unitLength(vectors[position] as Float32Array) ?? failure('the embedding is zero or not finite');
  } catch (error) {
    // A model that cannot be opened is the user's to mend, not one failed measurement after another.
    if (isAbort(error) || error instanceof AuditError) throw error;
    const failed = failure(`inference failed: ${messageOf(error, 200)}`);
    return () => failed;
  }
}

/** Unit-length embeddings of pictures, in order; resizing of the next batch overlaps with inference. */
export async function embedImages(
  images: readonly Image[],
  tools: { readonly preprocessing: Preprocessing; readonly towers: Towers; readonly batch: number },
  signal: AbortSignal,
): Promise<Embedding[]> {
  const { preprocessing, towers, batch } = tools;
  const table = normalisationTable(preprocessing);
  const faults = images.map(imageFault);
  const results: Embedding[] = faults.map((fault) => failure(fault ?? 'not reached'));
  const valid = [...images.keys()].filter((index) => faults[index] === null);

  async function* jobs(): AsyncIterable<() => Promise<void>> {
    for (let start = 0; start < valid.length; start += batch) {
      const members = valid.slice(start, start + batch);
      const pixels = new Float32Array(members.length * towers.pixels);
      for (const [slot, index] of members.entries()) {
        signal.throwIfAborted();
        const image = images[index] as Image;
        const cropped = resizeAndCrop(image, preprocessing);
        writeTensor(cropped, table, pixels, slot * towers.pixels);
        if (cropped.data !== image.data) await breathe();
      }
      await breathe();
      yield async () => {
        const vector = await attempt(() => towers.vision(pixels, members.length, signal));
        for (const [slot, index] of members.entries()) results[index] = vector(slot);
      };
    }
  }

  signal.throwIfAborted();
  await runAhead(jobs(), towers.lanes);
  return results;
}

/** Token ids and the positions of the captions that have them. */
interface Item {
  readonly ids: readonly number[];
  readonly members: number[];
}

/**
 * Unit-length embeddings of captions, in order. Captions of one length share a run, so none is padded for its neighbours'
 * sake; captions whose visible tokens are equal are run once.
 */
export async function embedCaptions(
  captions: readonly string[],
  tools: { readonly tokenizer: CaptionTokenizer; readonly towers: Towers; readonly batch: number },
  signal: AbortSignal,
): Promise<Embedding[]> {
  const { tokenizer, towers, batch } = tools;
  const results: Embedding[] = captions.map(() => failure('not reached'));

  async function* jobs(): AsyncIterable<() => Promise<void>> {
    const items = new Map<string, Item>();
    const byLength = new Map<number, Item[]>();
    for (const [index, caption] of captions.entries()) {
      signal.throwIfAborted();
      const { ids, seen } = tokenizer.tokenize(caption);
      const same = items.get(seen);
      if (same !== undefined) {
        same.members.push(index);
        continue;
      }
      const item = { ids, members: [index] };
      items.set(seen, item);
      const length = tokenizer.fixedLength ? tokenizer.context : ids.length;
      const group = byLength.get(length) ?? [];
      group.push(item);
      byLength.set(length, group);
      if (group.length === batch) {
        yield runOf(group.splice(0));
      }
      if (index % 32 === 31) await breathe();
    }
    for (const length of [...byLength.keys()].sort((a, b) => a - b)) {
      const group = byLength.get(length) as Item[];
      if (group.length > 0) yield runOf(group);
    }
  }

  const runOf = (group: readonly Item[]) => async (): Promise<void> => {
    const vector = await attempt(() =>
      towers.text(
        group.map(({ ids }) => ids),
        signal,
      ),
    );
    for (const [slot, item] of group.entries()) done.push([item, vector(slot)]);
  };
  // An item's members may still grow after its run: vectors are handed out at the end.
  const done: [Item, Embedding][] = [];

  signal.throwIfAborted();
  await runAhead(jobs(), towers.lanes);
  for (const [item, embedding] of done) for (const index of item.members) results[index] = embedding;
  return results;
}
