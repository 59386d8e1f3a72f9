import { z } from 'zod';
import { EVALUATOR_ROLES } from '../core/protocol.ts';
import { idSchema } from '../core/scene.ts';

/** Version of the JSON-lines protocol between Parallax and a command evaluator (docs/evaluators.md, "Command evaluators"). */
export const COMMAND_PROTOCOL = 1;

const scale = z.strictObject({
  name: z.string().min(1).max(100),
  min: z.number().nullable().default(null),
  max: z.number().nullable().default(null),
});

/** First line a program writes: what it is and what it wants to be given. */
export const helloSchema = z.strictObject({
  type: z.literal('hello'),
  protocol: z.literal(COMMAND_PROTOCOL),
  name: idSchema,
  version: z.string().min(1).max(200),
  scale,
  reads: z.strictObject({
    image: z.boolean(),
    caption: z.boolean(),
    scene: z.boolean().default(false),
  }),
  /** Requests a message it can take. */
  batch: z.number().int().min(1).max(4096).default(1),
  role: z.enum(EVALUATOR_ROLES).optional(),
  /** Whatever else could change a number (checkpoint, revision, prompt); part of the fingerprint. */
  fingerprint: z.json().optional(),
  /** Machine facts (device, library versions); part of trial keys, not of the card ID. */
  environment: z.json().optional(),
});
export type Hello = z.infer<typeof helloSchema>;

/** One answer line. */
export const answerSchema = z.discriminatedUnion('status', [
  z.strictObject({
    id: z.string(),
    status: z.literal('scored'),
    value: z.number(),
    record: z.string().max(100_000).optional(),
  }),
  z.strictObject({
    id: z.string(),
    status: z.enum(['failed', 'refused', 'unparseable', 'skipped']),
    reason: z.string().min(1).max(10_000),
    record: z.string().max(100_000).optional(),
  }),
]);
export type Answer = z.infer<typeof answerSchema>;
