import { z } from 'zod';
import { EVALUATOR_ROLES } from './protocol.ts';
import { idSchema } from './scene.ts';

/** `evaluators:` entries of an audit file, one schema a kind. Unknown keys are errors. */
const base = {
  id: idSchema,
  role: z.enum(EVALUATOR_ROLES).optional(),
  /** How often identical inputs are asked (hosted judges, random programs); each repeat is a trial of its own. */
  repeats: z.number().int().min(1).max(100).optional(),
  /** Run only when named by --evaluator. */
  optional: z.boolean().optional(),
};

export const DTYPES = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'bnb4', 'q4f16'] as const;
export const SCORE_SCALES = ['cosine100', 'cosine', 'logit', 'sigmoid'] as const;

export const dualEncoderSpecSchema = z.strictObject({
  ...base,
  kind: z.literal('dual-encoder'),
  /** Local folder (relative to the audit file) in Hugging Face layout, or a hub id such as `Xenova/clip-vit-base-patch32`. */
  model: z.string().min(1),
  /** Pinned revision of a hub id. */
  revision: z.string().optional(),
  dtype: z.enum(DTYPES).default('fp32'),
  device: z.string().default('cpu'),
  scale: z.enum(SCORE_SCALES).default('cosine100'),
  /** Images or captions a call; scores must not depend on it. */
  batch: z.number().int().min(1).max(1024).default(32),
  threads: z.number().int().min(1).max(256).optional(),
});

export const commandSpecSchema = z.strictObject({
  ...base,
  kind: z.literal('command'),
  /** Program and arguments; started in the audit file's folder, never through a shell. */
  run: z.array(z.string().min(1)).min(1),
  batch: z.number().int().min(1).max(4096).optional(),
  /** Seconds without an answer before the program is restarted. */
  timeout: z.number().positive().default(120),
  /** Restarts after a crash before the remaining requests are recorded as failed. */
  restarts: z.number().int().min(0).default(3),
  /** Names (never values) of environment variables passed on to the program. */
  environment: z.array(z.string()).default([]),
});

export const scoresSpecSchema = z.strictObject({
  ...base,
  kind: z.literal('scores'),
  /** CSV with the columns of the score table; optional when only a plan is wanted. */
  file: z.string().optional(),
  scale: z
    .strictObject({
      name: z.string(),
      min: z.number().nullable().default(null),
      max: z.number().nullable().default(null),
    })
    .optional(),
});

export const qualitySpecSchema = z.strictObject({
  ...base,
  kind: z.literal('quality'),
  /** A dual encoder's model folder or hub id. */
  model: z.string().min(1),
  revision: z.string().optional(),
  dtype: z.enum(DTYPES).default('fp32'),
  device: z.string().default('cpu'),
  /** Antonym pairs [good, bad]; the score is the mean softmax share of the good one, x 100. */
  pairs: z
    .array(z.tuple([z.string(), z.string()]))
    .min(1)
    .default([['Good photo.', 'Bad photo.']]),
});

export const ensembleSpecSchema = z.strictObject({
  ...base,
  kind: z.literal('ensemble'),
  /** Id of another evaluator of this audit whose outcomes are combined. */
  of: idSchema,
  /** Average over several poses or several caption templates. */
  over: z.enum(['views', 'templates']),
  /** Views: `pitch/yaw` pairs such as `45/90`; templates: template ids. */
  members: z.array(z.string()).min(2),
  aggregate: z.enum(['mean', 'median', 'max', 'trimmed-mean']).default('mean'),
});

export const judgeSpecSchema = z.strictObject({
  ...base,
  kind: z.literal('judge'),
  provider: z.enum(['openai', 'anthropic', 'google']),
  /** Model snapshot id, as the provider names it. */
  model: z.string().min(1),
  /** For OpenAI-compatible servers (OpenRouter, vLLM, Ollama, llama.cpp) and the local simulator. */
  baseUrl: z.url().optional(),
  /** Name of the environment variable that holds the key; never the key. */
  keyFrom: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]*$/, 'expected the NAME of an environment variable')
    .optional(),
  /** Rubric id under grammars/rubrics/, or a path relative to the audit file. */
  rubric: z.string().default('direct-0-100'),
  /** Poses shown together in one request (`pitch/yaw`, such as `45/90`), for rubrics that read several views. */
  views: z.array(z.string()).min(2).max(20).optional(),
  temperature: z.number().min(0).max(2).nullable().default(0),
  seed: z.number().int().nullable().default(null),
  detail: z.enum(['low', 'high', 'auto']).default('auto'),
  reasoning: z.enum(['none', 'minimal', 'low', 'medium', 'high']).nullable().default(null),
  maxTokens: z.number().int().min(1).default(512),
  timeout: z.number().positive().default(60),
  attempts: z.number().int().min(1).max(20).default(5),
  concurrency: z.number().int().min(1).max(256).default(8),
  requestsPerMinute: z.number().positive().optional(),
  tokensPerMinute: z.number().positive().optional(),
  /** How the answer's form is demanded: a strict JSON schema, any JSON object, or words only (servers that know neither). */
  structured: z.enum(['schema', 'json', 'none']).default('schema'),
});

export const evaluatorSpecSchema = z.discriminatedUnion('kind', [
  dualEncoderSpecSchema,
  commandSpecSchema,
  scoresSpecSchema,
  qualitySpecSchema,
  ensembleSpecSchema,
  judgeSpecSchema,
]);

export type DualEncoderSpec = z.infer<typeof dualEncoderSpecSchema>;
export type CommandSpec = z.infer<typeof commandSpecSchema>;
export type ScoresSpec = z.infer<typeof scoresSpecSchema>;
export type QualitySpec = z.infer<typeof qualitySpecSchema>;
export type EnsembleSpec = z.infer<typeof ensembleSpecSchema>;
export type JudgeSpec = z.infer<typeof judgeSpecSchema>;
export type EvaluatorSpec = z.infer<typeof evaluatorSpecSchema>;
