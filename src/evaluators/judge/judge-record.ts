import { z } from 'zod';
import { canonicalJson } from '../../core/json.ts';
import type { Asked } from './ask-host.ts';
import type { Redact } from './redact.ts';

const MAX_TEXT = 16_384;

const answerSchema = z.strictObject({
  /** HTTP requests made for it: status (0 without an answer) and a note. */
  attempts: z.array(z.strictObject({ status: z.number(), note: z.string() })),
  /** The answer as the judge wrote it; null when there was none. Cut at 16,384 characters. */
  text: z.string().nullable(),
  refusal: z.string().nullable(),
  finish: z.string().nullable(),
  /** Model id the provider says it ran, and its backend fingerprint. */
  model: z.string().nullable(),
  systemFingerprint: z.string().nullable(),
  usage: z
    .strictObject({
      input: z.number(),
      output: z.number(),
      cached: z.number().nullable(),
      reasoning: z.number().nullable(),
    })
    .nullable(),
  requestId: z.string().nullable(),
  /** Raw body where there was no answer to read in it. Cut at 16,384 characters. */
  body: z.string().nullable(),
});

/** Evidence of one judged trial (`parallax/judge-record@1`), kept with its outcome; no key, no time. */
export const judgeRecordSchema = z.strictObject({
  schema: z.literal('parallax/judge-record@1'),
  /** The fields of the verdict, or P(for), P(against) and the unseen share; empty for a failure. */
  fields: z.record(z.string(), z.union([z.string(), z.number()])),
  /** One; two for pairwise: the given order, then the swapped one. */
  answers: z.array(answerSchema),
});
export type JudgeRecord = z.infer<typeof judgeRecordSchema>;

/** The record of a trial as canonical JSON, secrets removed. */
export function writeJudgeRecord(fields: JudgeRecord['fields'], asked: readonly Asked[], redact: Redact): string {
  // Through UTF-8 and back: a lone surrogate cannot stand in JSON.
  const cut = (text: string | null) =>
    text === null ? null : Buffer.from(redact(text).slice(0, MAX_TEXT), 'utf8').toString('utf8');
  const record: JudgeRecord = {
    schema: 'parallax/judge-record@1',
    fields: Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? (cut(value) as string) : value]),
    ),
    answers: asked.map(({ reading, attempts, body, requestId }) => ({
      attempts: attempts.map(({ status, note }) => ({ status, note: cut(note) as string })),
      text: cut(reading?.text ?? null),
      refusal: cut(reading?.refusal ?? null),
      finish: cut(reading?.finishText ?? null),
      model: cut(reading?.model ?? null),
      systemFingerprint: cut(reading?.fingerprint ?? null),
      usage: reading?.usage ?? null,
      requestId: cut(requestId),
      body: reading !== null && reading.text !== null ? null : body === '' ? null : cut(body),
    })),
  };
  return canonicalJson(record);
}

/** Reads a record back; null when it is not a judge's. */
export function readJudgeRecord(record: string | undefined): JudgeRecord | null {
  if (record === undefined) return null;
  try {
    const parsed = judgeRecordSchema.safeParse(JSON.parse(record));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
