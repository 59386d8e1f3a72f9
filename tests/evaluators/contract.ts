import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../src/core/hash.ts';
import type { Image } from '../../src/core/image.ts';
import { canonicalJson } from '../../src/core/json.ts';
import { isFailure, type Outcome } from '../../src/core/outcome.ts';
import type {
  DualEncoder,
  Evaluator,
  JointEvaluator,
  ScoreRequest,
  ScoresEvaluator,
} from '../../src/evaluators/evaluator.ts';

/** What a kind of evaluator brings to the shared contract. */
export interface Contract {
  readonly name: string;
  /** A fresh evaluator; `batch` asks for that many inputs a call. */
  open(batch: number): Promise<Evaluator>;
  /** Inputs that all end in scores. */
  images(): Promise<readonly Image[]>;
  readonly captions: readonly string[];
  /** Evaluators that differ from `open(...)` in one thing that matters, and in one thing that does not. */
  readonly others: readonly { readonly what: string; readonly same: boolean; open(): Promise<Evaluator> }[];
  /** Folder in which nothing may be written. */
  readonly folder: string;
  /** Largest difference between two runs of the same input, on the evaluator's own scale. */
  readonly tolerance: number;
}

/** Cell of a table that stands for a picture and a caption: both by their SHA-256, as ids may not hold any text. */
export function tableCell(image: Pick<Image, 'key'>, caption: string): Parameters<ScoresEvaluator['lookup']>[0] {
  return { generator: sha256(image.key), prompt: sha256(caption), factor: '', level: '', repeat: 0 };
}

/** Scores every image with every caption, in the order given. */
export async function scoreAll(
  evaluator: Evaluator,
  images: readonly Image[],
  captions: readonly string[],
  signal = new AbortController().signal,
): Promise<Map<string, Outcome>> {
  if (evaluator.kind === 'scores') {
    signal.throwIfAborted();
    return new Map(
      images.flatMap((image) =>
        captions.map((caption) => [`${image.key} | ${caption}`, evaluator.lookup(tableCell(image, caption))] as const),
      ),
    );
  }
  return evaluator.kind === 'dual-encoder'
    ? scoreEncoder(evaluator, images, captions, signal)
    : scoreJoint(evaluator, images, captions, signal);
}

