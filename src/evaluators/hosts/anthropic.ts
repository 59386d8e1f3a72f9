import Anthropic from '@anthropic-ai/sdk';
import { exchange } from './exchange.ts';
import type { Finish, Host, HostReading, HostRequest } from './host.ts';
import { countOf, elementsOf, property, textOf } from './untrusted.ts';

const FINISH: Readonly<Record<string, Finish>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
};

/** Anthropic's messages. It has no seed, no image detail and no log-probabilities: asking for one is an error. */
export const anthropicHost: Host = {
  kind: 'anthropic',
  defaultUrl: 'https://api.anthropic.com',
  keyVariable: 'ANTHROPIC_API_KEY',
  unsupported(settings, topLogprobs) {
    if (settings.seed !== null) return `seed "${settings.seed}"; expected null`;
    if (settings.detail !== 'auto') return `detail "${settings.detail}"; expected auto`;
    if (settings.reasoning === 'minimal') return 'reasoning "minimal"; expected none, low, medium, high or null';
    if (settings.temperature !== null && settings.temperature > 1)
      return `temperature "${settings.temperature}"; expected 0 to 1`;
    if (settings.structured === 'json') return 'structured "json"; expected schema or none';
    if (topLogprobs > 0) return 'a rubric of mode "logprob"; expected a provider that returns log-probabilities';
    return null;
  },
  send(request, access) {
    return exchange(async (fetch) => {
      const client = new Anthropic({
        // Everything the SDK would otherwise take from the environment is given here.
        apiKey: access.key ?? 'none',
        webhookKey: null,
        baseURL: access.baseUrl,
        maxRetries: 0,
        timeout: access.timeout + 10_000,
        logLevel: 'off',
        openTelemetry: false,
        fetch,
      });
      await client.messages.create(bodyOf(request)).asResponse();
    }, access);
  },
  read,
};

function bodyOf(request: HostRequest): Anthropic.MessageCreateParamsNonStreaming {
  const parts: Anthropic.ContentBlockParam[] = request.images.flatMap((image) => [
    ...(image.label === null ? [] : [{ type: 'text' as const, text: image.label }]),
    {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: image.base64 },
    },
  ]);
  const format =
    request.schema === null || request.structured !== 'schema'
      ? {}
      : { format: { type: 'json_schema' as const, schema: request.schema as { [key: string]: unknown } } };
  const effort =
    request.reasoning === null || request.reasoning === 'none' || request.reasoning === 'minimal'
      ? {}
      : { effort: request.reasoning };
  const output = { ...format, ...effort };
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    ...(request.system !== '' && { system: request.system }),
    messages: [{ role: 'user', content: [...parts, { type: 'text', text: request.text }] }],
    ...(request.temperature !== null && { temperature: request.temperature }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
    ...(request.reasoning !== null && {
      thinking: request.reasoning === 'none' ? { type: 'disabled' as const } : { type: 'adaptive' as const },
    }),
  };
}

function read(body: unknown): HostReading {
  const finishText = textOf(property(body, 'stop_reason'));
  const texts = elementsOf(property(body, 'content')).flatMap((block) => {
    const text = property(block, 'type') === 'text' ? textOf(property(block, 'text')) : null;
    return text === null ? [] : [text];
  });
  const text = texts.length === 0 ? null : texts.join('');
  const finish = FINISH[finishText ?? ''] ?? 'other';
  const input = countOf(property(body, 'usage', 'input_tokens'));
  const output = countOf(property(body, 'usage', 'output_tokens'));
  const cacheRead = countOf(property(body, 'usage', 'cache_read_input_tokens'));
  const cacheWrite = countOf(property(body, 'usage', 'cache_creation_input_tokens'));
  return {
    text,
    refusal: finish === 'refusal' ? (text ?? '') : null,
    finish,
    finishText,
    // `input_tokens` leaves out what went through the prompt cache.
    usage:
      input === null || output === null
        ? null
        : {
            input: input + (cacheRead ?? 0) + (cacheWrite ?? 0),
            output,
            cached: cacheRead,
            reasoning: countOf(property(body, 'usage', 'output_tokens_details', 'thinking_tokens')),
          },
    model: textOf(property(body, 'model')),
    fingerprint: null,
    logprobs: null,
  };
}
