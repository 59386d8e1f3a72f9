import type { SCORE_SCALES } from '../core/evaluator-spec.ts';
import type { Scale } from '../core/protocol.ts';

export type ScoreScale = (typeof SCORE_SCALES)[number];

/** Multiplier and offset of a logit: `logit = scale * cosine + bias`. */
export interface LogitParameters {
  readonly scale: number;
  readonly bias: number;
}

/** Name and limits of each scale; the limits stand on the card and bound missing scores. */
export const SCALE_LIMITS: Record<ScoreScale, Scale> = {
  cosine100: { name: 'cosine100', min: -100, max: 100 },
  cosine: { name: 'cosine', min: -1, max: 1 },
  logit: { name: 'logit', min: null, max: null },
  sigmoid: { name: 'sigmoid', min: 0, max: 1 },
};

/** The vector divided by its Euclidean norm, or null when it has none (zero, NaN, infinity). */
export function unitLength(vector: Float32Array): Float32Array | null {
  let sum = 0;
  for (const value of vector) sum += value * value;
  const norm = Math.sqrt(sum);
  if (!Number.isFinite(norm) || norm === 0) return null;
  return vector.map((value) => value / norm);
}

/** Dot product of two unit vectors, summed in double precision, clamped to [-1, 1] against rounding. */
export function cosine(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length)
    throw new RangeError(`cosine: vectors of length "${a.length}" and "${b.length}"; expected equal lengths`);
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] as number) * (b[index] as number);
  return Math.min(1, Math.max(-1, sum));
}

/**
 * A score on a named scale: cosine x 100 (never clipped at 0), the cosine, the model's logit
 * `scale * cosine + bias`, or its sigmoid.
 */
export function scaleScore(value: number, scale: ScoreScale, logit: LogitParameters | null): number {
  if (scale === 'cosine') return value;
  if (scale === 'cosine100') return value * 100;
  if (logit === null) throw new RangeError(`scaleScore: no logit scale is known; expected one for "${scale}"`);
  const z = logit.scale * value + logit.bias;
  return scale === 'logit' ? z : 1 / (1 + Math.exp(-z));
}
