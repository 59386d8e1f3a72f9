import type { Json } from '../../core/json.ts';
import type { Exchange, ExchangeOptions } from './exchange.ts';

/** Settings that shape a request; all of them are part of the fingerprint, and each can be a factor. */
export interface HostSettings {
  readonly model: string;
  /** Null: not sent. */
  readonly temperature: number | null;
  readonly seed: number | null;
  readonly detail: 'low' | 'high' | 'auto';
  readonly reasoning: 'none' | 'minimal' | 'low' | 'medium' | 'high' | null;
  readonly maxTokens: number;
  /** `schema`: strict JSON schema; `json`: any JSON object; `none`: plain text. */
  readonly structured: 'schema' | 'json' | 'none';
}

/** A PNG picture and the words that stand before it. */
export interface HostImage {
  readonly label: string | null;
  readonly base64: string;
}

/** One question to a hosted model: pictures first, then the text. */
export interface HostRequest extends HostSettings {
  readonly system: string;
  readonly images: readonly HostImage[];
  readonly text: string;
  /** JSON schema of the answer object; null when the answer is text. */
  readonly schema: { readonly [key: string]: Json } | null;
  /** Log-probabilities wanted for the first answer token; 0 for none. */
  readonly topLogprobs: number;
}

/** How an answer ended. `other`: a reason we do not know, kept in `finishText`. */
export type Finish = 'stop' | 'length' | 'filter' | 'refusal' | 'other';

export interface Usage {
  readonly input: number;
  /** Reasoning tokens included. */
  readonly output: number;
  readonly cached: number | null;
  readonly reasoning: number | null;
}

/** What an answer body says, with nothing filled in. */
export interface HostReading {
  /** The answer's text; null when there is none (an empty list of choices, a filtered prompt). */
  readonly text: string | null;
  readonly refusal: string | null;
  readonly finish: Finish;
  readonly finishText: string | null;
  readonly usage: Usage | null;
  /** The model id the provider says it ran. */
  readonly model: string | null;
  /** Backend fingerprint, where the provider gives one. */
  readonly fingerprint: string | null;
  readonly logprobs: readonly { readonly token: string; readonly logprob: number }[] | null;
}

export interface HostAccess extends ExchangeOptions {
  readonly baseUrl: string;
}

/** One hosted API. Stateless; its SDK's own retries, logging and environment variables are switched off. */
export interface Host {
  readonly kind: 'openai' | 'anthropic' | 'google';
  readonly defaultUrl: string;
  /** Environment variable the key is read from when the audit file names none. */
  readonly keyVariable: string;
  /** Settings this API cannot honour, in words; empty when it can honour all. */
  unsupported(settings: HostSettings, topLogprobs: number): string | null;
  /** One HTTP request. */
  send(request: HostRequest, access: HostAccess): Promise<Exchange>;
  /** Reads the parsed body of a 200 answer. */
  read(body: unknown): HostReading;
}
