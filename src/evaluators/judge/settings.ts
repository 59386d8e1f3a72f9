import { z } from 'zod';
import { AuditError, messageOf, quoted } from '../../core/errors.ts';
import { type JudgeSpec, judgeSpecSchema } from '../../core/evaluator-spec.ts';
import type { Json } from '../../core/json.ts';
import { anthropicHost } from '../hosts/anthropic.ts';
import { googleHost } from '../hosts/google.ts';
import type { Host, HostSettings } from '../hosts/host.ts';
import { openaiHost } from '../hosts/openai.ts';

const HOSTS: Readonly<Record<JudgeSpec['provider'], Host>> = {
  openai: openaiHost,
  anthropic: anthropicHost,
  google: googleHost,
};

/** Candidates asked for a logprob rubric: as many as the provider returns at most. */
export const TOP_LOGPROBS = 20;

/** Everything that shapes a request besides picture, caption and rubric content. */
export interface JudgeSettings extends HostSettings {
  /** Rubric id or path. */
  readonly rubric: string;
}

const { shape } = judgeSpecSchema;
const number = (schema: z.ZodType) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value), schema);
/** Levels of a factor are text in tables: `null` there means the setting is not sent. */
const nullable = (schema: z.ZodType) => z.preprocess((value) => (value === 'null' ? null : value), schema);

/** Evaluator parameters a judge knows: each can be a factor of the audit. */
export const judgeParametersSchema = z.strictObject({
  model: z.string().min(1).optional(),
  rubric: z.string().min(1).optional(),
  temperature: nullable(number(z.number().min(0).max(2).nullable())).optional(),
  seed: nullable(number(z.number().int().nullable())).optional(),
  detail: shape.detail.unwrap().optional(),
  reasoning: nullable(shape.reasoning.unwrap()).optional(),
  maxTokens: number(z.number().int().min(1)).optional(),
  structured: z.enum(['schema', 'json', 'none']).optional(),
});
export const JUDGE_PARAMETERS = Object.keys(judgeParametersSchema.shape);

export function hostOf(spec: JudgeSpec): Host {
  return HOSTS[spec.provider];
}

/** Base address requests go to, without a final slash. */
export function baseUrlOf(spec: JudgeSpec): string {
  return (spec.baseUrl ?? hostOf(spec).defaultUrl).replace(/\/+$/, '');
}

/**
 * Environment variable a judge's key is read from: the one named in the spec; the provider's usual one when requests go to
 * the provider itself; null (no key is sent) for another server that names none.
 */
export function keyVariableOf(spec: JudgeSpec): string | null {
  return spec.keyFrom ?? (spec.baseUrl === undefined ? hostOf(spec).keyVariable : null);
}

/** True for 127.0.0.0/8, ::1 and localhost. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * Settings of one request: the spec's, with the swept parameters over them.
 * @throws AuditError for an unknown parameter or a value it cannot have.
 */
export function settingsOf(spec: JudgeSpec, parameters: Json = {}): JudgeSettings {
  const parsed = judgeParametersSchema.safeParse(parameters);
  if (!parsed.success) {
    const issue = parsed.error.issues[0] as z.core.$ZodIssue;
    const name = issue.code === 'unrecognized_keys' ? issue.keys[0] : issue.path[0];
    throw new AuditError(
      issue.code === 'unrecognized_keys'
        ? `evaluators.${spec.id}: unknown parameter ${quoted(name)}; expected one of ${JUDGE_PARAMETERS.join(', ')}`
        : `evaluators.${spec.id}: parameter ${String(name)}: invalid value; expected ${messageOf(issue.message)}`,
    );
  }
  const given = Object.fromEntries(Object.entries(parsed.data).filter(([, value]) => value !== undefined));
  const { model, rubric, temperature, seed, detail, reasoning, maxTokens, structured } = spec;
  return { model, rubric, temperature, seed, detail, reasoning, maxTokens, structured, ...given };
}

/**
 * Checks what can be known before the first request.
 * @throws AuditError for a setting the provider cannot honour, or an address a key must not be sent to.
 */
export function checkSettings(spec: JudgeSpec, settings: JudgeSettings, needsLogprobs: boolean): void {
  const where = `evaluators.${spec.id}`;
  const problem = hostOf(spec).unsupported(settings, needsLogprobs ? TOP_LOGPROBS : 0);
  if (problem !== null) throw new AuditError(`${where}: provider ${quoted(spec.provider)} has no ${problem}`);
  const url = new URL(baseUrlOf(spec));
  if (url.username !== '' || url.password !== '')
    throw new AuditError(`${where}: baseUrl holds a user name or password; expected keyFrom to name a variable`);
  if (url.search !== '' || url.hash !== '')
    throw new AuditError(`${where}: invalid baseUrl ${quoted(spec.baseUrl)}; expected an address without ? or #`);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new AuditError(`${where}: invalid baseUrl ${quoted(spec.baseUrl)}; expected http or https`);
  if (keyVariableOf(spec) !== null && url.protocol === 'http:' && !isLoopback(url.href))
    throw new AuditError(`${where}: a key would go over plain http to ${quoted(url.host)}; expected https or loopback`);
}
