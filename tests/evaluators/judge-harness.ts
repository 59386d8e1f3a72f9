import { appendFileSync } from 'node:fs';
import { type JudgeSpec, judgeSpecSchema } from '../../src/core/evaluator-spec.ts';
import { sha256 } from '../../src/core/hash.ts';
import type { Image } from '../../src/core/image.ts';
import type { Json } from '../../src/core/json.ts';
import { silentLog } from '../../src/core/log.ts';
import type { Outcome } from '../../src/core/outcome.ts';
import { Random } from '../../src/core/random.ts';
import type { ScoreRequest } from '../../src/evaluators/evaluator.ts';
import { createJudge, type JudgeContext, type JudgeEvaluator } from '../../src/evaluators/judge.ts';
import { type FaultName, type JudgeSimFaults, NO_FAULTS } from '../../src/evaluators/judge-sim/faults.ts';

/** A picture of coloured boxes on white; its key is the hash of its pixels. */
export function picture(seed: number, size = 32): Image {
  const random = new Random(seed, 'judge-picture');
  const data = new Uint8Array(size * size * 3).fill(255);
  for (let box = 0; box < 4; box += 1) {
    const [x, y, w, h] = [0, 0, 0, 0].map(() => 1 + random.integer(size / 2)) as [number, number, number, number];
    const colour = [random.integer(256), random.integer(256), random.integer(256)];
    for (let row = y; row < Math.min(size - 1, y + h); row += 1)
      for (let column = x; column < Math.min(size - 1, x + w); column += 1) data.set(colour, (row * size + column) * 3);
  }
  return { key: sha256(data), width: size, height: size, data };
}

export function judgeSpec(url: string, more: Partial<Record<keyof JudgeSpec, unknown>> = {}): JudgeSpec {
  const provider = (more.provider ?? 'openai') as JudgeSpec['provider'];
  return judgeSpecSchema.parse({
    id: 'sim',
    kind: 'judge',
    model: 'judge-sim',
    baseUrl: provider === 'openai' ? `${url}/v1` : url,
    ...more,
    provider,
  });
}

export const WORDS = ['red sofa', 'empty hall', 'crowded kitchen', 'blue bed', 'long wooden table', 'small study'];

export function request(index: number, more: Partial<ScoreRequest> = {}): ScoreRequest {
  const images = more.images ?? [picture(index % 8)];
  const caption = more.caption ?? `a view of a room with a ${WORDS[index % WORDS.length]} number ${index}`;
  return {
    key: sha256(
      JSON.stringify([index, images.map(({ key }) => key), caption, more.parameters ?? {}, more.repeat ?? 0]),
    ),
    images,
    caption,
    parameters: {} as Json,
    repeat: 0,
    ...more,
  };
}

export function faults(shares: Partial<Record<FaultName, number>>, more: Partial<JudgeSimFaults> = {}): JudgeSimFaults {
  return { ...NO_FAULTS, retryAfter: 0.02, burst: 2, ...more, shares };
}

/** Figures of a proof, one line of JSON, for docs/judges.md; only with PARALLAX_FIGURES=file. */
export function figures(name: string, values: Record<string, unknown>): void {
  const file = process.env['PARALLAX_FIGURES'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ name, ...values })}\n`);
}

export async function openJudge(spec: JudgeSpec, more: Partial<JudgeContext> = {}): Promise<JudgeEvaluator> {
  return createJudge(spec, { folder: '.', log: silentLog, environment: {}, backoff: 5, ...more });
}

export async function askAll(
  judge: JudgeEvaluator,
  requests: readonly ScoreRequest[],
  signal = new AbortController().signal,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  for await (const [key, outcome] of judge.score(requests, signal)) {
    if (outcomes.has(key)) throw new Error(`answered twice: ${key}`);
    outcomes.set(key, outcome);
  }
  return outcomes;
}
