import { type DualEncoderSpec, dualEncoderSpecSchema, type QualitySpec } from '../core/evaluator-spec.ts';
import { isFailure, type Outcome } from '../core/outcome.ts';
import { createDualEncoder, type DualEncoderContext } from './dual-encoder.ts';
import type { JointEvaluator, ScoreRequest } from './evaluator.ts';
import { cosine } from './similarity.ts';

/** Logit scale of OpenAI's CLIP, which CLIP-IQA (Wang, Chan and Loy 2023) applies to the cosines. */
export const CLIP_IQA_LOGIT_SCALE = 100;

/**
 * Share of the good prompt in a softmax over [good, bad], x 100: `100 / (1 + exp(-s (cos_good - cos_bad)))`.
 */
export function antonymShare(good: number, bad: number, logitScale: number): number {
  return 100 / (1 + Math.exp(-logitScale * (good - bad)));
}

/**
 * A prompt-free image-quality control in the form of CLIP-IQA: antonym pairs, the mean over pairs of the good
 * prompt's softmax share, x 100. It reads the picture only, so its role is `quality` and alignment counts leave it out.
 *
 * @throws AuditError as {@link createDualEncoder} does.
 */
export async function createQuality(spec: QualitySpec, context: DualEncoderContext): Promise<JointEvaluator> {
  const encoder = await createDualEncoder(encoderSpec(spec), context);
  let prompts: Promise<readonly (readonly [Float32Array, Float32Array])[]> | undefined;

  const embedPairs = async (signal: AbortSignal): Promise<readonly (readonly [Float32Array, Float32Array])[]> => {
    const embedded = await encoder.embedCaptions(spec.pairs.flat(), signal);
    const failed = embedded.find(isFailure);
    if (failed !== undefined) throw new Error(`quality prompts cannot be embedded: ${failed.reason}`);
    return spec.pairs.map((_, pair) => [embedded[2 * pair] as Float32Array, embedded[2 * pair + 1] as Float32Array]);
  };

  async function* score(
    requests: readonly ScoreRequest[],
    signal: AbortSignal,
  ): AsyncIterable<readonly [string, Outcome]> {
    // A cancelled first call must not leave its rejection to every later one.
    prompts ??= embedPairs(signal).catch((error: unknown) => {
      prompts = undefined;
      throw error;
    });
    const pairs = await prompts;
    for (let start = 0; start < requests.length; start += encoder.batch) {
      signal.throwIfAborted();
      const group = requests.slice(start, start + encoder.batch);
      const usable = group.filter((request) => request.images.length === 1);
      for (const request of group)
        if (request.images.length !== 1)
          yield [request.key, { status: 'failed', reason: `${request.images.length} images given; expected one` }];
      const embedded = await encoder.embedImages(
        usable.flatMap((request) => request.images),
        signal,
      );
      for (const [slot, request] of usable.entries()) {
        const image = embedded[slot];
        if (image === undefined || isFailure(image)) {
          yield [request.key, image ?? { status: 'failed', reason: 'no embedding' }];
          continue;
        }
        const shares = pairs.map(([good, bad]) =>
          antonymShare(cosine(image, good), cosine(image, bad), CLIP_IQA_LOGIT_SCALE),
        );
        yield [request.key, { status: 'scored', value: shares.reduce((sum, share) => sum + share, 0) / shares.length }];
      }
    }
  }

  return {
    id: spec.id,
    kind: 'joint',
    role: spec.role ?? 'quality',
    fingerprint: {
      kind: 'quality',
      form: 'CLIP-IQA',
      encoder: encoder.fingerprint,
      pairs: spec.pairs.map((pair) => [...pair]),
      logitScale: CLIP_IQA_LOGIT_SCALE,
    },
    environment: encoder.environment,
    scale: { name: 'softmax-share-100', min: 0, max: 100 },
    reads: { image: true, caption: false, scene: false },
    batch: encoder.batch,
    files: encoder.files ?? [],
    score,
    close: () => encoder.close(),
  };
}

function encoderSpec(spec: QualitySpec): DualEncoderSpec {
  const { model, revision, dtype, device } = spec;
  return dualEncoderSpecSchema.parse({
    id: spec.id,
    kind: 'dual-encoder',
    model,
    dtype,
    device,
    scale: 'cosine',
    ...(revision === undefined ? {} : { revision }),
  });
}
