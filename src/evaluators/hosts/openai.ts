import OpenAI from 'openai';
import { exchange } from './exchange.ts';
import type { Finish, Host, HostAccess, HostReading, HostRequest } from './host.ts';
import { countOf, elementsOf, property, textOf } from './untrusted.ts';

const DEFAULT_URL = 'https://api.openai.com/v1';
const FINISH: Readonly<Record<string, Finish>> = { stop: 'stop', length: 'length', content_filter: 'filter' };

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming;

/**
 * OpenAI's chat completions and the servers that copy them (OpenRouter, vLLM, Ollama, llama.cpp). The token limit is sent
 * as `max_completion_tokens` to OpenAI itself and as `max_tokens` elsewhere, which is what each of them reads.
 */
export const openaiHost: Host = {
  kind: 'openai',
  defaultUrl: DEFAULT_URL,
  keyVariable: 'OPENAI_API_KEY',
  unsupported: () => null,
  send(request, access) {
    return exchange(async (fetch) => {
      const client = new OpenAI({
        // Everything the SDK would otherwise take from the environment is given here.
        apiKey: access.key ?? 'none',
        organization: null,
        project: null,
        adminAPIKey: null,
        webhookSecret: null,
        baseURL: access.baseUrl,
        maxRetries: 0,
        timeout: access.timeout + 10_000,
        logLevel: 'off',
        fetch,
      });
      await client.chat.completions.create(bodyOf(request, access)).asResponse();
    }, access);
  },
  read,
};

function bodyOf(request: HostRequest, access: HostAccess): Body {
  const parts: OpenAI.Chat.Completions.ChatCompletionContentPart[] = request.images.flatMap((image) => [
    ...(image.label === null ? [] : [{ type: 'text' as const, text: image.label }]),
    {
      type: 'image_url' as const,
      image_url: { url: `data:image/png;base64,${image.base64}`, detail: request.detail },
    },
  ]);
  const limit = access.baseUrl === DEFAULT_URL ? 'max_completion_tokens' : 'max_tokens';
  return {
    model: request.model,
    messages: [
      ...(request.system === '' ? [] : [{ role: 'system' as const, content: request.system }]),
      { role: 'user', content: [...parts, { type: 'text', text: request.text }] },
    ],
    [limit]: request.maxTokens,
    ...(request.temperature !== null && { temperature: request.temperature }),
    ...(request.seed !== null && { seed: request.seed }),
    ...(request.reasoning !== null && { reasoning_effort: request.reasoning }),
    ...(request.topLogprobs > 0 && { logprobs: true, top_logprobs: request.topLogprobs }),
    ...(request.schema !== null &&
      request.structured === 'schema' && {
        response_format: {
          type: 'json_schema' as const,
          json_schema: { name: 'verdict', strict: true, schema: request.schema },
        },
      }),
    ...(request.schema !== null &&
      request.structured === 'json' && { response_format: { type: 'json_object' as const } }),
  };
}

function read(body: unknown): HostReading {
  const choice = property(body, 'choices', 0);
  const finishText = textOf(property(choice, 'finish_reason'));
  const input = countOf(property(body, 'usage', 'prompt_tokens'));
  const output = countOf(property(body, 'usage', 'completion_tokens'));
  const refusal = textOf(property(choice, 'message', 'refusal'));
  const tokens = property(choice, 'logprobs', 'content');
  return {
    text: contentOf(property(choice, 'message', 'content')),
    refusal: refusal === '' ? null : refusal,
    finish: choice === undefined ? 'other' : (FINISH[finishText ?? ''] ?? 'other'),
    finishText,
    usage:
      input === null || output === null
        ? null
        : {
            input,
            output,
            cached: countOf(property(body, 'usage', 'prompt_tokens_details', 'cached_tokens')),
            reasoning: countOf(property(body, 'usage', 'completion_tokens_details', 'reasoning_tokens')),
          },
    model: textOf(property(body, 'model')),
    fingerprint: textOf(property(body, 'system_fingerprint')),
    logprobs: tokens === undefined || tokens === null ? null : firstWord(elementsOf(tokens)),
  };
}

/** Some compatible servers answer with a list of parts. */
function contentOf(content: unknown): string | null {
  if (typeof content === 'string') return content;
  const parts = elementsOf(content).flatMap((part) => {
    const text = property(part, 'type') === 'text' ? textOf(property(part, 'text')) : null;
    return text === null ? [] : [text];
  });
  return parts.length === 0 ? null : parts.join('');
}

/** Candidates of the first token that is not white space. */
function firstWord(tokens: readonly unknown[]): { token: string; logprob: number }[] {
  const first = tokens.find((token) => (textOf(property(token, 'token')) ?? '').trim() !== '');
  return elementsOf(property(first, 'top_logprobs')).flatMap((candidate) => {
    const token = textOf(property(candidate, 'token'));
    const logprob = property(candidate, 'logprob');
    return token === null || typeof logprob !== 'number' ? [] : [{ token, logprob }];
  });
}