async function scoreEncoder(
  evaluator: DualEncoder,
  images: readonly Image[],
  captions: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Outcome>> {
  const imageVectors = await evaluator.embedImages(images, signal);
  const captionVectors = await evaluator.embedCaptions(captions, signal);
  const outcomes = new Map<string, Outcome>();
  for (const [i, image] of images.entries())
    for (const [c, caption] of captions.entries()) {
      const a = imageVectors[i];
      const b = captionVectors[c];
      outcomes.set(
        `${image.key} | ${caption}`,
        isFailure(a)
          ? a
          : isFailure(b)
            ? b
            : { status: 'scored', value: evaluator.combine(a as Float32Array, b as Float32Array) },
      );
    }
  return outcomes;
}

async function scoreJoint(
  evaluator: JointEvaluator,
  images: readonly Image[],
  captions: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, Outcome>> {
  const requests: ScoreRequest[] = images.flatMap((image) =>
    captions.map((caption) => ({
      key: `${image.key} | ${caption}`,
      images: [image],
      caption,
      parameters: {},
      repeat: 0,
    })),
  );
  const outcomes = new Map<string, Outcome>();
  for await (const [key, outcome] of evaluator.score(requests, signal)) {
    expect(outcomes.has(key), `one outcome for ${key}`).toBe(false);
    outcomes.set(key, outcome);
  }
  return outcomes;
}

function largestChange(a: ReadonlyMap<string, Outcome>, b: ReadonlyMap<string, Outcome>): number {
  expect([...a.keys()].sort()).toEqual([...b.keys()].sort());
  let largest = 0;
  for (const [key, outcome] of a) {
    const other = b.get(key) as Outcome;
    if (outcome.status !== 'scored' || other.status !== 'scored') {
      expect(other).toEqual(outcome);
      continue;
    }
    largest = Math.max(largest, Math.abs(outcome.value - other.value));
  }
  return largest;
}

function listing(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[]).sort();
}

/** The contract every evaluator passes. */
export function evaluatorContract(contract: Contract): void {
  const { name, captions, tolerance } = contract;
  const withEvaluator = async <T>(
    open: () => Promise<Evaluator>,
    use: (evaluator: Evaluator) => Promise<T>,
  ): Promise<T> => {
    const evaluator = await open();
    try {
      return await use(evaluator);
    } finally {
      await evaluator.close();
    }
  };

  describe(`${name}: contract`, () => {
    test('says what it is in canonical JSON, with a role and ordered limits', async () => {
      await withEvaluator(
        () => contract.open(4),
        async (evaluator) => {
          expect(() => canonicalJson(evaluator.fingerprint)).not.toThrow();
          expect(() => canonicalJson(evaluator.environment)).not.toThrow();
          expect(['alignment', 'quality', 'symbolic']).toContain(evaluator.role);
          expect(evaluator.scale.name).not.toBe('');
          const { min, max } = evaluator.scale;
          if (min !== null && max !== null) expect(min).toBeLessThan(max);
          expect(Object.values(evaluator.reads)).toContain(true);
        },
      );
    });

    test('the same inputs give the same scores, in any batch and any order, inside the scale', async () => {
      const images = await contract.images();
      const first = await withEvaluator(
        () => contract.open(4),
        async (evaluator) => {
          const once = await scoreAll(evaluator, images, captions);
          expect(largestChange(once, await scoreAll(evaluator, images, captions))).toBeLessThanOrEqual(tolerance);
          for (const outcome of once.values()) {
            expect(outcome.status).toBe('scored');
            if (outcome.status !== 'scored') continue;
            expect(outcome.value).toBeGreaterThanOrEqual(evaluator.scale.min ?? Number.NEGATIVE_INFINITY);
            expect(outcome.value).toBeLessThanOrEqual(evaluator.scale.max ?? Number.POSITIVE_INFINITY);
          }
          return once;
        },
      );
      for (const batch of [1, 3])
        await withEvaluator(
          () => contract.open(batch),
          async (evaluator) => {
            const other = await scoreAll(evaluator, [...images].reverse(), [...captions].reverse());
            expect(largestChange(first, other)).toBeLessThanOrEqual(tolerance);
          },
        );
    });

    test('what cannot be scored is a failure with a reason, and its neighbours are scored', async () => {
      const images = await contract.images();
      const good = images[0] as Image;
      const broken: Image = { key: 'broken', width: good.width, height: good.height, data: good.data.subarray(0, 7) };
      await withEvaluator(
        () => contract.open(4),
        async (evaluator) => {
          if (!evaluator.reads.image) return;
          const alone = await scoreAll(evaluator, [good], captions.slice(0, 1));
          const beside = await scoreAll(evaluator, [broken, good], captions.slice(0, 1));
          const [outcome] = [...beside].filter(([key]) => key.startsWith('broken')).map(([, value]) => value);
          // A table has no row for it: nothing was tried, so nothing failed.
          const status = evaluator.kind === 'scores' ? 'skipped' : 'failed';
          expect(outcome).toMatchObject({ status, reason: expect.stringMatching(/./) });
          beside.delete(`broken | ${captions[0]}`);
          expect(largestChange(alone, beside)).toBeLessThanOrEqual(tolerance);
        },
      );
    });

    test('a cancelled call throws, and the next one works', async () => {
      const images = await contract.images();
      await withEvaluator(
        () => contract.open(2),
        async (evaluator) => {
          const stopped = AbortSignal.abort();
          await expect(scoreAll(evaluator, images, captions, stopped)).rejects.toThrow();
          const controller = new AbortController();
          const running = scoreAll(evaluator, images, captions, controller.signal);
          setImmediate(() => controller.abort());
          await running.catch((error: Error) => expect(error.name).toBe('AbortError'));
          const after = await scoreAll(evaluator, images, captions);
          expect([...after.values()].every((item) => item.status === 'scored')).toBe(true);
        },
      );
    });

    test('the fingerprint changes when something that matters changes, and only then', async () => {
      const base = await withEvaluator(
        () => contract.open(4),
        async (evaluator) => canonicalJson(evaluator.fingerprint),
      );
      const again = await withEvaluator(
        () => contract.open(1),
        async (evaluator) => canonicalJson(evaluator.fingerprint),
      );
      expect(again).toBe(base);
      for (const other of contract.others) {
        const print = await withEvaluator(other.open, async (evaluator) => canonicalJson(evaluator.fingerprint));
        expect(print === base, other.what).toBe(other.same);
      }
    });

    test('writes nothing', async () => {
      const before = listing(contract.folder);
      await withEvaluator(
        () => contract.open(4),
        async (evaluator) => scoreAll(evaluator, await contract.images(), captions),
      );
      expect(listing(contract.folder)).toEqual(before);
    });
  });
}
